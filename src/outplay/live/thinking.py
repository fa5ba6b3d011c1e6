"""Searches in other processes: the thinking of the player to move, and the advisor's hints."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass
from functools import partial

from outplay import explain
from outplay.engine.task import Ask
from outplay.engine.types import Analysis, Limit
from outplay.errors import EngineError, OutplayError
from outplay.live.state import Opinion
from outplay.live.timers import Timers, ignore
from outplay.players import Player
from outplay.record import AnyGame, AnyNode
from outplay.rules import Move, Position
from outplay.work import OverrunError, Pool, Ticket
from outplay.work.task import failure

HINT_LIMIT = Limit(time_ms=500)
"""With this limit, a hint and its reason are ready within a second."""
LEAST_TIME_MS = 10
"""The least thinking time of an engine, even at the fastest pace."""


@dataclass(eq=False, slots=True)
class Thought:
    """One search, from the request to the move that is played."""

    position: Position
    ply: int
    player: Player
    limit: Limit
    asked_at: float
    search: Ticket[Analysis] | None = None
    started_at: float | None = None
    latest: Analysis | None = None
    answer: Analysis | None = None

    @property
    def place(self) -> int:
        return 0 if self.search is None else self.search.place

    def opinion(self, played: Move | None = None) -> Opinion | None:
        analysis = self.answer or self.latest
        return None if analysis is None else Opinion(self.ply, self.position, self.player, analysis, played)


class Thinker:
    """Runs one search at a time with the current time limit and pace. Call it only while holding the game's lock."""

    def __init__(
        self,
        pool: Pool,
        timers: Timers,
        *,
        key: str,
        alone: Callable[[], AbstractContextManager[None]],
        on_news: Callable[[Thought], None],
        on_answer: Callable[[Thought], None],
        on_failure: Callable[[Thought, OutplayError], None],
    ) -> None:
        """`on_news` is called when a search is queued, starts or finds something; `on_answer` when its move is due."""
        self._pool, self._timers, self._key, self._alone = pool, timers, key, alone
        self._on_news, self._on_answer, self._on_failure = on_news, on_answer, on_failure
        self.time_ms: int | None = None
        self.pace_ms = 0
        self.thought: Thought | None = None

    def ask(self, player: Player, game: AnyGame, limit: Limit, *, can_wait: bool = False) -> None:
        """Let a player think about the current position of the game. `can_wait`: no human waits for it."""
        thought = Thought(game.position, game.ply, player, limit, self._timers.now())
        self.thought = thought
        try:
            thought.search = self._pool.submit(
                Ask(player.recipe(thought.ply), thought.position, limit, game.history, can_wait=can_wait),
                key=self._key,
                report=partial(self._reported, thought),
                started=partial(self._started, thought),
            )
        except OutplayError as error:
            self._fail(thought, error)
            return
        self._on_news(thought)
        thought.search.future.add_done_callback(partial(self._answered, thought))

    def forget(self) -> None:
        """Cancel the current search and ignore its answer."""
        thought, self.thought = self.thought, None
        if thought is not None and thought.search is not None:
            thought.search.cancel()
            thought.search = None  # the search refers to the thought: break the cycle

    def close(self) -> None:
        """Forget the search and the game, so that nothing keeps the game in memory. Later reports are ignored."""
        self.forget()
        self._alone = nullcontext
        self._on_news = self._on_answer = self._on_failure = ignore

    def move_now(self) -> None:
        """End the search now; the best move so far becomes the answer."""
        thought = self.thought
        if thought is not None and thought.answer is not None:
            self._play(thought)
        elif thought is not None and thought.search is not None:
            thought.search.stop()

    def hurry(self) -> None:
        """Apply a time limit or a pace that was changed after the search began; the time may be over already."""
        thought = self.thought
        if thought is not None and thought.answer is not None:
            self._play_at_pace(thought)
            return
        if thought is None or thought.search is None or thought.started_at is None or self.time_ms is None:
            return
        given_ms = thought.limit.time_ms
        if given_ms is not None and given_ms <= max(LEAST_TIME_MS, self.time_ms):
            return
        left = thought.started_at + self.time_ms / 1000 - self._timers.now()
        if left <= 0:
            thought.search.stop()
        else:
            self._timers.call_later(left, partial(self._hurry_later, thought))

    @contextmanager
    def _about(self, thought: Thought) -> Iterator[bool]:
        """Hold the lock for a report of a search; yield False if that search is no longer wanted."""
        with self._alone():
            yield self.thought is thought

    def _started(self, thought: Thought) -> None:
        with self._about(thought) as is_awaited:
            if is_awaited:
                thought.started_at = self._timers.now()
                self._on_news(thought)
                self.hurry()

    def _reported(self, thought: Thought, analysis: Analysis) -> None:
        with self._about(thought) as is_awaited:
            if is_awaited and thought.answer is None and _is_sound(thought.position, analysis):
                thought.latest = analysis
                self._on_news(thought)

    def _answered(self, thought: Thought, future: Future[Analysis]) -> None:
        with self._about(thought) as is_awaited:
            thought.search = None
            if not is_awaited or future.cancelled():
                return
            error = future.exception()
            if isinstance(error, OverrunError) and thought.latest is not None:
                thought.answer = thought.latest  # out of time: play the best move so far
            elif error is not None:
                self._fail(thought, failure(thought.player.label, error))
                return
            else:
                thought.answer = future.result()
            if not _is_sound(thought.position, thought.answer):
                self._fail(thought, _unsound(thought, thought.answer))
                return
            self._play_at_pace(thought)

    def _play_at_pace(self, thought: Thought) -> None:
        wait = thought.asked_at + self.pace_ms / 1000 - self._timers.now()
        if wait <= 0:
            self._play(thought)
        else:
            self._on_news(thought)
            self._timers.call_later(wait, partial(self._pace_is_over, thought, self.pace_ms))

    def _pace_is_over(self, thought: Thought, pace_ms: int) -> None:
        with self._about(thought) as is_awaited:
            if is_awaited and pace_ms == self.pace_ms:  # a new pace has a timer of its own
                self._play(thought)

    def _hurry_later(self, thought: Thought) -> None:
        with self._about(thought) as is_awaited:
            if is_awaited:
                self.hurry()

    def _play(self, thought: Thought) -> None:
        self.thought = None
        self._on_answer(thought)

    def _fail(self, thought: Thought, error: OutplayError) -> None:
        self.thought = None
        self._on_failure(thought, error)


