"""Files that are whole or not there, whatever ends the process, and whenever the power goes."""

from __future__ import annotations

import os
import threading
from pathlib import Path


def write_whole(path: Path, content: bytes) -> None:
    """Write beside the place, then rename; what was there stays until then. What a kill leaves ends in `.tmp`."""
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_name(f"{path.name}.{os.getpid()}-{threading.get_ident()}.tmp")
    try:
        with beside.open("wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        beside.replace(path)
        _sync_folder(path.parent)
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(path)) from error  # a full disk does not say which file it was
    finally:
        beside.unlink(missing_ok=True)


def _sync_folder(folder: Path) -> None:
    """The new name, too, has to reach the disk."""
    if os.name == "nt":  # which cannot open a folder
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
