"""Tasks that run elsewhere, their reports and stop signals, and the ticket that the caller gets."""

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
"""The result type of a task; its reports have the same type."""
POLL_SECONDS = 0.1
REPEAT_SECONDS = 0.02
MEMORY = 1024 * 1024 * 1024
"""The most memory that a worker with low priority may use, in bytes."""


class OverrunError(EngineError):
    """A task did not answer within its time limit, nor after it was asked to stop."""


class WorkerKilledError(EngineError):
    """The process of a task was killed from outside. The task itself may be fine: try it again."""


class Task(ABC, Generic[Found]):
    """A piece of work that runs elsewhere: plain data, because it is pickled to be sent there."""

    __slots__ = ()

    @property
    @abstractmethod
    def name(self) -> str:
        """Return the name of the task, for messages."""

    @property
    def time_ms(self) -> int | None:
        """Return the time limit, counted from the end of the preparation (`report.begin()`); None for no limit."""
        return None

    @property
    def needs_process(self) -> bool:
        """Return True if the task may never end: such a task must not run in a thread of this process."""
        return False

    @property
    def can_wait(self) -> bool:
        """Return True if no person waits for the answer: such tasks come after all others."""
        return False

    @abstractmethod
    def run(self, report: Report[Found], stop: Stop) -> Found:
        """Do the work. Call `report.begin()` when the preparation is finished and the time limit starts to count."""


class Report(Generic[Found]):
    """The function with which a task reports intermediate results: `report(found)`."""

    def __init__(self, tell: Callable[[Found], None] | None = None, begun: Callable[[], None] | None = None) -> None:
        self._tell, self._begun = tell, begun

    def __call__(self, found: Found) -> None:
        if self._tell is not None:
            self._tell(found)

    @property
    def is_heard(self) -> bool:
        """Return False if nothing listens, so that a report need not be made."""
        return self._tell is not None

    def begin(self) -> None:
        """Mark the end of the preparation: the time limit counts from now on."""
        if self._begun is not None:
            self._begun()


class Stop:
    """A stop signal for a task: the task polls `is_set`, or registers a function with `calling`.

    `ask` is a second source that is polled: a function that returns True when the task is to stop.
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
        """Stop calling registered functions: the task was abandoned."""
        self._call = None

    @contextlib.contextmanager
    def calling(self, call: Callable[[], None]) -> Iterator[None]:
        """When the task is asked to stop, call `call` again and again until the block ends.

        Once is not enough: an engine may forget a stop that arrives before its search begins.
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


class TicketQueue(Protocol):
    """A queue in which tickets wait."""

    def place(self, ticket: Ticket[Any]) -> int:
        """Return the place of a ticket, from 1; 0 if it is not waiting."""

    def leave(self, ticket: Ticket[Any]) -> None:
        """Remove a ticket if it is still waiting."""


class Ticket(Generic[Found]):
    """A submitted task, from `submit` to its answer. Any thread may call any method.

    `future` gets the answer or the error. `latest` is the latest report.
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
        self.line: TicketQueue | None = None
        """The queue in which the ticket waits, if its pool has one."""
        self.future: Future[Found] = Future()
        self.latest: Found | None = None
        self._report, self._started = report, started
        self._lock = threading.Lock()
        self._interrupt: Callable[[], None] | None = None
        self._is_stopping = False

    def result(self, timeout: float | None = None) -> Found:
        """Wait for the answer, at most `timeout` seconds."""
        return self.future.result(timeout)

    @property
    def place(self) -> int:
        """Return the task's place in the queue, from 1; 0 once it runs."""
        return 0 if self.line is None else self.line.place(self)

    def stop(self) -> None:
        """Ask the task to answer now with what it has found so far."""
        with self._lock:
            self._is_stopping = True
            if self._interrupt is not None:
                self._interrupt()

    def cancel(self) -> None:
        """Cancel the task: its answer is no longer wanted."""
        if self.line is not None:
            self.line.leave(self)
        if self.future.cancel():
            self.stop()

    # The following methods are for pools.

    def begin(self, interrupt: Callable[[], None]) -> None:
        """Call `interrupt` when a stop is requested; at once if it was requested already."""
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
        """Set the answer, unless it is no longer wanted."""
        if self._end():
            self.future.set_result(answer)

    def fail(self, error: BaseException) -> None:
        """Set an error instead of an answer."""
        if self._end():
            self.future.set_exception(error)

    def _end(self) -> bool:
        with self._lock:
            self._interrupt = None
        return self.future.set_running_or_notify_cancel()


class Pool(Protocol):
    """The interface of a pool; see `ThreadPool` and `ProcessPool`."""

    def submit(
        self,
        task: Task[Found],
        *,
        key: str = "",
        report: Callable[[Found], None] | None = None,
        started: Callable[[], None] | None = None,
    ) -> Ticket[Found]:
        """Queue a task and return its ticket. `key` names its owner: owners take turns.

        `started` is called when the task begins, `report` for each report; both on a thread of the pool.
        """

    def close(self) -> None:
        """End all running tasks, and fail those that wait."""


def failure(name: str, error: BaseException) -> OutplayError:
    """Return an error of a task as an OutplayError. An OutplayError is returned unchanged."""
    if isinstance(error, OutplayError):
        return error
    lines = "".join(traceback.format_exception(error)).splitlines()
    said = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
    return EngineError(f"{name} failed: {said}", lines)


def closed_error() -> EngineError:
    return EngineError("the engines are shut down: the pool is closed")


def give_way(niceness: int) -> None:
    """Lower the priority of this worker process below that of games with people, and limit its memory."""
    if sys.platform == "win32":
        return
    import resource

    with contextlib.suppress(OSError, ValueError):
        os.setpriority(os.PRIO_PROCESS, 0, niceness)
        resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, MEMORY))


AnyTask = Task[Any]
