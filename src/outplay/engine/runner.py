"""Asking an engine without waiting for it: a search under way, and those who carry it out.

A `Runner` takes a recipe for an engine and a question, and gives back a `Search`: stop it, forget it, wait for it. Here
is the runner that uses threads of this process; `engine.pool` has the one that uses processes. Both hold every
engine to its time: one that ignores its limit is told to stop, and one that ignores that is given up.
"""

from __future__ import annotations

import queue
import threading
import time
import traceback
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass
from typing import Protocol

from outplay.engine.types import Analysis, Engine, Limit, Report
from outplay.errors import EngineError, OutplayError
from outplay.rules import Position

GRACE_MS = 1000
"""How far past its time an engine may answer before it is given up."""
CLOSE_GRACES = 5
"""So many times its grace a runner waits for its searches when it is closed."""
BUILD_MS = 20_000
"""How long an engine may take to be built: loading a file, tables, a book."""


class OverrunError(EngineError):
    """An engine did not answer in its time, nor when it was told to stop."""


class Recipe(Protocol):
    """How to build an engine wherever it is going to run: hashable, and pickled on its way to another process."""

    @property
    def name(self) -> str:
        """What the engine is called in messages."""

    @property
    def is_reusable(self) -> bool:
        """May one engine answer several questions? Not if each is to be repeatable by itself."""

    @property
    def needs_process(self) -> bool:
        """Is it code that cannot be trusted to come back? It never runs in a thread of this process."""

    def __call__(self) -> Engine: ...


@dataclass(frozen=True, slots=True)
class Question:
    """What an engine is asked; see `Engine.analyse`."""

    position: Position
    limit: Limit
    history: tuple[Position, ...] = ()


class Search:
    """One question on its way to an engine and back. Everything here may be called from any thread.

    `future` becomes the Analysis, or the error. `latest` is what was reported last.
    """

    def __init__(
        self,
        recipe: Recipe,
        question: Question,
        *,
        key: str = "",
        report: Report | None = None,
        started: Callable[[], None] | None = None,
    ) -> None:
        self.recipe, self.question, self.key = recipe, question, key
        self.future: Future[Analysis] = Future()
        self.latest: Analysis | None = None
        self.place_in_queue: Callable[[], int] = lambda: 0
        self._report, self._started = report, started
        self._lock = threading.Lock()
        self._inbox: Inbox | None = None
        self._is_stopping = False

    def result(self, timeout: float | None = None) -> Analysis:
        """Wait for the answer (seconds)."""
        return self.future.result(timeout)

    @property
    def place(self) -> int:
        """How many searches are served before this one, it included; 0 as soon as it runs."""
        return self.place_in_queue()

    def stop(self) -> None:
        """Answer now, with what was found so far."""
        with self._lock:
            self._is_stopping = True
            if self._inbox is not None:
                self._inbox.put(StopAsked(self))

    def cancel(self) -> None:
        """Forget the question: nobody waits for an answer any more."""
        if self.future.cancel():
            self.stop()

    # What follows is for runners.

    def begin(self, inbox: Inbox) -> None:
        """From now on a stop is put into this inbox, at once if it was asked for already."""
        with self._lock:
            self._inbox = inbox
            if self._is_stopping:
                inbox.put(StopAsked(self))

    def say_started(self) -> None:
        if self._started is not None and not self.future.cancelled():
            self._started()

    def say_report(self, analysis: Analysis) -> None:
        self.latest = analysis
        if self._report is not None and not self.future.cancelled():
            self._report(analysis)

    def finish(self, answer: Analysis | BaseException) -> None:
        """Hand over the answer, unless nobody waits for it any more."""
        with self._lock:
            self._inbox = None
        if self.future.set_running_or_notify_cancel():
            if isinstance(answer, BaseException):
                self.future.set_exception(answer)
            else:
                self.future.set_result(answer)


