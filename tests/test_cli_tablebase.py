"""`outplay tablebase`: its answers, its JSON, its refusals and their exit codes."""

from __future__ import annotations

import doctest
import json
import re
import shutil
from pathlib import Path
from typing import Any

import pytest

from outplay.cli.tablebase import tablebase
from outplay.jobs import tables
from outplay.jobs.lock import locked
from outplay.jobs.resources import Machine
from outplay.tablebase import plan
from tests.support import ROOT
from tests.support.commands import answer, command, refusal, run
from tests.test_jobs_tables import built

__all__ = ["built"]
TOTALS = {
    2: (716, 2370, 402),
    3: (100250, 8477, 87305),
    4: (2574304, 1717922, 1917090),
}
"""Wins, draws and losses of the side to move, as published for each number of pieces."""


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where the commands look for tables: not in the user's folder."""
    folder = tmp_path / "tables"
    monkeypatch.setenv("OUTPLAY_TABLES", str(folder))
    return folder


@pytest.mark.parametrize("name", [each.callback.__name__ for each in tablebase.registered_commands if each.callback])
def test_every_command_has_examples_and_can_answer_in_json(name: str) -> None:
    result = run("tablebase", name, "--help")
    assert result.exit_code == 0
    assert f"outplay tablebase {name}" in result.stdout.partition("Examples")[2]
    assert "--json" in result.stdout
    assert "\\b" not in result.stdout


# info


@pytest.mark.parametrize(("pieces", "totals"), TOTALS.items())
def test_info_counts_what_is_published(pieces: int, totals: tuple[int, int, int]) -> None:
    rows = answer("tablebase", "info", "--pieces", str(pieces))["tables"]
    assert tuple(sum(row[name] for row in rows) for name in ("wins", "draws", "losses")) == totals
    assert all(row["positions"] == row["wins"] + row["draws"] + row["losses"] for row in rows)


def test_info_has_a_row_for_every_material_and_shares_out_the_bytes() -> None:
    rows = answer("tablebase", "info")["tables"]
    fields = ["own_men", "own_kings", "other_men", "other_kings", "positions", "wins", "draws", "losses", "bytes"]
    assert all(list(row) == fields for row in rows)
    materials = {tuple(row[name] for name in fields[:4]) for row in rows}
    assert len(materials) == len(rows)
    assert {(*other, *own) for *own, a, b in materials for other in [(a, b)]} == materials
    kings = next(row for row in rows if [row[name] for name in fields[:4]] == [0, 1, 0, 1])
    assert (kings["wins"], kings["draws"], kings["losses"]) == (230, 654, 108)
    shipped = (ROOT / "src" / "outplay" / "data" / "tables").glob("*.table")
    assert sum(row["bytes"] for row in rows) == sum(path.stat().st_size for path in shipped)


def test_info_in_words_says_where_the_tables_are(folder: Path) -> None:
    result = run("tablebase", "info", "--pieces", "2")
    assert "1 king   1 king" in result.stdout
    assert result.stdout.endswith(f"tables that you build are in {folder}\n")


# probe


def test_probe_tells_the_value_and_every_move() -> None:
    view = answer("tablebase", "probe", "W:W30:B1,2")
    assert {name: view[name] for name in ("position", "value", "distance", "known_by")} == {
        "position": "W:W30:B1,2",
        "value": "loss",
        "distance": 10,
        "known_by": "table",
    }
    assert [move["move"] for move in view["moves"]] == ["30-25", "30-26"]
    assert view["best"] in ("30-25", "30-26")


def test_a_move_is_worth_what_the_position_is_worth_at_best() -> None:
    order = ("loss", "draw", "win")
    for fen in ("W:WK3:BK31", "B:W29:BK25", "W:W30:B1,2", "B:WK18,K19:BK4,K10"):
        view = answer("tablebase", "probe", fen)
        best = max(view["moves"], key=lambda move: order.index(move["value"]))
        assert best["value"] == view["value"]
        chosen = next(move for move in view["moves"] if move["move"] == view["best"])
        assert (chosen["value"], chosen["distance"]) == (view["value"], view["distance"])


def test_taking_the_last_piece_wins_at_once() -> None:
    view = answer("tablebase", "probe", "B:W6:B2")
    assert (view["value"], view["distance"]) == ("win", 1)
    assert view["moves"] == [{"move": "2x9", "value": "win", "distance": 1}]


def test_a_side_without_a_move_has_lost() -> None:
    view = answer("tablebase", "probe", "W:W5:B1")
    assert (view["value"], view["distance"], view["best"], view["moves"]) == ("loss", 0, None, [])


@pytest.mark.parametrize(
    ("position", "code", "message"),
    [
        ("nonsense", 3, "cannot read"),
        ("W:W1:BK3", 4, "illegal position"),
        ("start", 7, "no endgame table"),
        (
            "W:WK1,K2,K3:BK30,K31,K32",
            7,
            "0303; this builds it: outplay tablebase build --pieces 6",
        ),
    ],
)
def test_probe_refuses(position: str, code: int, message: str) -> None:
    found, error = refusal("tablebase", "probe", position)
    assert found == code
    assert message in error["message"]


# build and verify


def test_what_ships_is_not_built_again(folder: Path) -> None:
    view = answer("tablebase", "build", "--pieces", "4")
    assert (view["built"], view["kept"], view["bytes"]) == ([], 23, 0)
    said = run("tablebase", "build", "--pieces", "3").stdout
    assert said == "nothing to build: 9 tables of up to 3 pieces are there\n"
    assert not folder.exists()


