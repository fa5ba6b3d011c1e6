"""Keyed jobs on a Dask cluster of this machine: what travels, what is lost, how it ends."""

from __future__ import annotations

import os
import pickle
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from outplay.errors import JobError
from outplay.work import Job, Workers, open_workers
from outplay.work.job import Broken, Work
from tests.support import ROOT, jobs
from tests.support.processes import WAIT, begun, is_alive, until
from tests.test_runner import values

pytest.importorskip("distributed", reason="distributed is not installed: pip install 'outplay[cluster]'")

from outplay.work.remote import Batch, run_batch


@pytest.fixture(scope="module")
def cluster() -> Iterator[Any]:
    from distributed import LocalCluster

    options = {"n_workers": 2, "threads_per_worker": 1, "memory_limit": 0, "dashboard_address": ":0"}
    with LocalCluster(**options) as cluster:
        yield cluster


@pytest.fixture
def workers(cluster: Any) -> Iterator[Workers]:
    with open_workers(cluster=cluster.scheduler_address) as workers:
        yield workers


def worker_pids(cluster: Any) -> list[int]:
    """The process ids of the workers."""
    return [nanny.pid for nanny in cluster.workers.values() if nanny.pid]


def test_jobs_run_on_the_workers_in_batches(workers: Workers, cluster: Any) -> None:
    used = set[int]()
    for _ in range(5):  # on a busy machine one of them may be too late for its share
        found = values(workers, *(jobs.job(str(number), jobs.own_id) for number in range(300)))
        assert len(found) == 300
        used |= set(found.values())
        if used == set(worker_pids(cluster)):
            break
    assert used == set(worker_pids(cluster))


def test_a_survey_asks_every_worker(workers: Workers, cluster: Any) -> None:
    assert sorted(workers.survey(os.getpid)) == sorted(worker_pids(cluster))


def test_needs_are_kept(workers: Workers) -> None:
    chain = [
        jobs.job(str(number), jobs.double, (number,), needs=(str(number - 1),) * (number > 0)) for number in range(8)
    ]
    assert list(values(workers, *chain)) == [str(number) for number in range(8)]


def test_files_travel_there_and_back(workers: Workers, tmp_path: Path) -> None:
    parts = [jobs.job(name, jobs.make, (name, name), folder=tmp_path, makes=(name,)) for name in "abc"]
    whole = jobs.job("abc", jobs.join, ("abc", ("a", "b", "c")), tuple("abc"), folder=tmp_path, files=("a", "b", "c"),
                makes=("abc",))  # fmt: skip
    assert values(workers, *parts, whole)["abc"] == "abc"
    assert {path.name: path.read_text() for path in tmp_path.iterdir()} == {"a": "a", "b": "b", "c": "c", "abc": "abc"}


def test_a_file_that_has_changed_is_sent_again(workers: Workers, tmp_path: Path) -> None:
    def joined() -> str:
        return str(values(workers, jobs.job("b", jobs.join, ("b", ("a",)), folder=tmp_path, files=("a",)))["b"])

    (tmp_path / "a").write_text("old")
    assert joined() == "old"
    (tmp_path / "a").write_text("newer")
    assert joined() == "newer"


def test_a_job_that_fails_is_named(workers: Workers) -> None:
    others = [jobs.job(str(number), jobs.double, (number,)) for number in range(30)]
    with pytest.raises(JobError, match="job bad failed: ValueError: no such thing"):
        values(workers, *others, jobs.job("bad", jobs.fail, ("no such thing",)))
    assert values(workers, *others)["29"] == 58


def test_a_missing_file_that_a_job_makes_fails_it(workers: Workers, tmp_path: Path) -> None:
    with pytest.raises(JobError, match=r"job a failed: FileNotFoundError: .*other"):
        values(workers, jobs.job("a", jobs.make, ("a", "a"), folder=tmp_path, makes=("other",)))


def test_a_killed_worker_costs_only_its_job(workers: Workers, tmp_path: Path) -> None:
    mark = str(tmp_path / "mark")
    others = [jobs.job(str(number), jobs.double, (number,)) for number in range(20)]
    found = values(workers, jobs.job("killer", jobs.kill_the_worker_once, (mark,)), *others)
    assert found == {"killer": "done"} | {str(number): 2 * number for number in range(20)}


