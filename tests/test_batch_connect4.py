"""Batches of Connect Four positions: every answer is that of the single positions, and of the oracle."""

from __future__ import annotations

import pickle
import sys
import threading
import time
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from outplay import checkers, connect4
from outplay.connect4 import Position, Positions, VectorGames
from outplay.errors import GameOverError, IllegalMoveError, IllegalPositionError
from outplay.outcome import Side
from tests.oracle import connect4 as oracle
from tests.support.positions import CONNECT4_SIZES, connect4_moves, random_connect4_matrices, random_connect4_moves

GOES_ON, FIRST_WON, SECOND_WON, DRAWN = range(4)


def singles(seed: int, width: int, height: int, count: int = 40) -> list[Position]:
    """Positions of random games, finished ones among them."""
    moves = random_connect4_moves(seed, count, width, height)
    return [Position.from_moves(text, width, height) for text in moves]


def outcome_number(position: Position) -> int:
    outcome = position.outcome()
    if outcome is None:
        return GOES_ON
    return DRAWN if outcome.winner is None else FIRST_WON + outcome.winner


def planes_of(position: Position) -> list[list[list[int]]]:
    own = 1 if position.side == Side.FIRST else 2
    rows = position.rows(first=1)
    return [[[int(cell == disc) for cell in row] for row in rows] for disc in (own, 3 - own)]


def whole(words: np.ndarray[tuple[int, ...], np.dtype[np.uint64]]) -> list[int]:
    """Bitboards as Python's numbers, of 64 bits or two halves."""
    if words.ndim == 1:
        return [int(word) for word in words]
    return [int(low) | int(high) << 64 for low, high in words]


@pytest.mark.parametrize(("width", "height"), CONNECT4_SIZES)
def test_a_batch_says_what_its_positions_say(width: int, height: int) -> None:
    positions = singles(1, width, height)
    batch = Positions(positions)
    assert list(batch) == positions
    assert (len(batch), batch.width, batch.height, batch.is_reachable) == (len(positions), width, height, True)
    assert whole(batch.own) == [position.own for position in positions]
    assert whole(batch.mask) == [position.own | position.other for position in positions]
    assert whole(batch.keys()) == [position.key for position in positions]
    assert batch.plies().tolist() == [position.plies for position in positions]
    assert batch.sides().tolist() == [position.side for position in positions]
    assert batch.rows().tolist() == [position.rows() for position in positions]
    assert batch.outcomes().tolist() == [outcome_number(position) for position in positions]
    assert [np.flatnonzero(row).tolist() for row in batch.legal_mask()] == [p.legal_moves() for p in positions]
    assert list(batch.mirror()) == [position.mirror() for position in positions]
    assert batch.planes().tolist() == [planes_of(position) for position in positions]


@pytest.mark.parametrize(("width", "height"), CONNECT4_SIZES)
def test_a_batch_is_played_like_its_positions(width: int, height: int) -> None:
    positions = [position for position in singles(2, width, height, 120) if position.outcome() is None]
    moves = [position.legal_moves()[index % len(position.legal_moves())] for index, position in enumerate(positions)]
    after = Positions(positions).play(moves)
    assert list(after) == [position.play(move) for position, move in zip(positions, moves, strict=True)]


@given(st.lists(connect4_moves(), max_size=6))
@settings(max_examples=60)
def test_a_batch_agrees_with_the_oracle(texts: list[str]) -> None:
    batch = Positions.from_moves(texts)
    boards = [oracle.from_moves(text) for text in texts]
    assert batch.rows().tolist() == [oracle.numbered_rows(rows) for rows in boards]
    assert [np.flatnonzero(row).tolist() for row in batch.legal_mask()] == [oracle.legal_moves(b) for b in boards]
    outcomes = [oracle.outcome(rows) for rows in boards]
    assert [number != GOES_ON for number in batch.outcomes()] == [outcome is not None for outcome in outcomes]


