"""Track which jobs may start, which are running, and the progress."""

from __future__ import annotations

import heapq
import time
from collections.abc import Collection, Iterable
from dataclasses import dataclass

from outplay.work.job import Job


@dataclass(frozen=True, slots=True)
class Progress:
    """The progress of a run, measured by the sizes of its jobs: `share` from 0 to 1, and the time left at this rate."""

    done: int
    total: int
    share: float
    seconds: float
    seconds_left: float


class Plan:
    """The jobs of a run, in the given order, except that each job comes after the jobs that it needs."""

    def __init__(self, jobs: Iterable[Job], finished: Collection[str] = ()) -> None:
        given = list(jobs)
        self._jobs = {job.key: job for job in given}
        if len(self._jobs) < len(given):
            raise ValueError(f"two jobs have the key {_first_repeated(given)}")
        self._order = {job.key: number for number, job in enumerate(given)}
        self._waits: dict[str, int] = {}
        self._followers: dict[str, list[str]] = {}
        self._ready: list[tuple[int, str]] = []
        self._size = sum(job.size for job in given)
        self._size_done = 0.0
        self._done = 0
        self._started = time.monotonic()
        known = frozenset(finished)
        for job in given:
            self._add(job, known)
        self._refuse_circles()

    def _add(self, job: Job, finished: frozenset[str]) -> None:
        if not job.size > 0:
            raise ValueError(f"job {job.key} has the size {job.size:g}: the size must be positive")
        needs = frozenset(job.needs) - finished
        if unknown := needs - self._jobs.keys():
            raise ValueError(f"job {job.key} needs {min(unknown)}, which is not one of the jobs and not finished")
        self._waits[job.key] = len(needs)
        for need in needs:
            self._followers.setdefault(need, []).append(job.key)
        if not needs:
            heapq.heappush(self._ready, (self._order[job.key], job.key))

    def _refuse_circles(self) -> None:
        waits, free = dict(self._waits), [key for _, key in self._ready]
        while free:
            key = free.pop()
            del waits[key]
            for follower in self._followers.get(key, ()):
                waits[follower] -= 1
                if waits[follower] == 0:
                    free.append(follower)
        if waits:
            raise ValueError(f"job {min(waits)} depends on itself through other jobs")

    def add(self, job: Job) -> None:
        """Add a job at the end of the plan. It must not need other jobs."""
        if job.needs:
            raise ValueError(f"job {job.key} needs other jobs: only a job that needs none can be added later")
        if job.key in self._jobs:
            raise ValueError(f"two jobs have the key {job.key}")
        self._jobs[job.key], self._order[job.key] = job, len(self._order)
        self._size += job.size
        self._add(job, frozenset())

    @property
    def ready(self) -> int:
        """Return the number of jobs that may start now."""
        return len(self._ready)

    @property
    def is_over(self) -> bool:
        return self._done == len(self._jobs)

    def take(self) -> Job | None:
        """Return the first job that may start, or None."""
        return self._jobs[heapq.heappop(self._ready)[1]] if self._ready else None

    def put_back(self, key: str) -> None:
        heapq.heappush(self._ready, (self._order[key], key))

    def job(self, key: str) -> Job:
        return self._jobs[key]

    def finish(self, key: str) -> Progress:
        """Mark a job as done. Jobs that need it wait until `release`."""
        self._done += 1
        self._size_done += self._jobs[key].size
        seconds, share = time.monotonic() - self._started, self._size_done / self._size
        return Progress(self._done, len(self._jobs), share, seconds, seconds * (1 - share) / share)

    def release(self, key: str) -> None:
        """Let the jobs that need this one start, because its result has been handled."""
        for follower in self._followers.get(key, ()):
            self._waits[follower] -= 1
            if self._waits[follower] == 0:
                self.put_back(follower)


def _first_repeated(jobs: list[Job]) -> str:
    seen = set[str]()
    return next(job.key for job in jobs if job.key in seen or seen.add(job.key))  # type: ignore[func-returns-value]
