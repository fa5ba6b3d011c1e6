"""Jobs on a Dask cluster: many machines, each with outplay installed. Needs the extra `outplay[cluster]`.

Small jobs are sent in batches, because Dask works best with tasks of a second or more. The files of a job are sent as
bytes, named by their checksum, to the workers that need them; Dask keeps them there for the next job.
"""

from __future__ import annotations

import logging
import math
import os
import pickle
import queue
import re
import signal
import socket
import threading
import time
import uuid
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from outplay.errors import JobError, MissingExtraError
from outplay.extras import require
from outplay.work.job import Broken, Fate, Finished, Job, JobBegun, JobNews, Lost, Work, broken
from outplay.work.parcel import checksum
from outplay.work.plan import Plan
from outplay.work.remote import Batch, SentFile, environment, forget, run_batch

if TYPE_CHECKING:
    from distributed import Client, Future, LocalCluster

CONNECT_SECONDS = 10
PATIENCE_SECONDS = 60
"""How long a cluster may have no worker before a run gives up."""
BATCH_SECONDS = 2.0
MAX_BATCH = 1000
LOOK_SECONDS = 1.0
"""How often the number of workers is checked."""


class ClusterError(JobError):
    """The cluster cannot be reached or used. `.job` is its address."""

    def __str__(self) -> str:
        return f"cluster {self.job}: {self.reason}"


class Cluster:
    """The workers of a Dask cluster."""

    def __init__(self, client: Client, address: str, local: LocalCluster | None = None) -> None:
        self._client, self._address, self._local = client, address, local
        logging.getLogger("distributed").setLevel(logging.CRITICAL)  # our own errors say the same in one line
        self._inbox: queue.SimpleQueue[Future | None] = queue.SimpleQueue()
        self._batches: dict[Future, list[Job]] = {}
        self._begun: list[JobNews] = []
        self._files: dict[Path, tuple[tuple[int, int], SentFile, Future]] = {}
        self._seconds_each: float | None = None
        self._suspects = set[str]()
        self._workers, self._looked, self._seen = 0, -math.inf, time.monotonic()
        self._run = uuid.uuid4().hex

    @classmethod
    def at(cls, address: str) -> Cluster:
        """Return the cluster whose scheduler listens at an address such as `tcp://10.0.0.1:8786`."""
        return cls(connect(address), address)

    @classmethod
    def local(cls, workers: int) -> Cluster:
        """Start a cluster on this machine; closing this object also ends the cluster."""
        client, cluster = start_local(workers)
        return cls(client, "local", cluster)

    @property
    def slots(self) -> int:
        """The number of jobs that can run at a time now."""
        if time.monotonic() - self._looked > LOOK_SECONDS:
            try:
                self._workers = sum(self._client.nthreads().values())
            except (OSError, TimeoutError) as error:
                raise ClusterError(self._address, f"the connection to its scheduler is lost ({error})") from error
            self._looked = time.monotonic()
            if self._workers:
                self._seen = self._looked
        return self._workers

    def fill(self, plan: Plan) -> None:
        while plan.ready and len(self._batches) < 2 * self.slots:  # for each slot: one that runs, one that waits
            self._submit(self._batch(plan))

    def _batch(self, plan: Plan) -> list[Job]:
        """Take jobs that together run for about BATCH_SECONDS, and leave some for other workers.

        A job with files, or one that may have killed a worker, is sent alone.
        """
        each = self._seconds_each
        most = 1 if each is None else int(BATCH_SECONDS / max(each, BATCH_SECONDS / MAX_BATCH))
        fair = math.ceil(plan.ready / (2 * self.slots))
        batch = list[Job]()
        while len(batch) < max(1, min(most, fair)) and (job := plan.take()) is not None:
            is_alone = job.folder is not None or job.key in self._suspects
            if is_alone and batch:
                plan.put_back(job.key)
                break
            batch.append(job)
            if is_alone:
                break
        return batch

    def _submit(self, jobs: list[Job]) -> None:
        sent = [] if jobs[0].folder is None else [self._sent(jobs[0].folder / name) for name in jobs[0].files]
        batch = Batch(self._run, environment(), tuple(map(Work.of, jobs)), tuple(file for file, _ in sent))
        pickled, contents = pickle.dumps(batch), [content for _, content in sent]
        task = self._client.submit(run_batch, pickled, contents, key=f"outplay-{uuid.uuid4().hex}", pure=False)
        self._batches[task] = jobs
        self._begun += [JobBegun(job.key) for job in jobs]
        task.add_done_callback(self._inbox.put)

    def _sent(self, path: Path) -> tuple[SentFile, Future]:
        """Send a file of this machine to the cluster's memory. Return its description, and the Dask task that holds it.

        A file is sent once, as a task, which Dask runs again if the data is lost.
        """
        import dask

        about = path.stat()
        mark = (about.st_mtime_ns, about.st_size)
        known = self._files.get(path)
        if known is None or known[0] != mark or known[2].status in ("cancelled", "lost", "error"):
            content = path.read_bytes()
            with dask.config.set({"distributed.admin.large-graph-warning-threshold": "1 TiB"}):
                task = self._client.submit(bytes, content, key=f"outplay-file-{uuid.uuid4().hex}", pure=False)
            known = self._files[path] = mark, SentFile(path.name, checksum(content)), task
        return known[1], known[2]

    def wait(self) -> Iterable[Fate | JobNews]:
        if self._begun:
            begun, self._begun = self._begun, []
            return begun
        try:
            future = self._inbox.get(timeout=LOOK_SECONDS)
        except queue.Empty:
            if not self.slots and time.monotonic() - self._seen > PATIENCE_SECONDS:
                raise ClusterError(self._address, f"the cluster has had no worker for {PATIENCE_SECONDS} s") from None
            return []
        jobs = self._batches.pop(future, None) if future is not None else None
        if future is None or jobs is None:  # a wake-up, or a batch that was abandoned
            return []
        fates = self._outcome(future, jobs)
        future.release()
        return fates

    def _outcome(self, future: Future, jobs: list[Job]) -> list[Fate]:
        from concurrent.futures import CancelledError

        from distributed import KilledWorker

        try:
            fates: list[Fate] = pickle.loads(future.result())
        except KilledWorker:  # Dask tried several workers; the jobs of the batch now run one by one
            self._suspects.update(job.key for job in jobs)
            reason = "every worker that tried it died"
            return [Broken(job.key, reason) if len(jobs) == 1 else Lost(job.key, reason) for job in jobs]
        except CancelledError:  # the worker that held the files of the job is gone
            if self._client.status != "running":
                raise ClusterError(self._address, "the connection to its scheduler is lost") from None
            return [Lost(job.key, "the cluster lost it") for job in jobs]
        except Exception as error:  # it never ran: outplay is missing there, or the job does not pickle
            return [broken(job.key, error) for job in jobs]
        seconds = [fate.seconds for fate in fates if isinstance(fate, Finished)]
        if seconds:
            self._seconds_each = sum(seconds) / len(seconds)
        return fates

    def survey(self, call: Callable[[], Any]) -> list[Any]:
        threads = self._client.nthreads()
        answers = self._client.run(call, workers=list(threads), on_error="ignore") if threads else {}
        return [answers[worker] for worker, number in threads.items() if worker in answers for _ in range(number)]

    def wake(self, *, ends: bool = False) -> None:
        self._inbox.put(None)

    def abandon(self) -> None:
        if self._batches and self._client.status == "running":
            self._client.cancel(list(self._batches), force=True)
        self._batches.clear()
        self._begun.clear()

    def close(self) -> None:
        self.abandon()
        self._files.clear()
        if self._local is not None:
            end_workers(self._local)
        elif self._client.status == "running":
            self._client.run(forget, self._run, on_error="ignore")
        self._client.close(timeout=CONNECT_SECONDS)
        if self._local is not None:
            self._local.close(timeout=CONNECT_SECONDS)


