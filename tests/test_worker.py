"""Engines in processes of their own, and the pool that shares a few among many."""

from __future__ import annotations

import asyncio
import contextlib
import os
import select
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import CancelledError

import pytest

from outplay import checkers, connect4
from outplay.engine.task import Ask, EngineProcess
from outplay.engine.types import Analysis, Limit
from outplay.errors import EngineError, GameOverError
from outplay.players import player
from outplay.work import Call, OverrunError, ProcessPool, ThreadPool, Ticket
from outplay.work.pool import FairQueue
from outplay.work.task import Report, Stop
from tests.support.engines import BUILT, Behaviour

START = connect4.Position()
AMPLE = Limit(time_ms=60_000)
"""For engines that answer at once: a busy machine may let them wait for their turn."""
QUICK = Limit(time_ms=20)
"""For those that do not keep it."""
WAIT = 60


@pytest.fixture
def pool() -> Iterator[ProcessPool]:
    with ProcessPool(2, grace_ms=200) as pool:
        yield pool


def ask(pool: ProcessPool | ThreadPool, behaviour: str, limit: Limit = AMPLE, *, key: str = "") -> Ticket[Analysis]:
    return pool.submit(Ask(Behaviour(behaviour), START, limit), key=key)


def test_a_function_has_no_time_limit_once_it_is_loaded() -> None:
    begun: list[str] = []
    report, call = Report[float](begun=lambda: begun.append("begun")), Call("math:sqrt", (4.0,))
    assert (call.run(report, Stop()), begun) == (2.0, ["begun"])
    missing = Call("math:no_such_function")
    with pytest.raises(Exception, match="no_such_function"):
        missing.run(report, Stop())
    assert begun == ["begun"]


# One engine, one process


def test_an_engine_in_a_process_answers_as_it_would_here() -> None:
    here = player("random", seed=4).engine().analyse(START, Limit(lines=7))
    with EngineProcess(player("random", seed=4).recipe()) as there:
        answer = there.analyse(START, Limit(lines=7))
    assert [line.move for line in answer.lines] == [line.move for line in here.lines]


def test_checkers_moves_and_history_cross_the_border() -> None:
    start = checkers.Position()
    with EngineProcess(Behaviour("first")) as engine:
        move = engine.analyse(start.play(start.parse("11-15")), AMPLE, history=[start]).move
    assert isinstance(move, checkers.Move)


def test_the_process_is_another_one_and_is_kept() -> None:
    with EngineProcess(Behaviour("own-id")) as engine:
        first, second = (engine.analyse(START, AMPLE) for _ in range(2))
    assert first.nodes == second.nodes != os.getpid()
    assert first.depth == second.depth  # the engine is kept, too


def test_an_error_is_told_with_its_traceback_and_what_was_printed() -> None:
    with EngineProcess(Behaviour("raise")) as engine:
        with pytest.raises(EngineError, match="raise failed: ZeroDivisionError: of all things") as caught:
            engine.analyse(START, AMPLE)
        text = "\n".join(caught.value.transcript)
        assert text.startswith("about to fail\nTraceback")
        assert "in _raise" in text
        with pytest.raises(EngineError, match="ZeroDivisionError"):
            engine.analyse(START, AMPLE)


def test_a_process_that_dies_is_told_and_replaced() -> None:
    with EngineProcess(Behaviour("die")) as engine:
        for _ in range(2):
            with pytest.raises(EngineError, match=r"die ended without an answer \(exit code 7\)") as caught:
                engine.analyse(START, AMPLE)
            assert caught.value.transcript == ("last words",)


def test_leaving_is_a_failure_like_any_other() -> None:
    with EngineProcess(Behaviour("leave")) as engine, pytest.raises(EngineError, match="SystemExit: 3"):
        engine.analyse(START, AMPLE)


def test_an_engine_that_cannot_be_built_is_told() -> None:
    with EngineProcess(Behaviour("not-built")) as engine, pytest.raises(EngineError, match="no engine today"):
        engine.analyse(START, AMPLE)


