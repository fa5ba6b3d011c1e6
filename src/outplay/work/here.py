"""Run jobs one after the other in this process: for tests, notebooks and small builds."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from outplay.work.job import Fate, Job, execute
from outplay.work.plan import Plan
from outplay.work.task import Stop


class Here:
    """A site that runs a job inside `wait`."""

    slots = 1

    def __init__(self) -> None:
        self._job: Job | None = None
        self._stop = Stop()

    def fill(self, plan: Plan) -> None:
        self._job = plan.take()

    def wait(self) -> Iterable[Fate]:
        assert self._job is not None
        return [execute(self._job, self._stop)]

    def survey(self, call: Callable[[], Any]) -> list[Any]:
        return [call()]

    def wake(self) -> None:
        self._stop.set()

    def abandon(self) -> None:
        self._job = None

    def close(self) -> None:
        self._stop.set()
