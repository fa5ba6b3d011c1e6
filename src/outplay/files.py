"""Write files atomically, and lock files.

If a process is killed or the power fails, a file has its old or its new content, and no lock remains.
"""

from __future__ import annotations

import os
import sys
import threading
from pathlib import Path
from typing import IO

from outplay.errors import OutplayError

_NOTE_AT = 1
"""Where the note about the holder begins: on Windows, other processes cannot read byte 0, which is locked."""


def write_whole(path: Path, content: bytes) -> None:
    """Write to a temporary file beside `path`, then rename it over `path`.

    Until the rename, `path` keeps its old content. A killed process may leave a file that ends in `.tmp`.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_name(f"{path.name}.{os.getpid()}-{threading.get_ident()}.tmp")
    try:
        with beside.open("wb") as file:
            file.write(content)
        sync(beside)
        beside.replace(path)
        sync_folder(path.parent)
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(path)) from error  # a "disk full" error names no file
    finally:
        beside.unlink(missing_ok=True)


def sync(path: Path) -> None:
    """Flush a file to the disk."""
    with path.open("rb+") as file:
        os.fsync(file.fileno())


def sync_folder(folder: Path) -> None:
    """Flush a folder, so that the names of new files reach the disk."""
    if os.name == "nt":  # Windows cannot open a folder
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


class HeldError(OutplayError):
    """Another process holds the lock file `.path`; `.holder` says which."""

    def __init__(self, path: Path, holder: str) -> None:
        super().__init__(path, holder)
        self.path, self.holder = path, holder

    def __str__(self) -> str:
        return f"{self.path} is locked by {self.holder or 'another process'}"


def take_lock(path: Path) -> IO[bytes]:
    """Lock a file for this process until the returned file is closed or the process ends. A missing file is created.

    Raise HeldError if another process holds the lock.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    file = path.open("a+b")
    try:
        _take(file)
        file.truncate(0)
        file.write(b" " * _NOTE_AT + f"process {os.getpid()} on {_host_name()}".encode())
        file.flush()
    except (BlockingIOError, PermissionError):
        file.seek(_NOTE_AT)
        holder = file.read(200).decode(errors="replace")
        file.close()
        raise HeldError(path, holder) from None
    except BaseException:
        file.close()
        raise
    return file


def _host_name() -> str:
    import socket  # not above: `import outplay` is quick

    return socket.gethostname()


if sys.platform == "win32":

    def _take(file: IO[bytes]) -> None:
        import msvcrt

        file.seek(0)
        msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)

else:

    def _take(file: IO[bytes]) -> None:
        import fcntl

        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