@pytest.mark.parametrize(("width", "height"), CONNECT4_SIZES)
def test_a_batch_survives_moves_rows_keys_bitboards_and_pickle(width: int, height: int) -> None:
    texts = random_connect4_moves(3, 30, width, height)
    batch = Positions.from_moves(texts, width=width, height=height)
    assert list(batch) == [Position.from_moves(text, width, height) for text in texts]
    assert Positions.from_keys(batch.keys(), width=width, height=height) == batch
    assert Positions.from_bitboards(batch.own, batch.mask, width=width, height=height) == batch
    assert Positions.from_rows(batch.rows()) == batch
    assert Positions.from_rows((3 - batch.rows()) % 3, first=2) == batch
    assert pickle.loads(pickle.dumps(batch)) == batch


@pytest.mark.parametrize(("width", "height"), [(7, 6), (5, 4), (10, 10)])
def test_rows_are_refused_exactly_if_no_game_leads_there(width: int, height: int) -> None:
    matrices = random_connect4_matrices(4, 150, width, height)
    is_good = [not oracle.problems(matrix) for matrix in matrices]
    assert any(is_good)
    assert not all(is_good)
    for matrix, is_fine in zip(matrices, is_good, strict=True):
        if is_fine:
            assert Positions.from_rows([matrix])[0] == Position.from_rows(matrix)
        else:
            with pytest.raises(IllegalPositionError, match="position 0 of the batch"):
                Positions.from_rows([matrix])


@pytest.mark.parametrize(("row", "cell"), [(3, 1), (5, 7)])
def test_errors_about_rows_are_those_of_a_single_position(row: int, cell: int) -> None:
    rows = [[0] * 7 for _ in range(6)]
    rows[row][2] = cell
    with pytest.raises(IllegalPositionError, match=f"row {row}, column 2") as single:
        Position.from_rows(rows)
    with pytest.raises(IllegalPositionError) as batch:
        Positions.from_rows([rows])
    assert batch.value.reasons == tuple(f"position 0 of the batch: {reason}" for reason in single.value.reasons)
    with pytest.raises(IllegalPositionError, match="the first side began and has 2 discs, the second side has 0"):
        Positions.from_bitboards([0b10000001], [0b10000001])


NO_ORDER = [[0] * 4, [0] * 4, [1, 0, 0, 0], [2, 0, 0, 0]]  # the second player's disc lies below the first's


def test_unchecked_positions_are_marked_and_stay_so() -> None:
    with pytest.raises(IllegalPositionError, match="no order of alternating drops"):
        Positions.from_rows([NO_ORDER])
    batch = Positions.from_rows([NO_ORDER], check=False)
    assert not batch.is_reachable
    assert not batch.play([1]).is_reachable
    assert not batch.mirror().is_reachable
    assert not batch[:1].is_reachable
    assert not pickle.loads(pickle.dumps(batch)).is_reachable
    with pytest.raises(ValueError, match="check=False"):
        batch[0]


def test_what_cannot_be_is_refused_even_unchecked() -> None:
    for rows in ([[1, 0, 0, 0], *[[0] * 4] * 3], [*[[0] * 4] * 3, [1, 1, 0, 0]], [*[[0] * 4] * 3, [3, 0, 0, 0]]):
        with pytest.raises(IllegalPositionError):
            Positions.from_rows([rows], check=False)
    with pytest.raises(IllegalPositionError):
        Positions.from_bitboards([1 << 60], [1 << 60], check=False)
    with pytest.raises(IllegalPositionError, match="key 1 is not a position"):
        Positions.from_keys([0, 2**63], check=False)


def test_an_illegal_action_is_named_with_its_place_and_changes_nothing() -> None:
    batch = Positions.from_moves(["", "444444"])
    with pytest.raises(IllegalMoveError, match=r"column 3 is full \(position 1 of the batch\)"):
        batch.play([3, 3])
    with pytest.raises(IllegalMoveError, match=r"the board has columns 0 to 6 \(position 0 of the batch\)"):
        batch.play([7, 0])
    with pytest.raises(GameOverError, match="position 0 of the batch"):
        Positions.from_moves(["1212121"]).play([3])
    with pytest.raises(ValueError, match="actions must be an array of 2 numbers, not 3"):
        batch.play([0, 0, 0])
    with pytest.raises(TypeError, match="actions must be an array of whole numbers"):
        batch.play([0.5, 1])


