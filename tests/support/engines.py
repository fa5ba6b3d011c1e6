"""Engines that misbehave in many ways, one that a test controls step by step, and games for them."""

from __future__ import annotations

import os
import queue
import sys
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any

from outplay import connect4
from outplay.engine.types import Analysis, Engine, Limit, Line, Report, Score
from outplay.live import Event, LiveGame, LiveState, Terms
from outplay.players import Player
from outplay.record import AnyGame
from outplay.rules import Move, Position


def analysis_of(move: Move, *, value: float = 0, depth: int = 1, nodes: int = 10) -> Analysis:
    return Analysis((Line(move, Score(value, depth=depth), (move,)),), depth, nodes, 0.001)


class Behaving:
    """Does what its name says."""

    def __init__(self, behaviour: str) -> None:
        self.name = behaviour
        self._stopped = threading.Event()

    def stop(self) -> None:
        self._stopped.set()

    def analyse(
        self, position: Position, limit: Limit, *, history: Sequence[Position] = (), report: Report | None = None
    ) -> Analysis:
        self._stopped.clear()
        do: Callable[[Position, Limit, Report], Analysis] = getattr(self, "_" + self.name.replace("-", "_"))
        return do(position, limit, report or (lambda analysis: None))

    def _first(self, position: Position, limit: Limit, report: Report) -> Analysis:
        return analysis_of(position.legal_moves()[0])

    def _report_the_last_then_wait(self, position: Position, limit: Limit, report: Report) -> Analysis:
        report(analysis_of(position.legal_moves()[-1], depth=3))
        self._stopped.wait()
        return analysis_of(position.legal_moves()[-1], depth=5)

    def _wait(self, position: Position, limit: Limit, report: Report) -> Analysis:
        self._stopped.wait()
        return analysis_of(position.legal_moves()[0])

    def _hang(self, position: Position, limit: Limit, report: Report) -> Analysis:
        while True:
            time.sleep(0.01)

    def _report_the_last_then_hang(self, position: Position, limit: Limit, report: Report) -> Analysis:
        report(analysis_of(position.legal_moves()[-1], depth=3))
        return self._hang(position, limit, report)

    def _spin(self, position: Position, limit: Limit, report: Report) -> Analysis:
        while True:
            pass

    def _raise(self, position: Position, limit: Limit, report: Report) -> Analysis:
        print("about to fail")
        raise ZeroDivisionError("of all things")

    def _leave(self, position: Position, limit: Limit, report: Report) -> Analysis:
        sys.exit(3)

    def _die(self, position: Position, limit: Limit, report: Report) -> Analysis:
        print("last words", flush=True)
        os._exit(7)

    def _cheat(self, position: Position, limit: Limit, report: Report) -> Analysis:
        return analysis_of(99)

    def _nothing(self, position: Position, limit: Limit, report: Report) -> Analysis:
        return Analysis((), 0, 0, 0)

    def _not_picklable(self, position: Position, limit: Limit, report: Report) -> Analysis:
        return analysis_of(lambda: None)

    def _many_reports(self, position: Position, limit: Limit, report: Report) -> Analysis:
        for depth in range(1, 5001):
            report(analysis_of(position.legal_moves()[0], depth=depth))
        return analysis_of(position.legal_moves()[0], depth=5001)

    def _own_id(self, position: Position, limit: Limit, report: Report) -> Analysis:
        return analysis_of(position.legal_moves()[0], nodes=os.getpid(), depth=id(self) % 1_000_000)


BUILT: list[str] = []
"""The engines that were built in this process."""


@dataclass(frozen=True)
class Behaviour:
    """The recipe for `Behaving`, here or in another process."""

    name: str
    is_reusable: bool = True
    needs_process: bool = False

    def __call__(self) -> Engine:
        if self.name == "not-built":
            raise RuntimeError("no engine today")
        BUILT.append(self.name)
        return Behaving(self.name)


