"""Keyed jobs: their order, their failures, their ends, in this process and in processes of this machine."""

from __future__ import annotations

import errno
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from outplay.errors import JobError
from outplay.files import write_whole
from outplay.work import Job, Progress, Task, Workers, open_workers
from outplay.work.here import Here
from outplay.work.job import Fate, Finished, JobBegun, JobNews
from outplay.work.parcel import DamagedError, Parcel
from outplay.work.plan import Plan
from outplay.work.processes import Processes
from tests.support import ROOT, jobs
from tests.support.processes import WAIT, begun, is_alive, until


@pytest.fixture(params=[0, 2], ids=["here", "processes"])
def workers(request: pytest.FixtureRequest) -> Iterator[Workers]:
    with open_workers(request.param) as workers:
        yield workers


@pytest.fixture
def processes() -> Iterator[Workers]:
    with open_workers(2) as workers:
        yield workers


def values(workers: Workers, *given: Job) -> dict[str, Any]:
    return {done.job.key: done.value for done in workers.run(given)}


# What a run gives


def test_every_job_gives_its_value(workers: Workers) -> None:
    found = values(workers, *(jobs.job(str(number), jobs.double, (number,)) for number in range(20)))
    assert found == {str(number): 2 * number for number in range(20)}


def test_a_function_can_be_given_by_name(workers: Workers) -> None:
    assert values(workers, jobs.job("six", "tests.support.jobs:double", (3,))) == {"six": 6}


def test_no_jobs_are_done_at_once(workers: Workers) -> None:
    assert values(workers) == {}


def test_a_runner_runs_again(workers: Workers) -> None:
    assert values(workers, jobs.job("a", jobs.double, (1,))) == {"a": 2}
    assert values(workers, jobs.job("a", jobs.double, (2,))) == {"a": 4}


def test_one_run_at_a_time(workers: Workers) -> None:
    first = workers.run([jobs.job("a", jobs.double, (1,)), jobs.job("b", jobs.double, (2,))])
    next(first)
    with pytest.raises(RuntimeError, match="running other jobs"):
        values(workers, jobs.job("c", jobs.double, (1,)))


def test_a_job_begins_when_what_it_needs_was_handled(workers: Workers, tmp_path: Path) -> None:
    made = [jobs.job(name, jobs.make, (name, name), folder=tmp_path) for name in "abc"]
    joined = jobs.job("abc", jobs.join, ("abc", ("a+", "b+", "c+")), needs=("a", "b", "c"), folder=tmp_path)
    for done in workers.run([joined, *made]):
        (tmp_path / done.job.key).rename(tmp_path / f"{done.job.key}+")  # what the loop does, the last job finds
    assert done.value == "abc"


def test_jobs_without_needs_begin_in_the_order_given() -> None:
    with open_workers(0) as workers:
        assert list(values(workers, *(jobs.job(name, jobs.double, (1,)) for name in "hgfedcba"))) == list("hgfedcba")


def test_the_share_done_goes_by_size_and_the_time_left_by_the_share(workers: Workers) -> None:
    jobs_given = [jobs.job("large", jobs.double, (1,), size=3), jobs.job("small", jobs.double, (1,), needs=("large",))]
    told = [done.progress for done in workers.run(jobs_given)]
    assert [(progress.done, progress.total, progress.share) for progress in told] == [(1, 2, 0.75), (2, 2, 1.0)]
    assert told[0].seconds_left == pytest.approx(told[0].seconds / 3)
    assert told[1].seconds_left == 0
    assert isinstance(told[0], Progress)


def test_what_a_job_prints_and_reads_stays_away_from_the_answers(processes: Workers) -> None:
    assert values(processes, jobs.job("a", jobs.say, ("hello",))) == {"a": "hello"}


def test_processes_are_others_and_at_most_as_many_as_asked_for(processes: Workers) -> None:
    found = set(values(processes, *(jobs.job(str(number), jobs.own_id) for number in range(20))).values())
    assert os.getpid() not in found
    assert 1 <= len(found) <= 2


