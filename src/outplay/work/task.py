"""What runs elsewhere: a task, how it reports, how it is told to stop, and the ticket of whoever handed it in."""

from __future__ import annotations

import contextlib
import os
import sys
import threading
import traceback
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from typing import Any, Generic, Protocol, TypeVar

from outplay.errors import EngineError, OutplayError

Found = TypeVar("Found")
"""What a task gives; its reports have the same form."""
POLL_SECONDS = 0.1
REPEAT_SECONDS = 0.02
MEMORY = 1024 * 1024 * 1024
"""The bytes a worker may take that has given way."""


class OverrunError(EngineError):
    """A task did not answer in its time, nor when it was told to stop."""


class Task(ABC, Generic[Found]):
    """Something that runs elsewhere: plain data, because it is pickled on its way to another process or machine."""

    __slots__ = ()

    @property
    @abstractmethod
    def name(self) -> str:
        """What it is called in messages."""

    @property
    def time_ms(self) -> int | None:
        """How long it may take once it has begun; None: as long as it needs."""
        return None

    @property
    def needs_process(self) -> bool:
        """Is it code that may never come back? It then never runs in a thread of this process."""
        return False

    @abstractmethod
    def run(self, report: Report[Found], stop: Stop) -> Found:
        """Do it, where it runs. Call `report.begin()` when the preparations are over and time starts to count."""


class Report(Generic[Found]):
    """How a task tells what it has found so far: `report(found)`."""

    def __init__(self, tell: Callable[[Found], None] | None = None, begun: Callable[[], None] | None = None) -> None:
        self._tell, self._begun = tell, begun

    def __call__(self, found: Found) -> None:
        if self._tell is not None:
            self._tell(found)

    def begin(self) -> None:
        """The preparations are over: from now on time counts."""
        if self._begun is not None:
            self._begun()


class Stop:
    """Tells a task to end early: it looks at `is_set` now and then, or has something called by `calling`.

    `ask` is a second source: a function that says whether the task is still wanted, where only asking can tell.
    """

    def __init__(self, ask: Callable[[], bool] | None = None) -> None:
        self._ask = ask
        self._lock = threading.Lock()
        self._is_set = threading.Event()
        self._call: Callable[[], None] | None = None

    def is_set(self) -> bool:
        if self._ask is not None and not self._is_set.is_set() and self._ask():
            self.set()
        return self._is_set.is_set()

    def set(self) -> None:
        with self._lock:
            if self._is_set.is_set():
                return
            self._is_set.set()
            if self._call is not None:
                self._start_calling(self._call)

    def give_up(self) -> None:
        """Call nothing any more: the task is left behind."""
        self._call = None

    @contextlib.contextmanager
    def calling(self, call: Callable[[], None]) -> Iterator[None]:
        """Call this when the task is told to stop, again and again while the block lasts.

        Once is not enough: an engine may forget a stop that comes before its search begins.
        """
        with self._lock:
            self._call = call
            if self._is_set.is_set():
                self._start_calling(call)
        watching = threading.Event()
        if self._ask is not None:
            threading.Thread(target=self._watch, args=(watching,), name="stop", daemon=True).start()
        try:
            yield
        finally:
            watching.set()
            self.give_up()

    def _start_calling(self, call: Callable[[], None]) -> None:
        threading.Thread(target=self._repeat, args=(call,), name="stop", daemon=True).start()

    def _repeat(self, call: Callable[[], None]) -> None:
        pause = threading.Event()
        while self._call is call:
            call()
            pause.wait(REPEAT_SECONDS)

    def _watch(self, over: threading.Event) -> None:
        while not over.wait(POLL_SECONDS) and not self.is_set():
            pass


class Ticket(Generic[Found]):
    """One task on its way, from `submit` to its answer. Everything here may be called from any thread.

    `future` becomes the answer, or the error. `latest` is what was reported last.
    """

    def __init__(
        self,
        task: Task[Found],
        *,
        key: str = "",
        report: Callable[[Found], None] | None = None,
        started: Callable[[], None] | None = None,
    ) -> None:
        self.task, self.key = task, key
        self.future: Future[Found] = Future()
        self.latest: Found | None = None
        self.place_in_queue: Callable[[], int] = lambda: 0
        self._report, self._started = report, started
        self._lock = threading.Lock()
        self._interrupt: Callable[[], None] | None = None
        self._is_stopping = False

    def result(self, timeout: float | None = None) -> Found:
        """Wait for the answer (seconds)."""
        return self.future.result(timeout)

    @property
    def place(self) -> int:
        """How many tasks are served up to this one, itself included; 0 as soon as it runs."""
        return self.place_in_queue()

    def stop(self) -> None:
        """Answer now, with what was found so far."""
        with self._lock:
            self._is_stopping = True
            if self._interrupt is not None:
                self._interrupt()

    def cancel(self) -> None:
        """Forget the task: its answer is no longer wanted."""
        if self.future.cancel():
            self.stop()

    # What follows is for those who run it.

    def begin(self, interrupt: Callable[[], None]) -> None:
        """From now on a stop calls this, at once if it was asked for already."""
        with self._lock:
            self._interrupt = interrupt
            if self._is_stopping:
                interrupt()

    def say_started(self) -> None:
        if self._started is not None and not self.future.cancelled():
            self._started()

    def say_report(self, found: Found) -> None:
        self.latest = found
        if self._report is not None and not self.future.cancelled():
            self._report(found)

    def finish(self, answer: Found) -> None:
        """Hand over the answer, unless it is no longer wanted."""
        if self._end():
            self.future.set_result(answer)

    def fail(self, error: BaseException) -> None:
        """Hand over an error instead."""
        if self._end():
            self.future.set_exception(error)

    def _end(self) -> bool:
        with self._lock:
            self._interrupt = None
        return self.future.set_running_or_notify_cancel()


class Pool(Protocol):
    """Runs tasks; see `ThreadPool` and `ProcessPool`."""

    def submit(
        self,
        task: Task[Found],
        *,
        key: str = "",
        report: Callable[[Found], None] | None = None,
        started: Callable[[], None] | None = None,
    ) -> Ticket[Found]:
        """Begin a task, now or when it is its turn. `key` names its owner: owners take turns.

        `started` is called when the task has begun, `report` as it goes; both on a thread of the pool.
        """

    def close(self) -> None:
        """End all tasks; those that still wait fail."""


def failure(name: str, error: BaseException) -> OutplayError:
    """An error of a task as ours; one that is ours already stays what it is."""
    if isinstance(error, OutplayError):
        return error
    lines = "".join(traceback.format_exception(error)).splitlines()
    said = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
    return EngineError(f"{name} failed: {said}", lines)


def closed_error() -> EngineError:
    return EngineError("no engine can be asked any more: the pool is closed")


def give_way(niceness: int) -> None:
    """In a worker process: be less urgent than those that people play against, and take no more than its memory."""
    if sys.platform == "win32":
        return
    import resource

    with contextlib.suppress(OSError, ValueError):
        os.setpriority(os.PRIO_PROCESS, 0, niceness)
        resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, MEMORY))


AnyTask = Task[Any]
