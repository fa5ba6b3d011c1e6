"""Batches that solvers, endgame tables and searchers answer: each answer is that of the single call."""

from __future__ import annotations

import threading
from time import perf_counter

import numpy as np
import pytest

from outplay import checkers, connect4
from outplay.checkers import Searcher
from outplay.connect4 import NO_SCORE, Solver
from outplay.tablebase import NO_VALUE, Tablebase, Value
from tests.oracle import connect4 as oracle
from tests.oracle.scores import Scores

VALUES = {Value.LOSS: -1, Value.DRAW: 0, Value.WIN: 1}
FOREVER = 3 * 60


@pytest.fixture(scope="module")
def positions() -> connect4.Positions:
    return connect4.Positions.random(60, plies=(4, 40), seed=1)


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("book", [True, False])
def test_a_batch_is_solved_like_its_positions(positions: connect4.Positions, threads: int, book: bool) -> None:
    some = positions if book else positions[positions.plies() > 14]
    solver, single = Solver(book=book), Solver()
    scores = solver.solve_many(some, threads=threads)
    assert scores.dtype == np.int8
    assert scores.tolist() == [single.solve(position).score for position in some]
    assert solver.nodes > 0
    signs = solver.solve_many(some, threads=threads, sign_only=True)
    assert signs.tolist() == np.sign(scores).tolist()


@pytest.mark.parametrize("threads", [1, 2])
def test_the_columns_of_a_batch_are_those_of_its_positions(positions: connect4.Positions, threads: int) -> None:
    solver = Solver()
    scores = solver.scores_many(positions, threads=threads)
    expected = [[NO_SCORE if score is None else score for score in solver.scores(p)] for p in positions]
    assert scores.tolist() == expected


def test_batches_of_small_boards_agree_with_the_oracle() -> None:
    batch = connect4.Positions.random(200, plies=(4, 16), seed=3, width=4, height=4)
    known = Scores(4, 4)
    goes_on = [position.outcome() is None for position in batch]
    assert not all(goes_on)
    expected = [
        known.of(oracle.from_fen(position.fen())) if plays else NO_SCORE
        for position, plays in zip(batch, goes_on, strict=True)
    ]
    assert Solver().solve_many(batch).tolist() == expected


@pytest.mark.parametrize(("width", "height"), [(5, 5), (8, 8), (10, 10)])
def test_other_boards_are_solved_in_batches_too(width: int, height: int) -> None:
    cells = width * height
    batch = connect4.Positions.random(10, plies=(cells - 12, cells - 1), seed=1, width=width, height=height)
    solver = Solver()
    assert solver.solve_many(batch).tolist() == [solver.solve(position).score for position in batch]
    assert solver.scores_many(batch).shape == (10, width)


def test_finished_games_have_no_score() -> None:
    batch = connect4.Positions.from_moves(["1212121", "4444444"[:6]])
    scores = Solver().solve_many(batch)
    assert scores[0] == NO_SCORE
    assert scores[1] != NO_SCORE
    assert (Solver().scores_many(batch)[0] == NO_SCORE).all()


def test_nodes_limit_each_position() -> None:
    batch = connect4.Positions.random(30, plies=15, seed=2)
    solver = Solver(book=False)
    few = solver.solve_many(batch, nodes=1000)
    assert (few == NO_SCORE).any()
    exact = Solver().solve_many(batch)
    is_known = few != NO_SCORE
    assert few[is_known].tolist() == exact[is_known].tolist()


NO_GAME = [
    [0, 0, 0, 0, 0, 0, 0],
    [0, 0, 0, 0, 0, 0, 0],
    [0, 0, 0, 0, 0, 0, 0],
    [0, 0, 0, 0, 0, 0, 0],
    [0, 1, 1, 1, 2, 1, 1],
    [0, 2, 2, 2, 1, 2, 2],
]  # every column but one begins with the second player's disc


