"""Pools whose tasks run on the workers of a Dask cluster. Needs the extra `outplay[cluster]`.

A pool has as many slots as the cluster has threads. It sends each task to the worker with the fewest tasks, so that the
task begins at once. If a worker is lost, Dask gives its tasks to other workers, and they begin again. Background tasks
(analyses, reviews) run beside the others, with low priority, and take no slot from them.
"""

from __future__ import annotations

import contextlib
import logging
import pickle
import queue
import threading
import uuid
from collections import Counter
from concurrent.futures import CancelledError
from typing import TYPE_CHECKING, Any

from outplay.errors import EngineError
from outplay.work.cluster import ClusterError, connect, end_workers, start_local
from outplay.work.cluster_worker import SentTask, run_task, stop_task
from outplay.work.pool import QueuedPool
from outplay.work.remote import environment
from outplay.work.supervise import BUILD_MS, GRACE_MS, Ended, Failed, Inbox, Message, Taken, Waiting
from outplay.work.task import AnyTask, failure

if TYPE_CHECKING:
    from distributed import Client, Future, LocalCluster

LOOK_SECONDS = 1.0
"""How often the workers of the cluster are looked up."""
CLOSE_SECONDS = 1.0
SOON, LATER, BACKGROUND = 20, 10, 0
"""Priorities in Dask; other work on the same cluster has 0 by default."""


class TaskCluster:
    """A cluster that runs the tasks of several pools: `front` for people who wait, `back` for the background."""

    def __init__(self, client: Client, address: str, local: LocalCluster | None = None) -> None:
        logging.getLogger("distributed").setLevel(logging.CRITICAL)  # our own errors say the same in one line
        self._client, self._address, self._local = client, address, local
        self._topic = f"outplay-{uuid.uuid4().hex}"
        self._lock = threading.Lock()
        self._hosts: dict[str, ClusterHost] = {}
        self._threads: dict[str, int] = {}
        """The workers by address, with the number of their threads."""
        self._load: Counter[tuple[str, bool]] = Counter()
        """The number of tasks sent to a worker; background tasks are counted separately."""
        self._front: list[ClusterPool] = []
        self._back: list[ClusterPool] = []
        self._subscribed: object = None
        self._closing = threading.Event()
        self._is_lost = False
        self._look()
        self._looking = threading.Thread(target=self._keep_looking, name="look at the cluster", daemon=True)
        self._looking.start()

    @classmethod
    def at(cls, address: str) -> TaskCluster:
        """Return the cluster whose scheduler listens at an address such as `tcp://10.0.0.1:8786`."""
        return cls(connect(address), address)

    @classmethod
    def local(cls, workers: int) -> TaskCluster:
        """Start a cluster on this machine; closing this object also ends the cluster."""
        client, cluster = start_local(workers)
        return cls(client, "local", cluster)

    @property
    def slots(self) -> int:
        """The number of tasks that can run at a time, background tasks not counted."""
        with self._lock:
            return max(1, sum(self._threads.values()))

    def front(self, kind: str, *, grace_ms: int = GRACE_MS, build_ms: int = BUILD_MS) -> ClusterPool:
        pool = ClusterPool(self, kind, self.slots, grace_ms=grace_ms, build_ms=build_ms)
        self._front.append(pool)
        return pool

    def back(self, kind: str, *, slots: int = 1, grace_ms: int = GRACE_MS, build_ms: int = BUILD_MS) -> ClusterPool:
        room = _back_slots(self.slots)
        pool = ClusterPool(self, kind, room, is_background=True, grace_ms=grace_ms, build_ms=build_ms)
        self._back.append(pool)
        return pool

    def close(self) -> None:
        """End the pools, and the cluster itself if it was started here."""
        self._closing.set()
        for pool in (*self._front, *self._back):
            pool.close()
        self._looking.join(CLOSE_SECONDS)
        if self._local is not None:
            end_workers(self._local)
        self._client.close(timeout=CLOSE_SECONDS)
        if self._local is not None:
            self._local.close(timeout=CLOSE_SECONDS)

    # For hosts

    def send(self, host: ClusterHost, order: SentTask, priority: int) -> Future:
        """Send a task to the worker with the fewest tasks; the messages of the task go to its host."""
        if self._is_lost:
            raise ClusterError(self._address, "the connection to its scheduler is lost")
        with self._lock:
            self._hosts[order.id] = host
            place = min(self._threads, key=lambda address: self._fullness(address, order.is_background), default=None)
            if place is not None:
                self._load[place, order.is_background] += 1
        host.place = place
        return self._client.submit(
            run_task,
            pickle.dumps(order),
            key=order.id,
            pure=False,
            priority=priority,
            workers=None if place is None else [place],
            allow_other_workers=place is not None,
        )

    def _fullness(self, address: str, is_background: bool) -> tuple[float, float]:
        front, back = (self._load[address, kind] / self._threads[address] for kind in (False, True))
        return (back, front) if is_background else (front, back)

    def stop(self, order_id: str, address: str) -> None:
        """Ask a task on a worker to answer now."""
        with contextlib.suppress(OSError, TimeoutError, ValueError):
            self._client.run(stop_task, order_id, workers=[address], on_error="ignore")

    def forget(self, order_id: str, place: str | None, is_background: bool) -> None:
        with self._lock:
            if self._hosts.pop(order_id, None) is not None and place is not None:
                self._load[place, is_background] -= 1

    # Watching the cluster

    def _hear(self, event: tuple[float, Any]) -> None:
        _, said = event
        with self._lock:
            host = self._hosts.get(said["id"])
        if host is not None:
            host.hear(pickle.loads(said["message"]))

    def _keep_looking(self) -> None:
        while not self._closing.wait(LOOK_SECONDS):
            try:
                self._look()
            except (OSError, TimeoutError, ClusterError):
                self._say_lost(True)
            except Exception:
                logging.getLogger(__name__).exception("the workers of the cluster could not be listed")
            else:
                self._say_lost(False)

    def _look(self) -> None:
        """Find out which workers there are; tell the pools, and the tasks whose workers are lost."""
        if self._client.status == "closed":
            self._client = connect(self._address)
        if self._client.scheduler_comm is not self._subscribed:  # new, or connected again
            self._subscribed = self._client.scheduler_comm
            self._client.subscribe_topic(self._topic, self._hear)
        threads = dict(self._client.nthreads())
        with self._lock:
            self._threads = threads
            lost = [host for host in self._hosts.values() if host.address is not None and host.address not in threads]
        for host in lost:
            host.lose_worker()
        for pool in self._front:
            pool.resize(self.slots)
        for pool in self._back:
            pool.resize(_back_slots(self.slots))

    def _say_lost(self, is_lost: bool) -> None:
        """Log the beginning and the end of an outage."""
        if is_lost != self._is_lost and not self._closing.is_set():
            told = "cannot be reached" if is_lost else "is back"
            logging.getLogger(__name__).warning("the cluster %s %s", self._address, told)
        self._is_lost = is_lost

    @property
    def topic(self) -> str:
        return self._topic


