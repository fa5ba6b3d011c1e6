"""LiveGame: engines that think, are hurried, stopped, fail; clocks. Time is the test's own."""

from __future__ import annotations

import pickle
import threading
from collections.abc import Iterator

import pytest

from outplay.engine.types import Limit
from outplay.errors import EngineError
from outplay.live import (
    ClockChanged,
    ClockSetting,
    EngineFailed,
    NotNowError,
    Over,
    Thinking,
)
from outplay.live.timers import RealTimers
from outplay.outcome import Reason, Side
from outplay.players import HUMAN
from outplay.work import OverrunError, ProcessPool, ThreadPool
from tests.support.engines import FIRST, WAIT, Ear, Games, Obedient, SetTime, analysis_of, behaving, obeying, settled


@pytest.fixture
def make() -> Iterator[Games]:
    with Games() as games:
        yield games


# Thinking: stop, move now, pause, step, time, pace


def test_what_is_found_is_told_while_it_is_found(make: Games) -> None:
    engine = Obedient()
    game = make(obeying(engine), HUMAN)
    ear = Ear(game)
    game.start()
    engine.wait_for_question()
    engine.report(analysis_of(4, depth=2))
    ear.wait_for(lambda event: isinstance(event, Thinking) and event.opinion is not None)
    thinking = game.state().thinking
    assert thinking is not None
    assert (thinking.analysis.depth, thinking.played) == (2, None)
    engine.answer(analysis_of(3))
    assert settled(game).thinking is None


def test_move_now_plays_what_was_found(make: Games) -> None:
    engine = Obedient()
    game = make(obeying(engine), HUMAN, time_ms=None)
    engine.answer_when_stopped(analysis_of(5))
    game.start()
    engine.wait_for_question()
    game.move_now()
    assert settled(game).texts == ["6"]
    with pytest.raises(NotNowError):
        game.move_now()


def test_stop_ends_the_search_without_a_move_and_pauses(make: Games) -> None:
    game = make(HUMAN, behaving("wait"), time_ms=None)
    game.start()
    with pytest.raises(NotNowError):
        game.stop()
    game.play("4")
    game.stop()
    state = game.state()
    assert (state.status, state.is_paused, state.ply) == ("paused", True, 1)
    game.set_seat(Side.SECOND, FIRST)
    assert game.state().status == "paused"
    game.resume()
    assert settled(game).texts == ["4", "1"]


def test_a_human_moves_in_a_paused_game_and_the_engine_waits(make: Games) -> None:
    game = make(HUMAN, FIRST, is_paused=True)
    game.start()
    game.play("4")
    assert game.state().status == "paused"
    game.step()
    assert settled(game).texts == ["4", "1"]
    assert game.state().is_paused
    with pytest.raises(NotNowError):
        game.step()


def test_step_plays_one_move_of_engines(make: Games) -> None:
    game = make(FIRST, FIRST, is_paused=True)
    game.start()
    for ply in (1, 2, 3):
        game.step()
        assert game.wait(lambda state: state.status == "paused", WAIT).ply == ply


def test_a_shorter_time_ends_a_search_that_has_had_it(make: Games) -> None:
    timers, engine = SetTime(), Obedient()
    game = make(obeying(engine), obeying(engine), time_ms=60_000, timers=timers)
    ear = Ear(game)
    engine.answer_when_stopped(analysis_of(2))
    game.start()
    engine.wait_for_question()
    ear.wait_for_start()
    timers.advance(2)
    game.set_time(5_000)
    assert engine.stops == 0
    timers.advance(3)
    engine.wait_for_question()
    assert game.state().texts == ["3"]
    assert engine.questions[1][1].time_ms == 5_000
    game.set_time(0)
    assert engine.questions[1][1].time_ms == 5_000
    engine.answer(analysis_of(2))
    engine.wait_for_question()
    assert engine.questions[2][1].time_ms == 10


def test_the_pace_holds_a_quick_answer_back(make: Games) -> None:
    timers = SetTime()
    game = make(FIRST, HUMAN, pace_ms=800, timers=timers)
    ear = Ear(game)
    game.start()
    ear.wait_for(lambda event: isinstance(event, Thinking) and event.opinion is not None)
    assert game.state().status == "thinking"
    timers.advance(0.7)
    assert game.state().ply == 0
    timers.advance(0.1)
    assert game.state().texts == ["1"]


