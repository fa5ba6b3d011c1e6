"""The solver's shortcuts change the effort and never the score: against brute force, and each switched off.

Each position is asked about itself, so the bounds of core/solver/bounds.hpp are tried on every one of them before the
table or a search can answer; a bound that promises too much shows as a wrong score.
"""

from collections.abc import Sequence
from itertools import product

import pytest

from outplay.connect4 import Position, Solver
from tests.support.solver_positions import every_position, late_positions, random_positions

SMALL = ((5, 4), (4, 5), (5, 5), (6, 4), (4, 6), (5, 6), (6, 5), (7, 4), (4, 7), (7, 6))
"""Even and odd widths and heights, in all four combinations."""

WIDE = ((8, 8), (4, 20), (25, 4), (9, 7))
"""Boards that need more than 64 bits."""

SAVING = ("evens", "threats", "order")
"""Techniques that save nodes."""

TECHNIQUES = (*SAVING, "sprint")
"""All: the sprint takes more nodes, but cheaper ones."""


def combinations(techniques: Sequence[str]) -> list[dict[str, bool]]:
    """Each technique on and off, in every way."""
    switches = product((True, False), repeat=len(techniques))
    return [dict(zip(techniques, switch, strict=True)) for switch in switches]


def small_solver(**options: bool) -> Solver:
    return Solver(table_mib=1, book=False, **options)


def names(techniques: dict[str, bool]) -> str:
    return "+".join(name for name, is_on in techniques.items() if is_on) or "none"


# Brute force


@pytest.mark.parametrize("techniques", combinations(TECHNIQUES), ids=names)
def test_every_position_of_4x4_has_the_score_of_brute_force(
    techniques: dict[str, bool], all_of_4x4: list[tuple[Position, int]]
) -> None:
    solver = small_solver(**techniques)
    assert [p.fen() for p, score in all_of_4x4 if solver.solve(p).score != score] == []


@pytest.fixture(scope="module")
def all_of_4x4() -> list[tuple[Position, int]]:
    return list(every_position(Position(4, 4)))


@pytest.mark.slow
@pytest.mark.parametrize(("width", "height"), [(4, 5), (5, 4)])
def test_every_position_of_a_larger_board_has_the_score_of_brute_force(width: int, height: int) -> None:
    assert wrong(Position(width, height), small_solver()) == []


@pytest.mark.parametrize(("width", "height"), SMALL)
def test_late_positions_and_all_after_them_have_the_scores_of_brute_force(width: int, height: int) -> None:
    solver = small_solver()
    for position in late_positions(51, 15, width, height, empty=range(9, 13)):
        assert wrong(position, solver) == []


@pytest.mark.slow
@pytest.mark.parametrize(("width", "height"), SMALL)
def test_earlier_positions_and_all_after_them_have_the_scores_of_brute_force(width: int, height: int) -> None:
    solver = small_solver()
    for position in late_positions(52, 40, width, height, empty=range(13, 16)):
        assert wrong(position, solver) == []


@pytest.mark.parametrize(("width", "height"), WIDE)
def test_late_positions_of_wide_boards_have_the_scores_of_brute_force(width: int, height: int) -> None:
    solver = small_solver()
    for position in late_positions(53, 15, width, height, empty=range(1, 11)):
        assert wrong(position, solver) == []


def wrong(start: Position, solver: Solver) -> list[str]:
    """The positions that play from here can reach to which the solver gives another score than brute force."""
    return [position.fen() for position, score in every_position(start) if solver.solve(position).score != score]


# One technique switched off


@pytest.mark.parametrize("technique", TECHNIQUES)
@pytest.mark.parametrize(("width", "height"), [*SMALL, (8, 6), (6, 7), (8, 8)])
def test_without_a_technique_the_scores_are_the_same(width: int, height: int, technique: str) -> None:
    solver, without = small_solver(), small_solver(**{technique: False})
    for position in late_positions(54, 25, width, height, empty=range(8, 21)):
        assert without.solve(position).score == solver.solve(position).score, position.fen()


@pytest.mark.slow
@pytest.mark.parametrize("technique", TECHNIQUES)
def test_without_a_technique_the_scores_of_7x6_are_the_same(technique: str) -> None:
    solver, without = small_solver(), small_solver(**{technique: False})
    for position in random_positions(55, 400, discs=range(16, 30)):
        assert without.solve(position).score == solver.solve(position).score, position.fen()


def test_each_technique_saves_nodes() -> None:
    positions = random_positions(56, 20, discs=range(18, 21))
    efforts = {}
    for techniques in combinations(SAVING):
        solver = small_solver(**techniques)
        for position in positions:
            solver.clear()
            solver.solve(position)
        efforts[names(techniques)] = solver.nodes
    everything = efforts.pop("evens+threats+order")
    assert everything < min(efforts.values())
    assert max(efforts, key=lambda name: efforts[name]) == "none"


# The vector path and the plain one


SHAPES = [
    *((7, 6), (5, 5), (8, 7), (4, 15), (6, 4)),
    *((9, 6), (12, 4), (10, 5)),  # more than eight columns
    *((8, 8), (5, 12), (4, 20), (10, 6), (25, 4)),  # more than 64 bits
]


@pytest.mark.parametrize(("width", "height"), SHAPES)
def test_both_paths_take_the_same_nodes_to_the_same_score(width: int, height: int) -> None:
    vector, plain = small_solver(), small_solver(vector=False)
    if not vector.is_vector(Position(width, height)):
        pytest.skip("this machine has no vector path")
    assert not plain.is_vector(Position(width, height))
    for position in late_positions(57, 30, width, height, empty=range(12, 25)):
        ours, other = vector.solve(position), plain.solve(position)
        assert (ours.score, ours.nodes) == (other.score, other.nodes), position.fen()


@pytest.mark.parametrize(("width", "height"), SHAPES)
def test_both_paths_take_the_same_way_through_an_opening(width: int, height: int) -> None:
    vector, plain = small_solver(), small_solver(vector=False)
    if not vector.is_vector(Position(width, height)):
        pytest.skip("this machine has no vector path")
    for score in (1, 0, 3):
        ours = vector.compare(Position(width, height), score, nodes=30_000)
        other = plain.compare(Position(width, height), score, nodes=30_000)
        assert (ours.low, ours.high, ours.nodes) == (other.low, other.high, other.nodes)
    after = Position(width, height).play(width // 2)
    assert vector.solve(after, nodes=10_000).nodes == plain.solve(after, nodes=10_000).nodes


def test_the_vector_path_serves_every_size_or_none() -> None:
    solver = small_solver()
    assert len({solver.is_vector(Position(*shape)) for shape in SHAPES}) == 1
