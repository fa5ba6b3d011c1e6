"""The solver: what has been published about the game, its promises, and its limits."""

import subprocess
import sys
import threading
from typing import Any

import pytest

from bench.solver import signature
from outplay.connect4 import Book, NearScore, Position, Solution, Solver, UnsolvedError, plies_to_end
from outplay.errors import GameOverError
from tests.support.published import table
from tests.support.solver_positions import brute_force, late_positions, random_positions

SIGNATURE = 1_157_080
"""Nodes of the positions listed in bench/solver.py: `python -m bench.solver --signature` prints it."""

EMPTY_BOARD = [-2, -1, 0, 1, 0, -1, -2]
"""Column by column, as Pascal Pons's solver shows them on connect4.gamesolver.org."""

WINNERS = {(int(row["width"]), int(row["height"])): int(row["result"]) for row in table("connect4_winners.tsv")}
QUICK_SIZES = [
    size for size in WINNERS if size[0] == 4 or size in {(5, 4), (5, 5), (5, 6), (5, 7), (6, 4), (6, 5), (7, 4)}
]
SLOW_SIZES = [(8, 4), (9, 4), (7, 5), (8, 5), (6, 6), (7, 6), (6, 7), (5, 8)]
"""Boards that take less than a second, and seconds. The others take minutes to days."""


@pytest.fixture(scope="module")
def solver() -> Solver:
    return Solver(table_mib=4, book=False)


def result(score: int) -> int:
    return (score > 0) - (score < 0)


# Published


def test_the_first_player_wins_in_the_middle_column() -> None:
    assert Solver().scores(Position()) == EMPTY_BOARD


@pytest.mark.slow
def test_the_first_player_wins_in_the_middle_column_without_a_book() -> None:
    assert Solver(book=False).scores(Position()) == EMPTY_BOARD


@pytest.mark.parametrize(("moves", "score"), [("226744515337", 7), ("475772722323", 4)])
def test_two_positions_that_an_old_book_had_wrong(solver: Solver, moves: str, score: int) -> None:
    assert solver.solve(Position.from_moves(moves)).score == score


@pytest.mark.parametrize("size", QUICK_SIZES)
def test_who_wins_on_small_boards(solver: Solver, size: tuple[int, int]) -> None:
    assert solver.solve(Position(*size), sign_only=True).sign == WINNERS[size]


@pytest.mark.slow
@pytest.mark.parametrize("size", SLOW_SIZES)
def test_who_wins_on_middling_boards(size: tuple[int, int]) -> None:
    assert Solver(book=False).solve(Position(*size), sign_only=True).sign == WINNERS[size]


def test_the_search_has_not_changed() -> None:
    assert signature() == SIGNATURE


# Every column


def test_the_scores_of_the_columns_are_those_of_brute_force(solver: Solver) -> None:
    for width, height in ((4, 4), (5, 5), (6, 4), (7, 6)):
        for position in late_positions(61, 15, width, height, empty=range(1, 10)):
            assert solver.scores(position) == [brute_force_move(position, move) for move in range(width)]


def brute_force_move(position: Position, move: int) -> int | None:
    if move not in position.legal_moves():
        return None
    outcome = position.play(move).outcome()
    if outcome is None:
        return -brute_force(position.play(move))
    return 0 if outcome.winner is None else (position.width * position.height + 1 - position.plies) // 2


def test_the_best_column_has_the_score_of_the_position(solver: Solver) -> None:
    for position in random_positions(62, 30, discs=range(18, 42)):
        assert max(score for score in solver.scores(position) if score is not None) == solver.solve(position).score


def test_the_best_columns_are_named_from_the_centre(solver: Solver) -> None:
    for position in late_positions(3, 40, 7, 6, empty=range(4, 20)):
        scores = solver.scores(position)
        best, top = solver.best(position), max(score for score in scores if score is not None)
        assert set(best) == {column for column, score in enumerate(scores) if score == top}
        assert best == sorted(best, key=lambda column: (abs(2 * column - position.width + 1), column))


@pytest.mark.parametrize("plies", [1, 2, 5, 9])
def test_near_scores_are_the_scores_of_games_that_end_soon(solver: Solver, plies: int) -> None:
    seen = set()
    for position in late_positions(4, 60, 7, 6, empty=range(3, 20)):
        left = position.width * position.height - position.plies
        for score, near in zip(solver.scores(position), solver.near_scores(position, plies), strict=True):
            if score is None:
                assert near is None
                continue
            is_near = left <= plies if score == 0 else plies_to_end(position, score) <= plies
            assert near == NearScore(score if is_near else 0, is_near)
            seen.add((is_near, result(score)))
    assert {(True, 1), (False, 1), (False, -1)} <= seen


