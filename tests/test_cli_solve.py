"""`outplay solve`: one position or a stream of them, as text, as JSON, and as gamesolver.org answers."""

from __future__ import annotations

import doctest
import json
import re
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from outplay.cli.app import app
from outplay.cli.solve import MOST_IN_LINE, _Answer, _Screen, _text, solve
from outplay.connect4 import Position, Solution, Solver
from outplay.errors import EXIT_CODES, GameOverError, IllegalMoveError, NotationError
from tests.support.terminal import WAIT, Terminal

LATE = "4453123456"
"""Column 5 wins, every other loses."""
LOST = "4453123412"
"""Every move loses."""
COMMAND = [sys.executable, "-m", "outplay.cli", "solve"]


def run(*arguments: str, stdin: str | bytes | None = None) -> Result:
    return CliRunner().invoke(app, ["solve", *arguments], input=stdin)


def answer(*arguments: str) -> Any:
    result = run(*arguments, "--json")
    assert (result.exit_code, result.stderr) == (0, ""), result.output
    return json.loads(result.stdout)


def stream(text: str | bytes, *arguments: str) -> list[str]:
    result = run("-", *arguments, stdin=text)
    assert (result.exit_code, result.stderr) == (0, ""), result.output
    return result.stdout.splitlines()


# One position


def test_the_json_has_the_score_and_that_of_every_column() -> None:
    found = answer(LATE, "--no-book")
    assert list(found) == [
        "moves", "size", "score", "plies", "best", "scores", "known_by", "nodes", "seconds",
    ]  # fmt: skip
    scores = Solver(book=False).scores(Position.from_moves(LATE))
    assert (found["moves"], found["size"], found["score"], found["plies"]) == (LATE, "7x6", 3, 27)
    assert (found["best"], found["scores"], found["known_by"]) == ([5], scores, "solved")
    assert found["nodes"] > 0
    assert found["seconds"] > 0


def test_the_empty_board_comes_from_the_book() -> None:
    found = answer("start")
    assert (found["moves"], found["score"], found["plies"], found["known_by"]) == ("", 1, 41, "book")
    assert found["scores"] == [-2, -1, 0, 1, 0, -1, -2]
    assert found["best"] == [4]
    assert answer("")["scores"] == found["scores"]


def test_a_published_position_is_answered_from_the_book() -> None:
    found = answer("4453")
    assert (found["score"], found["plies"], found["best"]) == (-2, 36, [3, 6, 7])


def test_a_full_column_has_no_score() -> None:
    found = answer("1111222244445", "--size", "5x4", "--no-book")
    assert (found["size"], found["scores"]) == ("5x4", [None, None, 0, None, -3])


def test_a_board_as_text_is_a_position_too() -> None:
    position = Position.from_moves(LATE)
    assert answer(position.fen(), "--no-book")["scores"] == answer(LATE, "--no-book")["scores"]


def test_with_score_only_the_position_alone_is_solved() -> None:
    found = answer(LATE, "--score-only", "--no-book")
    assert (found["score"], found["plies"]) == (3, 27)
    assert not {"best", "scores"} & set(found)
    assert found["nodes"] < answer(LATE, "--no-book")["nodes"]


@pytest.mark.parametrize(("moves", "result"), [(LATE, "win"), (LOST, "loss"), ("", "draw")])
def test_with_win_only_it_says_who_wins(moves: str, result: str) -> None:
    size = "7x6" if moves else "5x5"
    found = answer(moves, "--win-only", "--no-book", "--size", size)
    assert found["result"] == result
    assert not {"score", "plies", "best", "scores"} & set(found)


def test_the_text_names_the_winner_and_the_best_columns() -> None:
    result = run(LATE, "--no-book")
    assert result.exit_code == 0
    verdict, columns, scores, best, cost = result.stdout.splitlines()
    assert verdict == "Red wins in 14, solved: score 3, 27 plies to the end."
    assert columns.split() == ["column", *"1234567"]
    assert scores.split()[1:] == [str(score) for score in answer(LATE, "--no-book")["scores"]]
    assert best == "best   5"
    assert re.fullmatch(r"[\d,]+ positions in [\d.]+ s: [\d.]+ million a second", cost)


def test_the_text_says_when_every_move_loses() -> None:
    assert "every move loses; this is the longest defence" in run(LOST, "--no-book").stdout
    assert "Yellow wins, solved." in run(LOST, "--no-book", "--win-only").stdout


def test_why_explains_the_answer() -> None:
    text = run(LATE, "--no-book", "--why").stdout
    assert "wins" in text
    assert "column" in text
    assert answer(LATE, "--no-book", "--why")["why"] in text


