"""The command line: the answer and nothing else on the output, errors told in one line, with their exit codes."""

import doctest
import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import typer
from typer.testing import CliRunner

import outplay
from outplay.cli import failure
from outplay.cli.answer import whole_file
from outplay.cli.app import app
from outplay.cli.games import games
from outplay.cli.perft import perft
from outplay.cli.show import show
from outplay.cli.tour import tour
from outplay.connect4 import Position
from outplay.errors import (
    EXIT_CODES,
    GameOverError,
    IllegalMoveError,
    IllegalPositionError,
    JobError,
    NotationError,
    OutplayError,
)
from outplay.notation import read
from tests.support.commands import answer, command, refusal, run

COMMANDS = (show, games, perft, tour)
GOOD = '[Event "Cup"]\n[Black "Ann"]\n[White "Bob"]\n[Result "1-0"]\n\n1. 11x15 23x19 {plain} 1-0\n'
BAD = '\n[Event "broken"]\n1. 11-15 22-18\n2. 8-11 *\n'
COLUMNS = '\n[GameType "connect4"]\n[Red "Cy"]\n4455667\n'


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "games.pdn"
    path.write_text(GOOD + BAD + COLUMNS, encoding="utf-8")
    return path


# The command itself


def test_the_version() -> None:
    result = run("--version")
    assert (result.exit_code, result.stdout) == (0, f"outplay {outplay.__version__}\n")


def test_without_a_command_it_prints_its_help() -> None:
    result = run()
    assert result.exit_code == 0
    assert all(each.__name__ in result.stdout for each in COMMANDS)


@pytest.mark.parametrize("name", [each.__name__ for each in COMMANDS])
def test_every_command_has_examples_and_can_answer_in_json(name: str) -> None:
    result = run(name, "--help")
    assert result.exit_code == 0
    assert "Examples" in result.stdout
    assert f"outplay {name}" in result.stdout.partition("Examples")[2]
    assert "--json" in result.stdout


