"""A review as a task: it runs in a process of its own and reports its progress."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import ClassVar

from outplay.notation import write
from outplay.notation.pdn import games
from outplay.record import AnyGame, Game
from outplay.review.checkers import fitting_ms
from outplay.review.connect4 import TIME_MS as SOLVER_MS
from outplay.review.review import judge_for, review
from outplay.review.types import Review
from outplay.work.task import Report, Stop, Task, give_way

MOST_MS = 180_000
"""The time for a whole review; in a long game each position gets less."""
NICENESS = 10
TOLD_SECONDS = 0.2


@dataclass(frozen=True, slots=True)
class ReviewTask(Task[Review]):
    """A task that judges the main line of a game."""

    name: ClassVar[str] = "the review"
    needs_process: ClassVar[bool] = True
    time_ms: ClassVar[int] = MOST_MS
    text: str
    """The game as PDN."""
    position_ms: int
    """The time for each position."""

    @classmethod
    def of(cls, game: AnyGame, time_ms: int) -> ReviewTask:
        """Return the review task of a game; `time_ms` is for each position that must be searched."""
        plies = len(game.main_line())
        is_solved = game.rules.name == "connect4"
        fitting = min(SOLVER_MS, MOST_MS // (2 * plies + 2)) if is_solved else fitting_ms(plies, time_ms)
        return cls(main_text(game), fitting)

    def run(self, report: Report[Review], stop: Stop) -> Review:
        game = next(games(self.text))
        judge = judge_for(game, time_ms=self.position_ms)
        give_way(NICENESS)
        report.begin()
        told = 0.0

        def progress(found: Review) -> None:
            nonlocal told
            if time.monotonic() >= told + TOLD_SECONDS:
                told = time.monotonic()
                report(found)

        with stop.calling(judge.stop):
            return review(game, judge=judge, progress=progress)


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