def test_a_mirrored_position_has_the_mirrored_scores(solver: Solver) -> None:
    for position in random_positions(63, 15, discs=range(18, 36)):
        assert solver.scores(position.mirror()) == solver.scores(position)[::-1]


# Who wins, and how long it takes


def test_the_sign_alone_is_the_sign_of_the_score(solver: Solver) -> None:
    positions = random_positions(64, 40, discs=range(14, 42)) + late_positions(64, 20, 8, 8, empty=range(1, 22))
    for position in positions:
        solution = solver.solve(position, sign_only=True)
        score = solver.solve(position).score
        assert solution.sign == result(score)
        assert solution.low <= score <= solution.high


def test_the_sign_alone_takes_fewer_nodes() -> None:
    efforts = {}
    for sign_only in (True, False):
        solver = Solver(table_mib=4, book=False)
        for position in random_positions(65, 10, discs=range(14, 17)):
            solver.clear()
            solver.solve(position, sign_only=sign_only)
        efforts[sign_only] = solver.nodes
    assert efforts[True] < efforts[False]


def test_a_growing_table_forgets_nothing_and_a_cleared_one_all() -> None:
    solver = Solver(table_mib=16, book=False)
    position = random_positions(67, 1, discs=range(9, 10))[0]
    first = solver.solve(position)
    assert first.nodes > 100_000  # enough for the table to grow several times
    assert solver.solve(position).nodes < first.nodes / 100
    solver.clear()
    assert solver.solve(position).nodes == first.nodes


def test_a_score_tells_when_the_winning_disc_is_dropped() -> None:
    for width, height in ((7, 6), (5, 5), (8, 8)):
        cells = width * height
        for position in late_positions(66, 12, width, height, empty=range(1, cells + 1)):
            discs = position.plies
            for last in range(discs, cells):  # discs on the board when the winning one is dropped
                score = (cells + 1 - last) // 2 * (1 if (last - discs) % 2 == 0 else -1)
                assert plies_to_end(position, score) == last + 1 - discs
            assert plies_to_end(position, 0) == cells - discs


# The line of best play


@pytest.mark.parametrize(("width", "height"), [(7, 6), (5, 5), (6, 4), (4, 7), (8, 8)])
def test_best_play_keeps_the_score_and_ends_when_promised(solver: Solver, width: int, height: int) -> None:
    for position in late_positions(67, 8, width, height, empty=range(1, 23)):
        solution = solver.solve(position)
        score, line = solution.score, solver.line(position)
        assert len(line) == solution.plies
        for move in line:
            assert solver.move_score(position, move) == score
            position, score = position.play(move), -score
        outcome = position.outcome()
        assert outcome is not None
        assert (outcome.winner is None) == (score == 0)


def test_a_line_can_be_cut_short(solver: Solver) -> None:
    position = random_positions(68, 1, discs=range(20, 21))[0]
    assert solver.line(position, most=3) == solver.line(position)[:3]
    assert solver.line(position, most=0) == []


# The book


def test_a_position_of_the_book_takes_no_search() -> None:
    solution = Solver().solve(Position.from_moves("44"))
    assert (solution.known_by, solution.nodes) == ("book", 0)


def test_the_book_answers_as_the_search_does() -> None:
    searching = Solver(table_mib=4, book=False)
    scores = [searching.solve(position).score for position in Book.positions(4, width=5, height=4)]
    book = Book.from_scores(4, scores, width=5, height=4)
    asking = Solver(table_mib=4, book=book)
    for plies in range(5):
        for position in Book.positions(plies, width=5, height=4):
            solution = asking.solve(position)
            assert (solution.known_by, solution.score) == ("book", searching.solve(position).score)
            assert len(asking.line(position)) == solution.plies


# Threads


def test_two_threads_find_the_same_scores() -> None:
    one, two = Solver(table_mib=4, book=False), Solver(table_mib=4, book=False, threads=2)
    hard = [*random_positions(69, 6, discs=range(11, 14)), Position(6, 5), Position(7, 4)]
    easy = random_positions(70, 30, discs=range(16, 42)) + late_positions(70, 10, 8, 8, empty=range(1, 22))
    for position in hard + easy:
        assert two.solve(position).score == one.solve(position).score, position.fen()


