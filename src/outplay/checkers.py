"""Checkers (English draughts): `Position` and `Move` hold all of its rules, `Searcher` plays it well."""

from functools import cache
from importlib.resources import files

from outplay._core.checkers import (
    ACTION_COUNT,
    Endgames,
    Findings,
    Move,
    Position,
    Positions,
    Searcher,
    SearchLine,
    VectorGames,
    Weights,
    actions_of,
    fit,
    fit_network,
    known_endings,
    move_of,
    self_play,
    techniques,
)

__all__ = [
    "ACTION_COUNT",
    "Endgames",
    "Findings",
    "Move",
    "Position",
    "Positions",
    "SearchLine",
    "Searcher",
    "VectorGames",
    "Weights",
    "actions_of",
    "cell_of",
    "default_weights",
    "fit",
    "fit_network",
    "known_endings",
    "move_of",
    "self_play",
    "square_at",
    "techniques",
]


def cell_of(square: int) -> tuple[int, int]:
    """Return the row and column of a square (1-32) as `Position.rows()` counts them, both from 0, row 0 on top.

    >>> cell_of(1), cell_of(32)
    ((0, 1), (7, 6))
    """
    if square not in range(1, 33):
        raise ValueError(f"there is no square {square!r}: squares are 1-32")
    row, place = divmod(square - 1, 4)
    return row, 2 * place + (row + 1) % 2


def square_at(row: int, column: int) -> int:
    """Return the square (1-32) at a row and column, both from 0; ValueError if the cell is light or off the board.

    >>> square_at(0, 1), square_at(7, 6)
    (1, 32)
    """
    if row not in range(8) or column not in range(8):
        raise ValueError(f"there is no row {row!r}, column {column!r}: both are from 0 to 7")
    if (row + column) % 2 == 0:
        raise ValueError(f"row {row}, column {column} is a light cell: pieces stand on dark ones")
    return row * 4 + column // 2 + 1


@cache
def default_weights() -> Weights:
    """Return the weights that ship with outplay."""
    return Weights.from_bytes(files("outplay").joinpath("data", "checkers.weights").read_bytes())
