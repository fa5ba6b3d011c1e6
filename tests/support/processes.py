"""Wait for processes, and inspect them."""

import time
from collections.abc import Callable
from pathlib import Path

WAIT = 60
"""The most seconds that something certain may take."""


def until(what: Callable[[], bool]) -> None:
    """Wait for something that happens soon."""
    end = time.monotonic() + WAIT
    while not what():
        assert time.monotonic() < end, "it did not happen"
        time.sleep(0.01)


def is_alive(pid: int) -> bool:
    """Return True if the process runs; one that has ended but was not reaped does not."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


def begun(mark: Path) -> list[int]:
    """The processes of a job that has begun and never ends by itself."""
    until(mark.exists)
    return [int(pid) for pid in mark.read_text().split()]
