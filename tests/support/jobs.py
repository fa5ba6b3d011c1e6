"""Functions for jobs of the tests: workers import them by name."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

from outplay.runner import stop_event, stopped


def double(number: int) -> int:
    return 2 * number


def own_id(*_: Any) -> int:
    return os.getpid()


def fail(message: str) -> None:
    raise ValueError(message)


def give_a_lambda() -> Any:
    return lambda: None


def leave(code: int) -> None:
    os._exit(code)


def kill_the_worker() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def kill_the_worker_once(mark: str) -> str:
    """Kills its worker the first time; `mark` remembers."""
    if not Path(mark).exists():
        Path(mark).touch()
        kill_the_worker()
    return "done"


def tell_and_wait(mark: str, *others: int) -> None:
    """Writes its process id, and others, and never comes back."""
    Path(mark + ".part").write_text(" ".join(map(str, (os.getpid(), *others))))
    Path(mark + ".part").replace(mark)
    while True:
        time.sleep(0.05)


def start_another_and_wait(mark: str) -> None:
    """Starts a process of its own before it never comes back."""
    other = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(1000)"])
    tell_and_wait(mark, other.pid)


def wait_until_stopped(mark: str) -> str:
    """Runs until nobody wants it any more, and says so."""
    Path(mark + ".begun").touch()
    while not stopped():
        time.sleep(0.01)
    Path(mark).touch()
    return "stopped"


def wait_for_the_event(mark: str) -> str:
    """The same by an event."""
    Path(mark + ".begun").touch()
    with stop_event() as event:
        event.wait(60)
        Path(mark).touch()
    return "stopped"


def say(text: str) -> str:
    print(text)  # to the standard error, whatever the way back is
    sys.stdin.read()
    return text


def make(name: str, content: str, *, folder: Path) -> int:
    """Leaves a file in its folder; gives how many there are."""
    (folder / name).write_text(content)
    return len(list(folder.iterdir()))


def join(name: str, others: tuple[str, ...], *, folder: Path) -> str:
    """Joins what is in other files of its folder into one more."""
    text = "".join((folder / other).read_text() for other in others)
    (folder / name).write_text(text)
    return text
