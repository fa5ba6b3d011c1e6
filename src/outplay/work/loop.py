"""The loop over jobs: start them, yield results as they arrive, and repeat lost ones."""

from __future__ import annotations

import os
import threading
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Protocol

from outplay.errors import JobError
from outplay.files import write_whole
from outplay.work.job import Broken, Fate, Finished, Job, JobBegun, JobNews, JobReport, Lost
from outplay.work.parcel import DamagedError
from outplay.work.plan import Plan, Progress

RETRIES = 2
"""How often a job is run again after its worker was killed."""


@dataclass(frozen=True, slots=True)
class Done:
    """A finished job: its result, how long it took, and the progress of the run."""

    job: Job
    value: Any
    seconds: float
    progress: Progress


class Site(Protocol):
    """A place where jobs run: this process, other processes, a shared pool, or a cluster."""

    @property
    def slots(self) -> int:
        """The number of jobs that can run there at a time."""

    def fill(self, plan: Plan) -> None:
        """Start as many jobs of the plan as there are free slots."""

    def wait(self) -> Iterable[Fate | JobNews]:
        """Return the events since the last call. If there are none, wait for one, or until `wake` is called."""

    def survey(self, call: Callable[[], Any]) -> list[Any]:
        """Call a function on each machine that runs jobs; return the answer once for each slot of the machine."""

    def wake(self, *, ends: bool = False) -> None:
        """End a `wait` of another thread. With `ends` the run is over, and a job in this process is asked to stop."""

    def abandon(self) -> None:
        """Give up all running jobs at once."""

    def close(self) -> None:
        """Give up all jobs, and end every process started for them."""


class Workers:
    """Runs keyed jobs; see `open_workers`. Only one run is possible at a time."""

    def __init__(self, site: Site, *, retries: int = RETRIES) -> None:
        self._site, self._retries = site, retries
        self._stop = threading.Event()
        self._is_paused = self._is_running = False

    @property
    def slots(self) -> int:
        """The number of jobs that run at a time."""
        return self._site.slots

    @property
    def is_stopped(self) -> bool:
        return self._stop.is_set()

    def run(
        self,
        jobs: Iterable[Job],
        *,
        finished: Collection[str] = (),
        tell: Callable[[JobNews], None] | None = None,
        more: Callable[[], Iterable[Job]] | None = None,
    ) -> Iterator[Done]:
        """Run the jobs and yield each one as it finishes. `finished` lists keys that count as done already.

        `tell` is called when a job begins, and with each of its reports if the workers pass reports on. `more` is
        called when the caller has handled a result, and returns jobs to add; these must not need other jobs.

        A job that needs another job starts only when the caller has handled the result of that job and asks for the
        next result. A job that fails raises JobError. An error, a `break` or Ctrl-C in the caller's loop gives up all
        running jobs.
        """
        plan = Plan(jobs, finished)
        return self._run(plan, tell, more)

    def pause(self) -> None:
        """Begin no more jobs until `go_on`. Running jobs are finished."""
        self._is_paused = True

    def go_on(self) -> None:
        """End a pause."""
        self._is_paused = False
        self._site.wake()

    def survey(self, call: Callable[[], Any]) -> list[Any]:
        """Call a function on each machine that runs jobs; return the answer once for each slot of the machine."""
        return self._site.survey(call)

    def stop(self) -> None:
        """End the run from another thread: the loop over its results ends early, and `is_stopped` is True."""
        self._stop.set()
        self._site.wake(ends=True)

    def close(self) -> None:
        """Give up all running jobs, and end the workers."""
        self.stop()
        self._site.close()

    def __enter__(self) -> Workers:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def _run(
        self, plan: Plan, tell: Callable[[JobNews], None] | None, more: Callable[[], Iterable[Job]] | None
    ) -> Iterator[Done]:
        if self._is_running:
            raise RuntimeError("these workers are running other jobs: wait until that run has ended")
        self._is_running, lost = True, Counter[str]()
        try:
            while not plan.is_over and not self._stop.is_set():
                if not self._is_paused:
                    self._site.fill(plan)
                for news in self._site.wait():
                    if self._stop.is_set():
                        return
                    if isinstance(news, JobBegun | JobReport):
                        if tell is not None:
                            tell(news)
                        continue
                    done = self._settle(news, plan, lost)
                    if done is not None:
                        yield done
                        plan.release(done.job.key)
                        for job in more() if more is not None else ():
                            plan.add(job)
        finally:
            self._site.abandon()
            self._is_running = False

    def _settle(self, fate: Fate, plan: Plan, lost: Counter[str]) -> Done | None:
        if isinstance(fate, Finished):
            try:
                return self._finish(fate, plan)
            except DamagedError as error:
                fate = Lost(fate.key, f"its result arrived damaged: {error}")
        if isinstance(fate, Broken):
            failed = JobError(fate.key, fate.reason)
            if fate.trace:
                failed.add_note(fate.trace)
            raise failed
        lost[fate.key] += 1
        if lost[fate.key] > self._retries:
            raise JobError(fate.key, f"{fate.reason} (tried {lost[fate.key]} times)")
        plan.put_back(fate.key)
        return None

    def _finish(self, fate: Finished, plan: Plan) -> Done:
        job, value = plan.job(fate.key), fate.parcel.open()
        for name, parcel in fate.made:
            assert job.folder is not None
            write_whole(job.folder / name, parcel.open())
        return Done(job, value, fate.seconds, plan.finish(fate.key))


def open_workers(slots: int | None = None, *, cluster: str | None = None, retries: int = RETRIES) -> Workers:
    """Return workers for `slots` jobs at a time on this machine. Default: one per core.

    With 0 slots, jobs run in this process, one after the other. `cluster` is the address of a Dask
    scheduler, or `"local"` to start one here with `slots` workers.
    """
    if slots is not None and slots < 0:
        raise ValueError(f"the number of workers must be at least 0, not {slots}")
    if cluster is not None:
        from outplay.work.cluster import Cluster

        if cluster == "local":
            return Workers(Cluster.local(slots or cores()), retries=retries)
        if slots is not None:
            raise ValueError("give either the number of workers or the address of a cluster, not both")
        return Workers(Cluster.at(cluster), retries=retries)
    if slots == 0:
        from outplay.work.here import Here

        return Workers(Here(), retries=retries)
    from outplay.work.processes import Processes

    return Workers(Processes(slots or cores()), retries=retries)


def cores() -> int:
    """Return the number of cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
