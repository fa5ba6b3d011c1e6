"""Deep books built as jobs: killed and gone on with, in the way of other files, verified and counted."""

from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from outplay.connect4 import Book, DeepBook, Solver, open_book
from outplay.errors import CorruptTableError
from outplay.jobs import deep_book as jobs
from outplay.jobs.book import BookFileError
from outplay.jobs.deep_book import DeepOrder, read_shard
from outplay.jobs.lock import FolderLockedError, locked
from outplay.work import Workers, open_workers
from tests.support.commands import answer, refusal, run

MEMBERS = 3936
"""Of 5 x 4 with seven discs."""
KILLED = """
import os, signal, sys
from pathlib import Path
from outplay.jobs.deep_book import DeepOrder, build, building
from outplay.work import open_workers
with open_workers(1) as workers, building(DeepOrder(Path(sys.argv[1]), 7, 5, 4, 500), workers, table_mib=1) as plan:
    for number, _ in enumerate(build(plan, workers)):
        if number == 2:
            os.kill(os.getpid(), signal.SIGKILL)
"""
"""A program that builds a deep book of 5 x 4 and kills itself on the way."""


@pytest.fixture
def here() -> Iterator[Workers]:
    with open_workers(0) as workers:
        yield workers


def small(path: Path) -> DeepOrder:
    return DeepOrder(path, 7, 5, 4, 500)


