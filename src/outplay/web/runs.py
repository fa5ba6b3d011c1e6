"""Tasks that a page starts and polls: they can be stopped, and old ones are dropped.

Each kind has workers of its own, so that games are not delayed.
"""

from __future__ import annotations

import asyncio
import secrets
import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from concurrent.futures import CancelledError, Future
from typing import Any, Generic, Literal, Protocol, TypeVar

from outplay.web.http.errors import BusyError, NotYoursError, TooManyRunsError, UnknownRunError, error_of
from outplay.web.http.lanes import GoneError, Presence, Receive
from outplay.web.http.limits import address_of, most_of_address
from outplay.work import AnyPool, Pools, Task, Ticket

LOOKED_AFTER = 0.005
"""The seconds between two checks of a run that a request waits for."""
LEFT_SECONDS = 1.0
"""How long a run goes on when its client has gone: a page that is loaded again asks within this time."""
GRACE_MS = 10_000
BUILD_MS = 60_000
"""How late a task may answer, and how long its preparation may take: workers have low priority, and a busy machine
delays them."""

RunStatus = Literal["waiting", "running", "done", "stopped", "failed"]


class Partial(Protocol):
    """The result of a task: complete, or partial if it was stopped."""

    @property
    def is_complete(self) -> bool: ...


TaskType = TypeVar("TaskType", bound=Task[Any])
FoundType = TypeVar("FoundType", bound=Partial)


class Run(Generic[TaskType, FoundType]):
    """A running or finished task. Any thread may call any method."""

    def __init__(self, task: TaskType, ticket: Ticket[FoundType], client: str) -> None:
        self.id, self.task, self.client = secrets.token_hex(6), task, client
        self.began = self.asked_at = time.monotonic()
        self._ticket = ticket
        self._is_stopped = False
        self._held = 0
        """The number of requests that are held; only the event loop counts them."""

    @classmethod
    def over(cls, task: TaskType, found: FoundType) -> Run[TaskType, FoundType]:
        """Return a finished run for a result that was saved earlier."""
        ticket: Ticket[FoundType] = Ticket(task)
        ticket.finish(found)
        return cls(task, ticket, "")

    def when_done(self, call: Callable[[FoundType], None]) -> None:
        """Pass the result to `call` on the worker's thread, unless the run fails."""

        def ended(future: Future[FoundType]) -> None:
            if not future.cancelled() and future.exception() is None:
                call(future.result())

        self._ticket.future.add_done_callback(ended)

    @property
    def is_over(self) -> bool:
        return self._ticket.future.done()

    @property
    def place(self) -> int:
        """Return the place in the queue; 0 once it runs."""
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
        """Return what is known so far."""
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
        """Return why the run failed or was stopped; empty otherwise. `most_ms` is the time limit of the run."""
        if self.status == "failed" and isinstance(self.error, Exception):
            return error_of(self.error)[1].message
        if self.status != "stopped":
            return ""
        return "Stopped." if self._is_stopped or most_ms is None else f"Stopped after {most_ms // 1000} seconds."

    def stop(self) -> None:
        self._is_stopped = True
        if self.place:
            self._ticket.cancel()
        else:
            self._ticket.stop()

    def stop_by(self, client: str) -> None:
        """Stop the run of a client. NotYoursError if another client began it."""
        if client != self.client:
            raise NotYoursError("another person started this: only that person can stop it")
        self.stop()

    async def hold(self, receive: Receive, seconds: float) -> None:
        """Hold the request of a client who asks about this run, so that the server notices if the client goes.

        If the client goes, raise GoneError, and stop the run unless a page asks about it within a second.
        """
        presence, self.asked_at = Presence(), time.monotonic()
        self._held += 1
        watching = asyncio.create_task(presence.watch(receive))
        try:
            await asyncio.wait([watching], timeout=seconds)
            presence.check()
        except GoneError:
            asyncio.get_running_loop().call_later(LEFT_SECONDS, self._stop_if_left, self.asked_at)
            raise
        finally:
            self._held -= 1
            watching.cancel()

    def _stop_if_left(self, asked_at: float) -> None:
        if not self._held and self.asked_at == asked_at and not self.is_over:
            self.stop()

    def wait(self, seconds: float, until: Callable[[], bool]) -> None:
        """Wait until the run is over or `until` returns True, but at most `seconds`."""
        over = threading.Event()
        self._ticket.future.add_done_callback(lambda _: over.set())
        deadline = time.monotonic() + seconds
        while not over.wait(LOOKED_AFTER) and not until() and time.monotonic() < deadline:
            pass


