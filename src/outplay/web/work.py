"""What the work in worker processes has in common. Whatever a worker imports is light: it has to start quickly."""

from __future__ import annotations

import contextlib
import os
import sys
from dataclasses import dataclass

from outplay.engine.types import Analysis

MEMORY = 1024 * 1024 * 1024
"""Bytes that a worker may take."""


@dataclass(frozen=True, slots=True)
class Found(Analysis):
    """How far a job has come."""

    is_complete: bool = True
    """False while it goes on, and if it was stopped before its end."""


def give_way(niceness: int) -> None:
    """In a worker: less urgent than the engines that people play against, and no more memory than its share."""
    if sys.platform == "win32":
        return
    import resource

    with contextlib.suppress(OSError, ValueError):
        os.setpriority(os.PRIO_PROCESS, 0, niceness)
        resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, MEMORY))
