"""Material: the piece counts that name one endgame table, and what each table needs to be built."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import astuple, dataclass
from itertools import product

from outplay._core.tablebase import needs as needs_of
from outplay.checkers import Position
from outplay.errors import NotationError

FEWEST_PIECES = 2
MOST_PIECES = 8
"""The largest number of pieces on the board, both sides together: the file format has no room for more."""


@dataclass(frozen=True, slots=True, order=True)
class Material:
    """The numbers of men and kings of each side; `own` is the side to move. `str()` gives these numbers as four digits.

    >>> Material.parse("1201").other
    Material(own_men=0, own_kings=1, other_men=1, other_kings=2)
    """

    own_men: int
    own_kings: int
    other_men: int
    other_kings: int

    @classmethod
    def of(cls, position: Position) -> Material:
        """Return the material of a position, seen from its side to move."""
        own, other, kings = position.own, position.other, position.kings
        counts = (own & ~kings, own & kings, other & ~kings, other & kings)
        return cls(*(squares.bit_count() for squares in counts))

    @classmethod
    def parse(cls, text: str) -> Material:
        """Return the material that four digits name; NotationError if there can be no table for it."""
        if len(text) != 4 or not (text.isascii() and text.isdigit()):
            raise NotationError(text, "a material is four digits: own men, own kings, other men, other kings")
        material = cls(*map(int, text))
        if not material.is_valid:
            raise NotationError(text, f"each side needs a piece, and there may be at most {MOST_PIECES} pieces in all")
        return material

    @property
    def is_valid(self) -> bool:
        """Whether this material can have a table: each side has a piece, and there are at most MOST_PIECES in all."""
        has_both = self.own_men + self.own_kings > 0 and self.other_men + self.other_kings > 0
        return has_both and min(astuple(self)) >= 0 and self.pieces <= MOST_PIECES

    @property
    def pieces(self) -> int:
        return self.own_men + self.own_kings + self.other_men + self.other_kings

    @property
    def men(self) -> int:
        return self.own_men + self.other_men

    @property
    def other(self) -> Material:
        """The same pieces with the other side to move."""
        return Material(self.other_men, self.other_kings, self.own_men, self.own_kings)

    @property
    def table(self) -> str:
        """The name of the table file that holds this material and its `other`: the larger of the two."""
        return str(max(self, self.other))

    def __str__(self) -> str:
        return f"{self.own_men}{self.own_kings}{self.other_men}{self.other_kings}"


def materials(pieces: int) -> tuple[Material, ...]:
    """Return all materials of `pieces` pieces in building order.

    Each is built only from smaller or earlier ones, and from its `other`.
    """
    _check_pieces(pieces)
    names = sorted({material.table for material in _all_of(pieces)}, key=_building_order)
    tables = [Material.parse(name) for name in names]
    return tuple(material for table in tables for material in dict.fromkeys((table, table.other)))


def tables(pieces: int) -> tuple[str, ...]:
    """Return the names of all table files of `pieces` pieces in building order.

    Each is built only from smaller or earlier ones.
    """
    return tuple(dict.fromkeys(material.table for material in materials(pieces)))


def needs(table: str) -> tuple[str, ...]:
    """Return the names of the table files that a table file is built from: those that one move can lead to."""
    parse_table(table)
    return tuple(sorted(needs_of(table), key=lambda name: (Material.parse(name).pieces, *_building_order(name))))


def parse_table(name: str) -> Material:
    """Return the material that names a table file; NotationError if its `other` is larger."""
    material = Material.parse(name)
    if material.table != name:
        raise NotationError(name, f"the table file of this material is called {material.table}")
    return material


def _all_of(pieces: int) -> Iterator[Material]:
    for counts in product(range(pieces + 1), repeat=4):
        if sum(counts) == pieces and Material(*counts).is_valid:
            yield Material(*counts)


def _building_order(name: str) -> tuple[int, str]:
    return Material.parse(name).men, name  # only crowning leads to another material of as many pieces


def _check_pieces(pieces: int) -> None:
    if not FEWEST_PIECES <= pieces <= MOST_PIECES:
        raise ValueError(f"pieces must be from {FEWEST_PIECES} to {MOST_PIECES}, not {pieces}")
