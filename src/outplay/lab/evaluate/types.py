"""What an evaluation is: a guess with a name, and the table of weights behind it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from outplay.rules import Position

Weights = tuple[tuple[str, float], ...]
"""What is counted, in words, and how much each counts."""


@dataclass(frozen=True, slots=True)
class Evaluation:
    """A guess how good a position is for the side to move, without looking ahead."""

    name: str
    game: str
    """The game it is made for, by its name in RULES."""
    about: str
    """One line for people."""
    score: Callable[[Any], float]
    weights: Weights = ()
    shuffle: float = 0
    """What it costs a side to close a circle: to bring about the position of four plies ago (see `closes_circle`)."""

    def __call__(self, position: Position, history: Sequence[Position] = ()) -> float:
        """The score for the side to move; `history` holds the positions before this one, oldest first."""
        score = self.score(position)
        return score + self.shuffle if closes_circle(position, history) else score  # charged to the side that moved


def closes_circle(position: Position, history: Sequence[Position]) -> bool:
    """Whether the last four plies undid each other: each side went there and back, and nothing has changed.

    Only the past of the game can tell, so the search asks this at its root, for each move it may play. Deeper in the
    tree it would make a position's score depend on the road to it, and then the table (table.py) would not be exact.
    """
    return len(history) >= 4 and history[-4] == position