def _back_slots(slots: int) -> int:
    return max(1, slots // 2)


class ClusterHost:
    """Runs one task on a worker of a cluster."""

    def __init__(self, cluster: TaskCluster, kind: str, *, is_background: bool) -> None:
        self.inbox: Inbox = queue.SimpleQueue()
        self.place: str | None = None
        """The worker to which the task was sent."""
        self.address: str | None = None
        """The worker that runs the task."""
        self._cluster, self._kind, self._is_background = cluster, kind, is_background
        self._id = f"outplay-{uuid.uuid4().hex}"
        self._future: Future | None = None
        self._name = "the task"
        self._is_begun, self._is_over = False, threading.Event()

    @property
    def is_alive(self) -> bool:
        return not self._is_begun

    def begin(self, task: AnyTask) -> None:
        self._name, self._is_begun = task.name, True
        priority = BACKGROUND if self._is_background else LATER if task.can_wait else SOON
        self.inbox.put(Waiting())
        try:
            order = SentTask(
                self._id,
                self._cluster.topic,
                environment(),
                self._kind,
                self._is_background,
                task.name,
                pickle.dumps(task),
            )
            self._future = self._cluster.send(self, order, priority)
        except ClusterError as error:
            self._end(Failed(EngineError(str(error))))
        except Exception as error:  # pickle may raise any exception
            self._end(Failed(failure(task.name, error)))
        else:
            self._future.add_done_callback(self._answered)

    def hear(self, message: Message) -> None:
        if isinstance(message, Taken):
            self.address = message.address
        if not self._is_over.is_set():
            self.inbox.put(message)

    def lose_worker(self) -> None:
        """Say that the task waits again, because its worker is gone; Dask gives the task to another worker."""
        self.address = None
        self.inbox.put(Waiting())

    def interrupt(self) -> None:
        if self.address is not None:
            self._cluster.stop(self._id, self.address)

    def abandon(self) -> tuple[str, ...]:
        self.kill()
        return ()

    def kill(self) -> None:
        if self._future is not None and not self._is_over.is_set():
            self._end(Ended("it was given up"))
            with contextlib.suppress(Exception):  # the cluster may be gone
                self._future.cancel(force=True)

    def _answered(self, future: Future) -> None:
        if self._is_over.is_set():
            return
        from distributed import KilledWorker

        try:
            self._end(pickle.loads(future.result()))
        except KilledWorker:
            self._end(Ended("every worker that tried it was killed", was_killed=True))
        except CancelledError:
            self._end(Ended("the connection to the cluster was lost", was_killed=True))
        except Exception as error:  # it never ran: outplay is missing there
            self._end(Failed(failure(self._name, error)))
        future.release()

    def _end(self, message: Message) -> None:
        self._is_over.set()
        self._cluster.forget(self._id, self.place, self._is_background)
        self.inbox.put(message)


class ClusterPool(QueuedPool[ClusterHost]):
    """A pool whose tasks run on the workers of a cluster; its size follows that of the cluster."""

    def __init__(
        self,
        cluster: TaskCluster,
        kind: str,
        slots: int,
        *,
        is_background: bool = False,
        grace_ms: int = GRACE_MS,
        build_ms: int = BUILD_MS,
    ) -> None:
        self._cluster, self._kind, self._is_background = cluster, kind, is_background
        super().__init__(slots, grace_ms=grace_ms, build_ms=build_ms)

    def _new_host(self) -> ClusterHost:
        return ClusterHost(self._cluster, self._kind, is_background=self._is_background)
