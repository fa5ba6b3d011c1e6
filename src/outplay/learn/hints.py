"""Hints for tasks whose answer is known: where to look, what to move, the move."""

from __future__ import annotations

from outplay.engine.types import Analysis, Line, Score
from outplay.explain import STEPS, Hint, hint
from outplay.explain.hints import last_step
from outplay.rules import Position


def step_hint(position: Position, answer: str, step: int) -> Hint:
    """Return step 1, 2 or 3 of a hint towards this move."""
    move = position.parse(answer)
    if step == STEPS:
        return last_step(position, move)
    known = Analysis((Line(move, Score(0), (move,)),), depth=0, nodes=0, seconds=0.0)
    return hint(position, known, step)
