"""Lock a folder, so that only one build uses it. The lock ends with its process, even if the process is killed."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from outplay.errors import JobError
from outplay.files import HeldError, take_lock

NAME = ".lock"


class FolderLockedError(JobError):
    """Another build uses a folder; `.job` is the folder."""

    def __str__(self) -> str:
        return f"{self.job}: {self.reason}"


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Lock a folder, and make the folder if it is missing. Raise FolderLockedError if another process has the lock."""
    try:
        file = take_lock(folder / NAME)
    except HeldError as error:
        holder = f" ({error.holder})" if error.holder else ""
        raise FolderLockedError(str(folder), f"another build is running here{holder}") from None
    with file:
        yield


def remove(folder: Path) -> None:
    """Remove a folder that has nothing but the lock. Only the holder of the lock may do that, after the build."""
    with suppress(OSError):  # some systems cannot remove a file that is in use
        (folder / NAME).unlink()
        folder.rmdir()
