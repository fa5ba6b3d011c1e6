"""Long solves: split at the first plies, killed and gone on with, in the way of other files."""

from __future__ import annotations

import signal
import subprocess
import sys
import zlib
from collections.abc import Iterator
from pathlib import Path

import pytest

from outplay.connect4 import Position, Solver
from outplay.errors import GameOverError
from outplay.jobs import long_solve, solve_tree
from outplay.jobs.lock import FolderLockedError, locked
from outplay.jobs.long_solve import FinishedSearch, SolveFileError, SolveOrder, read_entries
from outplay.jobs.resources import NoRoomError
from outplay.jobs.solve_tree import SolveTree, key_of, possible_scores
from outplay.work import Workers, open_workers
from tests.support.commands import answer, refusal, run

BUDGETS = (100, 400)
KILLED = """
import os, signal, sys
from pathlib import Path
from outplay.connect4 import Position
from outplay.jobs import long_solve, solve_tree
from outplay.work import open_workers
solve_tree.BUDGETS = (100, 400)
order = long_solve.SolveOrder(Path(sys.argv[1]), Position(5, 5))
with open_workers(0) as workers, long_solve.solving(order, workers, table_mib=1) as solve:
    for number, _ in enumerate(long_solve.run(solve, workers)):
        if number == 30:
            os.kill(os.getpid(), signal.SIGKILL)
"""
"""A program that solves 5 x 5 and kills itself on the way."""


@pytest.fixture(autouse=True)
def small_budgets(monkeypatch: pytest.MonkeyPatch) -> None:
    """Split small boards too."""
    monkeypatch.setattr(solve_tree, "BUDGETS", BUDGETS)


@pytest.fixture
def here() -> Iterator[Workers]:
    with open_workers(0) as workers:
        yield workers


def solved(order: SolveOrder, workers: Workers, steps: int | None = None) -> tuple[int, int, int]:
    """Solve, or make only so many steps: the range of the score, and the number of steps."""
    number = 0
    with long_solve.solving(order, workers, table_mib=1) as solve:
        for number, _ in enumerate(long_solve.run(solve, workers), 1):
            if number == steps:
                break
        return solve.solution.low, solve.solution.high, number


@pytest.mark.parametrize("size", [(4, 5), (5, 4), (6, 4), (5, 5), (4, 8), (6, 5)])
def test_the_score_is_that_of_one_search(size: tuple[int, int], tmp_path: Path, here: Workers) -> None:
    score = Solver(book=False, table_mib=1).solve(Position(*size)).score
    order = SolveOrder(tmp_path / "a.solve", Position(*size))
    low, high, steps = solved(order, here)
    assert (low, high) == (score, score)
    assert steps == len(read_entries(order)) > len(BUDGETS)
    assert [path.name for path in tmp_path.iterdir()] == ["a.solve"]


@pytest.mark.parametrize("moves", ["4453", "1234567", "4444"])
def test_any_position_can_be_the_root(moves: str, tmp_path: Path, here: Workers) -> None:
    position = Position.from_moves(moves, width=7, height=4)
    score = Solver(book=False, table_mib=1).solve(position).score
    assert solved(SolveOrder(tmp_path / "a.solve", position), here)[:2] == (score, score)
    sign = solved(SolveOrder(tmp_path / "sign.solve", position, sign_only=True), here)
    assert (sign[0] > 0) - (sign[1] < 0) == (score > 0) - (score < 0)


def test_techniques_can_be_left_out(tmp_path: Path, here: Workers) -> None:
    order = SolveOrder(tmp_path / "a.solve", Position(5, 4), without=("evens", "order"))
    plain = SolveOrder(tmp_path / "b.solve", Position(5, 4))
    assert solved(order, here)[:2] == solved(plain, here)[:2] == (0, 0)
    assert read_entries(order) != read_entries(plain)
    assert solved(SolveOrder(order.path, order.position, without=("order", "evens")), here) == (0, 0, 0)


def test_two_processes_find_the_same_score(tmp_path: Path) -> None:
    with open_workers(2) as workers:
        assert solved(SolveOrder(tmp_path / "a.solve", Position(6, 5)), workers)[:2] == (0, 0)


# Going on


def asked(entries: list[FinishedSearch]) -> list[tuple[int, int, int]]:
    """What was asked: the position, the score, and how many searches of the position had failed before."""
    seen: dict[int, int] = {}
    questions = []
    for entry in entries:
        questions.append((entry.key, entry.asked, seen.get(entry.key, 0)))
        if entry.low < entry.asked <= entry.high:
            seen[entry.key] = seen.get(entry.key, 0) + 1
    return questions