def test_a_main_program_is_not_run_again_by_its_workers(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(
        "from outplay.work import Call, Job, open_workers\n"
        "print('begin')\n"
        "with open_workers(2) as workers:\n"
        "    print([done.value for done in workers.run([Job('a', Call('tests.support.jobs:double', (4,)))])])\n"
    )
    run_by = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run([sys.executable, script], capture_output=True, text=True, env=run_by, timeout=WAIT)
    assert (done.stdout, done.stderr) == ("begin\n[8]\n", "")


def test_a_survey_has_an_answer_for_every_job_that_can_run_at_a_time(workers: Workers) -> None:
    assert workers.survey(Path.cwd) == [Path.cwd()] * workers.slots


# Plans


def test_what_is_finished_may_be_needed() -> None:
    plan = Plan([jobs.job("b", jobs.double, needs=("a",))], finished={"a"})
    assert plan.ready == 1


@pytest.mark.parametrize(
    ("given_jobs", "message"),
    [
        ([jobs.job("a", jobs.double), jobs.job("a", jobs.double)], "two jobs have the key a"),
        ([jobs.job("a", jobs.double, needs=("b",))], "job a needs b, which is not one of the jobs and not finished"),
        ([jobs.job("a", jobs.double, needs=("a",))], "job a depends on itself"),
        (
            [jobs.job("a", jobs.double, needs=("b",)), jobs.job("b", jobs.double, needs=("a",))],
            "job a depends on itself",
        ),
        ([jobs.job("a", jobs.double, size=0)], "job a has the size 0"),
        ([jobs.job("a", jobs.double, size=float("nan"))], "job a has the size nan"),
    ],
)
def test_a_plan_that_cannot_be_is_refused_before_anything_runs(given_jobs: list[Job], message: str) -> None:
    with open_workers(0) as workers, pytest.raises(ValueError, match=message):
        workers.run(given_jobs)


@given(st.lists(st.sets(st.integers(0, 30)), max_size=30), st.randoms(use_true_random=False))
def test_every_job_runs_once_and_after_what_it_needs(needs: list[set[int]], random: Any) -> None:
    """Job n needs some of the jobs before it; several run at a time and finish in any order."""
    jobs_given = [
        jobs.job(str(number), jobs.double, needs=tuple(str(need) for need in found if need < number))
        for number, found in enumerate(needs)
    ]
    random.shuffle(jobs_given)
    plan, under_way, finished = Plan(jobs_given), list[Job](), set[str]()
    while not plan.is_over:
        while len(under_way) < 3 and (job := plan.take()) is not None:
            assert set(job.needs) <= finished
            under_way.append(job)
        job = under_way.pop(random.randrange(len(under_way)))
        finished.add(job.key)
        plan.finish(job.key)
        plan.release(job.key)
    assert len(finished) == len(jobs_given)
    assert plan.take() is None


# Failures


def test_a_job_that_fails_is_named_and_ends_the_run(workers: Workers) -> None:
    with pytest.raises(JobError, match="job bad failed: ValueError: no such thing") as caught:
        values(workers, jobs.job("good", jobs.double, (1,)), jobs.job("bad", jobs.fail, ("no such thing",)))
    assert caught.value.job == "bad"
    assert "in fail" in "".join(caught.value.__notes__)


@pytest.mark.parametrize(
    ("call", "reason"),
    [
        ("tests.support.jobs:nothing", "AttributeError"),
        ("tests.nothing:double", "ModuleNotFoundError"),
        ("double", "is not the name of a function"),
    ],
)
def test_a_function_that_is_not_there_fails_its_job(workers: Workers, call: str, reason: str) -> None:
    with pytest.raises(JobError, match=reason):
        values(workers, jobs.job("a", call, (1,)))


def test_a_job_that_wants_to_end_the_program_only_fails(workers: Workers) -> None:
    with pytest.raises(JobError, match="job a failed: SystemExit: 3"):
        values(workers, jobs.job("a", "sys:exit", (3,)))


def test_a_value_that_cannot_travel_fails_its_job(workers: Workers) -> None:
    with pytest.raises(JobError, match="job a failed"):
        values(workers, jobs.job("a", jobs.give_a_lambda))


def test_a_job_that_cannot_travel_is_refused(processes: Workers) -> None:
    with pytest.raises(JobError, match="cannot be sent to a worker"):
        values(processes, jobs.job("a", jobs.double, (lambda: None,)))


def test_a_function_of_the_main_program_is_refused(processes: Workers, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jobs.double, "__module__", "__main__")
    with pytest.raises(JobError, match="is defined in the main program"):
        values(processes, jobs.job("a", jobs.double, (1,)))


def test_after_a_failure_the_runner_is_whole(workers: Workers) -> None:
    with pytest.raises(JobError):
        values(
            workers,
            jobs.job("bad", jobs.fail, ("",)),
            *(jobs.job(str(number), jobs.double, (1,)) for number in range(9)),
        )
    assert values(workers, jobs.job("a", jobs.double, (1,))) == {"a": 2}


def test_a_killed_worker_costs_only_its_job_which_is_done_again(processes: Workers, tmp_path: Path) -> None:
    others = [jobs.job(str(number), jobs.double, (number,)) for number in range(20)]
    found = values(processes, jobs.job("killer", jobs.kill_the_worker_once, (str(tmp_path / "mark"),)), *others)
    assert found == {"killer": "done"} | {str(number): 2 * number for number in range(20)}


@pytest.mark.parametrize(("job", "ending"), [
    (jobs.job("killer", jobs.kill_the_worker), "signal 9"),
    (jobs.job("killer", jobs.leave, (3,)), "exit code 3"),
])  # fmt: skip
def test_a_job_that_ends_every_worker_is_given_up_and_named(processes: Workers, job: Job, ending: str) -> None:
    with pytest.raises(JobError, match=rf"job killer failed: .*{ending}.* \(tried 3 times\)"):
        values(processes, jobs.job("good", jobs.double, (1,)), job)


def test_a_worker_that_is_killed_while_it_waits_is_replaced() -> None:
    site = Processes(1)
    with Workers(site) as workers:
        values(workers, jobs.job("a", jobs.double, (1,)))
        (pid,) = site.pids()
        os.kill(pid, signal.SIGKILL)
        assert values(workers, jobs.job("b", jobs.own_id))["b"] != pid


def test_a_parcel_that_was_altered_is_not_opened() -> None:
    parcel = Parcel.of({"a": 1})
    assert parcel.open() == {"a": 1}
    with pytest.raises(DamagedError):
        Parcel(parcel.payload.replace(b"a", b"b"), parcel.digest).open()


class BadLine(Here):
    """A site whose first results arrive altered."""

    def __init__(self, damaged: int) -> None:
        super().__init__()
        self.damaged = damaged

    def wait(self) -> list[Fate | JobNews]:
        begun, event = super().wait()
        assert isinstance(begun, JobBegun)
        assert isinstance(event, Finished)
        self.damaged -= 1
        return [replace(event, parcel=replace(event.parcel, digest=bytes(32)))] if self.damaged >= 0 else [event]


def test_a_result_that_arrives_damaged_is_asked_for_again() -> None:
    assert values(Workers(BadLine(2)), jobs.job("a", jobs.double, (1,))) == {"a": 2}


def test_results_that_keep_arriving_damaged_fail_the_job() -> None:
    with pytest.raises(JobError, match="job a failed: its result arrived damaged"):
        values(Workers(BadLine(3)), jobs.job("a", jobs.double, (1,)))


# Ends


def test_stop_ends_the_loop_and_the_processes_at_once(processes: Workers, tmp_path: Path) -> None:
    mark = tmp_path / "mark"
    pids = list[int]()

    def stop_when_begun() -> None:
        pids.extend(begun(mark))
        processes.stop()

    stopper = threading.Thread(target=stop_when_begun)
    stopper.start()
    endless = jobs.job("b", jobs.start_another_and_wait, (str(mark),), needs=("a",))
    assert values(processes, jobs.job("a", jobs.double, (1,)), endless) == {"a": 2}
    stopper.join()
    assert processes.is_stopped
    until(lambda: not any(map(is_alive, pids)))


@pytest.mark.parametrize("task", [jobs.WaitUntilStopped, jobs.WaitForTheCall])
def test_stop_reaches_a_job_of_this_process(task: Callable[[str], Task[str]], tmp_path: Path) -> None:
    with open_workers(0) as workers:

        def stop_when_begun() -> None:
            until((tmp_path / "mark.begun").exists)
            workers.stop()

        stopper = threading.Thread(target=stop_when_begun)
        stopper.start()
        assert values(workers, Job("a", task(str(tmp_path / "mark")))) == {}
        stopper.join()
    assert (tmp_path / "mark").exists()


def test_leaving_the_loop_ends_what_is_under_way(processes: Workers, tmp_path: Path) -> None:
    mark = tmp_path / "mark"
    for _ in processes.run(
        [jobs.job("b", jobs.start_another_and_wait, (str(mark),)), jobs.job("a", jobs.double, (1,))]
    ):
        pids = begun(mark)
        break
    until(lambda: not any(map(is_alive, pids)))
    assert values(processes, jobs.job("a", jobs.double, (1,))) == {"a": 2}


def test_what_a_killed_worker_had_started_ends_too(processes: Workers, tmp_path: Path) -> None:
    mark = tmp_path / "mark"
    endless = jobs.job("b", jobs.start_another_and_wait, (str(mark),))
    killed = list[int]()

    def kill_and_stop() -> None:
        killed.extend(begun(mark))
        mark.unlink()
        os.kill(killed[0], signal.SIGKILL)
        begun(mark)  # it is done again
        processes.stop()

    killer = threading.Thread(target=kill_and_stop)
    killer.start()
    assert values(processes, endless) == {}
    killer.join()
    until(lambda: not any(map(is_alive, killed)))


SCRIPT = """
import sys
from outplay.work import Call, Job, open_workers
with open_workers(2) as workers:
    print("ready", flush=True)
    for done in workers.run([Job("a", Call("tests.support.jobs:start_another_and_wait", (sys.argv[1],)))]):
        pass
"""


@pytest.mark.parametrize("by", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
def test_when_the_parent_ends_no_worker_stays(by: signal.Signals, tmp_path: Path) -> None:
    mark, run_by = tmp_path / "mark", {**os.environ, "PYTHONPATH": str(ROOT)}
    parent = subprocess.Popen([sys.executable, "-c", SCRIPT, str(mark)], env=run_by, stderr=subprocess.DEVNULL)
    pids = begun(mark)
    assert all(map(is_alive, pids))
    parent.send_signal(by)
    parent.wait(WAIT)
    until(lambda: not any(map(is_alive, pids)))


def test_closing_ends_the_workers() -> None:
    site = Processes(2)
    with Workers(site) as workers:
        values(workers, *(jobs.job(str(number), jobs.double, (number,)) for number in range(4)))
        pids = site.pids()
    assert pids
    until(lambda: not any(map(is_alive, pids)))


@pytest.mark.parametrize(("given_arguments", "message"), [
    ({"slots": -1}, "the number of workers must be at least 0, not -1"),
    ({"slots": 2, "cluster": "tcp://127.0.0.1:1"}, "either the number of workers or the address"),
])  # fmt: skip
def test_a_runner_that_cannot_be_is_refused(given_arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        open_workers(**given_arguments)


def test_a_cluster_without_dask_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(JobError, match=r"pip install 'outplay\[cluster\]'"):
        open_workers(cluster="local")


def test_dask_is_not_loaded_unless_it_is_asked_for() -> None:
    script = "import sys, outplay.work; outplay.work.open_workers(2).close(); print('distributed' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=WAIT)
    assert done.stdout == "False\n"


def full_disk(_: int) -> None:
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def test_a_file_is_written_whole_or_not_at_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "folder" / "file"
    write_whole(path, b"old")
    monkeypatch.setattr(os, "fsync", full_disk)
    with pytest.raises(OSError, match=r"No space left on device: '.*/folder/file'"):
        write_whole(path, b"new")
    assert [(each.name, each.read_bytes()) for each in path.parent.iterdir()] == [("file", b"old")]


def test_jobs_can_be_added_to_a_run() -> None:
    left = [jobs.job(f"{number}", jobs.double, (number,)) for number in range(3, 0, -1)]
    with open_workers(0) as workers:
        added = workers.run([jobs.job("0", jobs.double, (0,))], more=lambda: [left.pop()] if left else [])
        assert [(done.job.key, done.value) for done in added] == [("0", 0), ("1", 2), ("2", 4), ("3", 6)]


def test_added_jobs_need_no_other_and_have_keys_of_their_own() -> None:
    plan = Plan([jobs.job("a", jobs.double, (1,))])
    with pytest.raises(ValueError, match="job b needs other jobs"):
        plan.add(jobs.job("b", jobs.double, (1,), needs=("a",)))
    with pytest.raises(ValueError, match="two jobs have the key a"):
        plan.add(jobs.job("a", jobs.double, (1,)))