def test_a_recipe_that_cannot_be_sent_is_told() -> None:
    recipe = Behaviour("first")
    object.__setattr__(recipe, "extra", lambda: None)
    with EngineProcess(recipe) as engine, pytest.raises(EngineError, match="first failed"):
        engine.analyse(START, AMPLE)


def test_an_answer_that_cannot_be_sent_is_told() -> None:
    with EngineProcess(Behaviour("not-picklable")) as engine, pytest.raises(EngineError, match="not-picklable failed"):
        engine.analyse(START, AMPLE)


def test_our_own_errors_stay_what_they_are() -> None:
    with EngineProcess(player("random").recipe()) as engine, pytest.raises(GameOverError):
        engine.analyse(connect4.Position.from_moves("1212121"), AMPLE)


@pytest.mark.parametrize("behaviour", ["hang", "spin"])
def test_an_engine_that_overruns_is_killed(behaviour: str) -> None:
    message = f"{behaviour} did not answer within 0.02 s"
    with EngineProcess(Behaviour(behaviour), grace_ms=100) as engine, pytest.raises(OverrunError, match=message):
        engine.analyse(START, QUICK)


def test_an_engine_that_forgets_its_limit_is_told_to_stop() -> None:
    with EngineProcess(Behaviour("wait"), grace_ms=4000) as engine:
        assert engine.analyse(START, QUICK).move == 0


def test_stop_ends_a_search_without_a_limit() -> None:
    with EngineProcess(Behaviour("report-the-last-then-wait")) as engine:
        reports: list[Analysis] = []

        def stop(analysis: Analysis) -> None:
            reports.append(analysis)
            engine.stop()

        assert engine.analyse(START, Limit(), report=stop).depth == 5
        assert [report.depth for report in reports] == [3]


def test_reports_are_thinned_out_and_arrive_in_order() -> None:
    reports: list[Analysis] = []
    with EngineProcess(Behaviour("many-reports")) as engine:
        assert engine.analyse(START, Limit(), report=reports.append).depth == 5001
    depths = [report.depth for report in reports]
    assert depths == sorted(set(depths))
    assert len(depths) < 2500


def test_a_closed_engine_starts_anew_when_asked_again() -> None:
    engine = EngineProcess(Behaviour("own-id"))
    first = engine.analyse(START, AMPLE).nodes
    engine.close()
    with engine:
        assert engine.analyse(START, AMPLE).nodes != first


# The pool


def test_a_pool_answers_many_questions_with_few_processes(pool: ProcessPool) -> None:
    searches = [ask(pool, "own-id", key=str(number)) for number in range(20)]
    processes = {search.result(WAIT).nodes for search in searches}
    assert len(processes) <= 2
    assert processes <= set(pool.processes())


def test_a_crash_hurts_only_its_own_search(pool: ProcessPool) -> None:
    behaviours = ["first", "die", "first", "raise", "first", "hang", "first", "cheat", "first"]
    limits = [QUICK if behaviour == "hang" else AMPLE for behaviour in behaviours]
    searches = [ask(pool, *asked, key=str(number)) for number, asked in enumerate(zip(behaviours, limits, strict=True))]
    for behaviour, search in zip(behaviours, searches, strict=True):
        if behaviour in ("first", "cheat"):
            assert search.result(WAIT).move == (0 if behaviour == "first" else 99)
        else:
            with pytest.raises(EngineError, match=behaviour):
                search.result(WAIT)


def test_a_worker_killed_from_outside_is_replaced(pool: ProcessPool) -> None:
    started = threading.Event()
    search = pool.submit(Ask(Behaviour("wait"), START, Limit()), started=started.set)
    assert started.wait(WAIT)
    for process in pool.processes():
        os.kill(process, signal.SIGKILL)
    with pytest.raises(EngineError, match=r"wait ended without an answer \(signal 9, killed\)"):
        search.result(WAIT)
    assert ask(pool, "first").result(WAIT).move == 0


