"""Opening books: built, killed and gone on with, damaged, and checked against the solver and brute force."""

from __future__ import annotations

import doctest
import json
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from outplay.connect4 import Book, Position, Solver
from outplay.errors import CorruptTableError
from outplay.jobs import book as jobs
from outplay.jobs.book import BookFileError, BookPlan, Order, PartFile, read_part
from outplay.jobs.lock import FolderLockedError, locked
from outplay.jobs.resources import Machine, NoRoomError
from outplay.work import Workers, open_workers
from tests.oracle.scores import Scores
from tests.support.commands import answer, refusal, run

ROOT = Path(__file__).parent.parent
BY_PLY = [1, 4, 25, 121, 568, 2144, 8231, 27109, 91295]
"""Undecided positions of the 7 x 6 board without mirror images."""
KILLED = """
import os, signal, sys
from pathlib import Path
from outplay.jobs.book import Order, build, building
from outplay.work import open_workers
with open_workers(1) as runner, building(Order(Path(sys.argv[1]), 5, 5, 4), runner, table_mib=1, batch=20) as plan:
    for number, _ in enumerate(build(plan, runner)):
        if number == 7:
            os.kill(os.getpid(), signal.SIGKILL)
"""
"""A program that builds a book of 5 x 4 and kills itself on the way."""


@pytest.fixture
def here() -> Iterator[Workers]:
    with open_workers(0) as runner:
        yield runner


def small(path: Path) -> Order:
    return Order(path, 5, 5, 4)


