"""Work that takes a while, in worker processes: begun, asked about now and then, stopped, and forgotten in the end.

A job is a search like those of the games, by an engine that knows how to do the work; what it has found by now is an
`Analysis` with more in it. Each kind of job has workers of its own, so that none keeps people from playing.
"""

from __future__ import annotations

import secrets
import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from concurrent.futures import CancelledError
from typing import Literal

from outplay.engine.pool import WorkerPool
from outplay.engine.runner import Question, Recipe, Search
from outplay.engine.types import Analysis
from outplay.errors import OutplayError
from outplay.rules import Position
from outplay.web.games import BusyError
from outplay.web.work import Found

LOOKED_AFTER = 0.005
"""Seconds."""
GRACE_MS = 10_000
BUILD_MS = 60_000
"""Nobody's clock runs while a job does, and its worker gives way to others: it is given up late."""

Status = Literal["waiting", "running", "done", "stopped", "failed"]


class UnknownRunError(OutplayError, LookupError):
    """There is no such job, or it was long ago."""


class TooManyRunsError(OutplayError):
    """One client has as many jobs going on as it may have."""


class Job:
    """Work under way, or over. Every method may be called from any thread."""

    def __init__(self, job_id: str, search: Search, client: str) -> None:
        self.id, self.client = job_id, client
        self.began = self.asked_at = time.monotonic()
        self._search = search
        self._is_stopped = False

    @property
    def recipe(self) -> Recipe:
        return self._search.recipe

    @property
    def question(self) -> Question:
        return self._search.question

    @property
    def position(self) -> Position:
        return self.question.position

    @property
    def is_over(self) -> bool:
        return self._search.future.done()

    @property
    def place(self) -> int:
        """In the queue; 0 as soon as it runs."""
        return self._search.place

    @property
    def error(self) -> BaseException | None:
        if not self.is_over:
            return None
        try:
            return self._search.future.exception()
        except CancelledError as error:
            return error

    @property
    def found(self) -> Analysis | None:
        """What is known by now."""
        return self._search.result() if self.is_over and self.error is None else self._search.latest

    @property
    def status(self) -> Status:
        if not self.is_over:
            return "waiting" if self.place else "running"
        if self.error is not None:
            return "stopped" if self._is_stopped else "failed"
        found = self.found
        return "done" if isinstance(found, Found) and found.is_complete else "stopped"

    @property
    def was_stopped_by_hand(self) -> bool:
        return self._is_stopped

    def stop(self) -> None:
        self._is_stopped = True
        if self.place:
            self._search.cancel()
        else:
            self._search.stop()

    def wait(self, seconds: float, until: Callable[[], bool]) -> None:
        """Until it is over or has come far enough, but no longer than this."""
        over = threading.Event()
        self._search.future.add_done_callback(lambda _: over.set())
        deadline = time.monotonic() + seconds
        while not over.wait(LOOKED_AFTER) and not until() and time.monotonic() < deadline:
            pass


class Jobs:
    """The jobs of one kind on a server. Every method may be called from any thread."""

    def __init__(self, what: str, *, kept: int, most: int, slots: int = 1) -> None:
        """`what` is what one of them is called; `kept` are remembered, `most` may be unfinished."""
        self._what, self._kept, self._most = what, kept, most
        self._pool = WorkerPool(slots, grace_ms=GRACE_MS, build_ms=BUILD_MS)
        self._jobs: OrderedDict[str, Job] = OrderedDict()
        self._lock = threading.Lock()

    def begin(self, recipe: Recipe, question: Question, client: str, *, most_of_one: int | None = None) -> Job:
        """Start a job, or let it wait for its turn. BusyError, TooManyRunsError if there are too many already."""
        with self._lock:
            unfinished = [job for job in self._jobs.values() if not job.is_over]
            if len(unfinished) >= self._most:
                raise BusyError(f"the server has as many {self._what}s as it can take; try again later")
            if most_of_one is not None and sum(job.client == client for job in unfinished) >= most_of_one:
                raise TooManyRunsError(f"you have too many {self._what}s going on; stop one of them")
            search = self._pool.submit(recipe, question, key=client)
            job = Job(secrets.token_hex(6), search, client)
            self._jobs[job.id] = job
            self._forget_old()
            return job

    def wake(self, recipe: Recipe, question: Question) -> None:
        """Start the worker, if it does not run: somebody is about to need it."""
        if not self._pool.processes() and not self._pool.running:
            self._pool.submit(recipe, question)

    def job(self, job_id: str) -> Job:
        """The job of that id; UnknownRunError if there is none any more."""
        job = self.get(job_id)
        if job is None:
            raise UnknownRunError(f"there is no such {self._what} any more; ask for it again")
        return job

    def get(self, job_id: str) -> Job | None:
        """The job of that id, if there is one: somebody still wants to know about it."""
        with self._lock:
            job = self._jobs.get(job_id)
        if job is not None:
            job.asked_at = time.monotonic()
        return job

    def unfinished(self, client: str | None = None) -> list[Job]:
        """Those that wait or run, the oldest first; of one client, if it is said."""
        with self._lock:
            return [job for job in self._jobs.values() if not job.is_over and client in (None, job.client)]

    def stop_unasked(self, seconds: float) -> None:
        """Stop what nobody has asked about for so long."""
        until = time.monotonic() - seconds
        for job in self.unfinished():
            if job.asked_at < until:
                job.stop()

    def close(self) -> None:
        self._pool.close()

    def _forget_old(self) -> None:
        over = [job_id for job_id, job in self._jobs.items() if job.is_over]
        for job_id in over[: max(0, len(self._jobs) - self._kept)]:
            del self._jobs[job_id]
