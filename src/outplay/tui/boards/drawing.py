"""What a board shows: the pieces, and the marks on its cells."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from outplay.outcome import Side
from outplay.rules import Position, rules_of


@dataclass(frozen=True, slots=True)
class Drawing:
    """A board with its marks. Cells are counted as in `Rules.cells`: from 0 in Connect Four, squares 1-32."""

    cells: str
    """One character per cell, as in `Rules.cells`."""
    size: tuple[int, int]
    side: Side = Side.FIRST
    """The side to move."""
    last: tuple[int, ...] = ()
    """The cells that the last move went through."""
    won: tuple[int, ...] = ()
    """The winning four."""
    movable: tuple[int, ...] = ()
    """The pieces that can move; in Connect Four the cells where a disc would land."""
    ringed: tuple[int, ...] = ()
    """The pieces that must capture, or that explain why a move was refused."""
    hinted: tuple[int, ...] = ()
    picked: tuple[int, ...] = ()
    """The squares that were chosen so far, for a move of several squares."""
    targets: tuple[int, ...] = ()
    """The squares that may be chosen next."""
    labels: tuple[str, ...] = ()
    """A few characters under each column, such as a score."""
    is_flipped: bool = False

    @classmethod
    def of(cls, position: Position, **marks: Any) -> Drawing:
        """Return the drawing of a position."""
        rules = rules_of(position)
        return cls(rules.cells(position), rules.size(position), position.side, **marks)
