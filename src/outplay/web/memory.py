"""Give free memory back to the system."""

from __future__ import annotations

import contextlib
import ctypes

TRIM_SECONDS = 30.0
"""The seconds between two runs of `trim`. With many new games, free memory is scattered: the C library keeps it."""


def trim() -> None:
    """Make the C library return unused memory to the system, where it can (glibc)."""
    with contextlib.suppress(OSError, AttributeError):
        ctypes.CDLL(None).malloc_trim(0)