def test_threads_may_ask_the_same_solver(solver: Solver) -> None:
    positions = random_positions(71, 40, discs=range(16, 30))
    expected = [solver.solve(position).score for position in positions]
    found: dict[int, list[int]] = {}

    def ask(number: int) -> None:
        found[number] = [solver.solve(position).score for position in positions]

    threads = [threading.Thread(target=ask, args=(number,)) for number in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert list(found.values()) == [expected] * 3


# Limits


@pytest.mark.parametrize("nodes", [1, 1000, 25_000, 200_000])
def test_a_node_limit_leaves_a_range_that_holds_the_score(nodes: int) -> None:
    solution = Solver(table_mib=4, book=False).solve(Position(), nodes=nodes)
    assert solution.low <= max(EMPTY_BOARD) <= solution.high
    assert solution.nodes < nodes + 5000
    assert_unsolved(solution)


def test_a_time_limit_leaves_a_range_that_holds_the_score(solver: Solver) -> None:
    assert_unsolved(solver.solve(Position(8, 8), time_ms=30))


def assert_unsolved(solution: Solution) -> None:
    assert not solution.is_exact
    assert solution.plies is None
    with pytest.raises(UnsolvedError, match=f"from {solution.low} to {solution.high}") as error:
        _ = solution.score
    assert (error.value.low, error.value.high) == (solution.low, solution.high)


def test_a_range_on_one_side_of_zero_has_a_sign() -> None:
    assert Solution(1, 7, None, "solved", 0, 0.0).sign == 1
    assert Solution(-7, -1, None, "solved", 0, 0.0).sign == -1
    assert Solution(0, 0, None, "solved", 0, 0.0).sign == 0
    for low, high in ((0, 3), (-3, 0), (-3, 3)):
        with pytest.raises(UnsolvedError):
            _ = Solution(low, high, None, "solved", 0, 0.0).sign


def test_a_search_that_was_cut_off_can_be_taken_up_again(solver: Solver) -> None:
    position = random_positions(72, 1, discs=range(12, 13))[0]
    expected = Solver(table_mib=4, book=False).solve(position).score
    for _ in range(3):
        solution = solver.solve(position, nodes=3000)
        assert solution.low <= expected <= solution.high
    assert solver.solve(position).score == expected


@pytest.mark.parametrize("threads", [1, 2])
def test_stop_ends_the_search_of_another_thread(threads: int) -> None:
    solver, found = Solver(table_mib=4, book=False, threads=threads), list[Solution]()
    thread = threading.Thread(target=lambda: found.append(solver.solve(Position(8, 8), time_ms=60_000)))
    thread.start()
    while thread.is_alive():
        solver.stop()
        thread.join(0.02)
    assert_unsolved(found[0])
    assert found[0].seconds < 30
    assert solver.solve(Position(4, 4)).score == 0  # and it goes on working


def test_stop_ends_the_scores_of_another_thread() -> None:
    solver, raised = Solver(table_mib=4, book=False), list[UnsolvedError]()

    def ask() -> None:
        with pytest.raises(UnsolvedError) as caught:
            solver.scores(Position(8, 8))
        raised.append(caught.value)

    thread = threading.Thread(target=ask)
    thread.start()
    while thread.is_alive():
        solver.stop()
        thread.join(0.02)
    assert raised[0].low < raised[0].high
    assert solver.nodes > 0
    assert solver.scores(Position(4, 4)) == [0, 0, 0, 0]  # and it goes on working


def test_scores_are_those_of_the_positions_after_each_move(solver: Solver) -> None:
    boards = random_positions(73, 30, discs=range(12, 40)) + late_positions(74, 30, 7, 6, empty=range(1, 6))
    for position in boards:
        after = [solver.move_score(position, move) for move in position.legal_moves()]
        assert [score for score in solver.scores(position) if score is not None] == after
        assert [move for move, score in enumerate(solver.scores(position)) if score is not None] == (
            position.legal_moves()
        )


def test_a_search_tells_how_far_it_has_come(solver: Solver) -> None:
    told: list[tuple[int, int, int]] = []
    solver.solve(Position(8, 8), time_ms=800, progress=lambda low, high, nodes: told.append((low, high, nodes)))
    assert told
    assert all(low <= high for low, high, _ in told)
    assert sorted(nodes for _, _, nodes in told) == [nodes for _, _, nodes in told]


def test_an_error_in_the_progress_call_ends_the_search_and_comes_out(solver: Solver) -> None:
    def fail(low: int, high: int, nodes: int) -> None:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        solver.solve(Position(8, 8), time_ms=60_000, progress=fail)


def test_ctrl_c_ends_a_search() -> None:
    script = (
        "import os, signal, threading\n"
        "from outplay.connect4 import Position, Solver\n"
        "solver = Solver(table_mib=4, book=False)\n"
        "try:\n"
        "    threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT)).start()\n"
        "    solver.solve(Position(8, 8))\n"
        "except KeyboardInterrupt:\n    print('interrupted')\n"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=60)
    assert done.stdout == "interrupted\n", done.stderr


# What makes no sense


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"table_mib": 0}, "table_mib must be from 1"),
        ({"table_mib": -1}, "table_mib must be from 1"),
        ({"threads": 0}, "threads must be from 1"),
        ({"threads": 100_000}, "threads must be from 1 to 256"),
    ],
)
def test_a_solver_without_a_table_or_a_thread_is_refused(options: dict[str, int], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Solver(book=False, **options)  # type: ignore[arg-type]


@pytest.mark.parametrize("book", ["my.deep", None, 1])
def test_a_book_that_is_none_is_refused(book: Any) -> None:
    with pytest.raises(TypeError, match="book must be True, False, a Book or a DeepBook"):
        Solver(book=book)  # it used to solve without a book


@pytest.mark.parametrize("limit", [{"nodes": 0}, {"nodes": -1}, {"time_ms": 0}, {"time_ms": -5}])
def test_a_limit_that_is_not_positive_is_refused(solver: Solver, limit: dict[str, int]) -> None:
    with pytest.raises(ValueError, match="must be from 1 to"):
        solver.solve(Position(), **limit)  # type: ignore[arg-type]


def test_a_finished_game_is_refused(solver: Solver) -> None:
    full = late_positions(73, 1, 4, 4, empty=range(1, 2))[0]
    for over in (Position.from_moves("1212121"), full.play(full.legal_moves()[0])):
        assert over.outcome() is not None
        with pytest.raises(GameOverError):
            solver.solve(over)
        with pytest.raises(GameOverError):
            solver.line(over)


# How it is known


def test_near_scores_want_at_least_one_ply_and_a_game_that_goes_on(solver: Solver) -> None:
    with pytest.raises(ValueError, match="plies must be positive, not 0"):
        solver.near_scores(Position(), 0)
    with pytest.raises(TypeError, match=r"plies must be an integer, not 1\.5"):
        solver.near_scores(Position(), 1.5)  # type: ignore[arg-type]
    with pytest.raises(GameOverError):
        solver.near_scores(Position.from_moves("1212121"), 4)


def test_only_an_answered_question_is_called_solved() -> None:
    solver = Solver(table_mib=1, book=False)
    hard = Position.from_moves("44")
    stopped = solver.solve(hard, nodes=1000)
    assert (stopped.is_exact, stopped.known_by) == (False, "search")
    assert (stopped.plies, solver.solve(hard, sign_only=True, nodes=1000).known_by) == (None, "search")
    easy = Position.from_moves("121212")
    assert (solver.solve(easy).known_by, solver.solve(easy, sign_only=True).known_by) == ("solved", "solved")
    assert Solver(table_mib=1).solve(hard, nodes=1).known_by == "book"


def test_best_play_that_is_stopped_in_a_lost_position_names_the_range_upwards(monkeypatch: pytest.MonkeyPatch) -> None:
    solver = Solver(table_mib=4, book=False)
    assert solver.solve(Position(6, 4)).score < 0
    monkeypatch.setattr(solver, "_is_worth", lambda *asked: None)  # as if stop() came between two searches
    with pytest.raises(UnsolvedError) as caught:
        solver.line(Position(6, 4))
    assert caught.value.low < 0 < caught.value.high


def test_a_progress_function_cannot_ask_the_same_solver() -> None:
    solver = Solver(table_mib=4, book=False)

    def ask(*found: int) -> None:
        solver.solve(Position())

    with pytest.raises(RuntimeError, match="needs another solver"):
        solver.solve(Position(), progress=lambda *_: solver.clear())
    with pytest.raises(RuntimeError, match="needs another solver"):
        solver.solve(Position(), progress=ask)
    late = Position.from_moves("4453123")
    assert solver.solve(late).score == Solver(table_mib=4, book=False).solve(late).score