def test_the_books_are_never_asked_about_positions_that_nobody_checked() -> None:
    solver = Solver()
    batch = connect4.Positions.from_rows([NO_GAME], check=False)
    scores = solver.solve_many(batch)
    assert solver.nodes > 0
    assert scores.tolist() == Solver(book=False).solve_many(batch).tolist()
    columns = solver.scores_many(batch)
    assert columns.tolist() == Solver(book=False).scores_many(batch).tolist()
    assert columns.max() == scores[0]


def test_progress_ends_with_all_positions(positions: connect4.Positions) -> None:
    reports: list[tuple[int, int]] = []
    Solver().solve_many(positions, progress=lambda done, count: reports.append((done, count)))
    assert reports[-1] == (len(positions), len(positions))
    assert reports == sorted(reports)


def test_an_error_in_progress_ends_a_batch() -> None:
    batch = connect4.Positions.start(1)

    def fail(done: int, count: int) -> None:
        raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        Solver(book=False).solve_many(batch, progress=fail)


def test_stop_ends_a_batch_with_what_is_known() -> None:
    solver = Solver(book=False)
    timer = threading.Timer(0.2, solver.stop)
    timer.start()
    started = perf_counter()
    scores = solver.solve_many(connect4.Positions.random(10_000, plies=(2, 4), seed=1), threads=2)
    timer.join()
    assert perf_counter() - started < FOREVER
    assert (scores == NO_SCORE).any()


@pytest.fixture(scope="module")
def endings() -> checkers.Positions:
    return checkers.Positions.random(1500, pieces=(2, 5), seed=1)


@pytest.mark.parametrize("threads", [1, 2])
def test_tables_answer_a_batch_like_its_positions(endings: checkers.Positions, threads: int) -> None:
    with Tablebase.open() as tablebase:
        found = tablebase.probe_many(endings, threads=threads)
        verdicts = tablebase.get_all(endings)
    assert None in verdicts
    assert found.values.tolist() == [VALUES[v.value] if v else NO_VALUE for v in verdicts]
    assert found.distances.tolist() == [-1 if v is None or v.distance is None else v.distance for v in verdicts]


def test_a_jump_in_the_middle_is_no_question_for_tables_or_searchers() -> None:
    position = checkers.Position.from_fen("B:W6,14:B1")
    actions = checkers.actions_of(position, position.legal_moves()[0])
    middle = checkers.Positions([position]).play(actions[:1])
    with Tablebase.open() as tablebase, pytest.raises(ValueError, match="in the middle of a jump"):
        tablebase.probe_many(middle)
    with pytest.raises(ValueError, match="in the middle of a jump"):
        Searcher().analyse_many(middle, nodes=100)


def test_a_batch_is_searched_like_its_positions_each_alone() -> None:
    batch = checkers.Positions.random(20, seed=1)
    searcher = Searcher(table_mib=1)
    scores, actions, depths = searcher.analyse_many(batch, nodes=2000)
    for position, score, action, depth in zip(batch, scores, actions, depths, strict=True):
        searcher.clear()
        found = searcher.analyse(position, nodes=2000)
        assert (score, depth) == (found.lines[0].score, found.depth)
        assert action == checkers.actions_of(position, found.lines[0].move)[0]


def test_searches_of_a_batch_do_not_depend_on_threads() -> None:
    batch = checkers.Positions.random(40, seed=2)
    one = Searcher().analyse_many(batch, nodes=3000)
    two = Searcher(table_mib=16).analyse_many(batch, nodes=3000, threads=2)
    assert np.column_stack(one).tolist() == np.column_stack(two).tolist()


def test_a_search_of_a_batch_needs_a_limit_and_passes_finished_games_over() -> None:
    over = checkers.Positions.from_fens(["B:W18:B", "B:W32:B1"])
    with pytest.raises(ValueError, match="give nodes or depth"):
        Searcher().analyse_many(over)
    scores, actions, depths = Searcher().analyse_many(over, depth=3)
    assert (scores[0], actions[0], depths[0]) == (-32768, -1, 0)
    assert actions[1] >= 0