def test_a_worker_killed_while_idle_is_replaced(pool: ProcessPool) -> None:
    process = ask(pool, "own-id").result(WAIT).nodes
    os.kill(process, signal.SIGKILL)
    with contextlib.suppress(ChildProcessError):  # it has been buried already
        os.waitid(os.P_PID, process, os.WEXITED | os.WNOWAIT)
    assert all(ask(pool, "own-id").result(WAIT).nodes != process for _ in range(4))


def test_searches_wait_in_a_queue_and_know_their_place() -> None:
    with ProcessPool(1, grace_ms=20_000) as pool:
        started = threading.Event()
        busy = pool.submit(Ask(Behaviour("wait"), START, Limit()), started=started.set)
        assert started.wait(WAIT)
        waiting = [ask(pool, "first", key=key) for key in ("a", "a", "b")]
        assert [search.place for search in (busy, *waiting)] == [0, 1, 3, 2]
        assert (pool.running, pool.waiting) == (1, 3)
        waiting[0].cancel()
        assert [search.place for search in waiting] == [0, 1, 2]
        with pytest.raises(CancelledError):
            waiting[0].result()
        busy.stop()
        assert [search.result(WAIT).move for search in (busy, *waiting[1:])] == [0, 0, 0]


def test_a_search_cancelled_while_it_runs_frees_its_slot() -> None:
    with ProcessPool(1, grace_ms=200) as pool:
        for behaviour in ("wait", "hang"):
            started = threading.Event()
            search = pool.submit(Ask(Behaviour(behaviour), START, Limit()), started=started.set)
            assert started.wait(WAIT)
            search.cancel()
            assert ask(pool, "first").result(WAIT).move == 0
            assert search.future.cancelled()


def test_a_search_stopped_while_it_waits_answers_when_it_is_its_turn() -> None:
    with ProcessPool(1, grace_ms=20_000) as pool:
        first, second = (ask(pool, "wait", Limit()) for _ in range(2))
        second.stop()
        first.stop()
        assert [search.result(WAIT).move for search in (first, second)] == [0, 0]


def test_one_key_cannot_starve_another() -> None:
    queue = FairQueue()
    searches = [Ticket(Ask(Behaviour("first"), START, QUICK), key=key) for key in "aaaabbc"]
    for search in searches:
        queue.put(search)
    places = [queue.place(search) for search in searches]
    order = [queue.take() for _ in searches]
    assert "".join(search.key for search in order) == "abcabaa"
    assert [order.index(search) + 1 for search in searches] == places


def test_a_group_gets_no_more_turns_by_more_keys() -> None:
    queue = FairQueue()
    keys = ["x|a", "x|b", "x|c", "x|a", "y|d", "y|d", "x|b"]
    searches = [Ticket(Ask(Behaviour("first"), START, QUICK), key=key) for key in keys]
    for search in searches:
        queue.put(search)
    places = [queue.place(search) for search in searches]
    order = [queue.take() for _ in searches]
    assert [search.key for search in order] == ["x|a", "y|d", "x|b", "y|d", "x|c", "x|a", "x|b"]
    assert [order.index(search) + 1 for search in searches] == places
    assert len(queue) == 0


def test_who_leaves_the_queue_leaves_no_turn_behind() -> None:
    queue = FairQueue()
    searches = [Ticket(Ask(Behaviour("first"), START, QUICK), key=key) for key in ("x|a", "x|b", "y|c")]
    for search in searches:
        queue.put(search)
    for search in searches[:2]:
        queue.remove(search)
        assert queue.place(search) == 0
    assert queue.take() is searches[2]
    assert len(queue) == 0


def test_people_come_before_what_can_wait() -> None:
    queue = FairQueue()
    searches = [
        Ticket(Ask(Behaviour("first"), START, QUICK, can_wait=key.islower()), key=key.casefold()) for key in "aabBcA"
    ]
    for search in searches:
        queue.put(search)
    places = [queue.place(search) for search in searches]
    order = [queue.take() for _ in searches]
    assert "".join(search.key if search.task.can_wait else search.key.upper() for search in order) == "BAabca"
    assert [order.index(search) + 1 for search in searches] == places
    assert queue.place(searches[0]) == 0


