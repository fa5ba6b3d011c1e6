"""`outplay review` as people type it."""

from __future__ import annotations

import json
import os
import pty
import re
import select
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from outplay.notation import games
from tests.support.games import BLUNDERS, THREE_BLUNDERS

COMMAND = (sys.executable, "-m", "outplay.cli", "review")
WAIT = 60
CHECKERS = '[Black "Ann"]\n[White "Bob"]\n1. 11-15 23-19 8-11 22-17 4-8 *\n'


def run(*arguments: str, typed: str | bytes = "") -> subprocess.CompletedProcess[str]:
    data = typed if isinstance(typed, bytes) else typed.encode()
    done = subprocess.run([*COMMAND, *arguments], capture_output=True, input=data, timeout=120)
    return subprocess.CompletedProcess(done.args, done.returncode, done.stdout.decode(), done.stderr.decode())


def test_moves_as_digits_are_judged_in_words() -> None:
    done = run("-", typed=THREE_BLUNDERS)
    assert (done.returncode, done.stderr) == (0, "outplay: read as Connect Four: 42 moves\n")
    lines = done.stdout.splitlines()
    assert lines[0] == "Opening: Centre opening"
    assert [number for number, line in enumerate(lines[1:43], 1) if "??" in line] == BLUNDERS
    assert "Better: " in lines[11]
    assert lines[43] == "  end  A draw: the board is full."
    assert next(line for line in lines if " accurate, " in line).startswith("Red: ")
    assert lines[-1].startswith("Turning point: 13... ")


def test_json_has_every_game_of_a_file_and_what_is_wrong_with_the_others(tmp_path: Path) -> None:
    file = tmp_path / "games.pdn"
    file.write_text(CHECKERS + '\n[GameType "21"]\n1. 11-15 23-19 9-31 *\n\n' + CHECKERS, encoding="utf-8")
    done = run(str(file), "--json", "--nodes", "20000")
    assert done.returncode == 3
    answer = json.loads(done.stdout)
    assert (answer["file"], answer["good"], answer["bad"]) == (str(file), 2, 1)
    first, bad, _ = answer["games"]
    assert (first["headers"]["Black"], first["opening"], first["plies"]) == ("Ann", "Old Fourteenth", 5)
    assert bad["error"]["line"] == 6
    assert "9-31" in bad["error"]["message"]


def test_one_game_of_many(tmp_path: Path) -> None:
    file = tmp_path / "games.pdn"
    file.write_text(CHECKERS + CHECKERS.replace("Ann", "Eve"), encoding="utf-8")
    done = run(str(file), "--game", "2", "--json", "--nodes", "20000")
    assert [game["headers"]["Black"] for game in json.loads(done.stdout)["games"]] == ["Eve"]
    done = run(str(file), "--game", "3")
    assert (done.returncode, done.stdout) == (2, "")
    assert f"--game: {file} has 2 games, but no game 3" in done.stderr


def test_an_annotated_game_is_pdn() -> None:
    done = run("-", "--pdn", typed=THREE_BLUNDERS)
    (game,) = games(done.stdout)
    assert [ply for ply, node in enumerate(game.main_line(), 1) if 4 in node.glyphs] == BLUNDERS
    assert "per cent" not in done.stderr


def test_our_json_is_read(tmp_path: Path) -> None:
    values = {"format": "outplay game", "game": "connect4", "start": "", "moves": ["4", "4"], "headers": {}}
    done = run("-", "--json", typed=json.dumps([values, {**values, "moves": ["8"]}]))
    assert done.returncode == 3
    good, bad = json.loads(done.stdout)["games"]
    assert good["plies"] == 2
    assert "the board has columns 1 to 7" in bad["error"]["message"]


@pytest.mark.parametrize(
    ("typed", "code", "words"),
    [
        ("", 3, "there is no game in it"),
        ("4453 and more", 3, "standard input, game 1, line 1"),
        ("12345678", 3, "the board has columns 1 to 7"),
        (b"\xff\xfe\x00", 3, "standard input"),
    ],
)
def test_what_cannot_be_read_is_told(typed: str | bytes, code: int, words: str) -> None:
    done = run("-", typed=typed)
    assert (done.returncode, done.stdout) == (code, "")
    assert words in done.stderr


def test_arguments_that_cannot_be_are_refused(tmp_path: Path) -> None:
    assert run("-", "--pdn", "--json", typed="4").returncode == 2
    assert run("-", "--game", "0", typed="4").returncode == 2
    done = run(str(tmp_path / "none.pdn"))
    assert done.returncode == 1
    assert "none.pdn" in done.stderr


def test_an_interrupt_ends_with_the_moves_judged_so_far() -> None:
    screen, other_end = pty.openpty()
    process = subprocess.Popen(
        [*COMMAND, "-", "--nodes", "1000000000", "--json"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=other_end,
        text=True,
        env={**os.environ, "TERM": "xterm"},
    )
    try:
        os.close(other_end)
        assert process.stdin is not None
        process.stdin.write(CHECKERS)
        process.stdin.close()
        process.stdin = None
        shown = ""
        while "game 1" not in shown:  # the bar: the review has begun
            ready, _, _ = select.select([screen], [], [], WAIT)
            assert ready, shown
            shown += os.read(screen, 4096).decode()
        process.send_signal(signal.SIGINT)
        out, _ = process.communicate(timeout=WAIT)
    finally:
        process.kill()
        process.wait()
        os.close(screen)
    assert process.returncode == 130
    assert json.loads(out)["games"][0]["complete"] is False


def test_the_examples_of_the_documentation_are_true() -> None:
    page = (Path(__file__).parent.parent / "docs" / "cli.md").read_text(encoding="utf-8")
    shown = re.findall(r"^\$ echo (\S+) \| outplay review (.*)\n((?:(?!\$ |```).*\n)*)", page, re.MULTILINE)
    assert len(shown) >= 2
    for typed, arguments, expected in shown:
        pattern = re.escape(expected).replace(re.escape(" ... "), " .* ").replace(re.escape(" ...\n"), " .*\n")
        assert re.fullmatch(pattern, run(*arguments.split(), typed=typed).stdout), expected
