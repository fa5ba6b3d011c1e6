"""Run jobs in a pool that others use too: at most a few at a time, in turns with the tasks of other owners."""

from __future__ import annotations

import queue
import time
from collections.abc import Callable, Iterable
from concurrent.futures import CancelledError, Future
from typing import Any

from outplay.work.job import Fate, Finished, Job, JobBegun, JobNews, JobReport, Lost, broken
from outplay.work.loop import Workers
from outplay.work.parcel import Parcel
from outplay.work.plan import Plan
from outplay.work.pools import AnyPool
from outplay.work.task import Ticket, WorkerKilledError

Heard = JobBegun | JobReport | tuple[str, Future[Any]]


class Pooled:
    """A site of `slots` places in a pool. `owner` is the key under which its tasks take turns with those of others."""

    def __init__(self, pool: AnyPool, slots: int, *, owner: str = "") -> None:
        self.slots = slots
        self._pool, self._owner = pool, owner
        self._tickets: dict[str, Ticket[Any]] = {}
        self._began: dict[str, float] = {}
        self._inbox: queue.SimpleQueue[Heard | None] = queue.SimpleQueue()
        """The messages of the pool's threads; None is a wake-up."""

    def fill(self, plan: Plan) -> None:
        while len(self._tickets) < self.slots and (job := plan.take()) is not None:
            self._submit(job)

    def _submit(self, job: Job) -> None:
        key = job.key
        ticket = self._pool.submit(
            job.task,
            key=self._owner,
            report=lambda found: self._inbox.put(JobReport(key, found)),
            started=lambda: self._inbox.put(JobBegun(key)),
        )
        self._tickets[key] = ticket
        ticket.future.add_done_callback(lambda future: self._inbox.put((key, future)))

    def wait(self) -> Iterable[Fate | JobNews]:
        heard = self._inbox.get()
        match heard:
            case None:
                return []
            case (key, future):
                return [] if self._tickets.pop(key, None) is None else [self._fate(key, future)]
            case JobBegun(key):
                self._began[key] = time.monotonic()
        return [heard] if heard.key in self._tickets else []

    def _fate(self, key: str, future: Future[Any]) -> Fate:
        seconds = time.monotonic() - self._began.pop(key, time.monotonic())
        try:
            return Finished(key, Parcel.of(future.result()), seconds)
        except (WorkerKilledError, CancelledError) as error:
            return Lost(key, str(error) or "it was cancelled")
        except Exception as error:
            return broken(key, error)

    def survey(self, call: Callable[[], Any]) -> list[Any]:
        return [call()] * self.slots

    def wake(self, *, ends: bool = False) -> None:
        self._inbox.put(None)

    def abandon(self) -> None:
        tickets, self._tickets = self._tickets, {}
        for ticket in tickets.values():
            ticket.cancel()

    def close(self) -> None:
        self.abandon()


def pooled_workers(pool: AnyPool, slots: int, *, owner: str = "") -> Workers:
    """Return workers whose jobs run in a pool, `slots` at a time. Closing them does not close the pool."""
    return Workers(Pooled(pool, slots, owner=owner))
