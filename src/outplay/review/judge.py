"""The interface of a judge: one question for each move of a game, and the answer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from outplay.engine.types import Score
from outplay.explain import Proofs
from outplay.rules import Move


@dataclass(frozen=True, slots=True)
class Judgement:
    """What is known about a position and the move played in it. All scores are those of the side that moved."""

    best: Score
    played: Score
    loss: float | None
    """The loss of the move, from 0 to 1; None if it could not be computed."""
    is_best: bool
    better: tuple[Move, ...] = ()
    """The best moves, if the move played was worse."""
    line: tuple[Move, ...] = ()
    """The better line, which starts with one of the best moves."""
    reply: tuple[Move, ...] = ()
    """The expected line after the move that was played."""
    scores: dict[Move, Score] = field(default_factory=dict)
    """The score of every legal move, if the move played was a mistake."""
    is_exact: bool = False
    """True if every loss here is proved, however small."""


class Judge(Protocol):
    """Judges the moves of one game, from last to first.

    `position` and `history` are positions of this game. `stop()` may be called from another thread.
    """

    def position(self, position: Any, history: Sequence[Any]) -> Score:
        """Return the score of a position for the side to move; it has at least one move."""

    def move(self, position: Any, move: Any, history: Sequence[Any], after: Score) -> Judgement:
        """Judge a move; `after` is the score of the position after it, for the side to move there."""

    def keeps(self, score: Score, best: Score) -> bool:
        """Return True if a move with this score is good enough where the best move has the score `best`."""

    @property
    def proofs(self) -> Proofs | None:
        """Return what confirms the reasons; None if no reasons are wanted."""

    def stop(self) -> None: ...


class StoppedError(Exception):
    """The review was stopped."""
