"""Where the lines are drawn between a good move and a bad one, and what a side's play is worth in per cent.

The loss of a move is the share of the winning chances that it gives away: a win is worth 1, a draw one half. In
checkers an estimate becomes a chance by the logistic curve on which it was learned. In Connect Four, where the result
is known, a move that keeps it but wins later, or loses sooner, loses a little for each of the winner's own moves.

| grade | loss |
|---|---|
| inaccuracy ?! | 5 %; Connect Four: any |
| mistake ? | 10 % |
| blunder ?? | 15 %: so does every move that changes a known result |
"""

from __future__ import annotations

from collections.abc import Iterable
from math import exp

from outplay.review.types import Grade

INACCURACY, MISTAKE, BLUNDER = 0.05, 0.10, 0.15
SLOWER = 0.02
"""What one more move of the winner's own costs in Connect Four."""
MOST_SLOWER = MISTAKE
"""A result that is kept is never more than a mistake away."""
STEEPNESS = 5.0
"""A move that loses a share x of the chances is accurate to exp(-5 x): 15 % lost is 47 % accurate."""


def grade_of(loss: float, *, is_best: bool, is_exact: bool) -> Grade:
    """The grade of a move that had alternatives; `is_exact` where every loss is a fact and no estimate."""
    if is_best:
        return Grade.BEST
    if loss >= BLUNDER:
        return Grade.BLUNDER
    if loss >= MISTAKE:
        return Grade.MISTAKE
    if loss >= INACCURACY or (is_exact and loss > 0):
        return Grade.INACCURACY
    return Grade.GOOD


def slower_loss(moves: int) -> float:
    """The loss of a move of Connect Four that keeps the result but gives so many of the winner's own moves away."""
    return min(MOST_SLOWER, SLOWER * moves)


def accuracy(losses: Iterable[float]) -> float | None:
    """In per cent: the mean over the moves of a side; None if there are none."""
    parts = [100 * exp(-STEEPNESS * loss) for loss in losses]
    return sum(parts) / len(parts) if parts else None