def test_a_plan_says_what_is_needed_and_does_nothing(folder: Path) -> None:
    view = answer("tablebase", "build", "--pieces", "6", "--plan")
    assert (len(view["tables"]), view["kept"]) == (59, 23)
    assert view["positions"] == sum(table["positions"] for table in view["tables"])
    assert view["memory_bytes"] < 8 << 30
    assert "59 tables to build, 23 there already" in run("tablebase", "build", "--pieces", "6", "--plan").stdout
    assert not folder.exists()


def test_a_build_too_large_for_this_machine_says_so_and_leaves_nothing(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tables, "this_machine", lambda: Machine("tiny", 2, 10 << 20))
    code, error = refusal("tablebase", "build", "--pieces", "8")
    assert (code, error["kind"]) == (10, "job")
    assert re.search(r"8 pieces does not fit: it needs .* GiB of memory, but tiny has 10.0 MiB left", error["message"])
    assert not folder.exists()


def test_a_second_build_is_refused(folder: Path) -> None:
    with locked(folder):
        code, error = refusal("tablebase", "build", "--pieces", "5")
    assert code == 10
    assert "another build is running here" in error["message"]


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (["build"], 2),
        (["build", "--pieces", "9"], 2),
        (["build", "--pieces", "1"], 2),
        (["build", "--pieces", "five"], 2),
        (["build", "--pieces", "5", "--threads", "0"], 2),
        (["build", "--pieces", "5", "--workers", "0"], 2),
        (["build", "--pieces", "5", "--cluster", "tcp://127.0.0.1:1", "--workers", "2"], 2),
        (["build", "--pieces", "5", "--folder", "/dev/null/tables"], 1),
        (["verify", "--pieces", "5"], 7),
        (["info", "--pieces", "0"], 2),
        (["remove"], 2),
    ],
)
def test_what_cannot_be_is_refused_and_changes_nothing(arguments: list[str], code: int, folder: Path) -> None:
    assert refusal("tablebase", *arguments)[0] == code
    assert not folder.exists()


def test_verify_proves_what_ships() -> None:
    view = answer("tablebase", "verify", "--pieces", "3", "--workers", "2", "--threads", "1")
    assert (view["verified"], view["wrong"]) == (9, [])
    assert run("tablebase", "verify", "--pieces", "2").stdout.startswith("verified 3 tables in ")


# Damage


@pytest.fixture
def damaged(folder: Path) -> Path:
    """A damaged copy of a table that ships, where built ones lie."""
    folder.mkdir()
    path = folder / "0201.table"
    shutil.copy(ROOT / "src" / "outplay" / "data" / "tables" / path.name, path)
    path.write_bytes(path.read_bytes()[:-20])
    return path


@pytest.mark.parametrize("arguments", [["info"], ["probe", "W:WK3:BK31"]])
def test_a_damaged_table_is_named(arguments: list[str], damaged: Path) -> None:
    code, error = refusal("tablebase", *arguments)
    assert (code, error["kind"]) == (8, "corrupt-table")
    assert str(damaged) in error["message"]


def test_a_build_puts_a_damaged_table_right(damaged: Path) -> None:
    result = run("tablebase", "build", "--pieces", "3")
    assert result.exit_code == 0
    assert result.stderr.startswith(f"outplay: {damaged} is damaged")
    assert answer("tablebase", "info", "--pieces", "3")["tables"]


def test_verify_tells_what_is_wrong_and_fails(built: Path, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tables, "table_names", lambda _: iter(["0401"]))  # as if five pieces were all there
    monkeypatch.setattr(tables, "_every", lambda *_: (job for job in plan(5) if job.name == "0401"))
    shutil.copytree(built, folder)
    path = folder / "0401.table"
    path.write_bytes(b"x" * path.stat().st_size)
    result = run("tablebase", "verify", "--pieces", "5", "--json")
    view: Any = json.loads(result.stdout)
    assert (result.exit_code, view["verified"]) == (8, 0)
    assert [wrong["file"] for wrong in view["wrong"]] == [str(path)]


# remove


def test_remove_takes_what_was_built(built: Path, folder: Path) -> None:
    shipped = answer("tablebase", "info")
    shutil.copytree(built, folder)
    assert answer("tablebase", "remove", "--pieces", "6", "--yes")["removed"] == []
    view = answer("tablebase", "remove", "--yes")
    assert sorted(view["removed"]) == ["0302", "0401", "1004"]
    assert view["bytes"] == sum(path.stat().st_size for path in built.glob("*.table"))
    assert answer("tablebase", "info") == shipped
    assert run("tablebase", "remove", "-y").stdout == f"removed 0 tables, 0 bytes, from {folder}\n"


# The command itself


def test_no_progress_is_shown_where_there_is_no_terminal() -> None:
    done = command("tablebase", "verify", "--pieces", "2")
    assert (done.returncode, done.stderr) == (0, "")
    assert re.fullmatch(r"verified 3 tables in [\d.]+ s\n", done.stdout)


def test_the_examples_of_the_documentation_are_true(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "100")
    page = (ROOT / "docs" / "cli.md").read_text(encoding="utf-8")
    shown = re.findall(r"^\$ outplay (tablebase .*)\n((?:(?!\$ |```).*\n)*)", page, re.MULTILINE)
    assert len(shown) >= 5
    for arguments, expected in shown:
        printed = run(*arguments.replace("'", "").split()).output
        assert doctest.OutputChecker().check_output(expected, printed, doctest.ELLIPSIS), f"{arguments}\n{printed}"
