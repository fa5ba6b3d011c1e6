"""Deep books: the exact scores of all positions with 12 discs (or another number), in five bits each, without keys."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from outplay._core.connect4 import DeepBookCore, Members, Position
from outplay.connect4.book import Book
from outplay.errors import CorruptTableError
from outplay.files import write_whole

SHIPPED = Path(__file__).parent.parent / "data" / "connect4-7x6.deep"
MAGIC = b"outplay deep 1\n"


class DeepBook:
    """A deep book, read from a file or built from scores. It never changes; any number of solvers may share it.

    A level holds the scores of its members: the undecided positions with a given number of discs and without an
    immediate win, one of each pair of mirror images. A level answers every position with that number of discs, and
    every position with one disc fewer.
    """

    def __init__(self, core: DeepBookCore) -> None:
        self.core = core

    @classmethod
    def open(cls, path: Path | str) -> DeepBook:
        """Map a file into memory; CorruptTableError if the file is damaged, or is not a book."""
        core = DeepBookCore.open(str(path))
        if core is None:
            raise CorruptTableError(Path(path), "its content is not a deep book")
        return cls(core)

    @staticmethod
    def shipped() -> DeepBook:
        """Return the deep book of the 7 x 6 board that comes with outplay: levels 12 and 10."""
        return _shipped()

    @staticmethod
    def members(plies: int, *, width: int = 7, height: int = 6) -> Members:
        """Return the positions of the level with `plies` discs, ordered by key."""
        return Members.of(width, height, plies)

    @classmethod
    def from_scores(
        cls, plies: int, scores: Iterable[int], *, below: Iterable[int] = (), width: int = 7, height: int = 6
    ) -> DeepBook:
        """Make a book from the scores of `members(plies)`, in the same order.

        `below` names further levels by their numbers of discs; each is at most two below the one before. Their scores
        follow from `scores` without a search.
        """
        try:
            levels = [(plies, array("b", scores).tobytes())]
        except OverflowError:
            raise ValueError("a score must be from -128 to 127") from None
        core = _core_of(width, height, levels)
        for lower in sorted(below, reverse=True):
            levels.append((lower, core.scores(lower)))
            core = _core_of(width, height, levels)
        return cls(core)

    @property
    def width(self) -> int:
        return self.core.width

    @property
    def height(self) -> int:
        return self.core.height

    @property
    def levels(self) -> list[int]:
        """The levels of the book by their numbers of discs, the highest first."""
        return self.core.levels

    @property
    def plies(self) -> int:
        """The number of discs of the highest level."""
        return max(self.levels)

    def __len__(self) -> int:
        return len(self.core)

    def get(self, position: Position) -> int | None:
        """Return the score of a position, seen from the side to move; None if the book does not answer it."""
        return self.core.find(position)

    def scores(self, plies: int) -> Sequence[int]:
        """Return the scores of `members(plies)` in the same order; `plies` is a level, or at most two discs fewer."""
        return array("b", self.core.scores(plies))

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the whole book; of the book that ships, pickle only the name."""
        return (_shipped, ()) if self is _shipped() else (_decoded, (self.core.encoded,))

    def save(self, path: Path | str) -> None:
        """Write the file under a temporary name, then rename it, so that it is never half written."""
        write_whole(Path(path), self.core.encoded)


def open_book(path: Path | str) -> Book | DeepBook:
    """Open a book of either kind; CorruptTableError if the file is damaged, or is not a book."""
    with Path(path).open("rb") as file:
        is_deep = file.read(len(MAGIC)) == MAGIC
    return DeepBook.open(path) if is_deep else Book.open(path)


def _core_of(width: int, height: int, levels: list[tuple[int, bytes]]) -> DeepBookCore:
    core = DeepBookCore.decode(DeepBookCore.encode(width, height, levels))
    assert core is not None, "what was just encoded can be decoded"
    return core


def _decoded(data: bytes) -> DeepBook:
    core = DeepBookCore.decode(data)
    assert core is not None, "what was encoded can be decoded"
    return DeepBook(core)


@cache
def _shipped() -> DeepBook:
    return DeepBook.open(SHIPPED)
