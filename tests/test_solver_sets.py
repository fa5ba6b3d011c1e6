"""Scores that others found: Pascal Pons's six sets of a thousand positions, and bitbully's."""

import os

import pytest

from bench.solver import read_set
from outplay.connect4 import Position, Solver
from tests.support.solver_positions import random_positions

SETS = {"L1_R1": 10, "L1_R2": 4, "L1_R3": 1, "L2_R1": 100, "L2_R2": 20, "L3_R1": 300}
"""Begin, middle and end of the game (L1 to L3); easy, medium and hard (R1 to R3): how many a quick test takes."""


@pytest.fixture(scope="module")
def solver() -> Solver:
    return Solver(book=False)


def positions_of(name: str) -> list[tuple[str, int]]:
    """Moves and scores of a set."""
    if not os.environ.get("OUTPLAY_CORPORA"):
        pytest.skip("OUTPLAY_CORPORA names no folder with the public corpora")
    return read_set(name, 1000)


def wrong(solver: Solver, positions: list[tuple[str, int]]) -> list[str]:
    return [moves for moves, score in positions if solver.solve(Position.from_moves(moves)).score != score]


@pytest.mark.parametrize("name", SETS)
def test_a_sample_of_each_set_has_its_scores(solver: Solver, name: str) -> None:
    positions = positions_of(name)
    step = len(positions) // SETS[name]
    assert wrong(solver, positions[step // 2 :: step]) == []


@pytest.mark.slow
@pytest.mark.parametrize("name", SETS)
def test_all_positions_of_a_set_have_their_scores(solver: Solver, name: str) -> None:
    positions = positions_of(name)
    assert len(positions) == 1000
    assert wrong(solver, positions) == []


@pytest.mark.slow
def test_random_positions_have_the_scores_that_bitbully_finds(solver: Solver) -> None:
    core = pytest.importorskip("bitbully.bitbully_core")
    peer = core.BitBullyCore()
    for position in random_positions(81, 2000, discs=range(14, 42)):
        rows = position.rows()
        board = core.BoardCore()
        assert board.setBoard([[rows[5 - row][column] for row in range(6)] for column in range(7)])
        assert solver.solve(position).score == peer.mtdf(board, 0), position.fen()
