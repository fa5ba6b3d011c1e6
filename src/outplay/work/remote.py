"""The code of a cluster's worker: it runs a batch of jobs, each with its files in a folder of the worker."""

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
from outplay.work.job import Broken, Fate, Finished, Job, Lost, Work, broken, execute
from outplay.work.parcel import Parcel, checksum
from outplay.work.task import Stop


@dataclass(frozen=True, slots=True)
class SentFile:
    """A file for a worker; its content is sent separately."""

    name: str
    digest: bytes


@dataclass(frozen=True, slots=True)
class Batch:
    """Jobs that are sent together. Only a batch of one job has files."""

    run: str
    environment: str
    works: tuple[Work, ...]
    files: tuple[SentFile, ...] = ()


def environment() -> str:
    """Return the versions that must be the same on every machine."""
    return f"outplay {version('outplay')} on Python {sys.version_info.major}.{sys.version_info.minor}"


def run_batch(pickled: bytes, contents: Sequence[bytes]) -> bytes:
    """Run the jobs of a batch on a worker. Takes a pickled Batch and returns a pickled list of fates."""
    batch: Batch = pickle.loads(pickled)
    if (here := environment()) != batch.environment:
        fates: list[Fate] = [Broken(work.key, f"a worker has {here}, not {batch.environment}") for work in batch.works]
    else:
        fates = [_do(work, batch, contents) for work in batch.works]
    return pickle.dumps(fates)


def _do(work: Work, batch: Batch, contents: Sequence[bytes]) -> Fate:
    try:
        job = work.open()
    except Exception as error:  # pickle may raise any exception
        return broken(work.key, error)
    if job.folder is None:
        return execute(job, Stop(is_cancelled()))
    from distributed import get_worker

    folder = _folder(batch.run, get_worker())
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for file, content in zip(batch.files, contents, strict=True):
            if _has(folder / file.name, file):
                continue
            if checksum(content) != file.digest:
                return Lost(job.key, f"{file.name} arrived damaged")
            write_whole(folder / file.name, content)
        fate = execute(job.moved(folder), Stop(is_cancelled()))
        return _with_made(fate, job, folder) if isinstance(fate, Finished) else fate
    except OSError as error:
        return broken(job.key, error)


def _has(path: Path, file: SentFile) -> bool:
    try:
        return checksum(path.read_bytes()) == file.digest
    except FileNotFoundError:
        return False


def _with_made(fate: Finished, job: Job, folder: Path) -> Finished:
    return replace(fate, made=tuple((name, Parcel.of((folder / name).read_bytes())) for name in job.makes))


def _folder(run: str, worker: Any) -> Path:
    return Path(worker.local_directory) / f"outplay-{run}"


def forget(run: str, dask_worker: Any) -> None:
    """Remove the files of a run from a worker. Dask passes in the worker."""
    shutil.rmtree(_folder(run, dask_worker), ignore_errors=True)


def is_cancelled() -> Callable[[], bool]:
    """Return a function that says whether this thread's task was given up or its client is gone."""
    from distributed import get_worker

    worker = get_worker()
    task = worker.get_current_task()

    def ask() -> bool:
        known = worker.state.tasks.get(task)
        return known is None or known.state not in ("executing", "long-running")

    return ask