class Runner(Protocol):
    """Carries searches out."""

    def submit(
        self,
        recipe: Recipe,
        question: Question,
        *,
        key: str = "",
        report: Report | None = None,
        started: Callable[[], None] | None = None,
    ) -> Search:
        """Begin a search, now or when it is its turn. `key` names whom it is for: those take turns.

        `started` is called when the search itself begins, `report` as it goes; both on a thread of the runner.
        """

    def close(self) -> None:
        """End all searches; those that still wait fail."""


# What a host of an engine (a thread, a process) says, in this order: Started, Reported ..., Answered or Failed.


@dataclass(frozen=True, slots=True)
class Started:
    """The engine is built and its time begins."""


@dataclass(frozen=True, slots=True)
class Reported:
    analysis: Analysis


@dataclass(frozen=True, slots=True)
class Answered:
    analysis: Analysis


@dataclass(frozen=True, slots=True)
class Failed:
    error: BaseException


@dataclass(frozen=True, slots=True)
class StopAsked:
    search: Search


Message = Started | Reported | Answered | Failed | StopAsked
Inbox = queue.SimpleQueue[Message]


class Host(Protocol):
    """Where an engine runs. It answers into `inbox`."""

    @property
    def inbox(self) -> Inbox: ...
    def ask(self, recipe: Recipe, question: Question) -> None: ...
    def interrupt(self) -> None:
        """Tell the engine to stop; it answers soon after."""

    def abandon(self) -> tuple[str, ...]:
        """End it without an answer, and give what it said last. The host is of no use after that."""


class Watch:
    """The time of one search: when it must be told to stop, and when it is given up."""

    def __init__(self, limit: Limit, grace_ms: int, build_ms: int = BUILD_MS) -> None:
        self._grace = grace_ms / 1000
        time_ms = limit.move_time_ms()
        self._seconds = float("inf") if time_ms is None else time_ms / 1000
        self._stop_at = self._end_at = time.monotonic() + build_ms / 1000
        self._is_started = self.has_stopped = False

    def start(self) -> None:
        """The engine is built and begins. It has been told its limit and should keep it by itself."""
        self._is_started = True
        seconds = 0 if self.has_stopped else self._seconds
        self._stop_at = time.monotonic() + seconds + self._grace / 4
        self._end_at = time.monotonic() + seconds + self._grace

    def stop(self) -> None:
        """The engine was told to stop."""
        self.has_stopped = True
        if self._is_started:
            self._end_at = min(self._end_at, time.monotonic() + self._grace)

    def wait(self) -> float | None:
        """How long to wait for the next message, in seconds; None for as long as it takes."""
        until = self._end_at if self.has_stopped else self._stop_at
        return None if until == float("inf") else max(0.0, until - time.monotonic())


def supervise(search: Search, host: Host, *, grace_ms: int = GRACE_MS, build_ms: int = BUILD_MS) -> None:
    """Carry a search out and finish it."""
    search.begin(host.inbox)
    watch = Watch(search.question.limit, grace_ms, build_ms)
    host.ask(search.recipe, search.question)
    while True:
        try:
            message = host.inbox.get(timeout=watch.wait())
        except queue.Empty:
            if watch.has_stopped:
                search.finish(OverrunError(_overrun(search), host.abandon()))
                return
            message = StopAsked(search)
        match message:
            case Started():
                watch.start()
                search.say_started()
            case Reported(analysis):
                search.say_report(analysis)
            case Answered(analysis):
                search.finish(analysis)
                return
            case Failed(error):
                search.finish(error)
                return
            case StopAsked(asked) if asked is search and not watch.has_stopped:
                watch.stop()
                host.interrupt()
            case StopAsked():
                pass  # of a search that has ended


def _overrun(search: Search) -> str:
    time_ms = search.question.limit.move_time_ms()
    had = "" if time_ms is None else f": it had {time_ms / 1000:g} s"
    return f"{search.recipe.name} did not answer{had} and did not stop when it was told to"


def failure(name: str, error: BaseException) -> OutplayError:
    """An error of an engine as ours; one that is ours already stays what it is."""
    if isinstance(error, OutplayError):
        return error
    lines = "".join(traceback.format_exception(error)).splitlines()
    said = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
    return EngineError(f"{name} failed: {said}", lines)


