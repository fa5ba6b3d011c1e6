"""What a search says about a position: a number, seen from the side to move.

        +WIN - 3    I win, and the game ends three plies from the root
             ...
             +5     the evaluation likes my position
              0     a draw, or nobody is better
             -5     the evaluation likes my opponent's
             ...
        -WIN + 4    I lose, in four plies at the latest

A win that is nearer counts for more, because a search that holds all wins for equal can put off the last move for
ever: there is always another win left for tomorrow. A loss that is farther away hurts less, so the loser resists.
"""

from __future__ import annotations

from outplay.engine.types import Score
from outplay.explain.scores import in_moves, points_text
from outplay.outcome import Outcome, Side

WIN = 1_000_000_000
"""A win on the spot. No evaluation comes near it."""

FORCED = WIN - 10_000
"""From here on a score is no guess: the end of the game was reached, whatever the other side tries."""

INFINITY = float("inf")


def ended(outcome: Outcome, side: Side, ply: int) -> int:
    """The score of a game that is over, `ply` plies from the root, for the side whose turn it would be."""
    if outcome.winner is None:
        return 0
    return WIN - ply if outcome.winner == side else ply - WIN


def is_forced(score: float) -> bool:
    """Whether the score is a win or a loss that was searched to the end."""
    return abs(score) >= FORCED


def bounded(score: float) -> float:
    """An evaluation, never as large as a win that was found by search."""
    return max(1 - FORCED, min(FORCED - 1, score))


def plies_to_end(score: float) -> int | None:
    """How many plies a forced end is away from the root; None if the score is only an evaluation."""
    return WIN - int(abs(score)) if is_forced(score) else None


def engine_score(score: float, depth: int) -> Score:
    """The same in the words that every engine speaks."""
    return Score(score, "search", depth, plies_to_end(score))


def in_words(score: float) -> str:
    """`7`, `-2.5`, `wins in 3`, `loses in 4`, counting the winner's own moves."""
    plies = plies_to_end(score)
    return points_text(score) if plies is None else f"{'wins' if score > 0 else 'loses'}{in_moves(plies)}"
