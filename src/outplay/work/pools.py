"""Where the pools of a server run their tasks: in processes of this machine, or on a Dask cluster."""

from __future__ import annotations

from typing import Any, Protocol

from outplay.work.loop import cores
from outplay.work.pool import ProcessPool, QueuedPool
from outplay.work.supervise import BUILD_MS, GRACE_MS

AnyPool = QueuedPool[Any]


class Pools(Protocol):
    """The pools of a server. `kind` names the tasks of a pool: a worker keeps its engines for tasks of that kind."""

    def front(self, kind: str, *, grace_ms: int = GRACE_MS, build_ms: int = BUILD_MS) -> AnyPool:
        """Return a pool for tasks that people wait for: it uses all cores."""

    def back(self, kind: str, *, slots: int = 1, grace_ms: int = GRACE_MS, build_ms: int = BUILD_MS) -> AnyPool:
        """Return a pool for tasks in the background, beside those of the front.

        It runs `slots` tasks at a time on this machine; on a cluster, as many as the cluster has room for.
        """

    def close(self) -> None:
        """End all pools."""


class LocalPools:
    """Pools of processes on this machine: `slots` in front (default: one per core), a few in the back for each kind."""

    def __init__(self, slots: int | None = None) -> None:
        self._slots = slots
        self._pools: list[ProcessPool] = []

    def front(self, kind: str, *, grace_ms: int = GRACE_MS, build_ms: int = BUILD_MS) -> ProcessPool:
        return self._open(self._slots, grace_ms, build_ms)

    def back(self, kind: str, *, slots: int = 1, grace_ms: int = GRACE_MS, build_ms: int = BUILD_MS) -> ProcessPool:
        return self._open(slots, grace_ms, build_ms)

    def close(self) -> None:
        for pool in self._pools:
            pool.close()

    def _open(self, slots: int | None, grace_ms: int, build_ms: int) -> ProcessPool:
        pool = ProcessPool(slots, grace_ms=grace_ms, build_ms=build_ms)
        self._pools.append(pool)
        return pool


def open_pools(slots: int | None = None, *, cluster: str | None = None) -> Pools:
    """Return pools on this machine with `slots` processes in front. Default: one per core.

    `cluster` is the address of a Dask scheduler, or `"local"` to start one here with `slots` workers.
    """
    if cluster is None:
        return LocalPools(slots)
    from outplay.work.cluster_pool import TaskCluster

    if cluster == "local":
        return TaskCluster.local(slots or cores())
    if slots is not None:
        raise ValueError("give either the number of workers or the address of a cluster, not both")
    return TaskCluster.at(cluster)
