"""Types that both games share: the two sides, and how a game ends."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum, StrEnum

Cell = tuple[int, int]
"""A cell of a Connect Four board: row from the top and column from the left, both from 0."""


class Side(IntEnum):
    """Who owns the pieces: `FIRST` is Red or Black, `SECOND` is Yellow or White.

    `FIRST` moves first from the usual start. A game from another position may begin with `SECOND`.
    """

    FIRST = 0
    SECOND = 1

    @property
    def other(self) -> Side:
        return Side.SECOND if self is Side.FIRST else Side.FIRST


class Reason(StrEnum):
    """Why a game is over. The first four reasons can be seen on the board, the others cannot."""

    FOUR_IN_A_ROW = "four in a row"
    BOARD_FULL = "board full"
    NO_MOVES = "no moves"
    NO_PIECES = "no pieces"
    REPETITION = "third repetition"
    NO_PROGRESS = "no progress"
    RESIGNATION = "resignation"
    TIME = "time"
    AGREEMENT = "agreement"
    FORFEIT = "forfeit"
    DECISION = "decision"


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a finished game ended: who won (`None`: a draw), why, and the winning fours of Connect Four."""

    winner: Side | None
    reason: Reason
    lines: tuple[tuple[Cell, ...], ...] = ()

    @property
    def is_draw(self) -> bool:
        return self.winner is None

    @property
    def result(self) -> str:
        """The result as game files write it: "1-0" if the first side won, "0-1" or "1/2-1/2"."""
        return {Side.FIRST: "1-0", Side.SECOND: "0-1", None: "1/2-1/2"}[self.winner]
