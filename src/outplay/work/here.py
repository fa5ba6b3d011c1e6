"""Run jobs one after the other in this process: for tests, notebooks and small builds."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable
from typing import Any

from outplay.work.job import Fate, Job, JobBegun, JobNews, execute
from outplay.work.plan import Plan
from outplay.work.task import Stop


class Here:
    """A site that runs a job inside `wait`."""

    slots = 1

    def __init__(self) -> None:
        self._job: Job | None = None
        self._stop = Stop()
        self._woken = threading.Event()

    def fill(self, plan: Plan) -> None:
        self._job = self._job or plan.take()

    def wait(self) -> Iterable[Fate | JobNews]:
        job, self._job = self._job, None
        if job is None:  # paused
            self._woken.wait()
            self._woken.clear()
            return
        yield JobBegun(job.key)
        yield execute(job, self._stop)

    def survey(self, call: Callable[[], Any]) -> list[Any]:
        return [call()]

    def wake(self, *, ends: bool = False) -> None:
        if ends:
            self._stop.set()
        self._woken.set()

    def abandon(self) -> None:
        self._job = None

    def close(self) -> None:
        self._stop.set()