def test_a_killed_solve_goes_on_and_solves_nothing_twice(tmp_path: Path, here: Workers) -> None:
    order = SolveOrder(tmp_path / "a.solve", Position(5, 5))
    killed = subprocess.run([sys.executable, "-c", KILLED, str(order.path)], check=False)
    assert killed.returncode == -signal.SIGKILL
    before = read_entries(order)
    assert len(before) == 31
    low, high, steps = solved(order, here)
    after = read_entries(order)
    assert (low, high) == (0, 0)
    assert after[:31] == before
    assert len(after) == 31 + steps
    assert len(set(asked(after))) == len(after)
    assert solved(order, here) == (0, 0, 0)


def test_the_real_command_goes_on_after_a_kill(tmp_path: Path) -> None:
    path = tmp_path / "long.solve"
    arguments = ["solve", "--size", "8x8", "--save", str(path), "--workers", "1", "--json"]
    process = subprocess.Popen([sys.executable, "-m", "outplay.cli", *arguments], stderr=subprocess.DEVNULL)
    try:
        while not path.exists() or len(path.read_bytes().split(b"\n")) < 3:
            assert process.poll() is None
    finally:
        process.kill()
        process.wait()
    order = SolveOrder(path, Position(8, 8))
    first = read_entries(order)
    assert first[0].nodes >= first[0].asked > 0
    with open_workers(0) as workers, long_solve.solving(order, workers, table_mib=1) as solve:
        assert solve.searches == len(first)
        assert solve.nodes == sum(entry.nodes for entry in first)
        assert not solve.is_solved


def test_a_torn_line_is_searched_again(tmp_path: Path, here: Workers) -> None:
    order = SolveOrder(tmp_path / "a.solve", Position(5, 5))
    solved(order, here, steps=9)
    content = order.path.read_bytes()
    for torn in (content[:-1], content[:-20], b"", order.header.encode()[:9], order.header.encode()):
        order.path.write_bytes(torn)
        assert solved(order, here)[:2] == (0, 0)
        assert order.path.read_text().startswith(f"{order.header}\n")


def test_a_solve_for_the_sign_goes_on_to_the_score(tmp_path: Path, here: Workers) -> None:
    sign = SolveOrder(tmp_path / "a.solve", Position.from_moves("12", width=6, height=5), sign_only=True)
    low, high, steps = solved(sign, here)
    assert low > 0
    assert low < high
    exact = SolveOrder(sign.path, sign.position)
    score = Solver(book=False).solve(sign.position).score
    assert solved(exact, here)[:2] == (score, score)
    assert len(read_entries(exact)) > steps


# Files and positions that are refused


def damaged(content: str) -> dict[str, str]:
    """The same file, each with another damage."""
    lines = content.splitlines(keepends=True)
    forged = f"{2**40} 1 1 3 100 5"
    return {
        "a digit": content.replace(lines[2], lines[2].replace(lines[2][0], "7", 1)),
        "a line lost": "".join([lines[0], *lines[4:]]),
        "text": f"{lines[0]}hello\n",
        "another position": f"{lines[0]}{forged} {zlib.crc32(forged.encode()):08x}\n",
    }


def test_a_damaged_file_is_refused(tmp_path: Path, here: Workers) -> None:
    order = SolveOrder(tmp_path / "a.solve", Position(5, 5))
    solved(order, here, steps=12)
    for what, text in damaged(order.path.read_text()).items():
        order.path.write_text(text)
        with pytest.raises(SolveFileError, match=r"line .* remove the file to start again"):
            solved(order, here)
        assert order.path.read_text() == text, what


def test_a_file_of_another_solve_is_refused(tmp_path: Path, here: Workers) -> None:
    path = tmp_path / "a.solve"
    solved(SolveOrder(path, Position(5, 4)), here)
    before = path.read_bytes()
    for other in (Position(4, 5), Position.from_moves("1", width=5, height=4)):
        with pytest.raises(SolveFileError, match=r"it begins with 'outplay solve 5x4 .*': name another file"):
            solved(SolveOrder(path, other), here)
    with pytest.raises(SolveFileError, match=r"it begins with 'outplay solve 5x4 .*', not with '.* -evens -order'"):
        solved(SolveOrder(path, Position(5, 4), without=("order", "evens")), here)  # not what these searches found
    path.write_bytes(b"\xff\x00 mine")
    with pytest.raises(SolveFileError, match="it begins with"):
        solved(SolveOrder(path, Position(5, 4)), here)
    assert path.read_bytes() == b"\xff\x00 mine" != before


