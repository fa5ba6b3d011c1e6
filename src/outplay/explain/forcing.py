"""Connect Four: wins by threats alone, and the cells of a four.

A *forcing move* threatens four, so that the other side must block. A win that consists only of forcing moves and a
four at the end is a proof by itself: the other side never has a choice.
"""

from __future__ import annotations

from outplay.connect4 import Position
from outplay.outcome import Side

MOST_FORCING = 8
"""The largest number of forcing moves before the four: more are hard to follow."""


def open_fours(position: Position, side: Side) -> list[int]:
    """Return the columns in which a disc of this side, dropped now, makes four."""
    return [column for row, column in position.threats(side) if position.landing_row(column) == row]


def forced_win(position: Position, *, first: int | None = None, most: int = MOST_FORCING) -> tuple[int, ...] | None:
    """Return a shortest win of the side to move by forcing moves: the moves of both sides; the last one makes four.

    `first` fixes the first move. None if there is no such win with at most `most` forcing moves.
    """
    search = _Forcing()
    for forcing in range(most + 1):
        found = search.win(position, forcing, first)
        if found is not None:
            return found
    return None


class _Forcing:
    """One search, which remembers the positions in which it found no win."""

    def __init__(self) -> None:
        self._failed: set[tuple[int, int, int | None]] = set()

    def win(self, position: Position, forcing: int, first: int | None = None) -> tuple[int, ...] | None:
        """Return a win with at most this number of forcing moves."""
        fours = open_fours(position, position.side)
        if fours and first in (None, *fours):
            return (fours[0] if first is None else first,)
        if forcing == 0 or (position.key, forcing, first) in self._failed:
            return None
        for column in _candidates(position) if first is None else (first,):
            found = self._after(position, column, forcing)
            if found is not None:
                return found
        self._failed.add((position.key, forcing, first))
        return None

    def _after(self, position: Position, column: int, forcing: int) -> tuple[int, ...] | None:
        after = position.play(column)
        if after.outcome() is not None or open_fours(after, after.side):
            return None
        fours = open_fours(after, position.side)
        if len(fours) > 1:
            return (column, fours[0], fours[1])
        if not fours:
            return None
        rest = self.win(after.play(fours[0]), forcing - 1)
        return None if rest is None else (column, fours[0], *rest)


def _candidates(position: Position) -> list[int]:
    """Return the moves to try, central ones first; if a block is needed, only the block."""
    blocks = open_fours(position, position.side.other)
    if blocks:
        return blocks[:1]
    middle = (position.width - 1) / 2
    return sorted(position.legal_moves(), key=lambda column: abs(column - middle))


def fours_through(position: Position, side: Side, row: int, column: int) -> list[tuple[int, ...]]:
    """Return the cells of each four that a disc of this side in an empty cell would complete, the empty cell last."""
    rows = position.rows(first=1)
    own = int(side) + 1
    cell = row * position.width + column
    found = []
    for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
        for start in range(-3, 1):
            cells = [(row + step * down, column + step * right) for step in range(start, start + 4)]
            others = [at for at in cells if at != (row, column)]
            if all(0 <= r < position.height and 0 <= c < position.width and rows[r][c] == own for r, c in others):
                found.append((*(r * position.width + c for r, c in others), cell))
    return found
