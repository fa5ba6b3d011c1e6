"""The Drop protocol: its texts, our client, and the two programs of the examples."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from outplay import checkers
from outplay.connect4 import Position
from outplay.engine.botprogram import BOOT
from outplay.engine.outside import OutsideEngine
from outplay.engine.protocols import drop
from outplay.engine.protocols.dialect import DROP
from outplay.engine.protocols.hub import Message, read_line
from outplay.engine.sandbox import why_no_bubblewrap
from outplay.engine.types import Analysis, Limit, Line, Score
from outplay.errors import EngineError, IllegalMoveError, NotationError
from outplay.match import Match, play_match
from outplay.players import player
from tests.support import ROOT

AMPLE = Limit(time_ms=60_000)
PAGE = ROOT / "docs" / "drop.md"
PYTHON = ROOT / "examples" / "drop_bot.py"
C = ROOT / "examples" / "drop_bot.c"


# Texts


@settings(max_examples=60, deadline=None)
@given(st.lists(st.integers(0, 6), max_size=30), st.integers(0, 10))
def test_a_position_survives_with_its_history(columns: list[int], known: int) -> None:
    position, history = Position(), list[Position]()
    for column in columns:
        if position.outcome() is None and position.is_legal(column):
            history.append(position)
            position = position.play(column)
    given = history[known:]  # the client may know only the end of the game
    found, before = drop.read_setup(read_line(str(Message("pos", drop.write_setup(position, given)))))
    assert found == position
    assert list(before) == given


def test_other_sizes_and_beginnings_are_said() -> None:
    start = Position(9, 7)
    assert drop.write_setup(start.play(8), [start]) == {"size": "9x7", "moves": "9"}
    assert drop.write_setup(Position(), []) == {}
    middle = Position.from_moves("4453")
    assert drop.write_setup(middle, []) == {"rows": middle.fen()}
    wide = Position(12, 4)
    assert drop.write_setup(wide.play(10), [wide])["moves"] == "b"


@pytest.mark.parametrize(
    ("line", "error"),
    [
        ("pos moves=4x", NotationError),
        ("pos moves=8", NotationError),
        ("pos moves=44444448", IllegalMoveError),
        ("pos size=seven", NotationError),
        ("pos size=7x6 rows=../..", NotationError),
    ],
)
def test_positions_that_cannot_be_are_refused(line: str, error: type[Exception]) -> None:
    with pytest.raises((error, ValueError)):
        drop.read_setup(read_line(line))


def test_a_report_survives() -> None:
    position = Position.from_moves("44")
    analysis = Analysis((Line(3, Score(12.5, "search", 4), (3, 2)),), 4, 1000, 0.25)
    assert drop.read_info(drop.write_info(position, analysis), position) == analysis
    assert drop.read_info(read_line("info depth=3"), position) is None
    with pytest.raises(NotationError, match="decimal number"):
        drop.read_info(read_line("info score=high pv=4"), position)


# The page


def test_the_conversation_of_the_page_is_true(tmp_path: Path) -> None:
    [text] = [part.split("```")[0] for part in PAGE.read_text(encoding="utf-8").split("```drop\n")[1:]]
    bot = tmp_path / "centre.py"
    bot.write_text("def choose(position):\n    return 3 if position.is_legal(3) else position.legal_moves()[0]\n")
    said = {mark: [line[2:] for line in text.splitlines() if line[0] == mark] for mark in "<>"}
    command = [sys.executable, "-c", BOOT, str(bot), "choose", json.dumps(sys.path)]
    done = subprocess.run(command, input="\n".join(said[">"]), capture_output=True, text=True, check=True)
    assert done.stdout.splitlines() == said["<"]


# The examples


@pytest.fixture(scope="module")
def compiled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    compiler = next(filter(None, map(shutil.which, ("cc", "gcc", "clang"))), None)
    if compiler is None:
        pytest.skip("there is no C compiler")
    path = tmp_path_factory.mktemp("drop") / "drop_bot"
    subprocess.run([compiler, "-O2", "-Wall", "-Wextra", "-Werror", "-o", path, C], check=True)
    return path


def ask(command: list[str], position: Position, history: list[Position]) -> Analysis:
    engine = OutsideEngine(command, dialect=DROP, seed=1)
    try:
        return engine.analyse(position, AMPLE, history=history)
    finally:
        engine.close()


@pytest.mark.parametrize("language", ["python", "c"])
def test_the_examples_win_and_block(language: str, request: pytest.FixtureRequest) -> None:
    command = [sys.executable, str(PYTHON)]
    if language == "c":
        command = [str(request.getfixturevalue("compiled"))]
    for text, best in (("112233", 3), ("11223", 3), ("1213141", 0), ("4545454", 3)):
        position = Position.from_moves(text)
        moves = [Position.from_moves(text[:count]) for count in range(len(text))]
        if position.outcome() is None:
            assert ask(command, position, moves).move == best
            assert ask(command, position, []).move == best  # as rows
    wide = Position(8, 7)
    assert wide.is_legal(ask(command, wide, []).move)


def test_the_examples_play_a_match_by_name(compiled: Path) -> None:
    match = Match(f"cmd:{compiled}", f"cmd:{sys.executable} {PYTHON}", "connect4", limit=Limit(time_ms=20_000))
    result = play_match(match, 4, workers=0)
    assert result.failures(0) == result.failures(1) == []
    assert result.tally.points >= 3


@pytest.mark.parametrize("kind", ["bubblewrap", "limits"])
def test_the_examples_play_in_a_sandbox(compiled: Path, kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    if kind == "bubblewrap" and (problem := why_no_bubblewrap()):
        pytest.skip(f"bubblewrap does not run here: {problem}")
    monkeypatch.chdir(PYTHON.parent)
    for command in (str(compiled), f"{sys.executable} {PYTHON.name}"):
        name = f"guest,sandbox={kind}:cmd:{command}"
        assert player(name).only == "connect4"
        assert player(name).recipe()().analyse(Position.from_moves("112233"), AMPLE).move == 3


def test_a_program_plays_connect_four_only() -> None:
    who = player(f"cmd:{sys.executable} {PYTHON}")
    assert (who.kind, who.only, who.loses_by_failure) == ("cmd", "connect4", True)
    with pytest.raises(NotationError, match="only for Connect Four"):
        who.recipe()().analyse(checkers.Position(), AMPLE)
    with pytest.raises(NotationError, match="name an outside engine as cmd:COMMAND"):
        player("cmd:no-such-program")


def test_what_a_program_does_wrong_is_told(tmp_path: Path) -> None:
    path = tmp_path / "bad.py"
    path.write_text(PYTHON.read_text(encoding="utf-8").replace("done move=", "done move=x"), encoding="utf-8")
    with pytest.raises(EngineError, match="a move is a column: 1 to 9, then a, b") as caught:
        ask([sys.executable, str(path)], Position(), [])
    assert caught.value.transcript[0] == "> drop"
