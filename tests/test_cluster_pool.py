"""Pools on a Dask cluster of this machine: reports, stops, lost workers, and who comes first."""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import CancelledError
from typing import Any

import pytest

from outplay import connect4
from outplay.engine.task import Ask
from outplay.engine.types import Analysis, Limit
from outplay.errors import EngineError
from outplay.work import OverrunError, Ticket, WorkerKilledError, open_pools
from tests.support.engines import Behaviour
from tests.support.processes import WAIT, is_alive, until
from tests.test_runner_cluster import worker_pids

pytest.importorskip("distributed", reason="distributed is not installed: pip install 'outplay[cluster]'")

from outplay.work.cluster import ClusterError
from outplay.work.cluster_pool import ClusterPool, TaskCluster

START = connect4.Position()
AMPLE = Limit(time_ms=60_000)


@pytest.fixture(scope="module")
def cluster() -> Iterator[Any]:
    from distributed import LocalCluster

    options = {"n_workers": 2, "threads_per_worker": 1, "memory_limit": 0, "dashboard_address": ":0"}
    with LocalCluster(**options) as cluster:
        yield cluster


@pytest.fixture
def pools(cluster: Any) -> Iterator[TaskCluster]:
    pools = open_pools(cluster=cluster.scheduler_address)
    assert isinstance(pools, TaskCluster)
    until(lambda: pools.slots == 2)
    yield pools
    pools.close()


@pytest.fixture
def pool(pools: TaskCluster) -> ClusterPool:
    return pools.front("move", grace_ms=10_000)


class Asked:
    """A question to an engine, with what is heard about it."""

    def __init__(self, pool: ClusterPool, behaviour: str, limit: Limit = AMPLE, *, can_wait: bool = False) -> None:
        self.started, self.reported = threading.Semaphore(0), threading.Semaphore(0)
        self.ticket: Ticket[Analysis] = pool.submit(
            Ask(Behaviour(behaviour), START, limit, can_wait=can_wait),
            started=self.started.release,
            report=lambda _: self.reported.release(),
        )

    def answer(self) -> Analysis:
        return self.ticket.result(WAIT)


def test_tasks_run_on_the_workers_and_report(pool: ClusterPool, cluster: Any) -> None:
    asked = Asked(pool, "report-the-last-then-wait")
    assert asked.reported.acquire(timeout=WAIT)
    assert asked.ticket.latest is not None
    assert asked.ticket.latest.depth == 3
    asked.ticket.stop()
    assert asked.answer().depth == 5


def test_both_workers_think_at_a_time(pool: ClusterPool) -> None:
    both = [Asked(pool, "wait") for _ in range(2)]
    for asked in both:
        assert asked.started.acquire(timeout=WAIT)
    for asked in both:
        asked.ticket.stop()
        assert asked.answer().move == 0


def test_a_task_in_the_background_never_delays_one_in_front(pools: TaskCluster, pool: ClusterPool) -> None:
    back = pools.back("review", grace_ms=10_000)
    others = [Asked(other, "wait") for other in (back, pools.back("lab", grace_ms=10_000))]
    for asked in others:
        assert asked.started.acquire(timeout=WAIT)
    fronts = [Asked(pool, "wait") for _ in range(2)]
    for asked in fronts:
        assert asked.started.acquire(timeout=WAIT)
    for asked in (*others, *fronts):
        asked.ticket.stop()
        asked.answer()


def test_people_come_before_what_can_wait(pool: ClusterPool) -> None:
    busy = [Asked(pool, "wait") for _ in range(2)]
    for asked in busy:
        assert asked.started.acquire(timeout=WAIT)
    engines, person = Asked(pool, "wait", can_wait=True), Asked(pool, "wait")
    assert (person.ticket.place, engines.ticket.place) == (1, 2)
    busy[0].ticket.stop()
    assert person.started.acquire(timeout=WAIT)
    assert engines.ticket.place == 1
    for asked in (busy[1], person, engines):
        asked.ticket.stop()
        asked.answer()


def test_a_killed_worker_costs_only_a_retry(pool: ClusterPool, cluster: Any) -> None:
    both = [Asked(pool, "report-the-last-then-wait") for _ in range(2)]
    for asked in both:
        assert asked.reported.acquire(timeout=WAIT)
    os.kill(worker_pids(cluster)[0], signal.SIGKILL)
    again = threading.Event()

    def wait_for(asked: Asked) -> None:
        if asked.started.acquire(timeout=WAIT) and asked.started.acquire(timeout=WAIT):
            again.set()

    for asked in both:  # one of them starts a second time
        threading.Thread(target=wait_for, args=(asked,), daemon=True).start()
    assert again.wait(WAIT)
    for asked in both:
        asked.ticket.stop()
        assert asked.answer().depth == 5
    until(lambda: pool.slots == 2)