def test_why_gives_the_reason_for_the_best_move_and_against_the_others() -> None:
    lines = run("11223", "--why").stdout.splitlines()
    assert "Why column 4? It blocks: Red threatens four in column 4." in lines
    assert "Why not column 1, 2, 3, 5, 6 or 7? It does not block: Red makes four in column 4." in lines
    every_move_draws = run("44444", "--size", "4x5", "--why").stdout
    assert "Why" not in every_move_draws


def test_threads_and_table_change_nothing_but_the_cost() -> None:
    one, two = answer(LATE, "--no-book"), answer(LATE, "--no-book", "--threads", "2", "--table-mib", "1")
    assert one["scores"] == two["scores"]


@pytest.mark.parametrize(
    ("moves", "error"), [("448", IllegalMoveError), ("44x", NotationError), ("1212121", GameOverError)]
)
def test_a_position_that_cannot_be_solved_is_told(moves: str, error: type[Exception]) -> None:
    result = run(moves, "--no-book")
    assert (result.exit_code, result.stdout) == (EXIT_CODES[error], "")  # type: ignore[index]
    assert result.stderr.startswith("outplay: ")


@pytest.mark.parametrize(
    "text", ["4 4 5 3", "ddec", "d1 d2 e1 c1", "1. 4 4 2. 5 3", '[GameType "connect4"] 1. 4 4 2. 5 3 *', '"4453"']
)
def test_a_position_is_read_as_by_every_other_command(text: str) -> None:
    assert answer(text)["scores"] == answer("4453")["scores"]
    [line] = stream(text)
    assert line.split()[-3] == "-2"


@pytest.mark.parametrize(
    "arguments",
    [
        ("44", "--threads", "0"),
        ("44", "--table-mib", "0"),
        ("44", "--size", "seven"),
        ("44", "--format", "xml"),
        ("44", "--format", "gamesolver", "--score-only"),
        ("44", "--format", "gamesolver", "--why"),
        ("-", "--why"),
        ("44", "--why", "--score-only"),
        ("44", "--why", "--win-only"),
        (),
    ],
)
def test_arguments_that_cannot_be_are_refused(arguments: tuple[str, ...]) -> None:
    result = run(*arguments)
    assert (result.exit_code, result.stdout) == (2, "")


# gamesolver.org


def test_the_answer_in_the_shape_of_gamesolver() -> None:
    scores = answer(LATE, "--no-book")["scores"]
    result = run(LATE, "--no-book", "--format", "gamesolver")
    assert json.loads(result.stdout) == {"pos": LATE, "score": scores}


def test_gamesolver_says_100_of_a_full_column() -> None:
    result = run("1111222244445", "--no-book", "--size", "5x4", "--format", "gamesolver")
    assert json.loads(result.stdout) == {"pos": "1111222244445", "score": [100, 100, 0, 100, -3]}


# Streams


def test_every_line_is_answered_by_one_in_order() -> None:
    positions = [LATE, LOST, LATE + "5", LATE]
    lines = [line.split() for line in stream("\n".join(positions), "--no-book")]
    assert [moves for moves, *_ in lines] == positions
    assert [int(score) for _, score, *_ in lines] == [answer(each, "--no-book")["score"] for each in positions]
    assert all(nodes.isdecimal() and microseconds.isdecimal() for _, _, nodes, microseconds in lines)


def test_what_is_wrong_is_told_in_its_line_and_the_stream_goes_on() -> None:
    lines = stream(b"44x\n1212121\n\xff\xfe\n11111\n44 44\r\n44\n", "--size", "5x4", "--no-book")
    starts = ["44x error: cannot read '44x'", "1212121 error: the game is over (four in a row)"]
    assert [line[: len(start)] for line, start in zip(lines, starts, strict=False)] == starts
    assert "error: cannot read" in lines[2]
    assert "column 1 is full" in lines[3]
    assert lines[4].startswith("4444 0 ")
    assert lines[5].startswith("44 0 ")
    assert len(lines) == 6


def test_a_line_without_end_is_refused_and_the_next_one_answered() -> None:
    first, second = stream("4" * (3 * MOST_IN_LINE + 5) + f"\n{LATE}\n", "--no-book")
    assert "error" in first
    assert f"must be shorter than {MOST_IN_LINE}" in first
    assert second.startswith(f"{LATE} 3 ")


def test_an_empty_line_is_the_start_position() -> None:
    first, second = stream("\nstart\n", "--size", "4x4", "--no-book")
    assert first.split()[:2] == second.split()[:2] == ["start", "0"]


def test_the_table_is_kept_from_line_to_line_unless_it_is_cleared() -> None:
    def nodes(*arguments: str) -> list[int]:
        return [int(line.split()[2]) for line in stream(f"{LATE}\n{LATE}\n", "--no-book", *arguments)]

    first, again = nodes()
    assert again < first / 2
    first, again = nodes("--clear")
    assert again > first / 2


