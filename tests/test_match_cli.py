"""`outplay match` as people and programs use it."""

from __future__ import annotations

import doctest
import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from outplay.cli import failure
from outplay.cli.app import app
from outplay.errors import EXIT_CODES, EngineError, NotationError

QUICK = ("--game", "connect4", "--depth", "1", "--workers", "1")


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "200")


def run(*arguments: str) -> Result:
    return CliRunner().invoke(app, ["match", *arguments])


def answer(*arguments: str) -> Any:
    result = run(*arguments, "--json")
    assert result.exit_code == 0, result.output
    assert result.stderr == ""
    return json.loads(result.stdout)


def test_the_answer_in_json_and_going_on() -> None:
    first = answer("level:2", "random", "--games", "2", *QUICK)
    assert first["games"] == first["wins"] + first["draws"] + first["losses"] == 2
    assert {"elo", "elo_error", "superiority", "pairs"} <= set(first)
    assert (first["file"], first["game"], first["openings"]) == ("connect4-level-2-v-random.pdn", "connect4", "plies:4")
    assert Path(first["file"]).read_text(encoding="utf-8").count("[Event ") == 2
    more = answer("level:2", "random", "--games", "6", "--sprt", "--elo1", "200", *QUICK)
    assert more["games"] == 6
    assert more["sprt"]["elo1"] == 200
    assert Path(first["file"]).read_text(encoding="utf-8").count("[Event ") == 6


def test_the_table_and_the_picture() -> None:
    result = run("level:2", "random", "--games", "10", *QUICK, "--plot", "course.svg", "--output", "mine.pdn")
    assert result.exit_code == 0, result.output
    lines = result.stdout.splitlines()
    assert lines[0].strip() == "level:2 v random, Connect Four, plies:4, depth 1"
    assert [line.split()[:3] for line in lines[2:5]] == [
        ["level:2", "as", "Red"],
        ["level:2", "as", "Yellow"],
        ["all", "10", lines[4].split()[2]],
    ]
    assert any(line.startswith("Elo") for line in lines)
    assert lines[-1] == "Games: mine.pdn"
    assert Path("course.svg").read_text(encoding="utf-8").startswith("<svg")


def test_its_help_has_examples() -> None:
    for name in ("match", "hub"):
        result = CliRunner().invoke(app, [name, "--help"])
        assert f"outplay {name}" in result.stdout.partition("Examples")[2]


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (("level:2", "nobody"), EXIT_CODES[NotationError], "no such player"),
        (("human", "level:2"), EXIT_CODES[NotationError], "played by engines"),
        (("level:2", "level:1", "--openings", "4move"), EXIT_CODES[NotationError], "openings are"),
        (("level:2", "hub:false"), EXIT_CODES[EngineError], "ended unexpectedly"),
        (("level:2", "level:1", "--sprt", "--elo0", "5", "--elo1", "1"), failure.USAGE, "elo0 must be less"),
        (("level:2", "level:1", "--games", "0"), failure.USAGE, "games"),
        (("level:2", "level:1", "--time-ms", "-5"), failure.USAGE, "time-ms"),
        (("level:2", "level:1", "--output", "no/such/folder.pdn"), failure.FAILED, "no/such/folder.pdn"),
    ],
)
def test_what_cannot_be_is_told_and_leaves_nothing(arguments: tuple[str, ...], code: int, message: str) -> None:
    result = run(*arguments)
    assert result.exit_code == code, result.output
    assert message in result.stderr
    assert result.stdout == ""
    assert not list(Path().iterdir())


COMMAND = [sys.executable, "-m", "outplay.cli", "match"]


def test_the_score_is_shown_while_they_play_on_a_terminal() -> None:
    environment = {**os.environ, "FORCE_COLOR": "1", "COLUMNS": "120"}
    command = [*COMMAND, "random", "random", "--games", "4", *QUICK, "--json"]
    done = subprocess.run(command, capture_output=True, text=True, env=environment, timeout=120)
    assert re.search(r"4/4", done.stderr)
    assert re.search(r"\+\d =\d -\d", done.stderr)
    assert json.loads(done.stdout)["games"] == 4


def test_ctrl_c_shows_what_there_is_and_keeps_it() -> None:
    Path("bot.py").write_text(
        "import time\ndef play(position):\n    time.sleep(0.02)\n    return position.legal_moves()[0]\n"
    )
    process = subprocess.Popen(
        [*COMMAND, "bot.py:play", "random", "--games", "500", *QUICK, "-o", "games.pdn"],
        stdout=subprocess.PIPE,
        text=True,
    )
    deadline = time.monotonic() + 60
    while not Path("games.pdn").exists() or Path("games.pdn").read_text().count("[Event ") < 2:
        assert time.monotonic() < deadline
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    shown, _ = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "Games: games.pdn" in shown
    assert Path("games.pdn").read_text().endswith("\n\n")


@pytest.mark.parametrize("page", ["match.md", "cli.md"])
def test_the_examples_of_the_documentation_are_true(page: str) -> None:
    text = (Path(__file__).parent.parent / "docs" / page).read_text(encoding="utf-8")
    [(arguments, expected)] = re.findall(r"^\$ outplay match (.*)\n((?:(?!\$ |```).*\n)*)", text, re.MULTILINE)
    printed = run(*arguments.split()).output
    options = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
    assert doctest.OutputChecker().check_output(expected, printed, options), printed


def test_the_game_comes_first_or_as_an_option() -> None:
    options = ("--games", "2", "--nodes", "5", "--workers", "0", "--output")
    first = answer("connect4", "random", "random", *options, "first.pdn")
    option = answer("random", "random", "--game", "connect4", *options, "option.pdn")
    assert [each["game"] for each in (first, option)] == ["connect4", "connect4"]
    assert first["wins"] == option["wins"]
    refused = run("chess", "random", "random")
    assert (refused.exit_code, "GAME must be connect4 or checkers, not 'chess'" in refused.output) == (2, True)


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (["connect4", "random", "random", "--game", "checkers"], "the first argument says connect4"),
        (["connect4", "random"], "give GAME A B"),
    ],
)
def test_a_match_whose_game_is_not_clear_is_refused(arguments: list[str], why: str) -> None:
    result = CliRunner().invoke(app, ["match", *arguments])
    assert result.exit_code == 2
    assert why in " ".join(result.stderr.split())