def test_a_new_pace_counts_for_the_move_that_waits(make: Games) -> None:
    for pace_ms, then_ms in ((800, 300), (200, 500), (800, 0)):  # shorter, longer, none
        timers = SetTime()
        game = make(FIRST, HUMAN, pace_ms=pace_ms, timers=timers)
        ear = Ear(game)
        game.start()
        ear.wait_for(lambda event: isinstance(event, Thinking) and event.opinion is not None)
        timers.advance(0.1)
        game.set_pace(then_ms)
        if then_ms:
            timers.advance(then_ms / 1000 - 0.15)
            assert game.state().ply == 0
            timers.advance(0.05)
        assert game.state().texts == ["1"]


def test_move_now_does_not_wait_for_the_pace(make: Games) -> None:
    timers = SetTime()
    game = make(FIRST, HUMAN, pace_ms=800, timers=timers)
    ear = Ear(game)
    game.start()
    ear.wait_for(lambda event: isinstance(event, Thinking) and event.opinion is not None)
    game.move_now()
    assert game.state().texts == ["1"]
    timers.advance(1)
    assert game.state().ply == 1


@pytest.mark.parametrize("behaviour", ["report-the-last-then-wait", "report-the-last-then-hang"])
def test_the_limit_holds_with_any_engine_that_has_found_something(make: Games, behaviour: str) -> None:
    game = make(behaving(behaviour), HUMAN, time_ms=20, pool=ThreadPool(grace_ms=2000))
    game.start()
    assert settled(game).texts == ["7"]


# Failures


@pytest.mark.parametrize(
    ("behaviour", "message"),
    [
        ("raise", "of all things"),
        ("hang", "did not answer"),
        ("cheat", "chose 99, which is not a legal move here"),
        ("nothing", "chose no move"),
        ("not-built", "no engine today"),
    ],
)
def test_a_failed_engine_pauses_its_game_until_another_is_chosen(make: Games, behaviour: str, message: str) -> None:
    time_ms = 20 if behaviour == "hang" else 20_000  # the others are quick, but the machine may be busy
    game = make(HUMAN, behaving(behaviour), time_ms=time_ms, pool=ThreadPool(grace_ms=50))
    ear = Ear(game)
    game.start()
    game.play("4")
    state = settled(game)
    assert (state.status, state.texts, state.outcome) == ("failed", ["4"], None)
    assert state.failure is not None
    assert message in state.failure.message
    ear.wait_for(lambda event: isinstance(event, EngineFailed) and event.failure == state.failure)
    game.set_time(20_000)
    game.set_seat(Side.SECOND, FIRST)
    state = settled(game)
    assert (state.status, state.texts, state.failure) == ("human", ["4", "1"], None)


def test_a_failed_engine_may_be_asked_again(make: Games) -> None:
    engine = Obedient()
    game = make(obeying(engine), HUMAN)
    game.start()
    engine.wait_for_question()
    engine.answer(RuntimeError("hiccup"))
    state = settled(game)
    assert state.failure is not None
    assert any("hiccup" in line for line in state.failure.transcript)
    game.retry()
    engine.wait_for_question()
    engine.answer(analysis_of(3))
    assert settled(game).texts == ["4"]
    with pytest.raises(NotNowError):
        game.retry()


def test_ones_own_bot_loses_the_game_in_which_it_fails(make: Games) -> None:
    game = make(HUMAN, behaving("raise", loses_by_failure=True))
    ear = Ear(game)
    game.start()
    game.play("4")
    state = settled(game)
    assert state.outcome is not None
    assert (state.outcome.winner, state.outcome.reason) == (Side.FIRST, Reason.FORFEIT)
    assert state.failure is not None
    ear.wait_for(lambda event: isinstance(event, Over))
    assert ear.kinds()[-3:] == ["engine_failed", "over", "state"] or ear.kinds()[-1] == "state"


def test_a_crash_in_a_pool_stays_there(make: Games) -> None:
    with ProcessPool(1, grace_ms=100) as pool:
        game = make(behaving("die"), HUMAN, pool=pool)
        game.start()
        state = settled(game)
        assert state.failure is not None
        assert "exit code 7" in state.failure.message
        game.set_seat(Side.FIRST, FIRST)
        assert settled(game).texts == ["1"]


