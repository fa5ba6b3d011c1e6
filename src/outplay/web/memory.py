"""Give free memory back to the system."""

from __future__ import annotations

import contextlib
import ctypes

TRIM_SECONDS = 30.0
"""The seconds between two runs of `trim`: with many new games, free memory is scattered, and the C library keeps it."""


def trim() -> None:
    """Give the memory that the C library holds but does not use back to the system, where it can (glibc)."""
    with contextlib.suppress(OSError, AttributeError):
        ctypes.CDLL(None).malloc_trim(0)
