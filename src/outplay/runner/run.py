"""The runner: hands jobs to a crew, takes their results as they come, tries again what was lost."""

from __future__ import annotations

import os
import threading
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Protocol

from outplay.errors import JobError
from outplay.files import write_whole
from outplay.runner.job import Event, Failed, Finished, Job, Lost
from outplay.runner.parcel import DamagedError
from outplay.runner.plan import Plan, Progress

RETRIES = 2
"""How often a job is tried again whose worker was killed under it."""


@dataclass(frozen=True, slots=True)
class Done:
    """A finished job: what its function returned, how long that took where it ran, and how far the run is."""

    job: Job
    value: Any
    seconds: float
    progress: Progress


class Crew(Protocol):
    """Those who do the jobs."""

    @property
    def workers(self) -> int:
        """How many jobs it does at a time."""

    def fill(self, plan: Plan) -> None:
        """Begin as many jobs of the plan as there is room for."""

    def wait(self) -> Iterable[Event]:
        """What became of jobs since; blocks until there is something, or until `wake`."""

    def survey(self, call: Callable[[], Any]) -> list[Any]:
        """Call a function where jobs run, and give its answer once for each job that can run there at a time."""

    def wake(self) -> None:
        """End a `wait` of another thread."""

    def abandon(self) -> None:
        """Give up what is under way, at once."""

    def close(self) -> None:
        """Abandon, and end every process that the crew started."""


class Runner:
    """Runs keyed jobs; see `open_runner`. One run at a time."""

    def __init__(self, crew: Crew, *, retries: int = RETRIES) -> None:
        self._crew, self._retries = crew, retries
        self._stop = threading.Event()
        self._is_running = False

    @property
    def workers(self) -> int:
        """How many jobs run at a time."""
        return self._crew.workers

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
        return self._crew.survey(call)

    def stop(self) -> None:
        """End the run from another thread: the loop over its results ends early, and `is_stopped` says so."""
        self._stop.set()
        self._crew.wake()

    def close(self) -> None:
        """End everything, workers included."""
        self.stop()
        self._crew.close()

    def __enter__(self) -> Runner:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def _run(self, plan: Plan) -> Iterator[Done]:
        if self._is_running:
            raise RuntimeError("this runner is running other jobs: one run at a time")
        self._is_running, lost = True, Counter[str]()
        try:
            while not plan.is_over and not self._stop.is_set():
                self._crew.fill(plan)
                for event in self._crew.wait():
                    if self._stop.is_set():
                        return
                    done = self._settle(event, plan, lost)
                    if done is not None:
                        yield done
                        plan.release(done.job.key)
        finally:
            self._crew.abandon()
            self._is_running = False

    def _settle(self, event: Event, plan: Plan, lost: Counter[str]) -> Done | None:
        if isinstance(event, Finished):
            try:
                return self._finish(event, plan)
            except DamagedError as error:
                event = Lost(event.key, f"its result did not arrive whole: {error}")
        if isinstance(event, Failed):
            failed = JobError(event.key, event.reason)
            if event.trace:
                failed.add_note(event.trace)
            raise failed
        lost[event.key] += 1
        if lost[event.key] > self._retries:
            raise JobError(event.key, f"{event.reason} (tried {lost[event.key]} times)")
        plan.put_back(event.key)
        return None

    def _finish(self, event: Finished, plan: Plan) -> Done:
        job, value = plan.job(event.key), event.parcel.open()
        for name, parcel in event.made:
            assert job.folder is not None
            write_whole(job.folder / name, parcel.open())
        return Done(job, value, event.seconds, plan.finish(event.key))


def open_runner(workers: int | None = None, *, cluster: str | None = None, retries: int = RETRIES) -> Runner:
    """A runner with `workers` processes of this machine (one per core if not said), or in this process if 0.

    `cluster` is the address of a Dask scheduler, or `"local"` to start one here with that many workers.
    """
    if workers is not None and workers < 0:
        raise ValueError(f"there cannot be {workers} workers")
    if cluster is not None and cluster != "local":
        if workers is not None:
            raise ValueError("a cluster has the workers that it has: give either their number or its address")
        from outplay.runner.cluster import ClusterCrew

        return Runner(ClusterCrew.at(cluster), retries=retries)
    if cluster == "local":
        from outplay.runner.cluster import ClusterCrew

        return Runner(ClusterCrew.local(workers or cores()), retries=retries)
    if workers == 0:
        from outplay.runner.here import HereCrew

        return Runner(HereCrew(), retries=retries)
    from outplay.runner.processes import ProcessCrew

    return Runner(ProcessCrew(workers or cores()), retries=retries)


def cores() -> int:
    """How many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
