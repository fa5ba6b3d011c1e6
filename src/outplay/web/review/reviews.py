"""Reviews of games, in a separate process: one for each game, of the moves it had at the request."""

from __future__ import annotations

import threading
from collections import OrderedDict

from outplay.record import AnyGame
from outplay.review import Review
from outplay.review.collect import Collected, CollectTask
from outplay.review.task import ReviewTask, main_text
from outplay.web.runs import Run, Runs, worker_pool

KEPT = 100
MOST_UNFINISHED = 20
MOST_OF_ONE = 3

ReviewRun = Run[ReviewTask, Review]


class Reviews:
    """The reviews of a server, and the searches for puzzles in the same worker. Any thread may call any method."""

    def __init__(self) -> None:
        self._pool = worker_pool()
        bounds = {"kept": KEPT, "most": MOST_UNFINISHED, "most_of_one": MOST_OF_ONE}
        self._runs = Runs[ReviewTask, Review]("review", self._pool, **bounds)
        self.puzzles = Runs[CollectTask, Collected]("search for puzzles", self._pool, **bounds)
        self._of_games: OrderedDict[str, tuple[str, ReviewRun]] = OrderedDict()
        self._lock = threading.Lock()

    def begin(self, game_id: str, game: AnyGame, time_ms: int, client: str) -> ReviewRun:
        """Start the review of a game, unless these moves have one already."""
        with self._lock:
            run = self._find(game_id, game)
            if run is not None and run.status in ("waiting", "running", "done"):
                return run
            task = ReviewTask.of(game, time_ms)
            run = self._runs.begin(task, client)
            self._of_games[game_id] = (task.text, run)
            self._of_games.move_to_end(game_id)
            while len(self._of_games) > KEPT:
                self._of_games.popitem(last=False)
            return run

    def find(self, game_id: str, game: AnyGame) -> ReviewRun | None:
        """Return the review of these moves; None if there is none, or the game has changed since."""
        with self._lock:
            return self._find(game_id, game)

    def _find(self, game_id: str, game: AnyGame) -> ReviewRun | None:
        text, run = self._of_games.get(game_id, ("", None))
        return run if run is not None and text == main_text(game) else None

    def close(self) -> None:
        self._pool.close()