def test_a_stream_with_win_only_answers_signs() -> None:
    lines = stream(f"{LATE}\n{LOST}\n", "--win-only", "--no-book")
    assert [line.split()[1] for line in lines] == ["1", "-1"]


def test_a_stream_in_json() -> None:
    good, bad = (json.loads(line) for line in stream(f"{LATE}\n1212121\n", "--no-book", "--json"))
    assert (good["moves"], good["score"], good["best"]) == (LATE, 3, [5])
    assert (bad["moves"], bad["error"]["kind"], bad["error"]["reason"]) == ("1212121", "game-over", "four in a row")


def test_a_stream_in_the_shape_of_gamesolver() -> None:
    good, bad = (json.loads(line) for line in stream(f"{LATE}\n77x\n", "--no-book", "--format", "gamesolver"))
    assert list(good) == ["pos", "score"]
    assert list(bad) == ["pos", "error"]


def test_an_answer_comes_before_the_next_question() -> None:
    arguments = [*COMMAND, "-", "--no-book", "--size", "5x4"]
    with subprocess.Popen(arguments, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        for moves in ("44", "oops", "4453"):
            process.stdin.write(f"{moves}\n")
            process.stdin.flush()
            assert process.stdout.readline().startswith(f"{moves} ")
        process.stdin.close()
        assert process.wait(WAIT) == 0


# Long searches


def test_it_is_interrupted_cleanly() -> None:
    arguments = [*COMMAND, "-", "--size", "8x8", "--no-book"]
    with subprocess.Popen(
        arguments, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write("oops\n\n")  # the answer to the first says that it runs
        process.stdin.flush()
        assert "error" in process.stdout.readline()
        process.send_signal(signal.SIGINT)
        said, wrong = process.communicate(timeout=WAIT)
    assert (process.returncode, said) == (130, "")
    assert wrong.startswith("outplay: ")
    assert "Traceback" not in wrong


def test_a_long_search_is_shown_on_the_terminal_and_ctrl_c_says_how_far_it_came() -> None:
    terminal = Terminal(["solve", "start", "--size", "8x8", "--no-book"], TERM="xterm", COLUMNS="150")
    deadline = time.monotonic() + WAIT
    while "not solved after" not in terminal.screen:
        assert terminal._read(deadline), terminal.screen
    terminal.type("^C")
    assert terminal.finish() == 130
    assert "the position: not solved after" in terminal.screen
    assert "Traceback" not in terminal.screen


def test_what_ctrl_c_tells_counts_the_seconds_until_then(monkeypatch: pytest.MonkeyPatch) -> None:
    seconds = [0.0]
    monkeypatch.setattr("outplay.cli.solve.perf_counter", lambda: seconds[0])
    screen = _Screen()
    assert screen.latest == ""
    with screen:
        tell = screen.watch("the position")
        seconds[0] = 2.0
        assert screen.latest == "the position: not solved after 2.0 s"
        tell(-3, 4, 1000)  # the next bound may take minutes
        seconds[0] = 90.0
    assert screen.latest == "the position: not solved after 90.0 s and 1,000 positions, the score is from -3 to 4"


def test_a_search_of_no_time_has_no_speed() -> None:
    def last_line(seconds: float) -> str:
        found = Solution(0, 0, 20, "solved", 4519, seconds)
        answer = _Answer("start", found, False, [], found.nodes, found.seconds)
        return _text(Position(5, 4), answer).splitlines()[-1]

    assert last_line(0.0) == "4,519 positions in 0.000 s"
    assert last_line(0.002) == "4,519 positions in 0.002 s: 2.3 million a second"


# Help and documentation


def test_the_examples_of_the_help_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    lines = [line.strip() for line in (solve.__doc__ or "").splitlines()]
    examples = [line.partition("<")[0].strip() for line in lines if line.startswith("outplay solve")]
    assert len(examples) >= 5
    for example in examples:
        result = CliRunner().invoke(app, example.removeprefix("outplay "), input=f"{LATE}\n")
        assert result.exit_code == 0, result.output


def test_the_examples_of_the_documentation_are_true(monkeypatch: pytest.MonkeyPatch) -> None:
    page = (Path(__file__).parent.parent / "docs" / "cli.md").read_text(encoding="utf-8")
    monkeypatch.setenv("COLUMNS", "100")
    shown = re.findall(r"^\$ (?:echo (\S+) \| )?outplay (solve .*)\n((?:(?!\$ |```).*\n)*)", page, re.MULTILINE)
    assert len(shown) >= 5
    for stdin, arguments, expected in shown:
        printed = CliRunner().invoke(app, arguments.split(), input=stdin).output
        assert doctest.OutputChecker().check_output(expected, printed, doctest.ELLIPSIS), f"{arguments}\n{printed}"