class Stopper:
    """Tells an engine to stop until it has: the contract lets an engine forget a stop before its search begins."""

    def __init__(self) -> None:
        self._engine: Engine | None = None
        self._is_over = threading.Event()

    def watch(self, engine: Engine) -> None:
        self._engine = engine

    def stop(self) -> None:
        threading.Thread(target=self._run, name="stop", daemon=True).start()

    def over(self) -> None:
        self._is_over.set()

    def _run(self) -> None:
        while not self._is_over.is_set():
            if self._engine is not None:
                self._engine.stop()
            self._is_over.wait(0.02)


class ThreadHost:
    """An engine in a thread of this process. One that never comes back is left behind."""

    def __init__(self, engines: dict[Recipe, Engine]) -> None:
        self.inbox: Inbox = queue.SimpleQueue()
        self._engines = engines
        self._stopper = Stopper()

    def ask(self, recipe: Recipe, question: Question) -> None:
        threading.Thread(target=self._run, args=(recipe, question), name=recipe.name, daemon=True).start()

    def interrupt(self) -> None:
        self._stopper.stop()

    def abandon(self) -> tuple[str, ...]:
        self._stopper.over()
        return ()

    def _run(self, recipe: Recipe, question: Question) -> None:
        try:
            engine = self._engines.pop(recipe, None) or recipe()  # popped: nobody else asks it meanwhile
            self._stopper.watch(engine)
            self.inbox.put(Started())
            answer = engine.analyse(
                question.position,
                question.limit,
                history=question.history,
                report=lambda analysis: self.inbox.put(Reported(analysis)),
            )
            if recipe.is_reusable:
                self._engines[recipe] = engine
            self.inbox.put(Answered(answer))
        except BaseException as error:  # whatever an engine raises is told, never lost in a thread
            self.inbox.put(Failed(failure(recipe.name, error)))
        finally:
            self._stopper.over()


class ThreadRunner:
    """Runs every search at once in a thread of this process, or in a process where the recipe needs one.

    For one game at a time, as in a terminal.
    """

    def __init__(self, *, grace_ms: int = GRACE_MS) -> None:
        self._grace_ms = grace_ms
        self._engines: dict[Recipe, Engine] = {}
        self._searches: dict[Search, threading.Thread] = {}
        self._pool: Runner | None = None
        self._lock = threading.Lock()
        self._is_closed = False

    def submit(
        self,
        recipe: Recipe,
        question: Question,
        *,
        key: str = "",
        report: Report | None = None,
        started: Callable[[], None] | None = None,
    ) -> Search:
        with self._lock:
            if self._is_closed:
                raise closed_error()
            if recipe.needs_process:
                return self._processes().submit(recipe, question, key=key, report=report, started=started)
            search = Search(recipe, question, key=key, report=report, started=started)
            thread = threading.Thread(target=self._run, args=(search,), name=f"watch {recipe.name}", daemon=True)
            self._searches[search] = thread
            thread.start()
        return search

    def close(self) -> None:
        """End all searches, and wait for them a while: one in C++ that outlives the interpreter takes it down."""
        with self._lock:
            self._is_closed = True
            running = dict(self._searches)
        for search in running:
            search.cancel()
        ends = time.monotonic() + CLOSE_GRACES * self._grace_ms / 1000
        for thread in running.values():
            if thread is not threading.current_thread():
                thread.join(max(0.0, ends - time.monotonic()))
        if self._pool is not None:
            self._pool.close()

    def _processes(self) -> Runner:
        if self._pool is None:
            from outplay.engine.pool import WorkerPool  # it stands on this module

            self._pool = WorkerPool(2, grace_ms=self._grace_ms)
        return self._pool

    def _run(self, search: Search) -> None:
        supervise(search, ThreadHost(self._engines), grace_ms=self._grace_ms)
        with self._lock:
            del self._searches[search]


def closed_error() -> EngineError:
    return EngineError("no engine can be asked any more: the runner is closed")
