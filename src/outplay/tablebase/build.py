"""Building and verifying table files, one at a time."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from outplay.tablebase.files import TableInfo

Report = Callable[[float], None]
"""Told the share that is done, from 0 to 1, a few times a second, in the thread of the caller."""


@dataclass(frozen=True, slots=True)
class Job:
    """One table file to build: plain data, for whoever plans the work."""

    name: str
    needs: tuple[str, ...]
    """The table files it is built from, smaller ones first."""
    positions: int
    """How many positions it holds, over its materials."""
    bytes_needed: int
    """Of memory, at the peak, the unpacked tables it needs included."""


def plan(pieces: int, *, threads: int = 1) -> tuple[Job, ...]:
    """Every table file of exactly so many pieces, in an order in which each needs only those before or fewer pieces."""
    raise NotImplementedError


def build_table(
    name: str,
    folder: Path,
    *,
    threads: int = 1,
    distances: bool = False,
    stop: threading.Event | None = None,
    report: Report | None = None,
) -> TableInfo:
    """Build one table file from those in the folder and those that ship; a good one that is there already is kept.

    The file appears whole or not at all: it is written beside, checked, and renamed. MissingTableError if a table
    it needs is absent, CorruptTableError if one is damaged, JobError if `stop` was set before the end, OSError (and
    no file) if it cannot be written.
    """
    raise NotImplementedError


def verify_table(
    name: str,
    folder: Path,
    *,
    threads: int = 1,
    stop: threading.Event | None = None,
    report: Report | None = None,
) -> TableInfo:
    """Prove a table file by another route than `build_table`; CorruptTableError names the first wrong position."""
    raise NotImplementedError