class Obedient:
    """An engine in this process that answers when the test says so."""

    name = "obedient"
    is_reusable = True
    needs_process = False

    def __init__(self) -> None:
        self.asked = threading.Semaphore(0)
        self.questions: list[tuple[Position, Limit, tuple[Position, ...]]] = []
        self.stops = 0
        self._report: Report | None = None
        self._lock = threading.Lock()
        self._open: list[queue.SimpleQueue[Analysis | Exception]] = []
        self._early: list[Analysis | Exception] = []
        self._stop_answer: Analysis | None = None

    def __call__(self) -> Engine:
        return self

    def analyse(
        self, position: Position, limit: Limit, *, history: Sequence[Position] = (), report: Report | None = None
    ) -> Analysis:
        mine: queue.SimpleQueue[Analysis | Exception] = queue.SimpleQueue()
        with self._lock:
            self.questions.append((position, limit, tuple(history)))
            self._report = report
            if self._early:
                mine.put(self._early.pop(0))
            else:
                self._open.append(mine)
        self.asked.release()
        answer = mine.get()
        if isinstance(answer, Exception):
            raise answer
        return answer

    def stop(self) -> None:
        self.stops += 1
        if self.stops == 1 and self._stop_answer is not None:
            self.answer(self._stop_answer)

    def wait_for_question(self) -> None:
        assert self.asked.acquire(timeout=WAIT)

    def report(self, analysis: Analysis) -> None:
        assert self._report is not None
        self._report(analysis)

    def answer(self, answer: Analysis | Exception) -> None:
        """Answer the oldest question that is open, or the next one."""
        with self._lock:
            if self._open:
                self._open.pop(0).put(answer)
            else:
                self._early.append(answer)

    def answer_when_stopped(self, answer: Analysis) -> None:
        self.stops = 0
        self._stop_answer = answer


def behaving(name: str, *, loses_by_failure: bool = False) -> Player:
    return Player(name, name.capitalize(), "bot" if loses_by_failure else "lab", None, lambda ply: Behaviour(name))


def obeying(engine: Obedient) -> Player:
    return Player("obedient", "Obedient", "lab", None, lambda ply: engine)


class SetTime:
    """Timers whose time the test sets."""

    def __init__(self) -> None:
        self.time = 100.0
        self._calls: list[tuple[float, Callable[[], None]]] = []

    def now(self) -> float:
        return self.time

    def call_later(self, seconds: float, call: Callable[[], None]) -> Callable[[], None]:
        entry = (self.time + seconds, call)
        self._calls.append(entry)
        return lambda: self._calls.remove(entry) if entry in self._calls else None

    @property
    def is_waiting(self) -> bool:
        return bool(self._calls)

    def advance(self, seconds: float) -> None:
        """Advance the time; calls that become due run in order."""
        self.time += seconds
        while due := sorted((entry for entry in self._calls if entry[0] <= self.time + 1e-9), key=lambda e: e[0]):
            self._calls.remove(due[0])
            due[0][1]()


WAIT = 60
"""Seconds after which a test gives up."""
FIRST = behaving("first")
"""Plays the first legal move: in Connect Four the leftmost open column."""


class Games:
    """Makes games, and closes them at the end."""

    def __init__(self) -> None:
        self._games: list[LiveGame] = []

    def __call__(self, *seats: Player, start: Position | AnyGame | None = None, **options: Any) -> LiveGame:
        options.setdefault("advisor", FIRST)
        terms = options.pop("terms", Terms())
        agreed = {field.name: options.pop(field.name) for field in fields(Terms) if field.name in options}
        terms = replace(terms, seats=(seats[0], seats[1]), **agreed)
        game = LiveGame(connect4.Position() if start is None else start, terms, **options)
        self._games.append(game)
        return game

    def __enter__(self) -> Games:
        return self

    def __exit__(self, *error: object) -> None:
        for game in self._games:
            game.close()


class Ear:
    """Hears every event of a game, and waits for some."""

    def __init__(self, game: LiveGame) -> None:
        self.events: list[Event] = []
        self._happened = threading.Condition()
        game.subscribe(self._hear)

    def _hear(self, event: Event) -> None:
        with self._happened:
            self.events.append(event)
            self._happened.notify_all()

    def kinds(self) -> list[str]:
        return [event.kind for event in self.events]

    def wait_for(self, holds: Callable[[Event], bool], *, times: int = 1) -> None:
        with self._happened:
            assert self._happened.wait_for(lambda: sum(map(holds, self.events)) >= times, WAIT)

    def wait_for_start(self) -> None:
        """Wait until the first search was requested and has begun."""
        self.wait_for(lambda event: event.kind == "thinking", times=2)


def settled(game: LiveGame) -> LiveState:
    """Return the state as soon as no engine thinks."""
    state = game.wait(timeout=WAIT)
    assert state.status != "thinking"
    return state
