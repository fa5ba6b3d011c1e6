"""Endgame tables as jobs: killed, crowded, out of room, damaged; what is finished stays, and the next build goes on."""

from __future__ import annotations

import os
import resource
import signal
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import IO, Any

import pytest

from outplay.errors import JobError, MissingTableError
from outplay.jobs import tables
from outplay.jobs.inventory import remove_tables, take_stock
from outplay.jobs.lock import FolderLockedError, locked
from outplay.jobs.resources import Machine, NoRoomError, check_memory, this_machine
from outplay.tablebase import read_info, table_path
from outplay.work import Workers, open_workers
from tests.support import ROOT
from tests.support.table_build import build_some

SMALL = ["0401", "1004", "0302"]  # tables of five pieces that are built in a second or two; 1004 needs 0401


@pytest.fixture
def runner() -> Iterator[Workers]:
    with open_workers(1) as runner:
        yield runner


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the small tables, built in this process."""
    folder = tmp_path_factory.mktemp("built")
    with open_workers(0) as runner:
        build_some(SMALL, folder, runner)
    return folder


def started(folder: Path, *names: str, workers: int = 2, cluster: str = "-", **options: Any) -> subprocess.Popen[str]:
    """A build in a process of its own."""
    arguments = [sys.executable, "-m", "tests.support.table_build", str(folder), str(workers), cluster, *names]
    return subprocess.Popen(arguments, cwd=ROOT, stdout=subprocess.PIPE, text=True, **options)


def output(process: subprocess.Popen[str]) -> IO[str]:
    assert process.stdout is not None
    return process.stdout


def content(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.glob("*.table")}


# Killed


def test_a_killed_build_leaves_whole_tables_and_the_next_one_goes_on(
    built: Path, tmp_path: Path, runner: Workers
) -> None:
    with started(tmp_path, *SMALL, workers=1) as process:
        assert output(process).readline() == "0401\n"
        process.send_signal(signal.SIGKILL)
    finished = {path.stem for path in tmp_path.glob("*.table")}
    assert "0401" in finished
    assert all(read_info(path).name == path.stem for path in tmp_path.glob("*.table"))
    steps = build_some(SMALL, tmp_path, runner)
    assert {step.name for step in steps} == set(SMALL) - finished
    assert content(tmp_path) == content(built)
    assert not list(tmp_path.glob("*.tmp"))


def test_a_killed_worker_costs_only_its_table(built: Path, tmp_path: Path, runner: Workers) -> None:
    site = runner._site
    killed = False
    with tables.building(5, tmp_path, runner, threads=1) as plan:
        some = [job for job in plan.jobs if job.name in SMALL]
        for step in tables.build(replace(plan, jobs=tuple(some)), runner):
            if not killed:
                for pid in site.pids():  # type: ignore[attr-defined]
                    os.kill(pid, signal.SIGKILL)
                killed = True
            assert step.info is not None
    assert killed
    assert content(tmp_path) == content(built)


def test_the_same_bytes_come_from_any_number_of_workers_and_threads(built: Path, tmp_path: Path) -> None:
    with open_workers(2) as runner:
        build_some(SMALL, tmp_path, runner)
    assert content(tmp_path) == content(built)


def test_a_build_on_a_cluster_survives_a_killed_worker(built: Path, tmp_path: Path) -> None:
    """The tables travel: the workers' folders are their own."""
    distributed = pytest.importorskip("distributed", reason="distributed is not installed")
    options = {"n_workers": 2, "threads_per_worker": 1, "memory_limit": 0, "dashboard_address": ":0"}
    with distributed.LocalCluster(**options) as cluster, open_workers(cluster=cluster.scheduler_address) as runner:
        killed = next(nanny.pid for nanny in cluster.workers.values())
        with tables.building(5, tmp_path, runner, threads=1) as plan:
            some = tuple(job for job in plan.jobs if job.name in SMALL)
            for number, _ in enumerate(tables.build(replace(plan, jobs=some), runner), start=1):
                if number == 1:
                    os.kill(killed, signal.SIGKILL)
    assert number == len(SMALL)
    assert content(tmp_path) == content(built)


# Two at once


def test_a_second_build_in_the_same_folder_is_refused(tmp_path: Path, runner: Workers) -> None:
    with locked(tmp_path), pytest.raises(FolderLockedError, match="another build is running here"):
        build_some(SMALL, tmp_path, runner)
    assert content(tmp_path) == {}


