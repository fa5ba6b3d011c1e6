"""Who judges: one question for each move of a game, and what comes of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from outplay.engine.types import Score
from outplay.rules import Move


@dataclass(frozen=True, slots=True)
class Judgement:
    """What is known about a position in which a move was played. All scores are those of the side that moved."""

    best: Score
    played: Score
    loss: float | None
    """From 0 to 1; None if it could not be found out."""
    is_best: bool
    better: tuple[Move, ...] = ()
    """The best moves, where the move had a flaw."""
    line: tuple[Move, ...] = ()
    """What should have followed, one of these first."""
    reply: tuple[Move, ...] = ()
    """What is expected after the move that was played."""
    scores: dict[Move, Score] = field(default_factory=dict)
    """Every legal move, where the move was a mistake."""
    is_exact: bool = False
    """Every loss here is a fact, however small."""


class Judge(Protocol):
    """Judges the moves of one game, the last one first; positions are those of its game. `stop()` may come from another
    thread."""

    def position(self, position: Any, history: Sequence[Any]) -> Score:
        """What a position is worth to the side to move; it has at least one move."""

    def move(self, position: Any, move: Any, history: Sequence[Any], after: Score) -> Judgement:
        """What a move was worth; `after` is the score of the position that it led to, for the side to move there."""

    def keeps(self, score: Score, best: Score) -> bool:
        """Is a move with this score good enough where the best one has that score?"""

    def stop(self) -> None: ...


class StoppedError(Exception):
    """The review was told to stop."""
