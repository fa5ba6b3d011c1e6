"""The advisor of a game: one search for each position somebody asks about, however many steps of the hint are read."""

from __future__ import annotations

from outplay import explain
from outplay.engine.task import Ask
from outplay.engine.types import Analysis, Limit
from outplay.errors import EngineError, OutplayError
from outplay.players import Player
from outplay.record import Game, Node
from outplay.work import Pool, Ticket

HINT_LIMIT = Limit(time_ms=1000)


class Advisor:
    """Keeps the search for the position that was asked about last. Only `wait_for` may be called while not alone."""

    def __init__(self, player: Player, pool: Pool, key: str, limit: Limit) -> None:
        self.player = player
        self._limit = limit
        self._pool, self._key = pool, key
        self._node: Node | None = None
        self._search: Ticket[Analysis] | None = None
        self._step = 0

    def ask(self, game: Game) -> Ticket[Analysis]:
        """The search for the current position: the one that runs or has answered, or a new one."""
        if self._search is None or self._node is not game.current or _has_failed(self._search):
            self.forget()
            question = Ask(self.player.recipe(game.ply), game.position, self._limit, game.history)
            self._search = self._pool.submit(question, key=self._key)
            self._node = game.current
        return self._search

    def step(self, asked: int | None) -> int:
        """The step that was asked for, or the one after the last."""
        self._step = asked or min(self._step + 1, explain.STEPS)
        return self._step

    def forget(self) -> None:
        """The position has changed."""
        if self._search is not None:
            self._search.cancel()
        self._node, self._search, self._step = None, None, 0

    def wait_for(self, search: Ticket[Analysis], timeout: float | None) -> Analysis:
        try:
            return search.result(timeout)
        except TimeoutError:
            raise EngineError(f"{self.player.label} gave no hint in time") from None


def _has_failed(search: Ticket[Analysis]) -> bool:
    future = search.future
    return future.done() and (future.cancelled() or isinstance(future.exception(), OutplayError))
