"""Reviews of games, in a process of their own: one for each game, for the moves it had when it was asked for."""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass

from outplay.engine.runner import Question, Recipe
from outplay.engine.types import Engine, Limit, Report
from outplay.notation import games, write
from outplay.record import Game
from outplay.review import Judge, Review, judge_for, review
from outplay.review.connect4 import TIME_MS as SOLVER_MS
from outplay.rules import Position
from outplay.web.jobs import Found, Job, Jobs, give_way

NICENESS = 10
MEMORY = 1024 * 1024 * 1024
MOST_MS = 180_000
"""For a whole review; the time for each position of a long game is cut to fit."""
TOLD_SECONDS = 0.2
KEPT = 100
MOST_UNFINISHED = 20
MOST_OF_ONE = 3


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
        give_way(NICENESS, MEMORY)
        game = next(games(self.text))
        return _Reviewer(game, judge_for(game, time_ms=self.time_ms))


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
                report(reviewed(found))

        return reviewed(review(self._game, judge=self._judge, progress=progress))


def reviewed(found: Review) -> Reviewed:
    return Reviewed((), 0, 0, found.seconds, is_complete=found.is_complete, review=found)


class Reviews:
    """The reviews of a server. Every method may be called from any thread."""

    def __init__(self) -> None:
        self._jobs = Jobs("review", kept=KEPT, most=MOST_UNFINISHED)
        self._of_games: OrderedDict[str, tuple[str, Job]] = OrderedDict()
        self._lock = threading.Lock()

    def begin(self, game_id: str, game: Game, time_ms: int, client: str) -> Job:
        """Start the review of a game, unless there is one of these moves already."""
        with self._lock:
            job = self._find(game_id, game)
            if job is not None and job.status in ("waiting", "running", "done"):
                return job
            text = main_text(game)
            recipe = Reviewer(text, _time_ms(game, time_ms))
            job = self._jobs.begin(
                recipe, Question(game.start, Limit(time_ms=MOST_MS)), client, most_of_one=MOST_OF_ONE
            )
            self._of_games[game_id] = (text, job)
            self._of_games.move_to_end(game_id)
            while len(self._of_games) > KEPT:
                self._of_games.popitem(last=False)
            return job

    def find(self, game_id: str, game: Game) -> Job | None:
        """The review of these moves; None if nobody has asked for it, or the game has changed since."""
        with self._lock:
            return self._find(game_id, game)

    def _find(self, game_id: str, game: Game) -> Job | None:
        text, job = self._of_games.get(game_id, ("", None))
        return job if job is not None and text == main_text(game) else None

    def collect(self, recipe: Recipe, question: Question, client: str) -> Job:
        """Another piece of work for the same worker."""
        return self._jobs.begin(recipe, question, client, most_of_one=MOST_OF_ONE)

    def job(self, job_id: str) -> Job:
        return self._jobs.job(job_id)

    def close(self) -> None:
        self._jobs.close()


def _time_ms(game: Game, time_ms: int) -> int:
    """For each position: the solver has its usual time, the searcher what was asked for, if all fits."""
    wanted = SOLVER_MS if game.rules.name == "connect4" else time_ms
    return max(1, min(wanted, MOST_MS // (2 * len(game.main_line()) + 2)))


def main_text(game: Game) -> str:
    """The main line alone, as PDN: what a review is about."""
    plain = Game(game.start, no_progress=game.no_progress)
    node = plain.root
    node.ending = game.root.ending
    for played in game.main_line():
        node = node.add(played.move)
        node.ending = played.ending
    plain.go_to(node)
    return write(plain)
