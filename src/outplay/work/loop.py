"""The loop over jobs: hands them to where they run, takes results as they come, tries again what was lost."""

from __future__ import annotations

import os
import threading
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Protocol

from outplay.errors import JobError
from outplay.files import write_whole
from outplay.work.job import Broken, Fate, Finished, Job, Lost
from outplay.work.parcel import DamagedError
from outplay.work.plan import Plan, Progress

RETRIES = 2
"""How often a job is tried again whose worker was killed under it."""


@dataclass(frozen=True, slots=True)
class Done:
    """A finished job: what its task returned, how long that took where it ran, and how far the run is."""

    job: Job
    value: Any
    seconds: float
    progress: Progress


class Site(Protocol):
    """Where jobs run: in this process, in others, on a cluster."""

    @property
    def slots(self) -> int:
        """How many jobs run there at a time."""

    def fill(self, plan: Plan) -> None:
        """Begin as many jobs of the plan as there is room for."""

    def wait(self) -> Iterable[Fate]:
        """What became of jobs since; blocks until there is something, or until `wake`."""

    def survey(self, call: Callable[[], Any]) -> list[Any]:
        """Call a function where jobs run, and give its answer once for each job that can run there at a time."""

    def wake(self) -> None:
        """End a `wait` of another thread."""

    def abandon(self) -> None:
        """Give up what is under way, at once."""

    def close(self) -> None:
        """Abandon, and end every process that was started for it."""


class Workers:
    """Run keyed jobs; see `open_workers`. One run at a time."""

    def __init__(self, site: Site, *, retries: int = RETRIES) -> None:
        self._site, self._retries = site, retries
        self._stop = threading.Event()
        self._is_running = False

    @property
    def slots(self) -> int:
        """How many jobs run at a time."""
        return self._site.slots

    @property
    def is_stopped(self) -> bool:
        return self._stop.is_set()

    def run(self, jobs: Iterable[Job], *, finished: Collection[str] = ()) -> Iterator[Done]:
        """Run the jobs and give each as it finishes. `finished` are keys that jobs may need without being given here.

        A job that needs another begins when the loop asks for the next result: what it does with this one is then done.
        A job that fails raises JobError. An error, a `break` or Ctrl-C in the loop gives up all that is under way.
        """
        plan = Plan(jobs, finished)
        return self._run(plan)

    def survey(self, call: Callable[[], Any]) -> list[Any]:
        """What a function says where jobs run: one answer for each job that can run at a time."""
        return self._site.survey(call)

    def stop(self) -> None:
        """End the run from another thread: the loop over its results ends early, and `is_stopped` says so."""
        self._stop.set()
        self._site.wake()

    def close(self) -> None:
        """End everything, workers included."""
        self.stop()
        self._site.close()

    def __enter__(self) -> Workers:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def _run(self, plan: Plan) -> Iterator[Done]:
        if self._is_running:
            raise RuntimeError("these workers are running other jobs: one run at a time")
        self._is_running, lost = True, Counter[str]()
        try:
            while not plan.is_over and not self._stop.is_set():
                self._site.fill(plan)
                for fate in self._site.wait():
                    if self._stop.is_set():
                        return
                    done = self._settle(fate, plan, lost)
                    if done is not None:
                        yield done
                        plan.release(done.job.key)
        finally:
            self._site.abandon()
            self._is_running = False

    def _settle(self, fate: Fate, plan: Plan, lost: Counter[str]) -> Done | None:
        if isinstance(fate, Finished):
            try:
                return self._finish(fate, plan)
            except DamagedError as error:
                fate = Lost(fate.key, f"its result did not arrive whole: {error}")
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
    """Workers for `slots` jobs at a time in processes of this machine. Default: one per core; 0: in this process.

    `cluster` is the address of a Dask scheduler, or `"local"` to start one here with that many workers.
    """
    if slots is not None and slots < 0:
        raise ValueError(f"there cannot be {slots} workers")
    if cluster is not None:
        from outplay.work.cluster import Cluster

        if cluster == "local":
            return Workers(Cluster.local(slots or cores()), retries=retries)
        if slots is not None:
            raise ValueError("a cluster has the workers that it has: give either their number or its address")
        return Workers(Cluster.at(cluster), retries=retries)
    if slots == 0:
        from outplay.work.here import Here

        return Workers(Here(), retries=retries)
    from outplay.work.processes import Processes

    return Workers(Processes(slots or cores()), retries=retries)


def cores() -> int:
    """How many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