def built(order: DeepOrder, workers: Workers, steps: int | None = None) -> int:
    """Build a book, or only so many steps of it; how many positions were solved."""
    solved = 0
    with jobs.building(order, workers, table_mib=1) as plan:
        for number, step in enumerate(jobs.build(plan, workers), 1):
            solved += step.positions
            if number == steps:
                break
    return solved


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The deep book of 5 x 4 with 7 and 5 discs, built without an interruption."""
    order = small(tmp_path_factory.mktemp("book") / "whole.deep")
    with open_workers(0) as workers:
        assert built(order, workers) == MEMBERS
    assert [path.name for path in order.path.parent.iterdir()] == ["whole.deep"]
    return order.path


def test_a_built_book_has_both_levels(whole: Path) -> None:
    book, solver = DeepBook.open(whole), Solver(table_mib=1, book=False)
    assert (book.levels, book.plies) == ([7, 5], 7)
    for plies in (4, 5, 6, 7):
        positions = Book.positions(plies, width=5, height=4)
        assert all(book.get(position) == solver.solve(position).score for position in positions)


def test_an_interrupted_build_goes_on_where_it_was(whole: Path, tmp_path: Path, here: Workers) -> None:
    order = small(tmp_path / "small.deep")
    assert built(order, here, steps=2) == 1000
    assert not order.path.exists()
    assert built(order, here) == MEMBERS - 1000
    assert order.path.read_bytes() == whole.read_bytes()
    assert built(order, here) == 0
    assert [path.name for path in tmp_path.iterdir()] == ["small.deep"]


def test_a_killed_build_goes_on_where_it_was(whole: Path, tmp_path: Path, here: Workers) -> None:
    order = small(tmp_path / "small.deep")
    killed = subprocess.run([sys.executable, "-c", KILLED, str(order.path)], check=False)
    assert killed.returncode == -signal.SIGKILL
    assert len(list(order.shards.iterdir())) == 3
    assert built(order, here) == MEMBERS - 1500
    assert order.path.read_bytes() == whole.read_bytes()


def test_two_processes_build_the_same_book(whole: Path, tmp_path: Path) -> None:
    with open_workers(2) as workers:
        built(small(tmp_path / "small.deep"), workers)
    assert (tmp_path / "small.deep").read_bytes() == whole.read_bytes()


def test_a_damaged_shard_is_refused(tmp_path: Path, here: Workers) -> None:
    order = small(tmp_path / "small.deep")
    built(order, here, steps=2)
    assert read_shard(order, 6, 42) is None
    with pytest.raises(BookFileError, match="it has 500 scores and should have 42: remove the file"):
        read_shard(order, 0, 42)
    shard = order.shards / "001"
    content = bytearray(shard.read_bytes())
    content[len(content) // 2] ^= 1
    shard.write_bytes(content)
    with pytest.raises(BookFileError, match="this is not a shard of scores, or it is damaged"):
        built(order, here)
    shard.unlink()
    assert built(order, here) == MEMBERS - 500


def test_another_file_is_never_replaced(whole: Path, tmp_path: Path, here: Workers) -> None:
    for other in (DeepOrder(whole, 6, 5, 4), DeepOrder(whole, 7, 4, 4)):
        with pytest.raises(BookFileError, match=r"a deep book of another kind \(5x4, 7 and 5 discs\)"):
            built(other, here)
    (tmp_path / "text").write_text("mine")
    with pytest.raises(CorruptTableError):
        built(small(tmp_path / "text"), here)
    assert (tmp_path / "text").read_text() == "mine"


def test_a_second_build_is_kept_away(tmp_path: Path, here: Workers) -> None:
    order = small(tmp_path / "small.deep")
    with locked(order.lock), pytest.raises(FolderLockedError):
        built(order, here)
    with pytest.raises(BookFileError, match="the folder of this file does not exist"):
        built(small(tmp_path / "none" / "small.deep"), here)


def test_the_smallest_deep_book_is_the_empty_board(tmp_path: Path, here: Workers) -> None:
    order = DeepOrder(tmp_path / "empty.deep", 0, 4, 4)
    assert built(order, here) == 1
    assert DeepBook.open(order.path).levels == [0]


def test_counts_are_those_of_the_scores(whole: Path) -> None:
    book = DeepBook.open(whole)
    for each in jobs.count(whole):
        scores = book.scores(each.plies)
        signs = [(score > 0) - (score < 0) for score in scores]
        assert (each.wins, each.draws, each.losses) == (signs.count(1), signs.count(0), signs.count(-1))


def test_a_sample_is_drawn_from_all_levels(whole: Path) -> None:
    book = DeepBook.open(whole)
    entries = jobs.sample(whole, 400, seed=1)
    assert len(entries) == len({position.key for position, _ in entries}) == 400
    assert {position.plies for position, _ in entries} == {7, 5}
    assert all(book.get(position) == score for position, score in entries)
    assert len(jobs.sample(whole, 10**6, seed=1)) == len(book)


# The commands


def test_the_commands_handle_deep_books(tmp_path: Path) -> None:
    path = tmp_path / "small.deep"
    options = ("--deep", "--plies", "7", "--size", "5x4", "--out", str(path), "--workers", "0")
    made = answer("book", "build", *options)
    assert (made["size"], made["plies"], made["solved"]) == ("5x4", 7, MEMBERS)
    assert isinstance(open_book(path), DeepBook)
    assert "nothing was left to solve" in run("book", "build", *options).stdout
    rows = answer("book", "info", str(path))
    assert [row["plies"] for row in rows["counts"]] == [5, 7]
    assert rows["positions"] == made["positions"] == sum(row["positions"] for row in rows["counts"])
    checked = answer("book", "verify", str(path), "--sample", "300", "--workers", "0")
    assert (checked["verified"], checked["wrong"]) == (300, [])


def test_a_wrong_score_is_found(tmp_path: Path) -> None:
    members, solver = DeepBook.members(3, width=4, height=4), Solver(book=False, table_mib=1)
    scores = [solver.solve(members[index]).score for index in range(len(members))]
    scores[5] += 1
    DeepBook.from_scores(3, scores, width=4, height=4).save(tmp_path / "wrong.deep")
    found = run("book", "verify", str(tmp_path / "wrong.deep"), "--workers", "0", "--json")
    assert found.exit_code == 8
    assert members[5].fen() in found.stdout


def test_a_damaged_deep_book_is_told(whole: Path, tmp_path: Path) -> None:
    (tmp_path / "damaged.deep").write_bytes(whole.read_bytes()[:-1])
    code, error = refusal("book", "info", str(tmp_path / "damaged.deep"))
    assert (code, error["kind"]) == (8, "corrupt-table")
