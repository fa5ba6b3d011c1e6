"""Give free memory back to the system."""

from __future__ import annotations

import contextlib
import ctypes

TRIM_SECONDS = 30.0
"""How often. With a hundred games a minute that begin and end, what is free lies scattered and is kept otherwise."""


def trim() -> None:
    """Give the memory that the C library holds but nobody uses back to the system, where it can (glibc)."""
    with contextlib.suppress(OSError, AttributeError):
        ctypes.CDLL(None).malloc_trim(0)
