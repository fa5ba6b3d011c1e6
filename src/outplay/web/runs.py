"""Tasks that a page starts and then asks about: begun, polled, stopped, and forgotten in the end.

Each kind has workers of its own, so that none keeps people from playing.
"""

from __future__ import annotations

import secrets
import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from concurrent.futures import CancelledError, Future
from typing import Any, Generic, Literal, Protocol, TypeVar

from outplay.web.http.errors import BusyError, TooManyRunsError, UnknownRunError, error_of
from outplay.work import ProcessPool, Task, Ticket

LOOKED_AFTER = 0.005
"""Seconds."""
GRACE_MS = 10_000
BUILD_MS = 60_000
"""Nobody's clock runs meanwhile, and such workers give way to others: a task is given up late."""

RunStatus = Literal["waiting", "running", "done", "stopped", "failed"]


class Partial(Protocol):
    """What a task has found: all of it, or what there was when it was stopped."""

    @property
    def is_complete(self) -> bool: ...


TaskType = TypeVar("TaskType", bound=Task[Any])
FoundType = TypeVar("FoundType", bound=Partial)


class Run(Generic[TaskType, FoundType]):
    """A task under way, or over. Every method may be called from any thread."""

    def __init__(self, task: TaskType, ticket: Ticket[FoundType], client: str) -> None:
        self.id, self.task, self.client = secrets.token_hex(6), task, client
        self.began = self.asked_at = time.monotonic()
        self._ticket = ticket
        self._is_stopped = False

    @classmethod
    def over(cls, task: TaskType, found: FoundType) -> Run[TaskType, FoundType]:
        """Return a run that was over before: what it found was saved."""
        ticket: Ticket[FoundType] = Ticket(task)
        ticket.finish(found)
        return cls(task, ticket, "")

    def when_done(self, call: Callable[[FoundType], None]) -> None:
        """Call this with what was found, on the worker's thread, unless the run fails."""

        def ended(future: Future[FoundType]) -> None:
            if not future.cancelled() and future.exception() is None:
                call(future.result())

        self._ticket.future.add_done_callback(ended)

    @property
    def is_over(self) -> bool:
        return self._ticket.future.done()

    @property
    def place(self) -> int:
        """In the queue; 0 as soon as it runs."""
        return self._ticket.place

    @property
    def error(self) -> BaseException | None:
        if not self.is_over:
            return None
        try:
            return self._ticket.future.exception()
        except CancelledError as error:
            return error

    @property
    def found(self) -> FoundType | None:
        """What is known by now."""
        return self._ticket.result() if self.is_over and self.error is None else self._ticket.latest

    @property
    def status(self) -> RunStatus:
        if not self.is_over:
            return "waiting" if self.place else "running"
        if self.error is not None:
            return "stopped" if self._is_stopped else "failed"
        found = self.found
        return "done" if found is not None and found.is_complete else "stopped"

    @property
    def was_stopped_by_hand(self) -> bool:
        return self._is_stopped

    def message(self, most_ms: int | None = None) -> str:
        """Why it failed or was stopped; empty otherwise. `most_ms` is the time it had."""
        if self.status == "failed" and isinstance(self.error, Exception):
            return error_of(self.error)[1].message
        if self.status != "stopped":
            return ""
        return "Stopped." if self._is_stopped or most_ms is None else f"Stopped: it had {most_ms // 1000} seconds."

    def stop(self) -> None:
        self._is_stopped = True
        if self.place:
            self._ticket.cancel()
        else:
            self._ticket.stop()

    def wait(self, seconds: float, until: Callable[[], bool]) -> None:
        """Wait until it is over or has come far enough, at most this long."""
        over = threading.Event()
        self._ticket.future.add_done_callback(lambda _: over.set())
        deadline = time.monotonic() + seconds
        while not over.wait(LOOKED_AFTER) and not until() and time.monotonic() < deadline:
            pass


def worker_pool() -> ProcessPool:
    """One worker for tasks that a page starts."""
    return ProcessPool(1, grace_ms=GRACE_MS, build_ms=BUILD_MS)


class Runs(Generic[TaskType, FoundType]):
    """The runs of one kind on a server. Every method may be called from any thread."""

    def __init__(self, what: str, pool: ProcessPool, *, kept: int, most: int, most_of_one: int | None = None) -> None:
        """`what` is the name of one; `kept` are remembered, `most` may be unfinished, `most_of_one` of one client."""
        self._what, self._pool = what, pool
        self._kept, self._most, self._most_of_one = kept, most, most_of_one
        self._runs: OrderedDict[str, Run[TaskType, FoundType]] = OrderedDict()
        self._lock = threading.Lock()

    def begin(self, task: TaskType, client: str) -> Run[TaskType, FoundType]:
        """Start a run, or let it wait for its turn. BusyError, TooManyRunsError if there are too many already."""
        with self._lock:
            unfinished = [run for run in self._runs.values() if not run.is_over]
            if len(unfinished) >= self._most:
                raise BusyError(f"the server has as many {self._what}s as it can take; try again later")
            of_one = sum(run.client == client for run in unfinished)
            if self._most_of_one is not None and of_one >= self._most_of_one:
                raise TooManyRunsError(f"you have too many {self._what}s going on; stop one of them")
            run = Run[TaskType, FoundType](task, self._pool.submit(task, key=client), client)
            self._runs[run.id] = run
            self._forget_old()
            return run

    def wake(self, task: TaskType) -> None:
        """Start the worker with a small task, if it does not run: a page is about to need it."""
        if not self._pool.processes() and not self._pool.running:
            self._pool.submit(task)

    def run(self, run_id: str) -> Run[TaskType, FoundType]:
        """The run of that id; UnknownRunError if it is forgotten, or never was."""
        run = self.get(run_id)
        if run is None:
            raise UnknownRunError(f"there is no such {self._what} any more; ask for it again")
        return run

    def get(self, run_id: str) -> Run[TaskType, FoundType] | None:
        """The run of that id, if there is one. It counts as asked about."""
        with self._lock:
            run = self._runs.get(run_id)
        if run is not None:
            run.asked_at = time.monotonic()
        return run

    def unfinished(self, client: str | None = None) -> list[Run[TaskType, FoundType]]:
        """Those that wait or run, the oldest first; all, or those of one client."""
        with self._lock:
            return [run for run in self._runs.values() if not run.is_over and client in (None, run.client)]

    def stop_unasked(self, seconds: float) -> None:
        """Stop what no page has asked about for this long."""
        until = time.monotonic() - seconds
        for run in self.unfinished():
            if run.asked_at < until:
                run.stop()

    def _forget_old(self) -> None:
        over = [run_id for run_id, run in self._runs.items() if run.is_over]
        for run_id in over[: max(0, len(self._runs) - self._kept)]:
            del self._runs[run_id]
