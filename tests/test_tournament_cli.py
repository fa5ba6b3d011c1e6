"""`outplay tournament` and the verdict of `outplay match`, as commands; and a tournament that is killed."""

from __future__ import annotations

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

from outplay.engine.sandbox import Sandbox
from outplay.match.entries import entries
from outplay.notation import read

LEVELS = [f"level:{number}" for number in range(1, 9)]
BOTS = {
    "first.py": "def choose(position):\n    return position.legal_moves()[0]\n",
    "dice.py": "import random\ndef choose(position):\n    return random.choice(position.legal_moves())\n",
    "crash.py": "def choose(position):\n    return 1 // (position.plies < 9) * position.legal_moves()[0]\n",
    "cheat.py": "def choose(position):\n    return position.legal_moves()[-1] if position.plies < 12 else 77\n",
}


@pytest.fixture
def bots(tmp_path: Path) -> Path:
    (tmp_path / "bots").mkdir()
    for name, text in BOTS.items():
        (tmp_path / "bots" / name).write_text(text, encoding="utf-8")
    return tmp_path


def outplay(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "outplay.cli", *words]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=300)


# Names


def test_bots_get_short_names_and_a_sandbox() -> None:
    given = ["bots/first.py", "bots/other.py:play", "level:3", "cmd:./engine --fast", "level:3", "a/x.py", "b/x.py"]
    players, names = entries(given, Sandbox("limits", 256))
    assert names == ("first", "other", "level:3", "engine", "level:3 (2)", "a/x.py", "b/x.py")
    house = "guest,sandbox=limits,memory_mib=256:"
    assert players[:4] == (f"{house}bots/first.py", f"{house}bots/other.py:play", "level:3", f"{house}{given[3]}")


# The command


def test_a_class_tournament_in_one_command(bots: Path) -> None:
    (bots / "bots" / "broken.py").write_text("def choose(position)\n", encoding="utf-8")
    names = sorted(f"bots/{path.name}" for path in (bots / "bots").iterdir())
    words = ["connect4", *names, "level:2", "--games", "2", "--depth", "2", "--html", "report.html"]
    done = outplay(bots, "tournament", *words)
    assert done.returncode == 0, done.stderr
    assert re.search(r"^\d +level:2 +8 ", done.stdout, re.MULTILINE)
    assert "broken could not start: broken.py cannot be loaded: SyntaxError" in done.stdout
    assert re.search(r"crash failed in \d+ games; the first is .*ZeroDivisionError", done.stdout)
    assert "The bots ran " in done.stdout
    page = (bots / "report.html").read_text(encoding="utf-8")
    assert "broken could not start" in re.sub("<[^>]*>", "", page)
    assert "http" not in re.sub(r'xmlns=\\?"[^"]*"|http-equiv', "", page)
    assert len(list(read(bots / "tournament.pdn"))) == 20
    again = outplay(bots, "tournament", *words, "--json")
    answer = json.loads(again.stdout)
    assert (answer["games"], answer["planned"], answer["report"]) == (20, 20, "report.html")
    assert {each["name"] for each in answer["failures"]} <= {"crash", "cheat"}


def test_the_report_of_many_games_stays_small(tmp_path: Path) -> None:
    from dataclasses import replace

    from outplay.engine.types import Limit
    from outplay.match import Tournament, play_tournament
    from outplay.match.page import tournament_html

    state = play_tournament(Tournament(("random", "level:1"), games=2, limit=Limit(depth=1)), workers=0)
    many = [replace(bout, key=f"1.1.{n}.{half}") for n in range(1, 1001) for half, bout in enumerate(state.bouts, 1)]
    page = tournament_html(replace(state, bouts=tuple(many), planned=2000))
    assert len(page) < 700_000


def test_wrong_arguments_are_told(bots: Path) -> None:
    assert outplay(bots, "tournament", "connect4", "level:1").returncode == 2
    unknown = outplay(bots, "tournament", "chess", "level:1", "level:2")
    assert unknown.returncode == 2
    done = outplay(bots, "tournament", "connect4", "level:1", "level:2", "--html", "no/where.html")
    assert done.returncode == 1
    assert "the folder of this file does not exist" in done.stderr
    assert not (bots / "tournament.pdn").exists()


