"""Jobs one after the other in this very process: for tests, notebooks and small work."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable
from typing import Any

from outplay.runner.job import Event, Job, execute
from outplay.runner.plan import Plan


class HereCrew:
    """Does a job when it is waited for."""

    workers = 1

    def __init__(self) -> None:
        self._job: Job | None = None
        self._is_stopped = threading.Event()

    def fill(self, plan: Plan) -> None:
        self._job = plan.take()

    def wait(self) -> Iterable[Event]:
        assert self._job is not None
        return [execute(self._job, self._is_stopped.is_set)]

    def survey(self, call: Callable[[], Any]) -> list[Any]:
        return [call()]

    def wake(self) -> None:
        self._is_stopped.set()

    def abandon(self) -> None:
        self._job = None

    def close(self) -> None:
        self._is_stopped.set()
