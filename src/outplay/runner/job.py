"""A job as plain data, how it is done, and what becomes of it: a result, a failure, or nothing."""

from __future__ import annotations

import importlib
import pickle
import threading
import time
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from outplay.errors import JobError
from outplay.runner.parcel import Parcel


@dataclass(frozen=True, slots=True)
class Job:
    """One piece of work. It may run more than once, after a crash: doing it twice must do no harm.

    `call` is a function of a module, or its name as `"package.module:function"`; it is called with `args` where the
    job runs, and what it returns must pickle. A job begins when those that it `needs` are done and handled.

    With a `folder` the function also gets it, as its keyword `folder`. On another machine it is one of the worker's:
    `files` names what is brought there from the caller's folder when the job begins (earlier jobs may have made it),
    `makes` names what is brought back when it is done.

    `size` is its share of the work compared with other jobs, for the time left.
    """

    key: str
    call: Callable[..., Any] | str
    args: tuple[Any, ...] = ()
    needs: tuple[str, ...] = ()
    size: float = 1.0
    folder: Path | None = None
    files: tuple[str, ...] = ()
    makes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Work:
    """A job as it travels, pickled by itself: one that cannot be read at the other end fails alone."""

    key: str
    pickled: bytes

    @classmethod
    def of(cls, job: Job) -> Work:
        if getattr(job.call, "__module__", "") == "__main__":
            raise JobError(job.key, "its function belongs to the main program, where no worker finds it: use a module")
        try:
            return cls(job.key, pickle.dumps(job))
        except Exception as error:  # pickle raises what it likes
            raise JobError(job.key, f"it cannot be sent to a worker: {error}") from error

    def open(self) -> Job:
        job: Job = pickle.loads(self.pickled)
        return job


# What a crew says of a job that it was given.


@dataclass(frozen=True, slots=True)
class Finished:
    key: str
    parcel: Parcel
    seconds: float
    made: tuple[tuple[str, Parcel], ...] = ()
    """The files that it made, if it ran on another machine."""


@dataclass(frozen=True, slots=True)
class Failed:
    """The job's own function failed, and would again."""

    key: str
    reason: str
    trace: str = ""


@dataclass(frozen=True, slots=True)
class Lost:
    """The worker or the result is gone: the job may be tried again."""

    key: str
    reason: str


Event = Finished | Failed | Lost


POLL_SECONDS = 0.1
_STOPPED: ContextVar[Callable[[], bool]] = ContextVar("stopped", default=lambda: False)


def stopped() -> bool:
    """Inside a job: does nobody want its result any more? A job that takes long in one place asks now and then.

    A worker process of this machine is simply ended; a thread of this process or of a cluster's worker cannot be.
    """
    return _STOPPED.get()()


@contextmanager
def stop_event() -> Iterator[threading.Event]:
    """Inside a job: an event that is set when `stopped` becomes true, for code that takes one."""
    event, over, ask = threading.Event(), threading.Event(), _STOPPED.get()

    def watch() -> None:
        while not over.wait(POLL_SECONDS):
            if ask():
                event.set()
                return

    watcher = threading.Thread(target=watch, name="stop", daemon=True)
    watcher.start()
    try:
        yield event
    finally:
        over.set()
        watcher.join()


def execute(job: Job, is_stopped: Callable[[], bool] | None = None) -> Finished | Failed:
    """Do a job, here and now."""
    started = time.monotonic()
    token = _STOPPED.set(is_stopped or (lambda: False))
    try:
        given = {} if job.folder is None else {"folder": job.folder}
        value = function(job.call)(*job.args, **given)
        return Finished(job.key, Parcel.of(value), time.monotonic() - started)
    except (Exception, SystemExit) as error:
        return failure(job.key, error)
    finally:
        _STOPPED.reset(token)


def failure(key: str, error: BaseException) -> Failed:
    said = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
    return Failed(key, said, "".join(traceback.format_exception(error)))


def function(call: Callable[..., Any] | str) -> Callable[..., Any]:
    """The function itself where only its name is given."""
    if not isinstance(call, str):
        return call
    module, colon, name = call.partition(":")
    if not colon:
        raise ValueError(f"{call!r} names no function: write package.module:function")
    found: Callable[..., Any] = getattr(importlib.import_module(module), name)
    return found