def built(order: Order, runner: Workers, steps: int | None = None) -> int:
    """Build a book, or only so many steps of it; how many positions were solved."""
    solved = 0
    with jobs.building(order, runner, table_mib=1, batch=20) as plan:
        for number, step in enumerate(jobs.build(plan, runner), 1):
            solved += step.positions
            if number == steps:
                break
    return solved


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The book of 5 x 4 and 5 plies, built without an interruption."""
    order = small(tmp_path_factory.mktemp("book") / "whole.book")
    with open_workers(0) as runner:
        assert built(order, runner) == 542
    assert [path.name for path in order.path.parent.iterdir()] == ["whole.book"]
    return order.path


def entries(book: Book) -> list[tuple[Position, int]]:
    """All that a book should have, and what it says."""
    levels = [Book.positions(plies, width=book.width, height=book.height) for plies in range(book.plies + 1)]
    found = [(position, book.get(position)) for level in levels for position in level]
    assert len(found) == len(book)
    return [(position, score) for position, score in found if score is not None]


# What is in it


def test_every_score_is_that_of_the_solver_without_a_book(whole: Path) -> None:
    book, solver = Book.open(whole), Solver(table_mib=1, book=False)
    found = entries(book)
    assert len(found) == len(book) == 1 + 3 + 13 + 49 + 177 + 542
    assert all(solver.solve(position).score == score for position, score in found)


def test_every_score_of_4x4_is_that_of_brute_force(tmp_path: Path, here: Workers) -> None:
    order, brute_force = Order(tmp_path / "4x4.book", 7, 4, 4), Scores(4, 4)
    solved = built(order, here)
    found = entries(Book.open(order.path))
    assert len(found) == 1 + 2 + 8 + 26 + 82 + 218 + 564 + 1226
    for position, score in found:
        assert brute_force.of(tuple(map(tuple, position.rows()))) == score, position.fen()
    wins_at_once = sum(position.plies == 7 and score == (16 + 1 - 7) // 2 for position, score in found)
    assert solved == 1226 - wins_at_once < 1226, "who can win at once need not be asked"


def test_a_book_may_know_the_empty_board_alone(tmp_path: Path, here: Workers) -> None:
    order = Order(tmp_path / "4x4.book", 0, 4, 4)
    assert built(order, here) == 1
    assert Book.open(order.path).get(Position(4, 4)) == 0


def test_mirror_images_agree(whole: Path) -> None:
    book = Book.open(whole)
    assert all(book.get(position.mirror()) == score for position, score in entries(book))


@pytest.mark.parametrize(
    "position",
    [
        Position.from_moves("123451", 5, 4),  # more discs than it knows
        Position.from_moves("12", 4, 5),  # other boards
        Position(4, 4),
        Position(7, 6),
        Position(8, 8),
    ],
    ids=Position.fen,
)
def test_what_is_not_in_a_book_is_not_found(position: Position, whole: Path) -> None:
    assert Book.open(whole).get(position) is None


def test_a_finished_game_is_not_found(tmp_path: Path, here: Workers) -> None:
    order = Order(tmp_path / "4x4.book", 7, 4, 4)
    built(order, here)
    won = Position.from_moves("1212121", 4, 4)
    assert won.outcome() is not None
    assert Book.open(order.path).get(won) is None


# The book that ships


def test_the_shipped_book_has_all_positions_of_up_to_8_plies() -> None:
    book = Book.shipped()
    assert (book.width, book.height, book.plies, len(book)) == (7, 6, 8, sum(BY_PLY))
    rows = answer("book", "info")["counts"]
    assert [row["positions"] for row in rows] == BY_PLY
    assert all(row["positions"] == row["wins"] + row["draws"] + row["losses"] for row in rows)
    assert [rows[1][name] for name in ("wins", "draws", "losses")] == [2, 1, 1]


def test_the_shipped_book_knows_the_seven_first_moves() -> None:
    book, start = Book.shipped(), Position()
    assert book.get(start) == 1
    assert Solver(table_mib=1, book=book).scores(start) == [-2, -1, 0, 1, 0, -1, -2]


def test_the_shipped_book_is_small() -> None:
    from outplay.connect4.book import SHIPPED

    assert SHIPPED.stat().st_size < 1_000_000


def test_late_entries_of_the_shipped_book_are_solved_again() -> None:
    book, solver = Book.shipped(), Solver(book=False)
    for moves in ("14624615", "67446235", "24147355", "25447343", "65425614"):
        position = Position.from_moves(moves)
        assert solver.solve(position).score == book.get(position), moves


# Killed and gone on with


def test_processes_build_the_same_book(whole: Path, tmp_path: Path) -> None:
    with open_workers(2) as runner:
        built(small(tmp_path / "a.book"), runner)
    assert (tmp_path / "a.book").read_bytes() == whole.read_bytes()


def test_a_killed_build_goes_on_where_it_was(whole: Path, tmp_path: Path, here: Workers) -> None:
    order = small(tmp_path / "a.book")
    done = subprocess.run([sys.executable, "-c", KILLED, str(order.path)], cwd=ROOT)
    assert done.returncode == -signal.SIGKILL
    assert not order.path.exists()
    lines = order.part.read_text().splitlines()
    assert lines[0] == "outplay book part 5x4 5"
    assert len(lines) == 1 + 8 * 20
    assert built(order, here) == 542 - 8 * 20
    assert order.path.read_bytes() == whole.read_bytes()
    assert [path.name for path in tmp_path.iterdir()] == ["a.book"]


def test_a_build_may_be_interrupted_again_and_again(whole: Path, tmp_path: Path, here: Workers) -> None:
    order, total = small(tmp_path / "a.book"), 0
    while not order.path.exists():
        total += built(order, here, steps=5)
        if order.part.exists():
            order.part.write_bytes(order.part.read_bytes() + b"123 -")  # as if killed while it wrote
    assert total == 542
    assert order.path.read_bytes() == whole.read_bytes()


def test_a_stopped_runner_leaves_a_part_and_no_book(tmp_path: Path) -> None:
    order = small(tmp_path / "a.book")
    with open_workers(0) as runner, jobs.building(order, runner, table_mib=1, batch=20) as plan:
        for _ in jobs.build(plan, runner):
            runner.stop()
    assert not order.path.exists()
    assert len(order.part.read_text().splitlines()) == 21


def test_a_book_killed_before_its_part_was_removed_is_tidied_up(whole: Path, tmp_path: Path, here: Workers) -> None:
    order = small(tmp_path / "a.book")
    built(order, here, steps=3)
    order.path.write_bytes(whole.read_bytes())
    assert built(order, here) == 0
    assert [path.name for path in tmp_path.iterdir()] == ["a.book"]


def test_a_cluster_builds_the_same_book(whole: Path, tmp_path: Path) -> None:
    pytest.importorskip("distributed", reason="distributed is not installed")
    with open_workers(1, cluster="local") as runner:
        built(small(tmp_path / "a.book"), runner)
    assert (tmp_path / "a.book").read_bytes() == whole.read_bytes()


# The part file


@pytest.fixture
def part(tmp_path: Path) -> Order:
    """A part of a book: 40 positions."""
    order = small(tmp_path / "a.book")
    with open_workers(0) as runner:
        built(order, runner, steps=2)
    return order


def known(order: Order) -> dict[int, int]:
    keys = [each.key for each in Book.positions(order.plies, width=order.width, height=order.height)]
    return {key: score for key, score in read_part(order, dict.fromkeys(keys)).items() if score is not None}


def test_a_part_cut_off_anywhere_loses_only_the_torn_line(part: Order) -> None:
    content, scores = part.part.read_bytes(), known(part)
    assert len(scores) == 40
    for length in (*range(40), *range(40, len(content), 7)):
        part.part.write_bytes(content[:length])
        found = known(part)
        assert len(found) == max(0, content[:length].count(b"\n") - 1)
        assert found.items() <= scores.items()
        rest = {key: score for key, score in scores.items() if key not in found}
        with PartFile(part) as file:
            file.add(rest)
        assert known(part) == scores


def test_the_order_of_lines_does_not_matter_and_lines_may_be_there_twice(part: Order) -> None:
    scores = known(part)
    header, *lines = part.part.read_text().splitlines(keepends=True)
    part.part.write_text(header + "".join(reversed(lines)) + "".join(lines[:7]))
    assert known(part) == scores


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("hello\n", "line 42 is not a key and a score: 'hello'"),
        ("\n", "line 42 is not a key and a score: ''"),
        ("12 3 4\n", "not a key and a score"),
        ("-12 3\n", "not a key and a score"),
        ("12 333\n", "not a key and a score"),
        ("\xff\n", "not a key and a score"),
        ("99 1\n", "line 42: this book has no position with the key 99"),
        ("1 99\n", "line 42: this book has no position with the key 1"),
        ("FIRST 9\n", "no position of this book can have the score 9"),
        ("FIRST -8\n", "no position of this book can have the score -8"),
        ("FIRST OTHER\n", "the score of FIRST is OTHER, but an earlier line says SCORE"),
    ],
)
def test_a_part_that_cannot_be_is_refused_and_stays(line: str, reason: str, part: Order, here: Workers) -> None:
    key, score = next(iter(known(part).items()))
    for word, number in {"FIRST": key, "OTHER": -score or 1, "SCORE": score}.items():
        line, reason = line.replace(word, str(number)), reason.replace(word, str(number))
    content = part.part.read_bytes() + line.encode("latin-1")
    part.part.write_bytes(content)
    with pytest.raises(BookFileError, match=re.escape(reason)) as caught:
        built(part, here)
    assert str(caught.value).startswith(f"{part.part}: ")
    assert str(caught.value).endswith("; remove the file to start again")
    assert part.part.read_bytes() == content


@pytest.mark.parametrize(
    "content", ["outplay book part 5x4 6\n", "outplay book part 4x5 5\n", "a letter", "\n", "outplay book part 5x4 55"]
)
def test_the_part_of_another_book_is_refused_and_stays(content: str, tmp_path: Path, here: Workers) -> None:
    order = small(tmp_path / "a.book")
    order.part.write_text(content)
    with pytest.raises(BookFileError, match="not with 'outplay book part 5x4 5'; remove the file"):
        built(order, here)
    assert order.part.read_text() == content
    assert [path.name for path in tmp_path.iterdir()] == ["a.book.part"]


def test_two_builds_of_one_book_do_not_collide(tmp_path: Path, here: Workers) -> None:
    order = small(tmp_path / "a.book")
    with locked(order.lock):
        with pytest.raises(FolderLockedError, match="another build is running here"):
            built(order, here)
        assert built(small(tmp_path / "b.book"), here) == 542
    assert not order.part.exists()


def test_a_build_that_does_not_fit_says_so_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jobs, "this_machine", lambda: Machine("tiny", 2, 100 << 20))
    with open_workers(2) as runner, pytest.raises(NoRoomError, match=r"a book does not fit: it needs 0\.1 GiB"):
        jobs.building(small(tmp_path / "a.book"), runner).__enter__()
    assert not list(tmp_path.iterdir())


# Damage


def test_every_damaged_byte_is_noticed(whole: Path, tmp_path: Path) -> None:
    content, path = whole.read_bytes(), tmp_path / "damaged.book"
    places = {*range(60), *range(60, len(content), 37), *range(len(content) - 12, len(content))}
    for place in places:
        damaged = bytearray(content)
        damaged[place] ^= 1 << place % 8
        path.write_bytes(damaged)
        with pytest.raises(CorruptTableError, match="is damaged: its content is not an opening book"):
            Book.open(path)


def test_a_truncated_or_longer_file_is_noticed(whole: Path, tmp_path: Path) -> None:
    content, path = whole.read_bytes(), tmp_path / "damaged.book"
    cut = [content[:length] for length in {*range(60), *range(60, len(content), 37), len(content) - 1}]
    for damaged in [*cut, content + b"\0", content[1:], content[:50] + content[51:], content * 2]:
        path.write_bytes(damaged)
        with pytest.raises(CorruptTableError):
            Book.open(path)


def test_a_damaged_book_is_refused_by_every_command_and_stays(whole: Path, tmp_path: Path) -> None:
    path = tmp_path / "damaged.book"
    path.write_bytes(whole.read_bytes()[:-1])
    for arguments in (["info", str(path)], ["verify", str(path)], ["build", "--size", "5x4", "--out", str(path)]):
        code, error = refusal("book", *arguments)
        assert (code, error["kind"]) == (8, "corrupt-table")
        assert str(path) in error["message"]
    assert [each.name for each in tmp_path.iterdir()] == ["damaged.book"]


# The command


@pytest.mark.parametrize("name", ["build", "verify", "info"])
def test_every_command_has_examples_and_can_answer_in_json(name: str) -> None:
    result = run("book", name, "--help")
    assert result.exit_code == 0
    assert f"outplay book {name}" in result.stdout.partition("Examples")[2]
    assert "--json" in result.stdout


def build_command(out: Path, plies: int = 5) -> list[str]:
    small_one = ["--plies", str(plies), "--size", "5x4", "--workers", "0", "--table-mib", "1"]
    return ["book", "build", *small_one, "--out", str(out)]


def test_build_and_info_and_verify(whole: Path, tmp_path: Path) -> None:
    path = tmp_path / "a.book"
    view = answer(*build_command(path))
    assert {name: view[name] for name in ("file", "size", "plies", "positions", "solved", "bytes")} == {
        "file": str(path),
        "size": "5x4",
        "plies": 5,
        "positions": 785,
        "solved": 542,
        "bytes": whole.stat().st_size,
    }
    assert answer(*build_command(path))["solved"] == 0
    assert run(*build_command(path)).stdout.endswith("nothing was left to solve\n")
    info = answer("book", "info", str(path))
    assert [row["positions"] for row in info["counts"]] == [1, 3, 13, 49, 177, 542]
    assert info["counts"][0] == {"plies": 0, "positions": 1, "wins": 0, "draws": 1, "losses": 0}
    verified = answer("book", "verify", str(path), "--sample", "1000", "--workers", "0", "--table-mib", "1")
    assert (verified["verified"], verified["wrong"]) == (785, [])


def test_verify_draws_the_same_sample_for_the_same_seed(whole: Path) -> None:
    first, again, other = (jobs.sample(whole, 50, seed) for seed in (1, 1, 2))
    assert first == again != other
    assert len({position for position, _ in first}) == 50


def test_verify_tells_a_wrong_score_and_fails(whole: Path, tmp_path: Path) -> None:
    book, path = Book.open(whole), tmp_path / "wrong.book"
    scores = [book.get(each) for each in Book.positions(5, width=5, height=4)]
    wrong = [score or 0 for score in scores]
    wrong[-1] += 1
    Book.from_scores(5, wrong, width=5, height=4).save(path)
    arguments = ["book", "verify", str(path), "--sample", "785", "--workers", "0", "--table-mib", "1", "--seed", "3"]
    result = run(*arguments, "--json")
    view: Any = json.loads(result.stdout)
    last = Book.positions(5, width=5, height=4)[-1]
    assert result.exit_code == 8
    assert {"position": last.fen(), "score": wrong[-1], "solved": scores[-1]} in view["wrong"]
    assert view["verified"] + len(view["wrong"]) == 785
    assert f"the score of {last.fen()} is {scores[-1]}, not {wrong[-1]}" in run(*arguments).stderr


def test_ctrl_c_leaves_what_was_solved(whole: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    order, build = small(tmp_path / "a.book"), jobs.build

    def interrupted(plan: BookPlan, runner: Workers) -> Iterator[jobs.BookStep]:
        for number, step in enumerate(build(plan, runner)):
            yield step
            if number == 1:
                raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(jobs, "build", interrupted)
        result = run(*build_command(order.path))
    assert (result.exit_code, result.stdout) == (130, "")
    assert result.stderr.startswith("outplay: interrupted: 100 of 542 positions are known; ")
    assert answer(*build_command(order.path))["solved"] == 442
    assert order.path.read_bytes() == whole.read_bytes()


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["build", "--plies", "-1"], 2, "--plies must be 0 or more, not -1"),
        (["build", "--plies", "15"], 2, "plies must be from 0 to 14"),
        (["build", "--size", "3x3"], 2, "a book's board is from 4 x 4"),
        (["build", "--size", "8x8"], 2, "width * (height + 1) is at most 64"),
        (["build", "--size", "seven"], 2, "as in 7x6"),
        (["build", "--table-mib", "0"], 2, "--table-mib must be 1 or more, not 0"),
        (["build", "--size", "4x4", "--plies", "2", "--out", "no/such/folder.book"], 10, "folder of this file"),
        (["build", "--size", "4x4", "--cluster", "tcp://127.0.0.1:1", "--workers", "2"], 2, "give either the number"),
        (["info", "nothing.book"], 1, "nothing.book"),
        (["verify", "nothing.book"], 1, "nothing.book"),
        (["verify", "--sample", "0"], 2, "--sample must be 1 or more, not 0"),
    ],
)
def test_what_cannot_be_is_refused_and_changes_nothing(
    arguments: list[str], code: int, message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    found, error = refusal("book", *arguments)
    assert found == code
    assert message in error["message"]
    assert not list(tmp_path.iterdir())


def test_another_book_is_not_overwritten(whole: Path) -> None:
    content = whole.read_bytes()
    code, error = refusal(*build_command(whole, plies=4))
    assert code == 10
    assert "this is a book of 5x4, 5 plies: name another file, or remove this one" in error["message"]
    assert whole.read_bytes() == content


def test_the_examples_of_the_documentation_are_true(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "100")
    page = (ROOT / "docs" / "cli.md").read_text(encoding="utf-8")
    shown = re.findall(r"^\$ outplay (book .*)\n((?:(?!\$ |```).*\n)*)", page, re.MULTILINE)
    assert len(shown) >= 4
    for arguments, expected in shown:
        printed = run(*arguments.split()).output
        assert doctest.OutputChecker().check_output(expected, printed, doctest.ELLIPSIS), f"{arguments}\n{printed}"
