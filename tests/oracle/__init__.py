"""A second opinion on the rules: both games written again, slowly and obviously, from the rule book.

Nothing here imports the package that is tested, and nothing here is clever: boards are rows of cells or a
dictionary of pieces, every rule is a sentence and the few lines below it, and speed does not matter. Where
the two opinions differ, read the rule book; the oracle is the one that is easy to check against it.
"""

from typing import NamedTuple

Cell = tuple[int, int]
"""A cell of a board as (row, column), both from 0, row 0 on top."""

FIRST, SECOND = 0, 1
"""The side that begins (Red, Black) and the other one (Yellow, White)."""


class Outcome(NamedTuple):
    """How a finished game ended: the winning side (None is a draw), why, and every winning four of cells."""

    winner: int | None
    reason: str
    lines: tuple[tuple[Cell, ...], ...] = ()
