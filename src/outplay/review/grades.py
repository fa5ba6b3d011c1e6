"""The limits between good and bad moves, and the accuracy of a side in per cent.

The loss of a move is the share of the winning chances that it gives away: a win is worth 1, a draw one half. In
checkers an estimate becomes a chance by the logistic curve with which the evaluation was trained. In Connect Four,
where the result is known, a move that keeps it but wins later or loses sooner has a small loss: `SLOWER` for each
move that the winner then needs more, or fewer.

| grade | loss |
|---|---|
| inaccuracy ?! | 5 %; Connect Four: any |
| mistake ? | 10 % |
| blunder ?? | 15 %; also every move that changes a known result |
"""

from __future__ import annotations

from collections.abc import Iterable
from math import exp

from outplay.review.types import Grade

INACCURACY, MISTAKE, BLUNDER = 0.05, 0.10, 0.15
SLOWER = 0.02
"""The loss for each winner's move by which a Connect Four move delays a win or hastens a defeat."""
MOST_SLOWER = MISTAKE
"""The highest loss of a move that keeps the result: at most a mistake, never a blunder."""
STEEPNESS = 5.0
"""The accuracy of a move that loses a share x of the chances is exp(-5 x): 47 % if it loses 15 %."""


def grade_of(loss: float, *, is_best: bool, is_exact: bool) -> Grade:
    """Return the grade of a move that had alternatives; `is_exact` if losses are proved, not estimated."""
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
    """Return the loss of a Connect Four move that keeps the result but wins later or loses sooner.

    `moves` is how many moves more, or fewer, the winner then needs.
    """
    return min(MOST_SLOWER, SLOWER * moves)


def accuracy(losses: Iterable[float]) -> float | None:
    """Return the mean accuracy over the moves of a side, in per cent; None if there are none."""
    parts = [100 * exp(-STEEPNESS * loss) for loss in losses]
    return sum(parts) / len(parts) if parts else None
