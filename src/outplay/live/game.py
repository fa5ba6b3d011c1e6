"""LiveGame: one game in progress, for people and engines, in the browser, the terminal or a program.

It decides whose turn it is, what may be taken back, when an engine thinks and how its answer is played. Engines think
in other processes (see `work`): only `hint` and `wait` block until an engine has finished. Every method may be
called from any thread.
"""

from __future__ import annotations

import copy
from collections.abc import Iterator, Sequence
from concurrent.futures import CancelledError
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from typing import Any

from outplay import explain
from outplay.engine.types import Limit
from outplay.errors import GameOverError, OutplayError, wrong_type
from outplay.live.clock import ClockState, GameClock
from outplay.live.guarded import Guarded, NotNowError, StaleError
from outplay.live.state import (
    Allowed,
    ClockChanged,
    EngineFailed,
    Failure,
    LiveState,
    Moved,
    Opinion,
    Over,
    Status,
    Thinking,
)
from outplay.live.terms import Terms
from outplay.live.thinking import HINT_LIMIT, LEAST_TIME_MS, Advisor, Thinker, Thought
from outplay.live.timers import REAL_TIMERS, Timers
from outplay.outcome import Side
from outplay.players import Player, PlayerLike, advisor_of, player
from outplay.record import AnyGame, AnyNode, Game, NothingToUndoError
from outplay.rules import Move, Position
from outplay.work import Pool, ThreadPool, WorkerKilledError


