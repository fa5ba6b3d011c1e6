"""The score of a search: a number, seen from the side to move.

        +WIN - 3    I win, and the game ends three plies from the root
             ...
             +5     the evaluation likes my position
              0     a draw, or neither side is better
             -5     the evaluation likes my opponent's
             ...
        -WIN + 4    I lose, in four plies at the latest

A nearer win counts for more, because a search to which all wins are equal can put off the last move for ever. A loss
that is farther away counts for less, so the loser resists.
"""

from __future__ import annotations

from outplay.engine.types import Score
from outplay.explain.scores import in_moves, points_text
from outplay.outcome import Outcome, Side

WIN = 1_000_000_000
"""The score of an immediate win. No evaluation comes near it."""

FORCED = WIN - 10_000
"""A score of at least this is a win that the search has seen; at most minus this, a loss."""

INFINITY = float("inf")


def ended(outcome: Outcome, side: Side, ply: int) -> int:
    """Return the score of a finished game, `ply` plies from the root, for the side to move."""
    if outcome.winner is None:
        return 0
    return WIN - ply if outcome.winner == side else ply - WIN


def is_forced(score: float) -> bool:
    """Return True if the score is a win or a loss that was searched to the end."""
    return abs(score) >= FORCED


def bounded(score: float) -> float:
    """Return an evaluation, limited to less than a win found by search."""
    return max(1 - FORCED, min(FORCED - 1, score))


def plies_to_end(score: float) -> int | None:
    """Return the plies from the root to a forced end; None if the score is only an evaluation."""
    return WIN - int(abs(score)) if is_forced(score) else None


def engine_score(score: float, depth: int) -> Score:
    """Return the score in the form that every engine reports."""
    return Score(score, "search", depth, plies_to_end(score))


def in_words(score: float) -> str:
    """Return a score as text: `7`, `-2.5`, `wins in 3` or `loses in 4` (the winner's own moves)."""
    plies = plies_to_end(score)
    return points_text(score) if plies is None else f"{'wins' if score > 0 else 'loses'}{in_moves(plies)}"
