"""Jobs: tasks with a key, for long builds; how they run and how they can end."""

from __future__ import annotations

import importlib
import pickle
import time
import traceback
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from outplay.errors import JobError
from outplay.work.parcel import Parcel
from outplay.work.task import AnyTask, Report, Stop, Task


@dataclass(frozen=True, slots=True)
class Job:
    """A task with a key. After a crash it may run again, so running it twice must be harmless.

    It starts when the jobs that it `needs` are done and their results have been handled. The result of its task must
    be picklable.

    A task with a field `folder` works in that folder. On another machine, the worker uses a folder of its own instead.
    `files` names the files that are copied to it from the caller's folder at the start; earlier jobs may have made
    them. `makes` names the files that are copied back at the end.

    `size` is its amount of work compared with other jobs, to estimate the time left.
    """

    key: str
    task: AnyTask
    needs: tuple[str, ...] = ()
    size: float = 1.0
    files: tuple[str, ...] = ()
    makes: tuple[str, ...] = ()

    @property
    def folder(self) -> Path | None:
        folder: Path | None = getattr(self.task, "folder", None)
        return folder

    def moved(self, folder: Path) -> Job:
        """Return the same job in another folder."""
        return replace(self, task=replace(self.task, folder=folder))  # type: ignore[type-var]


@dataclass(frozen=True, slots=True)
class Call(Task[Any]):
    """A task that calls a function of a module. The function may be given by its name: `"package.module:function"`.

    It is called with `args`, and with the keyword `folder` if there is one.
    """

    call: Callable[..., Any] | str
    args: tuple[Any, ...] = ()
    folder: Path | None = None

    @property
    def name(self) -> str:
        return self.call if isinstance(self.call, str) else f"{self.call.__module__}:{self.call.__qualname__}"

    def run(self, report: Report[Any], stop: Stop) -> Any:
        given = {} if self.folder is None else {"folder": self.folder}
        call = function(self.call)
        report.begin()
        return call(*self.args, **given)


@dataclass(frozen=True, slots=True)
class Work:
    """A pickled job. If it cannot be read at the other end, only this job fails."""

    key: str
    pickled: bytes

    @classmethod
    def of(cls, job: Job) -> Work:
        if "__main__" in (type(job.task).__module__, getattr(getattr(job.task, "call", None), "__module__", "")):
            raise JobError(job.key, "its function is defined in the main program; workers need it in a module")
        try:
            return cls(job.key, pickle.dumps(job))
        except Exception as error:  # pickle may raise any exception
            raise JobError(job.key, f"it cannot be sent to a worker: {error}") from error

    def open(self) -> Job:
        job: Job = pickle.loads(self.pickled)
        return job


# The ways in which a job can end.


@dataclass(frozen=True, slots=True)
class Finished:
    key: str
    parcel: Parcel
    seconds: float
    made: tuple[tuple[str, Parcel], ...] = ()
    """The files that it made, if it ran on another machine."""


@dataclass(frozen=True, slots=True)
class Broken:
    """The task itself failed, and would fail again."""

    key: str
    reason: str
    trace: str = ""


@dataclass(frozen=True, slots=True)
class Lost:
    """The worker or the result is lost: the job may run again."""

    key: str
    reason: str


Fate = Finished | Broken | Lost


# Messages about a job before it ends.


@dataclass(frozen=True, slots=True)
class JobBegun:
    """The job has a worker; on a cluster, it was sent to one. If the worker is lost, the job begins again."""

    key: str


@dataclass(frozen=True, slots=True)
class JobReport:
    """A report of the job's task. Only a pool passes reports on."""

    key: str
    found: Any


JobNews = JobBegun | JobReport


def execute(job: Job, stop: Stop | None = None) -> Finished | Broken:
    """Run a job in this process."""
    started = time.monotonic()
    try:
        value = job.task.run(Report(), stop or Stop())
        return Finished(job.key, Parcel.of(value), time.monotonic() - started)
    except (Exception, SystemExit) as error:
        return broken(job.key, error)


def broken(key: str, error: BaseException) -> Broken:
    said = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
    return Broken(key, said, "".join(traceback.format_exception(error)))


@dataclass(frozen=True, slots=True)
class JobTask(Task[Fate]):
    """A job as a task for a worker process; a failure is returned, not raised."""

    work: Work

    @property
    def name(self) -> str:
        return self.work.key

    def run(self, report: Report[Fate], stop: Stop) -> Fate:
        try:
            job = self.work.open()
        except Exception as error:  # pickle may raise any exception
            return broken(self.work.key, error)
        return execute(job, stop)


def function(call: Callable[..., Any] | str) -> Callable[..., Any]:
    """Return the function; import it if only its name is given."""
    if not isinstance(call, str):
        return call
    module, colon, name = call.partition(":")
    if not colon:
        raise ValueError(f"{call!r} is not the name of a function: write package.module:function")
    found: Callable[..., Any] = getattr(importlib.import_module(module), name)
    return found