def connect(address: str) -> Client:
    """Return a client of the scheduler that listens at an address; ClusterError if there is none."""
    distributed = _distributed(address)
    _knock(address)
    found = queue.SimpleQueue[Any]()

    def ask() -> None:  # in a thread: with another kind of server this would never return
        try:
            found.put(distributed.Client(address, timeout=CONNECT_SECONDS, set_as_default=False))
        except (OSError, ValueError) as error:
            found.put(error)

    threading.Thread(target=ask, daemon=True).start()
    try:
        client = found.get(timeout=2 * CONNECT_SECONDS)
    except queue.Empty:
        raise ClusterError(address, "the server there is not a Dask scheduler") from None
    if isinstance(client, Exception):
        raise ClusterError(address, f"no scheduler answers there ({client})") from client
    return client


def start_local(workers: int) -> tuple[Client, LocalCluster]:
    """Start a scheduler and worker processes on this machine, and return a client that is connected to them."""
    distributed = _distributed("local")
    cluster = distributed.LocalCluster(
        n_workers=workers,
        threads_per_worker=1,
        memory_limit=0,
        host="127.0.0.1",
        dashboard_address=":0",
        silence_logs=logging.CRITICAL,
    )
    return distributed.Client(cluster, set_as_default=False), cluster


def end_workers(cluster: LocalCluster) -> None:
    """Kill the workers, because a thread that is running a job cannot be stopped."""
    for nanny in cluster.workers.values():
        nanny.auto_restart = False
        if nanny.pid is not None:
            os.kill(nanny.pid, signal.SIGKILL)


def _knock(address: str) -> None:
    """Raise ClusterError if no server listens at the address; Dask itself would take long to report it."""
    found = re.fullmatch(r"(?:tcp://|tls://)?\[?([^/\]]+?)\]?:(\d{1,5})", address)
    if found is None or int(found[2]) > 65535:
        raise ClusterError(address, "this is not the address of a scheduler; write it like tcp://10.0.0.1:8786")
    try:
        socket.create_connection((found[1], int(found[2])), timeout=CONNECT_SECONDS).close()
    except (OSError, UnicodeError) as error:  # UnicodeError: not a valid host name
        raise ClusterError(address, f"no scheduler answers there ({error})") from error


def _distributed(address: str) -> Any:
    try:
        require("cluster", "distributed")
    except MissingExtraError as error:
        raise ClusterError(address, str(error)) from error
    import distributed

    return distributed
