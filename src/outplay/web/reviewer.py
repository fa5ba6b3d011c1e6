"""A review in its worker."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass

from outplay.engine.types import Engine, Limit, Report
from outplay.notation import games
from outplay.record import Game
from outplay.review import Judge, Review, judge_for, review
from outplay.rules import Position
from outplay.web.work import Found, give_way

NICENESS = 10
TOLD_SECONDS = 0.2


@dataclass(frozen=True, slots=True)
class Reviewed(Found):
    """How far a review has come."""

    review: Review | None = None


@dataclass(frozen=True, slots=True)
class Reviewer:
    """A review as a recipe for a worker."""

    text: str
    """The game as PDN."""
    time_ms: int
    """For each position."""
    name: str = "the review"
    is_reusable: bool = False
    needs_process: bool = True

    def __call__(self) -> Engine:
        game = next(games(self.text))
        engine = _Reviewer(game, judge_for(game, time_ms=self.time_ms))
        give_way(NICENESS)
        return engine


class _Reviewer:
    """The engine in its worker."""

    name = "the review"

    def __init__(self, game: Game, judge: Judge) -> None:
        self._game, self._judge = game, judge

    def stop(self) -> None:
        self._judge.stop()

    def analyse(
        self, position: Position, limit: Limit, *, history: Sequence[Position] = (), report: Report | None = None
    ) -> Reviewed:
        told = 0.0

        def progress(found: Review) -> None:
            nonlocal told
            if report is not None and time.monotonic() >= told + TOLD_SECONDS:
                told = time.monotonic()
                report(_reviewed(found))

        return _reviewed(review(self._game, judge=self._judge, progress=progress))


def _reviewed(found: Review) -> Reviewed:
    return Reviewed((), 0, 0, found.seconds, is_complete=found.is_complete, review=found)