def test_two_builds_at_once_do_not_collide(built: Path, tmp_path: Path) -> None:
    both = [started(tmp_path, *SMALL, workers=1, stderr=subprocess.PIPE) for _ in range(2)]
    said = [process.communicate(timeout=120) for process in both]
    assert sorted(process.returncode == 0 for process in both) in ([False, True], [True, True])  # one after the other
    for process, (_, errors) in zip(both, said, strict=True):
        assert process.returncode == 0 or "FolderLockedError" in errors
    assert content(tmp_path) == content(built)


# No room


def limit_files() -> None:
    resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, 20_000))  # 0302 is larger


@pytest.mark.parametrize("workers", [0, 1])
def test_a_full_disk_leaves_what_is_finished(built: Path, tmp_path: Path, workers: int, runner: Workers) -> None:
    with started(tmp_path, *SMALL, workers=workers, stderr=subprocess.PIPE, preexec_fn=limit_files) as process:
        said, errors = process.communicate(timeout=120)
    assert process.returncode != 0
    assert said.split() == ["0401", "1004"]
    assert "job 0302 failed: OSError: [Errno 27] File too large" in errors
    assert content(tmp_path).keys() == {"0401.table", "1004.table"}
    assert not list(tmp_path.glob("*.tmp"))
    assert [step.name for step in build_some(SMALL, tmp_path, runner)] == ["0302"]
    assert content(tmp_path) == content(built)


def test_a_build_that_does_not_fit_says_so_before_it_starts(
    tmp_path: Path, runner: Workers, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tables, "this_machine", lambda: Machine("tiny", 2, 10 << 20))
    with pytest.raises(
        NoRoomError, match=r"a build of 5 pieces does not fit: it needs .* of memory, but tiny has 10.0 MiB"
    ):
        build_some(SMALL, tmp_path / "tables", runner)
    assert not (tmp_path / "tables").exists()


def test_there_are_as_many_threads_as_cores_and_memory_allow() -> None:
    def threads(memory: int) -> int:
        return tables.plan_build(6, Path("/nowhere"), [Machine("large", 64, memory)]).threads

    assert threads(1 << 40) == 64
    assert 1 < threads(8 << 30) < 64
    assert threads(1 << 20) == 1
    assert tables.plan_build(6, Path("/nowhere"), [Machine("large", 64, 1 << 20)], threads=3).threads == 3


def test_more_workers_need_more_memory() -> None:
    plan = tables.plan_build(5, Path("/nowhere"), [this_machine()], threads=1)
    largest = sorted((job.bytes_needed for job in plan.jobs), reverse=True)
    check_memory("it", largest, [Machine("one", 2, largest[0])])
    with pytest.raises(NoRoomError, match="for 2 jobs at a time"):
        check_memory("it", largest, [Machine("one", 2, largest[0])] * 2)


# Damaged, missing, removed


def test_a_damaged_table_is_built_again(built: Path, tmp_path: Path, runner: Workers) -> None:
    for name, data in content(built).items():
        (tmp_path / name).write_bytes(data)
    path = table_path("1004", tmp_path)
    path.write_bytes(path.read_bytes()[:-1] + b"!")
    stock = take_stock(tmp_path, 5)
    assert list(stock.damaged) == ["1004"]
    assert {"0401", "0302"} <= stock.good.keys()
    assert [step.name for step in build_some(SMALL, tmp_path, runner)] == ["1004"]
    assert content(tmp_path) == content(built)


def test_nothing_is_built_that_ships(tmp_path: Path) -> None:
    plan = tables.plan_build(4, tmp_path, [this_machine()])
    assert plan.jobs == ()
    assert len(plan.stock.good) == 23
    assert tables.plan_build(4, tmp_path, [this_machine()], distances=True).jobs == ()


def test_every_table_of_a_plan_comes_after_what_it_needs(tmp_path: Path) -> None:
    plan = tables.plan_build(8, tmp_path, [this_machine()])
    seen = set(plan.stock.good)
    for job in plan.jobs:
        assert set(job.needs) <= seen
        seen.add(job.name)
    assert plan.positions == sum(job.positions for job in plan.jobs)
    assert plan.memory > 1 << 30
    assert plan.disk > 1 << 30