def test_a_game_waits_in_the_queue_of_a_pool(make: Games) -> None:
    with ProcessPool(1, grace_ms=100) as pool:
        first = make(behaving("wait"), HUMAN, pool=pool, time_ms=None)
        ear = Ear(first)
        first.start()
        ear.wait_for(lambda event: isinstance(event, Thinking) and event.queue_place == 0)
        second = make(FIRST, HUMAN, pool=pool)
        second.start()
        assert (second.state().status, second.state().queue_place) == ("thinking", 1)
        first.move_now()
        assert settled(second).texts == ["1"]


def test_a_closed_runner_is_a_failure_not_a_crash(make: Games) -> None:
    runner = ThreadPool()
    runner.close()
    game = make(FIRST, HUMAN, pool=runner)
    game.start()
    failure = game.state().failure
    assert failure is not None
    assert isinstance(failure.error, EngineError)


# Clocks


def test_a_side_without_time_loses(make: Games) -> None:
    timers = SetTime()
    game = make(HUMAN, HUMAN, clock=ClockSetting(60_000, 2_000), timers=timers)
    ear = Ear(game)
    game.start()
    timers.advance(10)
    game.play("4")
    clock = game.state().clock
    assert clock is not None
    assert (clock.left_ms, clock.running) == ((52_000, 60_000), Side.SECOND)
    timers.advance(59)
    assert game.state().status == "human"
    timers.advance(1)
    outcome = game.state().outcome
    assert outcome is not None
    assert (outcome.winner, outcome.reason) == (Side.FIRST, Reason.TIME)
    assert any(isinstance(event, ClockChanged) for event in ear.events)
    clock = game.state().clock
    assert clock is not None
    assert clock.running is None


def test_a_pause_halts_the_clock_and_takeback_gives_the_time_back(make: Games) -> None:
    timers = SetTime()
    game = make(HUMAN, HUMAN, clock=ClockSetting(60_000), timers=timers)
    game.start()
    timers.advance(10)
    game.play("4")
    timers.advance(5)
    game.pause()
    timers.advance(1000)
    game.resume()
    timers.advance(5)
    clock = game.state().clock
    assert clock is not None
    assert clock.left_ms == (50_000, 50_000)
    game.takeback()
    clock = game.state().clock
    assert clock is not None
    assert (clock.left_ms, clock.running) == ((50_000, 60_000), Side.FIRST)


def test_an_engine_is_told_its_clock_and_pays_only_for_thinking(make: Games) -> None:
    timers, engine = SetTime(), Obedient()
    game = make(obeying(engine), HUMAN, clock=ClockSetting(60_000, 1_000), timers=timers, time_ms=None)
    ear = Ear(game)
    game.start()
    engine.wait_for_question()
    ear.wait_for(lambda event: isinstance(event, ClockChanged) and event.clock.running is Side.FIRST)
    assert engine.questions[0][1] == Limit(clock_ms=60_000, increment_ms=1_000)
    timers.advance(3)
    engine.answer(analysis_of(3))
    clock = settled(game).clock
    assert clock is not None
    assert clock.left_ms == (58_000, 60_000)


def test_an_engine_that_uses_its_whole_clock_loses(make: Games) -> None:
    timers, engine = SetTime(), Obedient()
    game = make(obeying(engine), HUMAN, clock=ClockSetting(1_000), timers=timers)
    ear = Ear(game)
    game.start()
    engine.wait_for_question()
    ear.wait_for(lambda event: isinstance(event, ClockChanged) and event.clock.running is Side.FIRST)
    timers.advance(1)
    outcome = game.state().outcome
    assert outcome is not None
    assert outcome.reason is Reason.TIME
    engine.answer(analysis_of(3))


def test_a_clock_has_time() -> None:
    with pytest.raises(ValueError, match="above 0"):
        ClockSetting(0)


def test_timers_call_in_order_and_can_be_called_off() -> None:
    timers = RealTimers()
    called: list[str] = []
    done = threading.Event()
    call_off = timers.call_later(1.0, lambda: called.append("never"))
    call_off()
    timers.call_later(1.6, done.set)
    timers.call_later(1.5, lambda: called.append("late"))
    timers.call_later(0.3, lambda: called.append("early"))
    assert done.wait(WAIT)
    assert called == ["early", "late"]


def test_an_overrun_pickles() -> None:
    error = pickle.loads(pickle.dumps(OverrunError("late", ("a", "b"))))
    assert (str(error), error.transcript) == ("late", ("a", "b"))