def test_members_are_chosen_by_slice_numbers_and_mask() -> None:
    batch = Positions.random(20, seed=1)
    positions = list(batch)
    assert list(batch[3:9:2]) == positions[3:9:2]
    assert list(batch[[4, -1, 4]]) == [positions[4], positions[-1], positions[4]]
    assert list(batch[batch.sides() == 1]) == [position for position in positions if position.side == Side.SECOND]
    assert batch[-1] == positions[-1]
    with pytest.raises(IndexError):
        batch[20]


def test_bitboards_are_views_that_outlive_their_batch() -> None:
    batch = Positions.random(10, seed=1)
    own, keys = batch.own, batch.keys()
    assert not own.flags.writeable
    assert own.__array_interface__["data"] == batch.own.__array_interface__["data"]
    expected = own.tolist()
    del batch
    assert own.tolist() == expected
    assert len(keys) == 10


@pytest.mark.parametrize("dtype", ["int8", "float32"])
@pytest.mark.parametrize("channels", ["first", "last"])
@pytest.mark.parametrize(("width", "height"), [(7, 6), (6, 5), (9, 7)])
def test_planes_of_every_type_and_order_say_the_same(width: int, height: int, channels: str, dtype: str) -> None:
    batch = Positions.random(50, seed=5, width=width, height=height)
    planes = batch.planes(dtype=dtype, channels=channels)
    assert planes.dtype == dtype
    first = planes if channels == "first" else planes.transpose(0, 3, 1, 2)
    assert first.tolist() == [planes_of(position) for position in batch]
    out = np.full_like(planes, 9)
    assert batch.planes(dtype=dtype, channels=channels, out=out) is out
    assert (out == planes).all()
    with pytest.raises(ValueError, match="out must be an array of"):
        batch.planes(dtype=dtype, channels=channels, out=out[:3].copy())


@pytest.mark.parametrize("batch", [Positions.start(2), checkers.Positions.start(2)], ids=["connect4", "checkers"])
def test_the_type_of_planes_is_a_name_or_a_type_of_numpy(batch: Positions | checkers.Positions) -> None:
    for dtype in ("float32", np.float32, np.dtype("float32"), "int8", np.int8):
        planes = batch.planes(dtype=dtype)
        assert planes.dtype == np.dtype(dtype)
        assert (planes == batch.planes()).all()
    for wrong in ("float64", "no type", np.float64, None, 3):
        with pytest.raises(ValueError, match="dtype must be int8 or float32, not "):
            batch.planes(dtype=wrong)  # type: ignore[arg-type]


def test_random_positions_are_the_same_for_a_seed_whatever_the_threads() -> None:
    batch = Positions.random(3000, seed=7)
    assert Positions.random(3000, seed=7, threads=2) == batch
    assert Positions.random(100, seed=7) == batch[:100]
    assert Positions.random(3000, seed=8) != batch
    assert Positions.random(50) != Positions.random(50)


def test_random_positions_keep_what_was_asked_for() -> None:
    batch = Positions.random(2000, plies=(8, 24), seed=1)
    assert set(batch.plies().tolist()) == set(range(8, 25))
    assert not batch.outcomes().any()
    assert Positions.from_keys(batch.keys()) == batch, "games lead to all of them"
    assert set(Positions.random(100, plies=10, seed=1).plies().tolist()) == {10}
    quiet = Positions.random(500, plies=(20, 30), no_immediate_win=True, seed=1)
    for position in quiet:
        assert all(position.play(move).is_win(position.side) is False for move in position.legal_moves())
    by_play = Positions.random(2000, seed=1)
    assert not by_play.outcomes().any()
    assert set(range(20)) <= set(by_play.plies().tolist())


def test_positions_that_cannot_be_found_are_an_error() -> None:
    with pytest.raises(ValueError, match="plies must be from 0 to 42"):
        Positions.random(1, plies=43)
    with pytest.raises(ValueError, match=r"plies must be the smaller number and then the larger one, not \(9, 3\)"):
        Positions.random(1, plies=(9, 3))


def test_without_numpy_a_batch_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    batch = Positions.start(3)
    monkeypatch.setitem(sys.modules, "numpy", None)
    for ask in (lambda: batch.own, batch.planes, batch.legal_mask, lambda: batch.play([0, 0, 0])):
        with pytest.raises(ModuleNotFoundError, match=r"NumPy is not installed: pip install 'outplay\[numpy\]'"):
            ask()


# Many games in step


