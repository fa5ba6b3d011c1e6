"""Reviews of games, in a process of their own: one for each game, for the moves it had when it was asked for."""

from __future__ import annotations

import threading
from collections import OrderedDict

from outplay.engine.runner import Question, Recipe
from outplay.engine.types import Limit
from outplay.notation import write
from outplay.record import Game
from outplay.review.checkers import fitting_ms
from outplay.review.connect4 import TIME_MS as SOLVER_MS
from outplay.web.jobs import Job, Jobs
from outplay.web.reviewer import Reviewer

MOST_MS = 180_000
"""For a whole review; the time for each position of a long game is cut to fit."""
KEPT = 100
MOST_UNFINISHED = 20
MOST_OF_ONE = 3


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
    """For each position: what the solver may need, what was asked of the searcher; less if the game is long."""
    plies = len(game.main_line())
    return min(SOLVER_MS, MOST_MS // (2 * plies + 2)) if game.rules.name == "connect4" else fitting_ms(plies, time_ms)


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