# Killed and resumed


def table(folder: Path, words: list[str]) -> tuple[Any, Any]:
    """The answer of the command without times and paths, and all games by their names."""
    done = outplay(folder, "tournament", *words, "--json")
    assert done.returncode == 0, done.stderr
    answer = json.loads(done.stdout)
    for row in answer["standings"]:
        del row["ms_per_move"]
        row["elo"], row["elo_error"] = round(row["elo"], 4), round(row["elo_error"], 4)
    answer["failures"].sort(key=lambda each: each["game"])
    games = {}
    for entry in read(folder / words[words.index("-o") + 1]):
        game = entry.game
        assert game is not None
        games[entry.headers["Round"]] = [entry.headers["Red"], [node.text for node in game.main_line()]]
    return {name: answer[name] for name in ("standings", "cross_table", "failures", "planned", "games")}, games


@pytest.mark.slow
def test_a_killed_tournament_of_twelve_goes_on_to_the_same_table(bots: Path) -> None:
    """Eight levels, two bots, and two that misbehave at a fixed move."""
    check_killed(bots, [*LEVELS, *(f"bots/{name}" for name in BOTS)], games=2, at=(10, 50))


def test_a_killed_tournament_goes_on_to_the_same_table(bots: Path) -> None:
    check_killed(bots, ["level:1", "level:2", "bots/crash.py", "bots/cheat.py"], games=4, at=(4, 12))


def check_killed(bots: Path, players: list[str], *, games: int, at: tuple[int, ...]) -> None:
    """Kill it when it has this many games, continue, and compare with one that was left alone."""
    given = ["--games", str(games), "--nodes", "300", "--seed", "3", "--margin-ms", "20000"]
    words = ["connect4", *players, *given]
    path = bots / "killed.pdn"
    command = [sys.executable, "-m", "outplay.cli", "tournament", *words, "-o", path.name]
    for least in at:
        running = subprocess.Popen(
            command, cwd=bots, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True
        )
        deadline = time.monotonic() + 240
        while running.poll() is None and time.monotonic() < deadline:
            if path.exists() and path.read_bytes().count(b"[Event ") >= least:
                break
            time.sleep(0.02)
        assert running.poll() is None, "it ended before it was killed"
        os.kill(running.pid, signal.SIGKILL)
        running.wait()
    resumed = table(bots, [*words, "-o", path.name])
    whole = table(bots, [*words, "-o", "whole.pdn"])
    assert resumed == whole
    assert whole[0]["games"] == len(players) * (len(players) - 1) // 2 * games
    assert {each["name"] for each in whole[0]["failures"]} == {"crash", "cheat"}


# The verdict of a match


@pytest.mark.parametrize(("share", "code", "words"), [("50%", 0, "Passed: "), ("1.0", 1, "Not passed: ")])
def test_a_match_with_a_goal_says_whether_it_is_reached(bots: Path, share: str, code: int, words: str) -> None:
    arguments = ["match", "connect4", "level:3", "bots/dice.py", "--games", "8", "--depth", "2", "--seed", "2"]
    done = outplay(bots, *arguments, "--at-least", share)
    points = float(re.search(r"([0-9.]+) of 8 points", done.stdout)[1])  # type: ignore[index]
    code = code if points < 8 else 0
    assert done.returncode == code
    assert ("Passed: " if code == 0 else words) in done.stdout
    answer = json.loads(outplay(bots, *arguments, "--at-least", share, "--json").stdout)
    assert answer["passed"] is (code == 0)
    assert answer["at_least"] == (0.5 if share == "50%" else 1.0)


def test_a_goal_that_is_no_share_is_refused(bots: Path) -> None:
    for share in ("sixty", "60", "-1%", "101%", "nan"):
        done = outplay(bots, "match", "connect4", "random", "level:1", "--at-least", share)
        assert done.returncode == 2, share
        assert "such as 60%" in done.stderr