@pytest.mark.parametrize(("width", "height"), [(7, 6), (4, 4), (9, 7), (8, 8)])
def test_vector_games_are_played_like_single_games(width: int, height: int) -> None:
    count = 13
    games = VectorGames(count, width=width, height=height)
    games.seed(5)
    positions = [Position(width, height)] * count
    finished = 0
    for _ in range(3 * width * height):
        assert list(games.positions()) == positions
        assert games.planes.tolist() == [planes_of(position) for position in positions]
        assert [np.flatnonzero(row).tolist() for row in games.masks] == [p.legal_moves() for p in positions]
        actions = games.random_actions()
        games.step(actions)
        after = [position.play(int(action)) for position, action in zip(positions, actions, strict=True)]
        outcomes = [position.outcome() for position in after]
        assert games.finished.tolist() == [outcome is not None for outcome in outcomes]
        assert games.rewards.tolist() == [
            float(outcome is not None and outcome.winner is not None) for outcome in outcomes
        ]
        finished += int(games.finished.sum())
        start = Position(width, height)
        positions = [start if outcome else p for p, outcome in zip(after, outcomes, strict=True)]
    assert finished > count


def test_vector_games_write_to_the_callers_arrays() -> None:
    planes, masks = np.full((4, 2, 6, 7), 9, np.int8), np.zeros((4, 7), np.bool_)
    games = VectorGames(4, planes=planes, masks=masks)
    assert games.planes is planes
    assert not planes.any()
    assert masks.all()
    games.step(np.array([0, 1, 2, 6]))
    assert np.argwhere(planes).tolist() == [[0, 1, 5, 0], [1, 1, 5, 1], [2, 1, 5, 2], [3, 1, 5, 6]]
    games.reset()
    assert not planes.any()
    with pytest.raises(ValueError, match="planes must be an array of 4 x 2 x 6 x 7, not 3 x 2 x 6 x 7"):
        VectorGames(4, planes=planes[:3])
    with pytest.raises(TypeError, match="masks must be an array of bool"):
        VectorGames(4, masks=masks.astype(np.int8))
    planes.flags.writeable = False
    with pytest.raises(TypeError, match="can be written to"):
        VectorGames(4, planes=planes)


def test_an_illegal_action_leaves_every_vector_game_as_it_was() -> None:
    games = VectorGames(3)
    for _ in range(6):
        games.step([0, 1 + _ % 5, 0])
    before = games.positions()
    with pytest.raises(IllegalMoveError, match=r"column 0 is full \(position 2 of the batch\)"):
        games.step([3, 3, 0])
    assert games.positions() == before


def test_random_actions_of_vector_games_are_repeated_by_their_seed() -> None:
    games, others = VectorGames(100), VectorGames(100)
    games.seed(3)
    others.seed(3)
    assert games.random_actions().tolist() == others.random_actions().tolist()
    assert set(games.random_actions().tolist()) == set(range(7))


def test_the_number_of_no_score_is_no_score() -> None:
    assert connect4.NO_SCORE == -128


@pytest.mark.parametrize("kind", [connect4.VectorGames, checkers.VectorGames])
def test_games_in_step_refuse_a_second_thread(kind: type[connect4.VectorGames] | type[checkers.VectorGames]) -> None:
    games, is_over = kind(20_000), threading.Event()
    actions = games.random_actions()

    def call(until: float) -> str:
        """Ask until the other thread is in the middle of a step; return the refusal."""
        while time.monotonic() < until and not is_over.is_set():
            try:
                games.step(games.random_actions(out=actions))
            except RuntimeError as refused:
                is_over.set()
                return str(refused)
            except IllegalMoveError:
                pass  # the other thread has stepped between the choice and the step
        return ""

    refusals: list[str] = []
    until = time.monotonic() + 60
    other = threading.Thread(target=lambda: refusals.append(call(until)))
    other.start()
    refusals.append(call(until))
    other.join()
    assert "another thread uses these games: make games for each thread" in refusals
    games.step(games.random_actions())


@pytest.mark.parametrize("index", [None, np.array([[0, 1]]), "a", np.array([0.5])])
def test_an_index_of_a_batch_is_a_number_a_slice_or_a_list(index: Any) -> None:
    with pytest.raises(IndexError):
        Positions.start(3)[index]
