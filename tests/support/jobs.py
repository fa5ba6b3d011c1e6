"""Functions for jobs of the tests: workers import them by name."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

from outplay.work import Call, Job, Report, Stop, Task


def job(
    key: str,
    call: Callable[..., Any] | str,
    args: tuple[Any, ...] = (),
    needs: tuple[str, ...] = (),
    *,
    folder: Path | None = None,
    **options: Any,
) -> Job:
    """A job that calls a function."""
    return Job(key, Call(call, args, folder), needs, **options)


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
    """Kill the worker the first time; `mark` remembers."""
    if not Path(mark).exists():
        Path(mark).touch()
        kill_the_worker()
    return "done"


def tell_and_wait(mark: str, *others: int) -> None:
    """Write the process id, and others, and never return."""
    Path(mark + ".part").write_text(" ".join(map(str, (os.getpid(), *others))))
    Path(mark + ".part").replace(mark)
    while True:
        time.sleep(0.05)


def start_another_and_wait(mark: str) -> None:
    """Start another process, then never return."""
    other = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(1000)"])
    tell_and_wait(mark, other.pid)


@dataclass(frozen=True, slots=True)
class WaitUntilStopped(Task[str]):
    """Runs until it is no longer wanted, and says so."""

    mark: str
    name: ClassVar[str] = "wait until stopped"

    def run(self, report: Report[str], stop: Stop) -> str:
        Path(self.mark + ".begun").touch()
        while not stop.is_set():
            time.sleep(0.01)
        Path(self.mark).touch()
        return "stopped"


@dataclass(frozen=True, slots=True)
class WaitForTheCall(Task[str]):
    """The same by a call."""

    mark: str
    name: ClassVar[str] = "wait for the call"

    def run(self, report: Report[str], stop: Stop) -> str:
        Path(self.mark + ".begun").touch()
        event = threading.Event()
        with stop.calling(event.set):
            event.wait(60)
            Path(self.mark).touch()
        return "stopped"


def say(text: str) -> str:
    print(text)  # goes to standard error, whatever channel carries the answer
    sys.stdin.read()
    return text


def make(name: str, content: str, *, folder: Path) -> int:
    """Write a file in the folder, and return the number of files."""
    (folder / name).write_text(content)
    return len(list(folder.iterdir()))


def join(name: str, others: tuple[str, ...], *, folder: Path) -> str:
    """Join other files of the folder into a new one."""
    text = "".join((folder / other).read_text() for other in others)
    (folder / name).write_text(text)
    return text
