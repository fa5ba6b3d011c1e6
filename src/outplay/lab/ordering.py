"""Move ordering: try the most promising moves first, and alpha-beta cuts more.

Alpha-beta cuts once a good move has been searched, so it cuts sooner if good moves come early. Ordering never changes
the score. Four sources, cheapest first:

* **The board.** Connect Four: the centre takes part in more fours than the edge (13 windows of four go through the
  middle of the third row, 3 through a corner). Checkers: larger captures, crowning, then men far advanced.
* **Killers**: a move that refuted one position often refutes its siblings too: the threat behind it is still there.
* **The table**: the best move found here before (table.py).
* **The principal move**: the expected line of the last, shallower search (deepening.py).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import Any

from outplay import checkers
from outplay.errors import NotationError
from outplay.outcome import Side
from outplay.rules import Move, Position, rules_of

Arrange = Callable[[Any, list[Move]], list[Move]]
"""A function that returns the legal moves of a position in another order."""


# Connect Four: two ways to say "centre first"


def by_distance(position: Any, columns: list[int]) -> list[int]:
    """Return all columns, those nearest to the centre first, left before right: 4 3 5 2 6 1 7."""
    return sorted(columns, key=_distances(position.width).__getitem__)


def middle_to_front(position: Any, columns: list[int]) -> list[int]:
    """Move the three middle columns to the front, if more than three columns are open: 3 4 5 1 2 6 7.

    On a board of even width there are four in the middle.
    """
    if len(columns) <= 3:
        return columns
    return to_front(columns, _middle(position.width))


@lru_cache
def _distances(width: int) -> tuple[int, ...]:
    return tuple(abs(2 * column - (width - 1)) for column in range(width))


@lru_cache
def _middle(width: int) -> tuple[int, ...]:
    return tuple(column for column in range(width) if abs(2 * column - (width - 1)) <= 3 - width % 2)


# Checkers


_CENTRE = frozenset((10, 11, 14, 15, 18, 19, 22, 23))


def captures_and_advances(position: Any, moves: list[checkers.Move]) -> list[checkers.Move]:
    """Return the moves in order: large captures first.

    Without captures, men near the last row come first, then kings, then other men; men of the home row come last.
    """
    if len(moves) == 1:
        return moves
    if moves[0].is_capture:
        return sorted(moves, key=lambda move: -len(move.captures))
    is_black = position.side == Side.FIRST
    kings = position.kings

    def lateness(move: checkers.Move) -> float:
        start, end = move.path[0], move.path[-1]
        if kings >> start - 1 & 1:
            return 3
        rows_to_go = (32 - end) // 4 if is_black else (end - 1) // 4
        leaves_home = start <= 4 if is_black else start >= 29
        return rows_to_go + 4 * leaves_home - 0.5 * (end in _CENTRE)

    return sorted(moves, key=lateness)


# Both games


ORDERS: dict[str, dict[str, Arrange]] = {
    "connect4": {"distance": by_distance, "front": middle_to_front},
    "checkers": {"captures": captures_and_advances},
}
"""The orders of each game by name, the default first."""


def find_order(position: Position, name: str | None = None) -> Arrange:
    """Return the order of that name for the position's game. Default: the first one in ORDERS."""
    orders = ORDERS[rules_of(position).name]
    if name is None:
        return next(iter(orders.values()))
    if name not in orders:
        raise NotationError(name, f"the orders of {rules_of(position).title} are {', '.join(orders)}")
    return orders[name]


def to_front(moves: list[Move], favourites: Iterable[Move]) -> list[Move]:
    """Return the favourites that are among the moves, in their order, then the other moves."""
    first = [move for move in favourites if move in moves]
    return first + [move for move in moves if move not in first] if first else moves


class Killers:
    """The last two moves at each ply that caused a cut-off."""

    def __init__(self) -> None:
        self._moves: defaultdict[int, tuple[Move, ...]] = defaultdict(tuple)

    def at(self, ply: int) -> tuple[Move, ...]:
        return self._moves[ply]

    def add(self, ply: int, move: Move) -> None:
        before = self._moves[ply]
        if move not in before[:1]:
            self._moves[ply] = (move, *before[:1])