def leaves(command: object, path: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    """The commands below one, as they are typed."""
    below: dict[str, object] = getattr(command, "commands", {})
    for name, each in below.items():
        yield from leaves(each, (*path, name))
    if not below:
        yield path


@pytest.mark.parametrize("path", list(leaves(typer.main.get_command(app))), ids=" ".join)
def test_no_help_shows_marks_that_are_not_for_people(path: tuple[str, ...]) -> None:
    result = run(*path, "--help")
    assert result.exit_code == 0
    assert "\\" not in result.stdout
    assert "[/" not in result.stdout


def examples() -> list[str]:
    lines = [line.strip() for each in COMMANDS for line in (each.__doc__ or "").splitlines()]
    return [re.split(r"  +|<", line)[0].strip() for line in lines if line.startswith("outplay ")]


@pytest.mark.parametrize("example", examples())
def test_the_examples_of_the_help_run(example: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("tinsley.pdn", "old.pdn"):
        Path(name).write_text(GOOD)
    quick = re.sub(r"(perft \w+) \d+", r"\1 4", example)
    result = CliRunner().invoke(app, quick.removeprefix("outplay "), input=GOOD)
    assert result.exit_code == 0, result.output


def test_the_examples_of_the_documentation_are_true(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    page = (Path(__file__).parent.parent / "docs" / "cli.md").read_text(encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "100")
    Path("games.pdn").write_text(re.findall(r"```pdn\n(.*?)```", page, re.DOTALL)[0])
    names = "|".join(["--version", *(each.__name__ for each in COMMANDS)])
    shown = re.findall(rf"^\$ outplay ((?:{names}).*)\n((?:(?!\$ |```).*\n)*)", page, re.MULTILINE)
    assert len(shown) >= 12
    for arguments, expected in shown:
        printed = run(*arguments.split()).output
        assert doctest.OutputChecker().check_output(expected, printed, doctest.ELLIPSIS), f"{arguments}\n{printed}"


def test_the_installed_command_runs() -> None:
    done = subprocess.run([Path(sys.executable).with_name("outplay"), "--version"], capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (0, f"outplay {outplay.__version__}\n")


def test_importing_the_command_line_loads_no_terminal_library() -> None:
    script = "import sys, outplay.cli; print({'typer', 'rich'} & {name.split('.')[0] for name in sys.modules})"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout == "set()\n"


# perft


def test_perft_counts_games() -> None:
    found = answer("perft", "checkers", "6")
    assert set(found) == {"game", "depth", "nodes", "seconds"}
    assert (found["game"], found["depth"], found["nodes"]) == ("checkers", 6, 36768)
    assert run("perft", "checkers", "6").stdout.startswith("36,768 nodes in ")


def test_perft_from_another_position_and_board() -> None:
    assert answer("perft", "checkers", "1", "--position", "B:W23,22,15,14:B11,10")["nodes"] == 4
    assert answer("perft", "connect4", "2", "--size", "8x8")["nodes"] == 64
    assert answer("perft", "connect4", "1", "--position", "444444")["nodes"] == 6


def test_perft_in_both_conventions_and_different_positions() -> None:
    fen = "B:WK10,K11,K18,K19:BK14"
    paths, merged = (answer("perft", "checkers", "1", "--position", fen, *more)["nodes"] for more in ([], ["--merged"]))
    assert merged < paths
    assert answer("perft", "connect4", "4", "--distinct")["nodes"] == 1120


def test_options_of_the_other_game_are_refused() -> None:
    assert run("perft", "connect4", "1", "--merged").exit_code == failure.USAGE
    assert run("perft", "checkers", "1", "--distinct").exit_code == failure.USAGE
    assert run("perft", "checkers", "-1").exit_code == failure.USAGE
    assert run("perft", "checkers", "99").exit_code == failure.USAGE
    assert run("perft", "connect4", "1", "--size", "big").exit_code == failure.USAGE


# show


def test_show_draws_the_board_and_lists_the_moves() -> None:
    lines = run("show", "connect4", "4453").stdout.splitlines()
    assert lines[4:7] == ["· · · ● · · ·", "· · ● ○ ○ · ·", "1 2 3 4 5 6 7"]
    assert lines[7:] == ["Red to move: 1 2 3 4 5 6 7", Position.from_moves("4453").fen()]
    assert run("show", "connect4", "4453", "--ascii").stdout.isascii()
    assert "Black to move" in run("show", "checkers").stdout


def test_show_in_json() -> None:
    found = answer("show", "connect4", "4455667")
    assert found["outcome"] == {
        "winner": "Red",
        "reason": "four in a row",
        "lines": [[[5, 3], [5, 4], [5, 5], [5, 6]]],
    }
    assert found["moves"] == []
    assert answer("show", "connect4", "start", "--size", "4x5")["fen"] == "..../..../..../..../...."
    assert answer("show", "checkers", "B:W22:B11,18")["moves"] == ["18x25"]


def test_show_says_how_a_game_ended() -> None:
    assert "\nRed wins: four in a row.\n" in run("show", "connect4", "4455667").stdout
    assert "\nA draw: board full.\n" in run("show", "connect4", "4321311144234232", "--size", "4x4").stdout


def test_show_draws_into_a_file(tmp_path: Path) -> None:
    picture = tmp_path / "board.svg"
    assert run("show", "checkers", "start", "--svg", str(picture)).stdout == f"{picture}\n"
    assert picture.read_text(encoding="utf-8").startswith("<svg")
    assert run("show", "connect4", "4", "--svg", "-").stdout.startswith("<svg")
    assert answer("show", "connect4", "4", "--svg", str(picture))["svg"] == str(picture)
    assert [path.name for path in tmp_path.iterdir()] == ["board.svg"]


# games


def test_games_are_listed(file: Path) -> None:
    result = run("games", str(file))
    assert result.exit_code == EXIT_CODES[NotationError]
    first, second, third, summary = result.stdout.splitlines()
    assert first == "    1  1-0        2 plies  Ann - Bob, Cup"
    assert second.startswith("    2  line 10, ply 3: illegal move 8-11 in ")
    assert second.endswith("15x22 is a jump and must be taken")
    assert third == "    3  1-0        7 plies  Cy - ?"
    assert summary == "2 games read, 1 cannot be read"


@pytest.mark.parametrize("options", [(), ("--check",), ("--to", "pdn"), ("--to", "json"), ("--json",)])
def test_no_header_talks_to_the_terminal(tmp_path: Path, options: tuple[str, ...]) -> None:
    hostile = tmp_path / "hostile.pdn"
    hostile.write_text(
        '[Event "\x1b[31mred\x1b]0;title\x07"]\n[Black "\x9b2J"]\n\n1. 11-15 23-19 *\n', encoding="utf-8"
    )
    result = run("games", str(hostile), *options)
    assert result.exit_code == 0
    assert not set(result.stdout + result.stderr) & {"\x1b", "\x07", "\x9b"}


def test_games_are_listed_in_json(file: Path) -> None:
    found = answer("games", str(file), code=3)
    assert (found["file"], found["good"], found["bad"]) == (str(file), 2, 1)
    first, second, third = found["games"]
    assert first["moves"] == ["11-15", "23-19"]
    assert (first["result"], first["reason"], first["headers"]["Black"]) == ("1-0", "resignation", "Ann")
    assert (second["error"]["kind"], second["error"]["line"], second["error"]["ply"]) == ("notation", 10, 3)
    assert (third["game"], third["reason"]) == ("connect4", "four in a row")
    assert answer("games", "-", stdin="")["games"] == []


def test_games_are_checked(file: Path) -> None:
    lines = run("games", str(file), "--check").stdout.splitlines()
    assert len(lines) == 2
    assert lines[0].startswith("    2  line 10, ply 3: ")
    [problem] = answer("games", str(file), "--check", code=3)["problems"]
    assert problem["number"] == 2
    file.write_text(GOOD)
    assert run("games", str(file), "--check").stdout == "1 game\n"
    assert "header says" in run("games", "-", "--check", stdin=GOOD.replace(" 1-0\n", " 0-1\n")).stdout


def test_games_are_converted(file: Path, tmp_path: Path) -> None:
    result = run("games", str(file), "--to", "pdn")
    assert result.exit_code == 3
    assert "game 2, line 10, ply 3" in result.stderr
    assert "1. 11-15 23-19 {plain} 1-0\n\n[" in result.stdout
    assert [entry.error for entry in read(result.stdout)] == [None, None]

    fens = run("games", str(file), "--to", "fen").stdout.splitlines()
    assert len(fens) == 2
    assert fens[1] == Position.from_moves("4455667").fen()

    clean = tmp_path / "clean.pdn"
    assert run("games", str(file), "-o", str(clean)).stdout == f"{clean}: 2 games written, 1 cannot be read\n"
    assert clean.read_text(encoding="utf-8") == result.stdout
    found = answer("games", str(file), "--to", "fen", "--output", str(clean), code=3)
    assert (found["output"], found["good"], found["bad"]) == (str(clean), 2, 1)
    assert clean.read_text().splitlines() == fens
    assert run("games", str(file), "--to", "json", "-o", str(clean)).exit_code == 3
    assert len(json.loads(clean.read_text())["games"]) == 3


def test_a_file_can_be_converted_in_place(file: Path) -> None:
    file.write_text(GOOD)
    assert run("games", str(file), "-o", str(file)).exit_code == 0
    assert "1. 11-15 23-19 {plain} 1-0" in file.read_text()


def test_games_of_connect_four_without_a_game_type() -> None:
    assert answer("games", "-", "--game", "connect4", stdin="4455667")["games"][0]["result"] == "1-0"


def test_bytes_that_are_no_text_are_read_all_the_same() -> None:
    result = run("games", "-", stdin=b'[Black "J\xfcrgen"] 11-15 *\xff')
    assert "Jürgen - ?" in result.stdout


def test_options_that_do_not_go_together_are_refused(file: Path) -> None:
    for more in (["--check", "--to", "pdn"], ["--json", "--to", "pdn"], ["--to", "gif"]):
        assert run("games", str(file), *more).exit_code == failure.USAGE


# tour


def test_the_tour_shows_both_games_and_what_to_type_next() -> None:
    text = run("tour").stdout
    assert 18 <= len(text.splitlines()) <= 30
    assert "8-11 is refused: 15x22 is a jump and must be taken." in text
    assert "3,963,680 games of 9 plies" in text
    assert "outplay --help" in text
    found = answer("tour")
    for line in found["next"]:
        assert run(line.split()[1], "--help").exit_code == 0


# Failures


def test_each_error_has_its_exit_code() -> None:
    assert run("show", "checkers", "rubbish").exit_code == EXIT_CODES[NotationError] == 3
    code, error = refusal("show", "checkers", "B:W1:B40")
    assert (code, error["kind"]) == (4, "illegal-position")
    assert len(error["reasons"]) == 2
    assert refusal("show", "connect4", "9")[0] == 5
    assert refusal("show", "connect4", "44556671")[1]["kind"] == "game-over"
    assert refusal("show", "connect4", "4", "--size", "99x99")[0] == 4
    assert refusal("perft", "checkers", "99") == (
        failure.USAGE,
        {"kind": "invalid", "message": "depth must be from 0 to 40, not 99"},
    )


def test_an_error_is_one_line_and_nothing_else() -> None:
    result = run("show", "connect4", "9")
    assert result.stdout == ""
    assert result.stderr == f"outplay: {error_of(lambda: Position.from_moves('9'))}\n"


def error_of(call: Any) -> str:
    with pytest.raises(OutplayError) as caught:
        call()
    return str(caught.value)


def test_wrong_usage_is_told_in_json_too() -> None:
    code, error = refusal("show", "chess")
    assert (code, error["kind"]) == (2, "usage")
    assert "chess" in error["message"]
    assert refusal("nothing")[1]["kind"] == "usage"
    assert refusal("show")[0] == 2


def test_a_missing_file_is_told(tmp_path: Path) -> None:
    missing = tmp_path / "missing.pdn"
    code, error = refusal("games", str(missing))
    assert (code, error["kind"]) == (failure.FAILED, "file")
    assert str(missing) in error["message"]
    assert run("games", str(tmp_path)).exit_code == failure.FAILED
    nowhere = tmp_path / "nowhere" / "board.svg"
    assert str(nowhere) in run("show", "checkers", "start", "--svg", str(nowhere)).stderr


def test_every_error_finds_the_code_of_its_nearest_ancestor() -> None:
    class OwnError(IllegalMoveError):
        pass

    position = Position()
    assert failure.exit_code(OwnError("x", position, "y")) == EXIT_CODES[IllegalMoveError]
    assert failure.exit_code(GameOverError(position, "y")) == EXIT_CODES[GameOverError]
    assert failure.as_dict(JobError("a", "b"))["kind"] == "job"
    assert failure.exit_code(OutplayError("x")) == 1
    assert failure.exit_code(ValueError("x")) == failure.USAGE
    assert failure.exit_code(OSError("x")) == failure.FAILED


def test_a_file_appears_whole_or_not_at_all(tmp_path: Path) -> None:
    path = tmp_path / "file.txt"
    path.write_text("before")

    def fail() -> None:
        with whole_file(path) as file:
            file.write("half of it")
            raise RuntimeError

    with pytest.raises(RuntimeError):
        fail()
    assert path.read_text() == "before"
    with whole_file(path) as file:
        file.write("after")
        assert path.read_text() == "before"
    assert path.read_text() == "after"
    assert len(list(tmp_path.iterdir())) == 1
    with whole_file(Path(os.devnull)) as file:
        file.write("gone")
    assert not Path(os.devnull).is_file()


# Real processes


def test_real_commands_answer_and_fail_cleanly() -> None:
    done = command("show", "connect4", "4453", "--json")
    assert (done.returncode, done.stderr) == (0, "")
    assert json.loads(done.stdout)["side"] == "Red"
    done = command("show", "connect4", "9")
    assert (done.returncode, done.stdout) == (5, "")
    assert done.stderr.count("\n") == 1


def test_an_output_that_takes_ascii_only_gets_ascii() -> None:
    done = command("show", "connect4", "4453", env=os.environ | {"PYTHONIOENCODING": "ascii"})
    assert done.returncode == 0
    assert done.stdout.isascii()
    done = command("games", "-", input='[Black "Jürgen"] 11-15 *', env=os.environ | {"PYTHONIOENCODING": "ascii"})
    assert (done.returncode, done.stderr) == (0, "outplay: read as checkers: 1 game (PDN)\n")


def test_an_argument_that_is_no_text_is_refused() -> None:
    done = subprocess.run([sys.executable, "-m", "outplay.cli", "show", "checkers", b"B:W1\xff"], capture_output=True)
    assert (done.returncode, done.stdout) == (EXIT_CODES[NotationError], b"")
    assert b"Traceback" not in done.stderr


def test_a_reader_that_leaves_early_is_no_error(tmp_path: Path) -> None:
    path = tmp_path / "many.pdn"
    path.write_text(GOOD * 20_000)
    script = f"'{sys.executable}' -m outplay.cli games '{path}' | head -n 1"
    done = subprocess.run(["sh", "-c", script], capture_output=True, text=True, timeout=60)
    assert done.stdout.count("\n") == 1
    assert done.stderr == ""


def test_an_interrupt_ends_a_long_count_without_a_traceback() -> None:
    script = "from outplay.cli.app import app; print('ready', flush=True); app()"
    run_by = [sys.executable, "-c", script, "perft", "checkers", "30"]
    process = subprocess.Popen(run_by, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert process.stdout is not None
    assert process.stdout.readline() == "ready\n"
    time.sleep(1)  # it counts for hours
    process.send_signal(signal.SIGINT)
    stdout, stderr = process.communicate(timeout=60)
    assert (process.returncode, stdout, stderr) == (130, "", "outplay: interrupted\n")


def test_a_position_of_checkers_may_be_given_by_its_moves() -> None:
    shown = answer("show", "checkers", "11-15 22-18")
    assert (shown["side"], shown["moves"]) == ("Black", ["15x22"])
    assert refusal("show", "checkers", "11-15 11-16")[0] == EXIT_CODES[IllegalPositionError]
