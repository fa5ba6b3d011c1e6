"""Engines that are programs of others: what we say to them, and whatever they may do wrong."""

from __future__ import annotations

import gc
import os
import shlex
import sys
import threading
import time
from typing import Any

import pytest

from outplay import connect4
from outplay.checkers import Position
from outplay.engine.outside import OutsideEngine
from outplay.engine.task import EngineProcess
from outplay.engine.types import Analysis, Limit
from outplay.errors import EngineError, GameOverError, NotationError
from outplay.players import UnknownPlayerError, player
from outplay.work import OverrunError
from tests.support import ROOT

PROGRAM = ROOT / "tests" / "support" / "hub_program.py"
START = Position()
AMPLE = Limit(time_ms=60_000)
"""For programs that answer at once: a busy machine may let them wait for their turn."""
QUICK = Limit(time_ms=50)
"""For those that do not keep it."""


def program(behaviour: str) -> list[str]:
    return [sys.executable, str(PROGRAM), behaviour]


def engine(behaviour: str, **options: Any) -> OutsideEngine:
    return OutsideEngine(program(behaviour), **{"grace_ms": 300, **options})


def ask(behaviour: str, limit: Limit = AMPLE, **options: int) -> Analysis:
    found = engine(behaviour, **options)
    try:
        return found.analyse(START, limit)
    finally:
        found.close()


def test_it_answers_with_what_it_said_on_the_way() -> None:
    answer = ask("good")
    assert str(answer.move) == "11-15"
    [line] = answer.lines
    assert (line.score.value, line.score.known_by, line.score.depth) == (-12, "search", 4)
    assert [str(move) for move in line.moves] == ["11-15", "22-18"]
    assert (answer.depth, answer.nodes) == (4, 1000)


def test_it_is_called_by_the_name_it_gives_itself() -> None:
    found = engine("good")
    assert found.name == "A Program 1.5"
    found.close()


def test_its_reports_are_passed_on() -> None:
    reports: list[Analysis] = []
    found = engine("good")
    found.analyse(START, AMPLE, report=reports.append)
    found.close()
    assert [str(report.move) for report in reports] == ["11-15"]


def test_the_conversation_is_that_of_the_specification() -> None:
    found = engine("prints-all", start_ms=20_000)
    found.analyse(START, Limit(time_ms=1500))
    after = START.play(START.parse("9-14"))
    with pytest.raises(EngineError, match="illegal move 11-15") as caught:
        found.analyse(after, Limit(depth=3), history=[START])
    found.close()
    said = [line[2:] for line in caught.value.transcript if line.startswith(">")]
    assert said == [
        "hub",
        "set-param name=variant value=english",
        "init",
        "new-game",
        "pos pos=Bbbbbbbbbbbbbeeeeeeeewwwwwwwwwwww",
        "level move-time=1.5",
        "go think",
        "pos pos=Bbbbbbbbbbbbbeeeeeeeewwwwwwwwwwww moves=9-14",
        "level depth=3",
        "go think",
    ]


@pytest.mark.parametrize(
    ("behaviour", "message"),
    [
        ("crash", r"A Program 1.5 ended unexpectedly \(signal 11\)"),
        ("leave", r"ended unexpectedly \(exit code 0\)"),
        ("illegal", r"answered 'done move=11-18': illegal move 11-18 in .*the moves are .*11-15"),
        ("unreadable", r"answered 'done move=knight': .*a move is written"),
        ("nothing", r"answered 'done': .*a move is written"),
        ("refuse", r"refused: I do not like it"),
    ],
)
def test_what_it_does_wrong_is_told_with_the_conversation(behaviour: str, message: str) -> None:
    with pytest.raises(EngineError, match=message) as caught:
        ask(behaviour)
    assert "> go think" in caught.value.transcript
    assert any(line.startswith("< id name=") for line in caught.value.transcript)


@pytest.mark.parametrize(
    ("behaviour", "message"),
    [
        ("dead", r"hub_program|python.* ended unexpectedly \(exit code 3\)"),
        ("other-variant", r"A Program 1.5 plays the variants normal, killer, not english"),
    ],
)
def test_a_program_that_cannot_be_used_is_told_at_once(behaviour: str, message: str) -> None:
    with pytest.raises(EngineError, match=message) as caught:
        engine(behaviour)
    if behaviour == "dead":
        assert "! cannot find my book" in caught.value.transcript


