"""Opening books: the exact scores of all positions with few discs, found once and kept in a file."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

from outplay._core.connect4 import BookCore, Position
from outplay.errors import CorruptTableError
from outplay.files import write_whole

SHIPPED = Path(__file__).parent.parent / "data" / "connect4-7x6.book"


class Book:
    """A book that was read from a file, or built from scores. It never changes; any number of solvers may share it."""

    def __init__(self, core: BookCore) -> None:
        self.core = core

    @classmethod
    def open(cls, path: Path | str) -> Book:
        """Open the book in a file; CorruptTableError if the file is damaged, or is not a book."""
        core = BookCore.decode(Path(path).read_bytes())
        if core is None:
            raise CorruptTableError(Path(path), "its content is not an opening book")
        return cls(core)

    @staticmethod
    def shipped() -> Book:
        """Return the book of the 7 x 6 board that comes with outplay."""
        return _shipped()

    @staticmethod
    def positions(plies: int, *, width: int = 7, height: int = 6) -> list[Position]:
        """Return every undecided position with `plies` discs, one of each pair of mirror images, ordered by key."""
        return BookCore.positions(width, height, plies)

    @classmethod
    def from_scores(cls, plies: int, scores: Sequence[int], *, width: int = 7, height: int = 6) -> Book:
        """Make the book of all positions with up to `plies` discs, from the scores of `positions(plies)` in order."""
        return cls(BookCore.from_scores(width, height, plies, scores))

    @property
    def width(self) -> int:
        return self.core.width

    @property
    def height(self) -> int:
        return self.core.height

    @property
    def plies(self) -> int:
        """The largest number of discs; the book has every undecided position with up to this number."""
        return self.core.plies

    def __len__(self) -> int:
        return len(self.core)

    def get(self, position: Position) -> int | None:
        """Return the score of a position, seen from the side to move; None if the book does not have it."""
        return self.core.find(position)

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the whole book; of the book that ships, pickle only the name."""
        return (_shipped, ()) if self is _shipped() else (_decoded, (self.core.encode(),))

    def save(self, path: Path | str) -> None:
        """Write the file under a temporary name, then rename it, so that it is never half written."""
        write_whole(Path(path), self.core.encode())


def _decoded(data: bytes) -> Book:
    core = BookCore.decode(data)
    assert core is not None, "what was encoded can be decoded"
    return Book(core)


@cache
def _shipped() -> Book:
    return Book.open(SHIPPED)