def test_files_that_went_with_a_killed_worker_are_sent_again(workers: Workers, cluster: Any, tmp_path: Path) -> None:
    made = [jobs.job("a", jobs.make, ("a", "a"), folder=tmp_path, makes=("a",))]
    joined = [
        jobs.job(f"b{number}", jobs.join, (f"b{number}", ("a",)), ("a",), folder=tmp_path, files=("a",))
        for number in range(4)
    ]
    killed = False
    for done in workers.run([*made, *joined]):
        if done.job.key == "b0" and not killed:
            for pid in worker_pids(cluster):
                os.kill(pid, signal.SIGKILL)
            killed = True
    assert killed
    assert done.value == "a"


@pytest.mark.slow
def test_a_job_that_kills_every_worker_is_given_up_and_named(workers: Workers) -> None:
    with pytest.raises(JobError, match="job killer failed: every worker that tried it died"):
        values(workers, jobs.job("killer", jobs.kill_the_worker))
    assert values(workers, jobs.job("a", jobs.double, (1,))) == {"a": 2}


def test_a_job_notices_that_nobody_wants_it_any_more(workers: Workers, tmp_path: Path) -> None:
    mark = tmp_path / "mark"

    def stop_when_begun() -> None:
        until((tmp_path / "mark.begun").exists)
        workers.stop()

    threading.Thread(target=stop_when_begun).start()
    assert values(workers, Job("a", jobs.WaitUntilStopped(str(mark)))) == {}
    until(mark.exists)


def test_a_worker_with_another_version_is_refused() -> None:
    batch = Batch("run", "outplay 0.0.0 on Python 2.7", (Work.of(jobs.job("a", jobs.double)),))
    (event,) = pickle.loads(run_batch(pickle.dumps(batch), ()))
    assert isinstance(event, Broken)
    assert event.reason.endswith(", not outplay 0.0.0 on Python 2.7")


def test_a_cluster_that_is_not_there(monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        address = f"tcp://127.0.0.1:{unused.getsockname()[1]}"
    monkeypatch.setattr("outplay.work.cluster.CONNECT_SECONDS", 1)
    with pytest.raises(JobError, match=f"cluster {address}: no scheduler"):
        open_workers(cluster=address)


@pytest.mark.parametrize(
    "address",
    ["", "nonsense", "http://127.0.0.1:80", "tcp://127.0.0.1", "tcp://127.0.0.1:port", "tcp://127.0.0.1:99999"],
)
def test_an_address_that_cannot_be(address: str) -> None:
    with pytest.raises(JobError, match=f"cluster {address}: this is not the address of a scheduler"):
        open_workers(cluster=address)


SCRIPT = """
import sys
from outplay.work import Call, Job, open_workers
if __name__ == "__main__":
    with open_workers(1, cluster="local") as workers:
        for done in workers.run([Job("a", Call("tests.support.jobs:tell_and_wait", (sys.argv[1],)))]):
            pass
"""


@pytest.mark.slow
@pytest.mark.parametrize("by", [signal.SIGKILL, signal.SIGINT])
def test_a_local_cluster_ends_with_its_parent(by: signal.Signals, tmp_path: Path) -> None:
    mark, script, run_by = tmp_path / "mark", tmp_path / "script.py", {**os.environ, "PYTHONPATH": str(ROOT)}
    script.write_text(SCRIPT)
    parent = subprocess.Popen([sys.executable, script, str(mark)], env=run_by, stderr=subprocess.DEVNULL)
    pids = begun(mark)
    parent.send_signal(by)
    parent.wait(WAIT)
    until(lambda: not any(map(is_alive, pids)))


@pytest.mark.slow
def test_a_local_cluster_runs_jobs() -> None:
    with open_workers(2, cluster="local") as workers:
        assert workers.slots == 2
        assert values(workers, jobs.job("a", jobs.double, (1,))) == {"a": 2}
