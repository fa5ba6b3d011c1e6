"""Checkers: what forced captures win. A side that can capture must do so, so these lines are proofs and not opinions.

An *exchange* is played out by captures alone. A *shot* begins with men that are given away: the other side must take
them, and loses more. A man *breaks through* if it becomes a king whatever the other side plays.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from outplay.checkers import Move, Position
from outplay.outcome import Side
from outplay.rules import must_capture

MOST_GIVEN = 2
"""The largest number of quiet moves in a shot; each of them gives something away."""
MOST_CAPTURES = 24
"""An exchange is looked at only up to this number of captures."""
MAN, KING = 2, 3
"""The worth of a man and of a king when two ends of an exchange are compared."""
MOST_LOOKED_AT = 20_000
"""The largest number of positions in the search for a breakthrough; a longer one is not claimed."""


@dataclass(frozen=True, slots=True)
class Forced:
    """A line in which the other side has no better choice: what the line wins, and its moves. A man counts `MAN`."""

    gain: int
    moves: tuple[Move, ...] = ()


NOTHING = Forced(0)


def forced_gain(position: Position, *, first: Move | None = None, given: int = MOST_GIVEN) -> Forced:
    """Return the most that the side to move wins by captures, and by giving men that the other side must take.

    `first` fixes the first move. Every choice of the other side among its captures is considered.
    """
    return _attack(position, given, MOST_CAPTURES, first)


def exchange(position: Position) -> Forced:
    """Return what the side to move wins by captures alone; `NOTHING` if it cannot capture."""
    return _attack(position, 0, MOST_CAPTURES, None)


def _attack(position: Position, given: int, left: int, first: Move | None) -> Forced:
    moves = position.legal_moves() if first is None else [first]
    is_capture = must_capture(position)
    best = NOTHING if not is_capture and first is None else None
    if left == 0:
        return NOTHING
    for move in moves:
        after = position.play(move)
        if not is_capture and (given == 0 or not must_capture(after)):
            continue
        rest = _defend(after, given - (not is_capture), left - 1)
        found = Forced(_taken(position, move) + rest.gain, (move, *rest.moves))
        if best is None or found.gain > best.gain:
            best = found
    return best or NOTHING


def _defend(position: Position, given: int, left: int) -> Forced:
    if left == 0 or not must_capture(position):
        return NOTHING
    worst: Forced | None = None
    for move in position.legal_moves():
        rest = _attack(position.play(move), given, left - 1, None)
        found = Forced(rest.gain - _taken(position, move), (move, *rest.moves))
        if worst is None or found.gain < worst.gain:
            worst = found
    return worst or NOTHING


def _taken(position: Position, move: Move) -> int:
    return sum(KING if position.kings >> (square - 1) & 1 else MAN for square in move.captures)


def captured(position: Position, moves: Sequence[Move], side: Side) -> tuple[int, int]:
    """Return the men and kings that a side captures in a line."""
    men = kings = 0
    for move in moves:
        if position.side is side:
            crowned = sum(position.kings >> (square - 1) & 1 for square in move.captures)
            kings += crowned
            men += len(move.captures) - crowned
        position = position.play(move)
    return men, kings


def breakthrough(position: Position, square: int, most: int) -> tuple[Move, ...] | None:
    """Return how the man of the side to move on a square becomes a king in at most `most` own moves.

    Only that man moves; the other side may do anything. None if it can be stopped, if another piece may have to
    capture, or if too many positions would have to be looked at.
    """
    for moves in range(1, most + 1):
        search = _Running(position.side)
        found = search.run(position, square, moves)
        if found is not None:
            return found
    return None


class _Running:
    """A search for the way of one man to the last row."""

    def __init__(self, side: Side) -> None:
        self._side, self._left = side, MOST_LOOKED_AT

    def run(self, position: Position, square: int, moves: int) -> tuple[Move, ...] | None:
        self._left -= 1
        if moves == 0 or self._left < 0:
            return None
        for move in position.legal_moves():
            if move.path[0] != square:
                continue
            after = position.play(move)
            end = move.path[-1]
            if after.kings >> (end - 1) & 1:
                return (move,)
            rest = self._answered(after, end, moves - 1)
            if rest is not None:
                return (move, *rest)
        return None

    def _answered(self, position: Position, square: int, moves: int) -> tuple[Move, ...] | None:
        """Return the longest continuation; None if some answer of the other side stops the man."""
        longest: tuple[Move, ...] | None = None
        for reply in position.legal_moves():
            if square in reply.captures:
                return None
            rest = self.run(position.play(reply), square, moves)
            if rest is None:
                return None
            if longest is None or len(rest) + 1 > len(longest):
                longest = (reply, *rest)
        return longest