def test_what_cannot_begin_is_refused_at_once(tmp_path: Path, here: Workers) -> None:
    order = SolveOrder(tmp_path / "a.solve", Position(5, 4))
    with locked(order.lock), pytest.raises(FolderLockedError):
        solved(order, here)
    with pytest.raises(SolveFileError, match="the folder of this file does not exist"):
        solved(SolveOrder(tmp_path / "none" / "a.solve", Position(5, 4)), here)
    with pytest.raises(GameOverError):
        solved(SolveOrder(tmp_path / "b.solve", Position.from_moves("1212121", width=5, height=4)), here)
    with pytest.raises(NoRoomError), long_solve.solving(order, here, table_mib=10**9):
        pass
    assert not order.path.exists()


# The tree


def test_mirror_images_and_transpositions_are_one_place() -> None:
    tree = SolveTree(Position(5, 4))
    for _ in BUDGETS:
        tree.learn(0, 1, *possible_scores(Position(5, 4)))
    assert len(tree) == 1 + 3
    with pytest.raises(KeyError):
        tree.learn(0, 1, 0, 0)  # it is no leaf any more
    left, right = (Position.from_moves(move, width=5, height=4) for move in "24")
    assert key_of(left) == key_of(right)


def test_several_leaves_are_searched_at_a_time() -> None:
    tree = SolveTree(Position(5, 4))
    assert tree.take() is not None
    assert tree.take() is None
    for _ in BUDGETS:
        tree.learn(0, 1, -9, 10)
    taken = [tree.take() for _ in range(4)]
    assert len({each.place.position.fen() for each in taken if each is not None}) == 3
    assert taken[3] is None
    assert tree.busy == 3


def test_the_root_learns_from_its_moves() -> None:
    tree = SolveTree(Position(5, 4))
    for _ in BUDGETS:
        tree.learn(0, 1, -9, 10)
    keys = [key_of(Position(5, 4).play(column)) for column in (2, 1, 0)]
    tree.learn(keys[0], 0, -10, -2)  # a move that wins at least with 2
    assert (tree.root.low, tree.root.high, tree.score) == (2, 9, 3)
    for key in keys:
        tree.learn(key, -2, -2, 10)
    assert (tree.root.low, tree.root.high, tree.score) == (2, 2, None)


def test_scores_of_finished_games_are_exact() -> None:
    assert possible_scores(Position.from_moves("1212121", width=5, height=4)) == (-7, -7)
    assert possible_scores(Position.from_moves("1234" * 2 + "2143" * 2, width=4, height=4)) == (0, 0)
    assert possible_scores(Position(5, 4)) == (-10, 10)


# The command


def test_the_command_answers_like_a_plain_solve(tmp_path: Path) -> None:
    path = str(tmp_path / "a.solve")
    found = answer("solve", "--size", "6x4", "--save", path, "--workers", "0")
    plain = answer("solve", "--size", "6x4", "--no-book", "--score-only")
    assert {key: found[key] for key in ("moves", "size", "score", "plies", "known_by")} == {
        key: plain[key] for key in ("moves", "size", "score", "plies", "known_by")
    }
    assert found["nodes"] == sum(entry.nodes for entry in read_entries(SolveOrder(Path(path), Position(6, 4))))
    assert answer("solve", "--size", "6x4", "--save", path) == found
    assert "Yellow wins in 12, solved: score -1" in run("solve", "--size", "6x4", "--save", path).stdout
    assert answer("solve", "--size", "6x4", "--save", path, "--win-only")["result"] == "loss"


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["--workers", "2"], "only for use with --save"),
        (["--cluster", "local"], "only for use with --save"),
        (["--save", "x", "--threads", "2"], "leave out"),
        (["--save", "x", "--why"], "leave out"),
        (["--save", "x", "--format", "gamesolver"], "leave out"),
        (["-", "--save", "x"], "leave out"),
        (["--save", "x", "--size", "3x4"], "3"),
        (["--save", "x", "--size", "65x6"], "65"),
        (["--without", "luck"], "luck"),
    ],
)
def test_options_that_do_not_go_together_are_refused(
    arguments: list[str], reason: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    position = [] if {"-", "--size"} & {*arguments} else ["44"]
    result = run("solve", *position, *arguments)
    assert result.exit_code != 0
    assert reason in f"{result.output}{result.exception}"
    assert not list(tmp_path.iterdir())


def test_a_foreign_file_is_told_in_json(tmp_path: Path) -> None:
    (tmp_path / "mine").write_text("mine")
    code, error = refusal("solve", "--size", "5x4", "--save", str(tmp_path / "mine"), "--workers", "0")
    assert (code, error["kind"]) == (10, "job")
    assert (tmp_path / "mine").read_text() == "mine"