class LiveGame(Guarded):
    """One game in progress. Subscribe, then `start()`.

    `terms` holds the seats, the time limits and the clock. A list of two players (names, functions or engines) means
    the default terms with these players. `key` names the owner to a shared pool, which serves its owners in turn.
    `advisor` gives the hints.
    """

    def __init__(
        self,
        game: AnyGame | Position,
        terms: Terms | Sequence[PlayerLike],
        *,
        pool: Pool | None = None,
        key: str = "",
        advisor: Player | None = None,
        hint_limit: Limit = HINT_LIMIT,
        timers: Timers = REAL_TIMERS,
    ) -> None:
        super().__init__()
        self._terms = terms = terms if isinstance(terms, Terms) else Terms(seats=_seats(terms))
        self._version, self._revision = terms.version, terms.revision
        self._game = game if isinstance(game, Game) else Game(game)
        self._pool: Pool = ThreadPool() if pool is None else pool
        self._owns_pool = pool is None
        self._thinker = Thinker(
            self._pool,
            timers,
            key=key,
            alone=self._alone,
            on_news=self._has_news,
            on_answer=self._has_answer,
            on_failure=self._has_failed,
        )
        self._thinker.time_ms, self._thinker.pace_ms = _checked(terms.time_ms), _checked(terms.pace_ms) or 0
        self._advisor = Advisor(advisor or advisor_of(self._game.rules.name), self._pool, key, hint_limit)
        self._clock: GameClock | None = None
        if terms.clock is not None:
            self._clock = GameClock(
                terms.clock, timers, left_ms=terms.left_ms, on_change=self._clock_changed, on_flag=self._flag
            )
        self._seats = terms.seats
        self._is_paused = terms.is_paused
        self._is_started = self._is_stepping = self._is_over = False
        self._opinions: dict[AnyNode, Opinion] = {}
        self._takebacks = list(terms.takebacks)
        self._failure: Failure | None = None
        self._retried: AnyNode | None = None
        """The node at which an engine was asked again because its process was killed."""
        self._draw_offer, self._takeback_offer = terms.draw_offer, terms.takeback_offer

    @property
    def game(self) -> AnyGame:
        """The record. Only read it: this class makes the moves. While engines think, read `state()` instead."""
        return self._game

    @contextmanager
    def held(self) -> Iterator[tuple[AnyGame, Terms]]:
        """Yield the record and the terms, and hold the lock while the block runs. Meant for saving: be quick."""
        with self._lock:
            yield self._game, self._terms_now()

    def _terms_now(self) -> Terms:
        return replace(
            self._terms,
            seats=self._seats,
            time_ms=self._thinker.time_ms,
            pace_ms=self._thinker.pace_ms,
            is_paused=self._is_paused,
            version=self._version,
            revision=self._revision,
            left_ms=None if self._clock is None else self._clock.state().left_ms,
            takebacks=tuple(self._takebacks),
            draw_offer=self._draw_offer,
            takeback_offer=self._takeback_offer,
        )

    def state(self) -> LiveState:
        with self._lock:
            nodes = self._game.nodes
            thought = self._thinker.thought
            return LiveState(
                version=self._version,
                revision=self._revision,
                seats=self._seats,
                positions=(self._game.start, *(node.position for node in nodes)),
                moves=tuple(node.move for node in nodes),
                opinions=tuple(self._opinions.get(node) for node in nodes),
                takebacks=tuple(self._takebacks),
                undone_moves=self._game.undone,
                status=self._status(),
                outcome=self._game.outcome(),
                failure=self._failure,
                is_paused=self._is_paused,
                is_strict=self._terms.is_strict,
                time_ms=self._thinker.time_ms,
                pace_ms=self._thinker.pace_ms,
                clock=None if self._clock is None else self._clock.state(),
                draw_offer=self._draw_offer,
                takeback_offer=self._takeback_offer,
                notice=self._notice,
                thinking=None if thought is None else thought.opinion(),
                queue_place=0 if thought is None else thought.place,
                allowed=self._allowed(),
            )

    # Commands. A command that names a version raises StaleError if the game has changed since.

    def start(self) -> None:
        """Start the clocks, and let an engine that is to move think."""
        with self._command(None):
            self._is_started = True
            self._is_changed = True  # the game itself has not changed: its revision stays

    def play(self, move: Move | str, *, version: int | None = None) -> None:
        """Play a human's move, given as a move or its text. If an error is raised, nothing has changed."""
        with self._command(version):
            self._lose_if_out_of_time()
            self._check_going_on()
            position = self._game.position
            seat = self._seats[position.side]
            if not seat.is_human:
                raise NotNowError(f"it is {self._side_name(position.side)}'s turn, and {seat.label} plays that side")
            self._play(position.parse(move) if isinstance(move, str) else move, None)

    def takeback(self, plies: int | None = None, *, version: int | None = None) -> int:
        """Take back `plies` plies, and return their number.

        Default: against an engine, back to the human's last turn; otherwise one ply.
        """
        with self._command(version):
            self._check_not_strict("moves cannot be taken back")
            count = self._plies_to_take_back() if plies is None else plies
            self._take_back(count)
            return count

    def ask_takeback(self, side: Side, *, version: int | None = None) -> None:
        """Ask the other human to let a side take its last move back; see `answer_takeback`."""
        with self._command(version):
            self._check_not_strict("moves cannot be taken back")
            self._check_going_on()
            if self._plies_back_to(side) == 0:
                raise NothingToUndoError("there is no move to take back")
            self._takeback_offer = side
            self._touch(f"{self._side_name(side)} asks to take a move back.")

    def answer_takeback(self, *, agrees: bool, version: int | None = None) -> None:
        """Answer the side that asked to take its last move back: the move is taken back, or the game goes on."""
        with self._command(version):
            self._check_going_on()
            asking = self._takeback_offer
            if asking is None:
                raise NotNowError("there is no request to take a move back")
            if agrees:
                self._take_back(self._plies_back_to(asking))
                return
            self._takeback_offer = None
            self._touch(f"{self._side_name(asking.other)} wants to play on.")

    def redo(self, *, version: int | None = None) -> int:
        """Play the moves of the last takeback again, and return the number of plies."""
        with self._command(version):
            self._check_not_strict("moves cannot be played again")
            if not self._takebacks:
                raise NothingToUndoError("there is no move to play again")
            count = self._takebacks.pop()
            for _ in range(count):
                self._game.redo()
            self._turn_page()
            return count

    def hint(self, step: int | None = None, *, version: int | None = None, timeout: float | None = 30) -> explain.Hint:
        """Return a step of the hint for the human to move; default: the next step. It waits for the advisor."""
        with self._command(version):
            self._check_not_strict("there are no hints")
            self._check_going_on()
            position = self._game.position
            if not self._seats[position.side].is_human:
                raise NotNowError("hints are only for a human's turn")
            search, step = self._advisor.ask(self._game), self._advisor.step(step)
        try:
            return explain.hint(position, self._advisor.wait_for(search, timeout), step)
        except CancelledError:
            raise StaleError(self.version) from None

    def resign(self, side: Side | None = None, *, version: int | None = None) -> None:
        """Resign for a side. Default: the only human, otherwise the side to move."""
        with self._command(version):
            self._check_going_on()
            self._game.resign(self._speaker() if side is None else side)
            self._end()

    def decide(self, winner: Side | None) -> None:
        """End the game as a teacher or a referee decides; `winner` is None for a draw."""
        with self._command(None):
            self._check_going_on()
            self._game.decide(winner)
            self._end()

    def offer_draw(self, side: Side | None = None, *, version: int | None = None) -> bool:
        """Offer a draw; return True if it is agreed at once.

        An engine answers at once, by its own score. A human answers with `accept_draw` or `decline_draw`.
        """
        with self._command(version):
            self._check_going_on()
            offering = self._speaker() if side is None else side
            if not self._seats[offering].is_human:
                raise NotNowError("only a human can offer a draw")
            other = self._seats[offering.other]
            if other.is_human and self._draw_offer is not offering.other:
                self._draw_offer = offering
                self._touch(f"{self._side_name(offering)} offers a draw.")
                return False
            if not other.is_human and not self._would_draw(offering.other):
                self._touch(f"{other.label} declines the draw.")
                return False
            self._game.agree_draw()
            self._end("" if other.is_human else f"{other.label} accepts the draw.")
            return True

    def accept_draw(self, *, version: int | None = None) -> None:
        with self._command(version):
            self._check_going_on()
            self._check_offer()
            self._game.agree_draw()
            self._end()

    def decline_draw(self, *, version: int | None = None) -> None:
        with self._command(version):
            self._check_going_on()
            offering = self._check_offer()
            self._draw_offer = None
            self._touch(f"{self._side_name(offering.other)} declines the draw.")

    def set_seat(self, side: Side, player: Player, *, version: int | None = None) -> None:
        """Change the player of a side, at any time. A search of the old player is stopped."""
        first, second = (player, None) if side is Side.FIRST else (None, player)
        self.set_seats(first=first, second=second, version=version)

    def set_seats(
        self, *, first: Player | None = None, second: Player | None = None, version: int | None = None
    ) -> None:
        """Change the players; a seat that is left out keeps its player."""
        with self._command(version):
            before, self._seats = self._seats, (first or self._seats[0], second or self._seats[1])
            if self._seats != before and self._game.ply:
                self._terms = replace(self._terms, has_new_players=True)
            side = self._game.position.side
            if self._seats[side] != before[side] or self._failure is not None:
                self._thinker.forget()
                self._failure = None
            self._draw_offer = self._takeback_offer = None
            self._touch(changes_game=True)

    def announce(self, notice: str) -> None:
        """Tell everyone something about the game that no move shows: who sits down, who leaves."""
        with self._command(None):
            self._touch(notice)

    def set_time(self, time_ms: int | None) -> None:
        """Set the thinking time of a move from now on. A search that has already taken longer ends at once."""
        with self._command(None):
            self._thinker.time_ms = _checked(time_ms)
            self._thinker.hurry()
            self._touch()

    def set_pace(self, pace_ms: int) -> None:
        """Set the least time before an engine's move appears. It also applies to a move that is waiting already."""
        with self._command(None):
            self._thinker.pace_ms = _checked(pace_ms) or 0
            self._thinker.hurry()
            self._touch()

    def move_now(self, *, version: int | None = None) -> None:
        """Make the engine play the best move it has found."""
        with self._command(version):
            self._check_thinking()
            self._thinker.move_now()

    def stop(self, *, version: int | None = None) -> None:
        """End the search without a move, and pause."""
        with self._command(version):
            self._check_thinking()
            self._pause()

    def pause(self) -> None:
        """Stop engines and clocks until `resume` or `step`. A human may still move."""
        with self._command(None):
            self._pause()

    def resume(self) -> None:
        with self._command(None):
            self._is_paused = self._is_stepping = False
            self._touch()

    def step(self, *, version: int | None = None) -> None:
        """Let the engine whose turn it is play one move, then pause the game, even if it was not paused before."""
        with self._command(version):
            self._check_going_on()
            if self._seats[self._game.position.side].is_human:
                raise NotNowError("it is a human's turn")
            self._is_paused, self._is_stepping, self._failure = True, True, None
            self._touch()

    def retry(self, *, version: int | None = None) -> None:
        """Repeat the request to the engine that failed."""
        with self._command(version):
            self._check_going_on()
            if self._failure is None:
                raise NotNowError("no engine has failed")
            self._failure = None
            self._touch()

    def close(self) -> None:
        """End all searches, and send no more events. Closing twice is harmless."""
        with self._alone():
            self._is_closed = True
            self._thinker.close()
            if self._clock is not None:
                self._clock.close()
            self._advisor.forget()
            self._outbox.clear()
            self._happened.notify_all()
        if self._owns_pool:
            self._pool.close()

    def __reduce__(self) -> tuple[Any, ...]:
        """Return the record and the terms: a copy begins where this game stands, with a pool of its own.

        Call its `start()`. Searches, subscribers and the shared pool are not copied.
        """
        with self.held() as (game, terms):
            settings: dict[str, Any] = {"advisor": self._advisor.player, "hint_limit": self._advisor.limit}
            return partial(LiveGame, **settings), (copy.deepcopy(game), terms)

    def __enter__(self) -> LiveGame:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    # What happens

    def _go_on(self) -> None:
        """Start the clock of the human to move, or the search of the engine to move, if it does not run yet."""
        outcome = self._game.outcome()
        if outcome is not None and not self._is_over:
            self._emit(Over(self._version, self._revision, outcome))
        self._is_over = outcome is not None
        if self._is_over or not self._is_started:
            self._run_clock(None)
        elif self._thinker.thought is None:
            self._let_move(self._game.position.side)

    def _let_move(self, side: Side) -> None:
        player = self._seats[side]
        is_running = not self._is_paused or self._is_stepping
        # The clock of an engine starts with its search: waiting for a free worker costs no time.
        self._run_clock(side if player.is_human and is_running else None)
        if not player.is_human and is_running and self._failure is None:
            is_watched_only = not any(seat.is_human for seat in self._seats)
            self._thinker.ask(player, self._game, self._search_limit(side), can_wait=is_watched_only)

    def _play(self, move: Move, opinion: Opinion | None) -> None:
        """Play a move of a human or an engine, and update clocks, opinions and the outcome."""
        side = self._game.position.side
        node = self._game.play(move)
        if opinion is not None:
            self._opinions[node] = opinion
        if self._clock is not None:
            self._clock.moved(side, node)
        self._takebacks.clear()
        self._turn_page()
        self._emit(Moved(self._version, self._revision, self._game.ply, side, move, node.text, opinion))

    def _take_back(self, count: int) -> None:
        if not 1 <= count <= self._game.ply:
            raise NothingToUndoError("there is no move to take back")
        for _ in range(count):
            undone = self._game.current
            self._game.undo(keep=False)  # the record keeps only the moves that stand
            if self._clock is not None:
                self._clock.back_before(undone)
        self._takebacks.append(count)
        if not self._seats[self._game.position.side].is_human:
            self._is_paused = True  # otherwise the engine would play the same move again at once
        self._turn_page()

    def _turn_page(self) -> None:
        """Drop what belonged to the previous position: search, hint and offers."""
        self._thinker.forget()
        self._advisor.forget()
        self._is_stepping, self._failure = False, None
        self._draw_offer = self._takeback_offer = None
        self._touch(changes_game=True)

    def _end(self, notice: str = "") -> None:
        """Finish a game that ended without a move."""
        self._thinker.forget()
        self._draw_offer = self._takeback_offer = None
        self._touch(notice, changes_game=True)

    def _pause(self) -> None:
        self._is_paused, self._is_stepping = True, False
        self._thinker.forget()
        self._touch()

    # What the thinker says

    def _has_news(self, thought: Thought) -> None:
        side = thought.position.side
        if thought.started_at is not None:
            self._run_clock(side if thought.answer is None else None)
        opinion = thought.opinion()
        self._emit(Thinking(self._version, self._revision, side, thought.player, thought.place, opinion))

    def _has_answer(self, thought: Thought) -> None:
        assert thought.answer is not None
        move = thought.answer.move
        self._play(move, thought.opinion(move))

    def _has_failed(self, thought: Thought, error: OutplayError) -> None:
        """Pause the game, or end it if the user's own bot failed. A killed worker is replaced once for each move."""
        if isinstance(error, WorkerKilledError) and self._retried is not self._game.current:
            self._retried = self._game.current
            self._touch(f"{thought.player.label}'s process was killed; it thinks again.")
            return
        side = thought.position.side
        self._failure = Failure(side, thought.player, error)
        self._is_stepping = False
        if thought.player.loses_by_failure:
            self._game.forfeit(side)
        self._touch(changes_game=thought.player.loses_by_failure)
        self._emit(EngineFailed(self._version, self._revision, self._failure))

    # Clocks

    def _run_clock(self, side: Side | None) -> None:
        if self._clock is not None:
            self._clock.run(side)

    def _clock_changed(self, state: ClockState) -> None:
        self._emit(ClockChanged(self._version, self._revision, state))

    def _flag(self) -> None:
        with self._alone():
            self._lose_if_out_of_time()

    def _lose_if_out_of_time(self) -> None:
        loser = None if self._clock is None or self._is_closed else self._clock.fallen()
        if loser is not None and self._game.outcome() is None:
            self._game.lose_on_time(loser)
            self._end()

    def _search_limit(self, side: Side) -> Limit:
        limit, time_ms = self._terms.limit, self._thinker.time_ms
        if time_ms is not None:
            limit = replace(limit, time_ms=max(LEAST_TIME_MS, time_ms))
        if self._clock is not None:
            increment_ms = self._clock.setting.increment_ms
            limit = replace(limit, clock_ms=self._clock.left_ms(side), increment_ms=increment_ms)
        return limit

    # Questions

    def _status(self) -> Status:
        if self._game.outcome() is not None:
            return "over"
        if self._failure is not None:
            return "failed"
        if self._seats[self._game.position.side].is_human:
            return "human"
        return "thinking" if self._thinker.thought is not None else "paused"

    def _allowed(self) -> Allowed:
        status = self._status()
        has_human = any(seat.is_human for seat in self._seats)
        return Allowed(
            takeback=not self._terms.is_strict and self._plies_to_take_back() > 0,
            redo=not self._terms.is_strict and bool(self._takebacks),
            hint=not self._terms.is_strict and status == "human",
            resign=status != "over" and has_human,
            draw=status != "over" and has_human,
            step=status in ("paused", "failed"),
            move_now=status == "thinking",
            retry=status == "failed",
        )

    def _plies_to_take_back(self) -> int:
        """Return the plies back to the only human's last turn. If no side or both are human: 1, or 0 at the start."""
        history = self._game.history
        humans = [side for side in Side if self._seats[side].is_human]
        return self._plies_back_to(humans[0]) if len(humans) == 1 else min(1, len(history))

    def _plies_back_to(self, side: Side) -> int:
        """Return how many plies ago a side last had its turn; 0 if it had none."""
        history = self._game.history
        turns = [ply for ply, position in enumerate(history) if position.side is side]
        return len(history) - turns[-1] if turns else 0

    def _speaker(self) -> Side:
        """Return the side that speaks for the humans: the only human, or the one to move."""
        humans = [side for side in Side if self._seats[side].is_human]
        return humans[0] if len(humans) == 1 else self._game.position.side

    def _would_draw(self, side: Side) -> bool:
        """Return True if this side's engine thinks that it is not ahead; False if it has no opinion yet."""
        thought = self._thinker.thought
        opinions = [None if thought is None or thought.position.side is not side else thought.opinion()]
        opinions += [self._opinions.get(node) for node in self._game.current.line()]
        last = next((opinion for opinion in opinions if opinion is not None and opinion.side is side), None)
        return last is not None and last.analysis.nodes > 1 and last.analysis.lines[0].score.value <= 0

    def _side_name(self, side: Side) -> str:
        return self._game.rules.side_name(side)

    def _check_going_on(self) -> None:
        outcome = self._game.outcome()
        if outcome is not None:
            raise GameOverError(self._game.position, outcome.reason)

    def _check_not_strict(self, what: str) -> None:
        if self._terms.is_strict:
            raise NotNowError(f"this is a strict game: {what}")

    def _check_thinking(self) -> None:
        if self._thinker.thought is None:
            raise NotNowError("no engine is thinking")

    def _check_offer(self) -> Side:
        if self._draw_offer is None:
            raise NotNowError("there is no draw offer to answer")
        return self._draw_offer


def _seats(given: Sequence[PlayerLike]) -> tuple[Player, Player]:
    if not isinstance(given, Sequence):
        raise wrong_type("terms", "Terms or a list of two players", given)
    if isinstance(given, str) or len(given) != 2:
        raise TypeError(f"a game has two players, not {given!r}")
    return player(given[0]), player(given[1])


def _checked(time_ms: int | None) -> int | None:
    if time_ms is not None and time_ms < 0:
        raise ValueError(f"a time must be at least 0 ms, not {time_ms} ms")
    return time_ms
