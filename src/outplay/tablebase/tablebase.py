"""Asking the tables: what is the truth about this position, and which move keeps it?"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from types import TracebackType

from outplay.checkers import Move, Position
from outplay.tablebase.material import Material


class Value(StrEnum):
    """How a position ends with best play, for the side to move."""

    LOSS = "loss"
    DRAW = "draw"
    WIN = "win"


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the tables know about a position. They know nothing of repetition and of the no-progress rule."""

    value: Value
    distance: int | None = None
    """Plies to the end with best play, where the table holds distances; None for a draw."""


class Tablebase:
    """Endgame tables: those that ship, and those in a folder. Safe to share between threads."""

    @classmethod
    def open(cls, path: Path | None = None, *, unpacked: bool = False, cache_mib: int = 64) -> Tablebase:
        """The tables of `path`, or $OUTPLAY_TABLES, or the user's cache folder, on top of those that ship.

        `unpacked` spreads all of them out in memory (slow to open, fast to ask); otherwise blocks are unpacked as
        needed, and `cache_mib` bounds how many are kept. CorruptTableError names a damaged file.
        """
        raise NotImplementedError

    def probe(self, position: Position) -> Verdict:
        """The truth about a position; MissingTableError if there is no table for it."""
        raise NotImplementedError

    def get(self, position: Position) -> Verdict | None:
        """The truth about a position; None if there is no table for it."""
        raise NotImplementedError

    def best(self, position: Position) -> Move:
        """A move that keeps the value and makes progress: the fastest win, the longest defence.

        MissingTableError if there is no table for it, GameOverError if there is no move.
        """
        raise NotImplementedError

    @property
    def materials(self) -> tuple[Material, ...]:
        """Every material there is a table for."""
        raise NotImplementedError

    def close(self) -> None:
        """Let go of the files and the memory; asking afterwards is a ValueError."""
        raise NotImplementedError

    def __enter__(self) -> Tablebase:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()