def test_a_task_that_was_cancelled_leaves_its_worker(pools: TaskCluster) -> None:
    pool = pools.front("move", grace_ms=500)
    hanging = [Asked(pool, "hang") for _ in range(2)]
    waiting = Asked(pool, "first")
    for asked in hanging:
        assert asked.started.acquire(timeout=WAIT)
        asked.ticket.cancel()
        with pytest.raises(CancelledError):
            asked.answer()
    assert waiting.answer().move == 0


def test_a_task_that_overruns_is_ended(pools: TaskCluster) -> None:
    pool = pools.front("move", grace_ms=500)
    with pytest.raises(OverrunError):
        Asked(pool, "hang", Limit(time_ms=50)).answer()
    assert Asked(pools.front("move", grace_ms=10_000), "first").answer().move == 0


def test_a_crash_hurts_only_its_own_task(pool: ClusterPool) -> None:
    with pytest.raises(EngineError, match=r"die ended without an answer \(exit code 7"):
        Asked(pool, "die").answer()
    with pytest.raises(EngineError, match="ZeroDivisionError"):
        Asked(pool, "raise").answer()
    assert Asked(pool, "first").answer().move == 0


def test_closing_ends_what_runs_and_fails_what_waits(pools: TaskCluster, pool: ClusterPool) -> None:
    running = [Asked(pool, "hang") for _ in range(2)]
    for asked in running:
        assert asked.started.acquire(timeout=WAIT)
    waiting = Asked(pool, "first")
    pools.close()
    for asked in running:
        with pytest.raises(CancelledError):
            asked.answer()
    with pytest.raises(EngineError, match="closed"):
        waiting.answer()


def test_a_local_cluster_ends_with_its_pools() -> None:
    pools = open_pools(1, cluster="local")
    assert isinstance(pools, TaskCluster)
    assert pools._local is not None
    pids = worker_pids(pools._local)
    assert Asked(pools.front("move", grace_ms=10_000), "first").answer().move == 0
    pools.close()
    assert len(pids) == 1
    until(lambda: not any(map(is_alive, pids)))


def test_a_cluster_that_is_not_there(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ClusterError, match=r"cluster tcp://127.0.0.1:1: no scheduler answers there"):
        open_pools(cluster="tcp://127.0.0.1:1")
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(ClusterError, match=r"cluster local: Dask is not installed: pip install 'outplay\[cluster"):
        open_pools(cluster="local")


@contextlib.contextmanager
def scheduler(port: int) -> Iterator[subprocess.Popen[bytes]]:
    """A scheduler with one worker, each in a process of its own."""
    address, python = f"tcp://127.0.0.1:{port}", [sys.executable, "-m"]
    options = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    with (
        subprocess.Popen(
            [*python, "distributed.cli.dask_scheduler", "--host", "127.0.0.1", "--port", str(port), "--no-dashboard"],
            **options,  # type: ignore[call-overload]
        ) as scheduler,
        subprocess.Popen(
            [*python, "distributed.cli.dask_worker", address, "--nthreads", "1", "--no-dashboard"],
            **options,  # type: ignore[call-overload]
        ) as worker,
    ):
        try:
            yield scheduler
        finally:
            worker.terminate()
            scheduler.kill()


@pytest.mark.slow
def test_a_scheduler_that_is_lost_and_comes_back(caplog: pytest.LogCaptureFixture) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    with scheduler(port) as first:
        until(lambda: can_connect(port))
        pools = open_pools(cluster=f"tcp://127.0.0.1:{port}")
        assert isinstance(pools, TaskCluster)
        pool = pools.front("move", grace_ms=10_000)
        asked = Asked(pool, "wait")
        assert asked.started.acquire(timeout=WAIT)
        first.kill()
        with pytest.raises(WorkerKilledError):
            asked.answer()
    until(lambda: "cannot be reached" in caplog.text)
    with pytest.raises(EngineError, match="the connection to its scheduler is lost"):
        Asked(pool, "first").answer()
    with scheduler(port):
        until(lambda: "is back" in caplog.text)
        assert Asked(pool, "first").answer().move == 0
        pools.close()


def can_connect(port: int) -> bool:
    with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=1):
        return True
    return False