def _is_sound(position: Position, analysis: Analysis) -> bool:
    """Return True if the analysis has at least one line and all lines start with legal moves."""
    legal = position.legal_moves()
    return bool(analysis.lines) and all(line.move in legal for line in analysis.lines)


def _unsound(thought: Thought, answer: Analysis) -> EngineError:
    legal = thought.position.legal_moves()
    wrong = [line.move for line in answer.lines if line.move not in legal]
    said = f"chose {wrong[0]}, which is not a legal move here" if wrong else "chose no move"
    return EngineError(f"{thought.player.label} {said}: {thought.position.fen()}")


# Hints


class Advisor:
    """Keeps the search that gives the hints. The caller holds the lock, except for `wait_for`."""

    def __init__(self, player: Player, pool: Pool, key: str, limit: Limit) -> None:
        self.player = player
        self.limit = limit
        self._pool, self._key = pool, key
        self._node: AnyNode | None = None
        self._search: Ticket[Analysis] | None = None
        self._step = 0

    def ask(self, game: AnyGame) -> Ticket[Analysis]:
        """Return the search of the current position: the existing one, or a new one."""
        if self._search is None or self._node is not game.current or _has_failed(self._search):
            self.forget()
            question = Ask(self.player.recipe(game.ply), game.position, self.limit, game.history)
            self._search = self._pool.submit(question, key=self._key)
            self._node = game.current
        return self._search

    def step(self, asked: int | None) -> int:
        """Return the step that was asked for. Default: the step after the last one given."""
        self._step = asked or min(self._step + 1, explain.STEPS)
        return self._step

    def forget(self) -> None:
        """Drop the search, because the position has changed."""
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
