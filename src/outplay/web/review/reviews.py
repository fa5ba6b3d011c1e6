"""Reviews of games, in a separate process. A game has one review, of its moves at the time of the request."""

from __future__ import annotations

import logging
import threading
import time
from collections import OrderedDict

from outplay.record import AnyGame
from outplay.review import Review
from outplay.review.collect import Collected, CollectTask
from outplay.review.task import ReviewTask, main_text
from outplay.store import Store
from outplay.web.http.lanes import Receive
from outplay.web.runs import Run, Runs, worker_pool
from outplay.work import Pools

KEPT = 100
MOST_UNFINISHED = 20
MOST_OF_ONE = 3
UNASKED_SECONDS = 10.0
"""A review, or a search for puzzles, is stopped if no page has asked about it for this long."""

ReviewRun = Run[ReviewTask, Review]


class Reviews:
    """The reviews of a server, and the searches for puzzles in the same worker. Any thread may call any method."""

    def __init__(self, store: Store, pools: Pools) -> None:
        self._store = store
        self._pool = worker_pool(pools, "review")
        bounds = {"kept": KEPT, "most": MOST_UNFINISHED, "most_of_one": MOST_OF_ONE}
        self._runs = Runs[ReviewTask, Review]("review", self._pool, **bounds)
        self.puzzles = Runs[CollectTask, Collected]("search for puzzles", self._pool, **bounds)
        self._of_games: OrderedDict[str, tuple[str, ReviewRun]] = OrderedDict()
        self._lock = threading.Lock()

    def begin(self, game_id: str, game: AnyGame, nodes: int | None, client: str) -> ReviewRun:
        """Start the review of a game, unless these moves have one already."""
        with self._lock:
            run = self._find(game_id, game)
            if run is not None and run.status in ("waiting", "running", "done"):
                return run
            task = ReviewTask.of(game, nodes)
            run = self._runs.begin(task, client)
            run.when_done(lambda review: self._save(game_id, task.text, review))
            self._of_games[game_id] = (task.text, run)
            self._of_games.move_to_end(game_id)
            while len(self._of_games) > KEPT:
                self._of_games.popitem(last=False)
            return run

    async def hold(self, game_id: str, receive: Receive, seconds: float) -> None:
        """Hold a request while the review of a game runs, for at most this time; see `Run.hold`."""
        with self._lock:
            _, run = self._of_games.get(game_id, ("", None))
        if run is not None and not run.is_over:
            await run.hold(receive, seconds)

    def find(self, game_id: str, game: AnyGame) -> ReviewRun | None:
        """Return the review of these moves; None if there is none, or the game has changed since."""
        with self._lock:
            return self._find(game_id, game)

    def _find(self, game_id: str, game: AnyGame) -> ReviewRun | None:
        moves = main_text(game)
        text, run = self._of_games.get(game_id, ("", None))
        if run is not None and text == moves:
            run.asked_at = time.monotonic()
            return run
        review = self._store.review(game_id, moves)
        return None if review is None else ReviewRun.over(ReviewTask(moves), review)

    def _save(self, game_id: str, moves: str, review: Review) -> None:
        """Save a complete review with its game. If that fails, only log it: the review can be made again."""
        if not review.is_complete or self._store.is_read_only:
            return
        try:
            self._store.save_review(game_id, moves, review)
        except Exception:
            logging.getLogger(__name__).exception("the review of game %s was not saved", game_id)

    def sweep(self) -> None:
        """Stop what no page asks about any more."""
        self._runs.stop_unasked(UNASKED_SECONDS)
        self.puzzles.stop_unasked(UNASKED_SECONDS)

    def close(self) -> None:
        self._pool.close()
