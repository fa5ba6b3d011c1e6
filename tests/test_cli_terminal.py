"""How commands behave at a terminal and in pipes: help that names defaults, one progress display, Ctrl-C, colours."""

from __future__ import annotations

import ast
import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import typer

import outplay.cli
from outplay.cli import progress
from outplay.cli.app import app
from outplay.work import Progress
from tests.support.commands import command, run
from tests.support.terminal import Terminal

BROKEN = '[Event "Cup"]\n1. 11-15 11-16 *\n'


def commands(group: Any, path: tuple[str, ...] = ()) -> Iterator[Any]:
    below: dict[str, Any] = getattr(group, "commands", {})
    for name, each in below.items():
        yield from commands(each, (*path, name))
    if not below:
        yield pytest.param(group, id=" ".join(path))


EVERY_COMMAND = list(commands(typer.main.get_command(app)))


# Help


@pytest.mark.parametrize("each", EVERY_COMMAND)
def test_every_option_names_its_default_once(each: Any) -> None:
    context = each.make_context(each.name, [], resilient_parsing=True)
    options = [option for option in each.params if option.param_type_name == "option" and "--help" not in option.opts]
    records = [record for option in options if (record := option.get_help_record(context)) is not None]
    others = [record for record in records if record[1].lower().count("default") != 1]
    assert [record for record in others if "required]" not in record[1]] == []


@pytest.mark.parametrize("each", EVERY_COMMAND)
def test_every_argument_has_a_name_and_a_sentence(each: Any) -> None:
    for argument in each.params:
        if argument.param_type_name == "argument":
            assert not set(argument.metavar) & set("[]"), argument.metavar
            assert argument.help.endswith("."), argument.help


@pytest.mark.parametrize("each", EVERY_COMMAND)
def test_every_option_says_what_it_does_in_a_sentence(each: Any) -> None:
    for option in each.params:
        if option.param_type_name == "option" and "--help" not in option.opts:
            assert option.help, option.name
            assert option.help.endswith("."), option.help


# Progress


def test_there_is_one_progress_display() -> None:
    folder = Path(outplay.cli.__file__).parent
    others = []
    for path in folder.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            names = [node.module] if isinstance(node, ast.ImportFrom) else []
            names += [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            others += [path.name for name in names if name == "rich.progress"]
    assert set(others) == {"progress.py"}


def test_the_bar_is_silent_without_a_terminal(capfd: pytest.CaptureFixture[str]) -> None:
    with progress.Bar("work") as bar:
        bar.tell(0.5, count="1/2", note="half")
    with progress.run_progress("jobs", 2, note=lambda: "a note") as tell:
        tell(Progress(done=1, total=2, share=0.5, seconds=1.0, seconds_left=1.0))
    assert capfd.readouterr() == ("", "")


def test_the_bar_shows_what_runs_and_goes_when_it_is_done(
    capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "120")
    with progress.run_progress("[jobs]", 2, note=lambda: "a note") as tell:
        tell(Progress(done=1, total=2, share=0.5, seconds=1.0, seconds_left=5.0))
    shown = capfd.readouterr()
    assert shown.out == ""
    for words in ("[jobs]", "1/2", "0:00:05 left, a note"):
        assert words in shown.err
    with progress.Bar("short", quiet_seconds=60) as bar:
        bar.tell(note="too early")
    assert capfd.readouterr() == ("", "")


def test_beside_a_long_note_the_bar_still_shows_its_time(
    capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "80")
    note = "n" * 60
    with progress.Bar("solving") as bar:
        bar.tell(note=note)
    line = capfd.readouterr().err.split("solving")[-1]
    assert "0:00:00" in line
    assert note in line


# Ctrl-C


@pytest.mark.parametrize(
    ("arguments", "where"),
    [
        (("perft", "checkers", "3"), "outplay.cli.perft.read_position"),
        (("lab", "compare", "connect4"), "outplay.cli.lab.read_position"),
        (("lab", "trace", "connect4"), "outplay.cli.lab.read_position"),
        (("show", "connect4"), "outplay.cli.show.read_given"),
        (("tablebase", "probe", "W:WK3:BK31"), "outplay.cli.tablebase.read_position"),
        (("tablebase", "verify", "--pieces", "2"), "outplay.cli.tablebase._open_workers"),
        (("games", "-"), "outplay.cli.games.read_file"),
        (("review", "-"), "outplay.cli.review.read_file"),
    ],
    ids=lambda value: value if isinstance(value, str) else " ".join(value[:2]),
)
def test_ctrl_c_ends_every_command_in_one_line(
    arguments: tuple[str, ...], where: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(where, interrupted)
    done = run(*arguments, stdin="4453")
    assert (done.exit_code, done.stdout, done.stderr) == (130, "", "outplay: interrupted\n")
    done = run(*arguments, "--json", stdin="4453")
    assert (done.exit_code, done.stdout) == (130, "")
    assert json.loads(done.stderr) == {"error": {"kind": "interrupted", "message": "interrupted"}}


def test_a_command_may_say_how_far_it_came(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt("half of it is done")

    monkeypatch.setattr("outplay.cli.perft.read_position", interrupted)
    assert run("perft", "checkers", "3").stderr == "outplay: interrupted: half of it is done\n"


# Colours


@pytest.mark.parametrize(
    "arguments",
    [
        ("show", "connect4", "4453"),
        ("games", "-"),
        ("tour",),
        ("book", "info"),
        ("lab", "compare", "connect4", "44", "--depth", "2"),
        ("solve", "4453"),
        ("--help",),
        ("match", "--help"),
    ],
    ids=" ".join,
)
def test_a_pipe_gets_no_escape_codes(arguments: tuple[str, ...]) -> None:
    colourful = {name: value for name, value in os.environ.items() if name not in ("NO_COLOR", "FORCE_COLOR")}
    done = command(*arguments, input=BROKEN, env={**colourful, "TERM": "xterm-256color"})
    assert done.stdout
    assert "\x1b" not in done.stdout + done.stderr


def test_a_terminal_gets_colours_unless_no_color_is_set(tmp_path: Path) -> None:
    path = tmp_path / "broken.pdn"
    path.write_text(BROKEN)
    colourful, plain = (
        Terminal(["games", str(path)], TERM="xterm", NO_COLOR=""),
        Terminal(["games", str(path)], TERM="xterm", NO_COLOR="1"),
    )
    assert (colourful.finish(), plain.finish()) == (3, 3)
    assert "\x1b[31m" in colourful.screen
    assert "\x1b" not in plain.screen
    assert "there is no piece on 11" in plain.screen