@pytest.mark.parametrize("behaviour", ["silent", "never-ready", "chatty"])
def test_a_program_that_does_not_get_ready_is_ended(behaviour: str) -> None:
    with pytest.raises(EngineError, match=r"did not say '(wait|ready)' in time|ended unexpectedly"):
        engine(behaviour, start_ms=1500)


@pytest.mark.parametrize("behaviour", ["hang", "endless"])
def test_a_program_that_does_not_answer_is_told_to_stop_and_then_ended(behaviour: str) -> None:
    found = engine(behaviour)
    started = time.monotonic()
    with pytest.raises(OverrunError, match=r"did not answer within 0.05 s, and did not stop") as caught:
        found.analyse(START, QUICK)
    assert time.monotonic() - started < 60
    assert "> stop" in caught.value.transcript or behaviour == "endless"
    found.close()


def test_a_program_that_failed_is_started_anew_by_the_next_question() -> None:
    found = engine("good")
    with pytest.raises(EngineError, match="illegal move"):
        found.analyse(START.play(START.parse("9-14")), AMPLE)
    assert str(found.analyse(START, AMPLE).move) == "11-15"
    found.close()


def test_one_that_is_late_answers_when_it_is_told_to_stop() -> None:
    assert str(ask("waits", QUICK, grace_ms=4000).move) == "11-15"


def test_a_stop_from_another_thread_reaches_it() -> None:
    found = engine("waits")
    answers: list[Analysis] = []
    thread = threading.Thread(target=lambda: answers.append(found.analyse(START, Limit())))
    thread.start()
    deadline = time.monotonic() + 60
    while thread.is_alive() and time.monotonic() < deadline:
        found.stop()
        thread.join(0.05)
    found.close()
    assert str(answers[0].move) == "11-15"


def test_one_that_ignores_a_stop_is_given_up_even_without_a_limit() -> None:
    found = engine("hang")
    timer = threading.Timer(0.2, found.stop)
    timer.start()
    with pytest.raises(OverrunError):
        found.analyse(START, Limit())


def test_what_it_says_besides_the_protocol_is_ignored() -> None:
    assert str(ask("garbage").move) == "11-15"


def test_a_seed_is_passed_on_to_those_who_take_one() -> None:
    found = engine("seeded", seed=25)
    with pytest.raises(EngineError) as caught:
        found.analyse(START.play(START.parse("9-14")), AMPLE)
    assert "> set-param name=seed value=5" in caught.value.transcript  # 25, of which it takes 0 to 9
    found.close()


def test_it_plays_checkers_only_and_only_games_that_go_on() -> None:
    found = engine("good")
    with pytest.raises(NotationError, match="for checkers"):
        found.analyse(connect4.Position(), AMPLE)
    with pytest.raises(GameOverError):
        found.analyse(Position.from_fen("W:W5:B1"), AMPLE)
    found.close()


def is_running(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


@pytest.mark.parametrize("behaviour", ["good", "stays"])
def test_its_process_ends_when_it_is_closed_or_forgotten(behaviour: str) -> None:
    closed, forgotten = engine(behaviour), engine(behaviour)
    pids = [each._talk._process.pid for each in (closed, forgotten)]
    closed.close()
    closed.close()
    del forgotten
    gc.collect()
    assert not any(map(is_running, pids))


# As a player


def test_a_command_is_a_player() -> None:
    who = player(f"hub:{shlex.join(program('good'))}")
    assert (who.kind, who.loses_by_failure) == ("hub", True)
    assert who.label.startswith("python")
    found = who.engine()
    assert isinstance(found, EngineProcess)
    with found:
        assert str(found.analyse(START, AMPLE).move) == "11-15"


def test_a_crash_behind_a_worker_keeps_its_conversation() -> None:
    found = player(f"hub:{shlex.join(program('crash'))}").engine()
    assert isinstance(found, EngineProcess)
    with found, pytest.raises(EngineError, match="signal 11") as caught:
        found.analyse(START, QUICK)
    assert "> go think" in caught.value.transcript


@pytest.mark.parametrize(
    ("name", "reason"),
    [("hub:", "no program ''"), ("hub:no-such-program x", "no-such-program"), ("hub:'x", "quotation")],
)
def test_a_command_that_cannot_be_is_refused(name: str, reason: str) -> None:
    with pytest.raises(NotationError, match=reason):
        player(name)


def test_an_unknown_name_tells_of_the_protocol_too() -> None:
    with pytest.raises(UnknownPlayerError, match="hub:COMMAND"):
        player("nobody")
