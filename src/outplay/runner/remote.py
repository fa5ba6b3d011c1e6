"""The inside of a cluster's worker: does a batch of jobs, each with its files in a folder of the worker's own."""

from __future__ import annotations

import pickle
import shutil
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from importlib.metadata import version
from pathlib import Path
from typing import Any

from outplay.files import write_whole
from outplay.runner.job import Event, Failed, Finished, Job, Lost, Work, execute, failure
from outplay.runner.parcel import Parcel, checksum


@dataclass(frozen=True, slots=True)
class File:
    """A file on its way to a worker; its content travels apart."""

    name: str
    digest: bytes


@dataclass(frozen=True, slots=True)
class Batch:
    """Jobs that travel together. The files belong to its only job."""

    run: str
    environment: str
    works: tuple[Work, ...]
    files: tuple[File, ...] = ()


def environment() -> str:
    """What must be the same on every machine."""
    return f"outplay {version('outplay')} on Python {sys.version_info.major}.{sys.version_info.minor}"


def run_batch(pickled: bytes, contents: Sequence[bytes]) -> bytes:
    """Do the jobs of a batch, on a worker: a pickled Batch gives a pickled list of events. Dask looks into neither."""
    batch: Batch = pickle.loads(pickled)
    if (here := environment()) != batch.environment:
        events: list[Event] = [
            Failed(work.key, f"a worker has {here}, not {batch.environment}") for work in batch.works
        ]
    else:
        events = [_do(work, batch, contents) for work in batch.works]
    return pickle.dumps(events)


def _do(work: Work, batch: Batch, contents: Sequence[bytes]) -> Event:
    try:
        job = work.open()
    except Exception as error:  # pickle raises what it likes
        return failure(work.key, error)
    if job.folder is None:
        return execute(job, _is_cancelled())
    from distributed import get_worker

    folder = _folder(batch.run, get_worker())
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for file, content in zip(batch.files, contents, strict=True):
            if _has(folder / file.name, file):
                continue
            if checksum(content) != file.digest:
                return Lost(job.key, f"{file.name} did not arrive whole")
            write_whole(folder / file.name, content)
        event = execute(replace(job, folder=folder), _is_cancelled())
        return _with_made(event, job, folder) if isinstance(event, Finished) else event
    except OSError as error:
        return failure(job.key, error)


def _has(path: Path, file: File) -> bool:
    try:
        return checksum(path.read_bytes()) == file.digest
    except FileNotFoundError:
        return False


def _with_made(event: Finished, job: Job, folder: Path) -> Finished:
    return replace(event, made=tuple((name, Parcel.of((folder / name).read_bytes())) for name in job.makes))


def _folder(run: str, worker: Any) -> Path:
    return Path(worker.local_directory) / f"outplay-{run}"


def forget(run: str, dask_worker: Any) -> None:
    """Remove what a run left on a worker. Dask fills in which worker it is."""
    shutil.rmtree(_folder(run, dask_worker), ignore_errors=True)


def _is_cancelled() -> Callable[[], bool]:
    """Tells whether the task that this thread is doing was given up, or its client has gone."""
    from distributed import get_worker

    worker = get_worker()
    task = worker.get_current_task()

    def ask() -> bool:
        known = worker.state.tasks.get(task)
        return known is None or known.state != "executing"

    return ask
