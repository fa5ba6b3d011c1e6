"""A review as a task: it runs in a process of its own and reports its progress."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import ClassVar

from outplay.explain import UNTOLD
from outplay.notation import write
from outplay.notation.pdn import games
from outplay.record import AnyGame, Game
from outplay.review.review import judge_for, review
from outplay.review.types import Review
from outplay.work.task import Report, Stop, Task, give_way

MOST_MS = 180_000
"""The time limit of a whole review: far more than a review needs."""
NICENESS = 10
TOLD_SECONDS = 0.2


@dataclass(frozen=True, slots=True)
class ReviewTask(Task[Review]):
    """A task that judges the main line of a game. The sentences of the review are templates; see `Review.told`."""

    name: ClassVar[str] = "the review"
    needs_process: ClassVar[bool] = True
    time_ms: ClassVar[int] = MOST_MS
    text: str
    """The game as PDN."""
    nodes: int | None = None
    """The nodes for each position. Default: the judge's own number."""

    @classmethod
    def of(cls, game: AnyGame, nodes: int | None = None) -> ReviewTask:
        """Return the review task of a game; `nodes` is for each position that must be searched."""
        return cls(main_text(game), nodes)

    def run(self, report: Report[Review], stop: Stop) -> Review:
        game = next(games(self.text))
        judge = judge_for(game, nodes=self.nodes)
        give_way(NICENESS)
        report.begin()
        told = 0.0

        def progress(found: Review) -> None:
            nonlocal told
            if time.monotonic() >= told + TOLD_SECONDS:
                told = time.monotonic()
                report(found)

        with stop.calling(judge.stop):
            return review(game, judge=judge, voice=UNTOLD, progress=progress)


def main_text(game: AnyGame) -> str:
    """Return the main line alone, as PDN: the part of a game that is reviewed."""
    plain: AnyGame = Game(game.start, no_progress=game.no_progress)
    node = plain.root
    node.ending = game.root.ending
    for played in game.main_line():
        node = node.add(played.move)
        node.ending = played.ending
    plain.go_to(node)
    return write(plain)