def test_what_can_wait_never_takes_every_slot(pool: ProcessPool) -> None:
    started = threading.Event()
    waiting = [
        pool.submit(Ask(Behaviour("wait"), START, Limit(), can_wait=True), key=key, started=started.set) for key in "ab"
    ]
    assert started.wait(WAIT)
    assert ask(pool, "first").result(WAIT).move == 0
    assert [search.place for search in waiting] == [0, 1]
    for search in waiting:
        search.stop()
    assert [search.result(WAIT).move for search in waiting] == [0, 0]


def test_closing_fails_what_waits_and_ends_every_process() -> None:
    pool = ProcessPool(1, grace_ms=10_000)
    started = threading.Event()
    running = pool.submit(Ask(Behaviour("hang"), START, Limit()), started=started.set)
    assert started.wait(WAIT)
    waiting = ask(pool, "first")
    pool.close()
    with pytest.raises(CancelledError):
        running.result(WAIT)
    with pytest.raises(EngineError, match="closed"):
        waiting.result(WAIT)
    assert pool.processes() == []
    with pytest.raises(EngineError, match="closed"):
        ask(pool, "first")
    pool.close()


def test_a_search_can_be_awaited(pool: ProcessPool) -> None:
    async def several() -> list[Analysis]:
        return await asyncio.gather(*(asyncio.wrap_future(ask(pool, "first").future) for _ in range(4)))

    assert [analysis.move for analysis in asyncio.run(several())] == [0] * 4


ORPHANING = """
from outplay import connect4
from outplay.engine.task import Ask
from outplay.engine.types import Limit
from outplay.work import ProcessPool
from tests.support.engines import Behaviour

pool = ProcessPool(1)
say = lambda: print(*pool.processes(), flush=True)
pool.submit(Ask(Behaviour("spin"), connect4.Position(), Limit()), started=say).result()
"""


@pytest.mark.skipif(not hasattr(os, "pidfd_open"), reason="this system cannot wait for a process that is not its child")
def test_a_worker_ends_when_its_parent_is_killed() -> None:
    with subprocess.Popen([sys.executable, "-c", ORPHANING], stdout=subprocess.PIPE, text=True) as parent:
        assert parent.stdout is not None
        worker = os.pidfd_open(int(parent.stdout.readline()))
        parent.kill()
        ended, _, _ = select.select([worker], [], [], WAIT)
        os.close(worker)
    assert ended


# Threads of this process


def test_threads_hold_an_engine_to_its_time_too() -> None:
    patient, runner = ThreadPool(grace_ms=2000), ThreadPool(grace_ms=50)
    assert ask(patient, "wait", QUICK).result(WAIT).move == 0
    patient.close()
    with pytest.raises(OverrunError):
        ask(runner, "hang", QUICK).result(WAIT)
    with pytest.raises(EngineError, match="of all things"):
        ask(runner, "raise").result(WAIT)
    runner.close()
    with pytest.raises(EngineError, match="closed"):
        ask(runner, "first")


def test_what_needs_a_process_gets_one_among_threads() -> None:
    runner = ThreadPool(grace_ms=50)
    search = runner.submit(Ask(Behaviour("own-id", needs_process=True), START, AMPLE))
    assert search.result(WAIT).nodes != os.getpid()
    runner.close()


@pytest.mark.parametrize(("is_reusable", "built"), [(True, 1), (False, 3)])
def test_an_engine_is_kept_for_the_next_question_if_it_may(is_reusable: bool, built: int) -> None:
    BUILT.clear()
    runner = ThreadPool()
    for _ in range(3):
        runner.submit(Ask(Behaviour("first", is_reusable), START, AMPLE)).result(WAIT)
    runner.close()
    assert len(BUILT) == built
