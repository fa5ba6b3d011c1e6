"""Wrong arguments, text on standard input, and readers that leave: the same for every command."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
import typer

from outplay.cli.app import app
from outplay.cli.arguments import MOST_BYTES
from tests.support.commands import refusal, run


def every_command(group: object, path: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    below: dict[str, object] = getattr(group, "commands", {})
    for name, each in below.items():
        yield from every_command(each, (*path, name))
    if not below:
        yield path


EVERY_COMMAND = list(every_command(typer.main.get_command(app)))


# Wrong arguments


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("perft", "chess", "3"), "GAME must be connect4 or checkers, not 'chess'"),
        (("play", "chess"), "GAME must be connect4 or checkers, not 'chess'"),
        (("match", "chess", "random", "random"), "GAME must be connect4 or checkers, not 'chess'"),
        (("perft",), "GAME is missing: connect4 or checkers"),
        (("perft", "checkers"), "DEPTH is missing"),
        (("perft", "checkers", "x"), "DEPTH must be a whole number, not 'x'"),
        (("match", "random", "random", "--alpha", "x"), "--alpha must be a number, not 'x'"),
        (("serve", "--port", "65536"), "--port must be 65535 or less, not 65536"),
        (("train", "--folder", "x", "--hours", "0"), "--hours must be 0.001 or more, not 0"),
        (("games", "-", "--to", "gif"), "--to must be pdn, json or fen, not 'gif'"),
        (("tablebase", "build"), "--pieces is missing"),
        (("perft", "checkers", "3", "--position"), "--position needs a value"),
        (("tour", "--json=3"), "--json takes no value"),
        (("book", "info", "."), "FILE: '.' is a directory"),
        (("backup", "."), "FILE: '.' is a directory"),
        (("data", "check", "nothing.npz"), "FILE: there is no file nothing.npz"),
        (("show",), "give a game, a position, or both"),
        (("show", ""), "give a game, a position, or both"),
        (("show", "chess"), "'chess' is neither a game nor a position"),
        (("show", "4", "4", "5", "3"), "unexpected argument: 5 3 (put quotes around a text with spaces)"),
        (
            ("analyse", "chess", "start"),
            "GAME must be connect4 or checkers, not 'chess'; put quotes around a position with spaces",
        ),
        (("perft", "connect4", "1", "--merged"), "--merged: only checkers has captures to merge"),
        (("show", "connect4", "--size", "big"), "--size: a size is width x height, as in 7x6"),
        (("lab", "trace", "checkers", "--size", "8x8"), "--size is for Connect Four; checkers has a board of 8 x 8"),
        (("show", "11-15", "--size", "8x8"), "--size is for Connect Four; checkers has a board of 8 x 8"),
        (("serve", "--host", "nowhere.invalid", "--db", "memory"), "--host: 'nowhere.invalid' is not an address"),
        (("play", "connect4", "--position", "-"), "--position: - needs --json: standard input is for your answers"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else "",
)
def test_wrong_arguments_are_told_in_one_line(arguments: tuple[str, ...], words: str) -> None:
    done = run(*arguments)
    command = " ".join(arguments[: 2 if arguments[0] in ("lab", "book", "data", "tablebase") else 1])
    assert (done.exit_code, done.stdout) == (2, "")
    assert done.stderr.startswith(f"outplay: {words}"), done.stderr
    assert done.stderr.endswith(f"; see 'outplay {command} --help'\n"), done.stderr
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize("path", EVERY_COMMAND, ids=" ".join)
@pytest.mark.parametrize("wrong", [("--nosuch",), ("a", "b", "c", "d", "e"), ("\udcff",) * 5], ids=ascii)
def test_every_command_refuses_what_it_does_not_know_in_one_line(path: tuple[str, ...], wrong: tuple[str, ...]) -> None:
    done = run(*path, *wrong)
    assert (done.exit_code, done.stdout) == (2, ""), done.output
    assert re.fullmatch(r"outplay: .+\n", done.stderr), done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    ("typed", "words"),
    [
        ("shw", "there is no command shw (did you mean show?); see 'outplay --help'"),
        ("data chess", "there is no command chess (did you mean checkers or check?); see 'outplay data --help'"),
        ("lab compre", "there is no command compre (did you mean compare?); see 'outplay lab --help'"),
        ("nothing", "there is no command nothing; see 'outplay --help'"),
        ("--nothing", "there is no option --nothing; see 'outplay --help'"),
        ("tour --jsno", "there is no option --jsno (did you mean --json?); see 'outplay tour --help'"),
    ],
)
def test_a_slip_of_the_keyboard_is_guessed(typed: str, words: str) -> None:
    done = run(*typed.split())
    assert (done.exit_code, done.stderr) == (2, f"outplay: {words}\n")


def test_wrong_arguments_have_the_same_words_in_json() -> None:
    assert refusal("perft", "chess", "3") == (
        2,
        {"kind": "usage", "message": "GAME must be connect4 or checkers, not 'chess'"},
    )


@pytest.mark.parametrize("group", ["lab", "book", "tablebase"])
def test_a_group_alone_prints_its_help(group: str) -> None:
    alone, asked = run(group), run(group, "--help")
    assert (alone.exit_code, alone.stderr) == (0, "")
    assert alone.stdout.strip() == asked.stdout.strip()


def test_a_move_that_cannot_be_read_is_named_without_a_file() -> None:
    done = run("show", "connect4", "11-15")
    assert done.stderr == "outplay: ply 1: cannot read '11-15': a move is one column, 1 to 7\n"


# Text on standard input


@pytest.mark.parametrize(
    ("arguments", "typed"),
    [
        (("show", "-"), ("show", "4453")),
        (("show", "connect4", "-"), ("show", "connect4", "4453")),
        (("perft", "connect4", "2", "--position", "-"), ("perft", "connect4", "2", "--position", "4453")),
        (("lab", "trace", "connect4", "-", "--depth", "1"), ("lab", "trace", "connect4", "4453", "--depth", "1")),
        (("lab", "compare", "connect4", "-", "--depth", "1"), ("lab", "compare", "connect4", "4453", "--depth", "1")),
        (("analyse", "-", "--depth", "1"), ("analyse", "4453", "--depth", "1")),
        (
            ("play", "connect4", "--first", "random", "--second", "random", "--seed", "1", "--position", "-"),
            ("play", "connect4", "--first", "random", "--second", "random", "--seed", "1", "--position", "4453"),
        ),
    ],
    ids=lambda value: " ".join(value[:2]),
)
def test_a_position_may_come_on_standard_input(arguments: tuple[str, ...], typed: tuple[str, ...]) -> None:
    def plain(answer: str) -> str:
        return re.sub(r'("seconds"): [\d.e-]+', r"\1", answer)

    piped, given = run(*arguments, "--json", stdin="4 4 5 3\n"), run(*typed, "--json")
    assert piped.exit_code == 0, piped.output
    assert plain(piped.stdout) == plain(given.stdout)
    assert piped.stderr == given.stderr


def test_a_checkers_position_may_come_on_standard_input() -> None:
    assert run("tablebase", "probe", "-", stdin="W:WK3:BK31\n").stdout == run("tablebase", "probe", "W:WK3:BK31").stdout
    shown = run("show", "-", "--json", stdin='[Event "Cup"]\n[White "Bob"]\n1. 11-15 22-18 *\n')
    assert json.loads(shown.stdout)["moves"] == ["15x22"]


@pytest.mark.parametrize("text", ["", " \n"])
def test_an_empty_standard_input_is_told(text: str) -> None:
    done = run("show", "-", stdin=text)
    assert (done.exit_code, done.stderr) == (3, "outplay: cannot read '-': standard input is empty\n")


def test_a_standard_input_without_end_is_refused() -> None:
    done = run("show", "checkers", "-", stdin="1" * (MOST_BYTES + 1))
    assert (done.exit_code, "standard input has more than" in done.stderr) == (3, True)


# Readers that leave


@pytest.mark.parametrize("arguments", ["games -", "games - --json", "--help", "match --help", "lab"])
def test_a_closed_pipe_ends_a_command_quietly(arguments: str, tmp_path: Path) -> None:
    many, code = tmp_path / "many.pdn", tmp_path / "code"
    many.write_text('[Event "Cup"]\n1. 11-15 22-18 *\n\n' * 5_000)
    script = f"('{sys.executable}' -m outplay.cli {arguments} < '{many}'; echo $? > '{code}') | true"
    done = subprocess.run(["sh", "-c", script], capture_output=True, text=True, timeout=60)
    assert (done.stderr, code.read_text()) == ("", "141\n")
