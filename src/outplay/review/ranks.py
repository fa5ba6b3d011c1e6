"""Rank the bad moves of a game, the easiest to see first: those that cost much and whose cost shows after few moves."""

from __future__ import annotations

from collections.abc import Sequence

from outplay.explain import MoveReason
from outplay.review.types import JudgedMove

UNSEEN = 24
"""A flaw without a known reason is assumed to show after this number of plies."""
HALF = 6
"""A flaw that shows after this number of plies counts half as much as one that shows at once."""


def ranked(moves: Sequence[JudgedMove]) -> tuple[int, ...]:
    """Return the plies of the flaws, the easiest to see first; of two equal ones, the earlier first."""
    flaws = [move for move in moves if move.grade.is_flaw]
    return tuple(move.ply for move in sorted(flaws, key=lambda move: (-_weight(move), move.ply)))


def _weight(move: JudgedMove) -> float:
    return move.loss / (1 + shown_after(move) / HALF)


def shown_after(move: JudgedMove) -> int:
    """Return the number of plies after which a flaw shows: to the end of its refutation or of the missed line."""
    return min(_plies(move.refutation), _plies(move.missed))


def _plies(reason: MoveReason | None) -> int:
    return UNSEEN if reason is None or not reason.is_reason else min(UNSEEN, len(reason.line))