def worker_pool(pools: Pools, kind: str, *, slots: int = 1) -> AnyPool:
    """Return a pool for tasks that a page starts: they run in the background, beside those of the games."""
    return pools.back(kind, slots=slots, grace_ms=GRACE_MS, build_ms=BUILD_MS)


class Runs(Generic[TaskType, FoundType]):
    """The runs of one kind on a server. Any thread may call any method."""

    def __init__(self, what: str, pool: AnyPool, *, kept: int, most: int, most_of_one: int | None = None) -> None:
        """`what` is the word for a run of this kind in messages.

        `kept` runs are remembered, `most` may be unfinished, `most_of_one` per client.
        """
        self._what, self._pool = what, pool
        self._kept, self._most, self._most_of_one = kept, most, most_of_one
        self._runs: OrderedDict[str, Run[TaskType, FoundType]] = OrderedDict()
        self._lock = threading.Lock()

    def begin(self, task: TaskType, client: str) -> Run[TaskType, FoundType]:
        """Start or queue a run. BusyError or TooManyRunsError if too many are unfinished."""
        with self._lock:
            unfinished = [run for run in self._runs.values() if not run.is_over]
            of_address = sum(address_of(run.client) == address_of(client) for run in unfinished)
            if len(unfinished) >= self._most or of_address >= most_of_address(self._most):
                raise BusyError(f"the server is busy: too many runs of this kind ({self._what}); try again later")
            of_one = sum(run.client == client for run in unfinished)
            if self._most_of_one is not None and of_one >= self._most_of_one:
                raise TooManyRunsError(f"you have too many runs of this kind ({self._what}); stop one of them")
            run = Run[TaskType, FoundType](task, self._pool.submit(task, key=client), client)
            self._runs[run.id] = run
            self._forget_old()
            return run

    def wake(self, task: TaskType) -> None:
        """Start the worker with a small task if it is not running, because a page is about to need it."""
        if not self._pool.is_warm:
            self._pool.submit(task)

    def run(self, run_id: str) -> Run[TaskType, FoundType]:
        """Return the run of that id; UnknownRunError if it is no longer kept or never existed."""
        run = self.get(run_id)
        if run is None:
            raise UnknownRunError(f"this {self._what} is no longer kept; start it again")
        return run

    def get(self, run_id: str) -> Run[TaskType, FoundType] | None:
        """Return the run of that id, or None. After this call, the run counts as one that a page has asked about."""
        with self._lock:
            run = self._runs.get(run_id)
        if run is not None:
            run.asked_at = time.monotonic()
        return run

    def unfinished(self, client: str | None = None) -> list[Run[TaskType, FoundType]]:
        """Return the runs that wait or run, oldest first; all, or those of one client."""
        with self._lock:
            return [run for run in self._runs.values() if not run.is_over and client in (None, run.client)]

    def stop_unasked(self, seconds: float) -> None:
        """Stop the runs that no page has asked about for this long."""
        until = time.monotonic() - seconds
        for run in self.unfinished():
            if run.asked_at < until:
                run.stop()

    def _forget_old(self) -> None:
        over = [run_id for run_id, run in self._runs.items() if run.is_over]
        for run_id in over[: max(0, len(self._runs) - self._kept)]:
            del self._runs[run_id]
