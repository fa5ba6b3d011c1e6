"""A lock that allows one build at a time in a folder. The system releases it when its process ends."""

from __future__ import annotations

import os
import socket
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from outplay.errors import JobError

NAME = ".lock"
_NOTE_AT = 1
"""Offset of the note about the holder: on Windows the locked byte cannot be read."""


class FolderLockedError(JobError):
    """Another build is running in the folder `.job`."""

    def __str__(self) -> str:
        return f"{self.job}: {self.reason}"


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Hold the lock of a folder, and create it if missing; FolderLockedError if another process holds it."""
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / NAME).open("a+b") as file:
        try:
            _take(file)
        except (BlockingIOError, PermissionError):
            raise FolderLockedError(str(folder), f"another build is running here{_holder(file)}") from None
        _sign(file)
        yield


def _sign(file: IO[bytes]) -> None:
    file.truncate(0)
    file.write(b" " * _NOTE_AT + f"process {os.getpid()} on {socket.gethostname()}".encode())
    file.flush()


def _holder(file: IO[bytes]) -> str:
    file.seek(_NOTE_AT)
    note = file.read(200).decode(errors="replace")
    return f" ({note})" if note else ""


if sys.platform == "win32":
    import msvcrt

    def _take(file: IO[bytes]) -> None:
        file.seek(0)
        msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)

else:
    import fcntl

    def _take(file: IO[bytes]) -> None:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