def test_a_verification_names_a_table_that_is_not_there(built: Path) -> None:
    with pytest.raises(MissingTableError, match="no endgame table for 1103"):
        tables.plan_verify(5, built, [this_machine()])


def test_a_verification_proves_what_ships(tmp_path: Path, runner: Workers) -> None:
    steps = list(tables.verify(tables.plan_verify(3, tmp_path, [this_machine()]), runner))
    assert len(steps) == 9
    assert all(step.error is None and step.info is not None and step.info.name == step.name for step in steps)


def test_a_verification_tells_every_table_that_it_cannot_prove(built: Path, tmp_path: Path, runner: Workers) -> None:
    for name, data in content(built).items():
        (tmp_path / name).write_bytes(data)
    path = table_path("0401", tmp_path)
    path.write_bytes(path.read_bytes()[:100])
    plan = replace(
        tables.plan_build(5, tmp_path, [this_machine()]),
        jobs=tuple(
            job for job in tables.plan_build(5, Path("/nowhere"), [this_machine()]).jobs if job.name in ("0401", "1004")
        ),
    )
    errors = {step.name: step.error for step in tables.verify(plan, runner)}
    assert [error.path for error in (errors["0401"], errors["1004"]) if error] == [path, path]


def test_removing_takes_what_was_built_and_nothing_else(built: Path, tmp_path: Path) -> None:
    for name, data in content(built).items():
        (tmp_path / name).write_bytes(data)
    for name in ("notes.txt", "0401.table.77.tmp", "other.table"):
        (tmp_path / name).write_text("mine")
    assert remove_tables(tmp_path, 6) == {}
    sizes = remove_tables(tmp_path, 5)
    assert sizes == {path.stem: path.stat().st_size for path in built.glob("*.table")}
    assert {path.name for path in tmp_path.iterdir()} == {"notes.txt", "other.table", ".lock"}
    assert len(take_stock(tmp_path, 4).good) == 23
    with locked(tmp_path), pytest.raises(FolderLockedError):
        remove_tables(tmp_path)
    assert remove_tables(tmp_path / "nowhere") == {}


def test_an_error_of_a_build_is_an_error_of_jobs() -> None:
    assert issubclass(FolderLockedError, JobError)
    assert issubclass(NoRoomError, JobError)


# The whole of five pieces


@pytest.mark.slow
@pytest.mark.parametrize("cluster", ["-", "local"])
def test_five_pieces_survive_a_kill_at_any_moment_and_verify(cluster: str, tmp_path: Path) -> None:
    names = [job.name for job in tables.plan_build(5, tmp_path, [this_machine()]).jobs]
    for finished in (2, 9):
        with started(tmp_path, *names, cluster=cluster) as process:
            for _ in range(finished):
                assert output(process).readline()
            process.send_signal(signal.SIGKILL)
    assert 11 <= len(list(tmp_path.glob("*.table"))) < len(names)
    with open_workers(2, cluster=None if cluster == "-" else cluster) as runner:
        build_some(names, tmp_path, runner)
        steps = list(tables.verify(tables.plan_verify(5, tmp_path, [this_machine()]), runner))
    assert len(steps) == 45
    assert all(step.error is None for step in steps)


@pytest.mark.slow
def test_five_pieces_on_a_cluster_with_one_of_two_workers_killed(tmp_path: Path) -> None:
    distributed = pytest.importorskip("distributed", reason="distributed is not installed")
    options = {"n_workers": 2, "threads_per_worker": 1, "memory_limit": 0, "dashboard_address": ":0"}
    with distributed.LocalCluster(**options) as cluster, open_workers(cluster=cluster.scheduler_address) as runner:
        killed = next(nanny.pid for nanny in cluster.workers.values())
        with tables.building(5, tmp_path, runner, threads=1) as plan:
            for number, _ in enumerate(tables.build(plan, runner), start=1):
                if number == 6:
                    os.kill(killed, signal.SIGKILL)
        assert number == 22
        assert killed not in [nanny.pid for nanny in cluster.workers.values()]
        steps = list(tables.verify(tables.plan_verify(5, tmp_path, runner.survey(this_machine)), runner))
    assert len(steps) == 45
    assert all(step.error is None for step in steps)
