"""Batches of checkers positions, and moves as actions of one step or one jump."""

from __future__ import annotations

import pickle
from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from numpy.typing import NDArray

from outplay.checkers import ACTION_COUNT, Move, Position, Positions, VectorGames, actions_of, cell_of, move_of
from outplay.errors import GameOverError, IllegalMoveError, IllegalPositionError
from outplay.outcome import Outcome, Reason, Side
from outplay.record import Game
from outplay.rules import NoProgress
from tests.oracle import checkers as oracle
from tests.support.positions import checkers_fens, random_checkers_fens

DIRECTIONS = ((1, -1), (1, 1), (-1, -1), (-1, 1))  # rows and columns: down-left, down-right, up-left, up-right
DOUBLE_JUMP = "B:W6,14:B1"  # 1x10x17
GOES_ON, BLACK_WON, WHITE_WON = range(3)


def actions_by_hand(position: Position, move: Move) -> list[int]:
    """The definition: 32 * direction + square, on the board as the side to move sees it."""
    actions = []
    for start, end in zip(move.path, move.path[1:], strict=False):
        (row, column), (to_row, to_column) = cell_of(start), cell_of(end)
        step = (1 if to_row > row else -1, 1 if to_column > column else -1)
        action = 32 * DIRECTIONS.index(step) + start - 1
        actions.append(action if position.side == Side.FIRST else 127 - action)
    return actions


def play_all(batch: Positions, actions: list[int]) -> Positions:
    for action in actions:
        batch = batch.play([action])
    return batch


def turns(batch: Positions) -> tuple[NDArray[np.int64], Positions]:
    """Every sequence of actions that is a whole turn: the number of its position, and where it ends."""
    origins, ends = np.arange(len(batch)), []
    begun = []
    while len(batch):
        rows, actions = np.nonzero(batch.legal_mask())
        origins, batch = origins[rows], batch[rows].play(actions)
        is_over = batch.jumping == 0
        begun.append(origins[is_over])
        ends.append(batch[is_over])
        origins, batch = origins[~is_over], batch[~is_over]
    joined = Positions.from_keys(np.concatenate([end.keys() for end in ends]))
    return np.concatenate(begun), joined


def check_turns(batch: Positions) -> int:
    """Whole turns by actions and legal moves lead to the same positions, equally often. How many there were."""
    origins, ends = turns(batch)
    by_actions = Counter(zip(origins.tolist(), map(tuple, ends.keys().tolist()), strict=True))
    by_moves: Counter[tuple[int, tuple[int, ...]]] = Counter()
    low = 2**64 - 1
    for number, position in enumerate(batch):
        for move in position.legal_moves():
            key = position.play(move).key
            by_moves[number, (key & low, key >> 64)] += 1
    assert by_actions == by_moves
    return by_moves.total()


@given(checkers_fens())
@settings(max_examples=150)
def test_actions_and_legal_moves_are_a_bijection(fen: str) -> None:
    position = Position.from_fen(fen)
    moves = position.legal_moves()
    sequences = [actions_of(position, move) for move in moves]
    assert sequences == [actions_by_hand(position, move) for move in moves]
    assert len({tuple(actions) for actions in sequences}) == len(moves)
    assert [move_of(position, actions) for actions in sequences] == moves
    batch = Positions([position])
    for move, actions in zip(moves, sequences, strict=True):
        assert list(play_all(batch, actions)) == [position.play(move)]
    assert check_turns(batch) == len(moves)


@given(checkers_fens())
@settings(max_examples=100)
def test_first_actions_are_those_of_the_oracle(fen: str) -> None:
    position = Position.from_fen(fen)
    moves = oracle.legal_moves(oracle.from_fen(fen)) if position.outcome() is None else []
    firsts = {actions_by_hand(position, Move(move.text))[0] for move in moves}
    assert set(np.flatnonzero(Positions([position]).legal_mask()[0]).tolist()) == firsts


@pytest.mark.parametrize("wanted", [{}, {"plies": (0, 120)}, {"pieces": (2, 16)}])
def test_turns_by_actions_are_the_legal_moves_of_random_positions(wanted: dict[str, tuple[int, int]]) -> None:
    assert check_turns(Positions.random(1000, seed=1, **wanted)) > 1000  # type: ignore[arg-type]


@pytest.mark.slow
@pytest.mark.parametrize("part", range(10))
def test_turns_by_actions_are_the_legal_moves_of_a_million_positions(part: int) -> None:
    for number in range(10):
        kinds: list[dict[str, tuple[int, int]]] = [{}, {"plies": (0, 120)}, {"pieces": (2, 24)}]
        check_turns(Positions.random(10_000, seed=100 * part + number, **kinds[number % 3]))  # type: ignore[arg-type]


def test_a_double_jump_is_two_actions_by_the_same_side_and_lifts_at_its_end() -> None:
    position = Position.from_fen(DOUBLE_JUMP)
    (move,) = position.legal_moves()
    first, second = actions_of(position, move)
    middle = Positions([position]).play([first])
    assert middle.sides.tolist() == [Side.FIRST]
    assert middle.jumping.tolist() == [1 << 9]
    assert middle.jumped.tolist() == [1 << 5]
    assert middle.white.tolist() == [position.white], "what was jumped is still there"
    assert np.flatnonzero(middle.legal_mask()[0]).tolist() == [second]
    assert middle.outcomes().tolist() == [GOES_ON]
    with pytest.raises(ValueError, match="position 0 of the batch is in the middle of a jump"):
        middle[0]
    with pytest.raises(IllegalMoveError, match="the piece that jumped must jump on"):
        middle.play([0])
    end = middle.play([second])
    assert list(end) == [position.play(move)]
    assert end.outcomes().tolist() == [BLACK_WON]
    with pytest.raises(GameOverError):
        end.play([0])
    with pytest.raises(IllegalMoveError, match="not one legal move"):
        move_of(position, [first])
    assert pickle.loads(pickle.dumps(middle)) == middle
    assert middle.flip().play([second]) == end.flip()


def test_a_batch_says_what_its_positions_say() -> None:
    positions = [Position.from_fen(fen) for fen in random_checkers_fens(3, 200)]
    batch = Positions(positions)
    assert list(batch) == positions
    assert batch.black.tolist() == [position.black for position in positions]
    assert batch.white.tolist() == [position.white for position in positions]
    assert batch.kings.tolist() == [position.kings for position in positions]
    assert batch.sides.tolist() == [position.side for position in positions]
    keys = batch.keys().tolist()
    assert [low | high << 64 for low, high in keys] == [position.key for position in positions]
    assert batch.rows().tolist() == [position.matrix().tolist() for position in positions]
    outcomes = [position.outcome() for position in positions]
    assert batch.outcomes().tolist() == [
        GOES_ON if outcome is None else WHITE_WON if outcome.winner else BLACK_WON for outcome in outcomes
    ]
    assert list(batch.flip()) == [position.flip() for position in positions]


def test_a_batch_survives_texts_rows_keys_bitboards_and_pickle() -> None:
    fens = random_checkers_fens(4, 100)
    batch = Positions.from_fens(fens)
    assert [position.fen() for position in batch] == [Position.from_fen(fen).fen() for fen in fens]
    assert Positions.from_keys(batch.keys()) == batch
    assert Positions.from_rows(batch.rows(), sides=batch.sides) == batch
    assert Positions.from_bitboards(batch.black, batch.white, batch.kings, batch.sides) == batch
    assert pickle.loads(pickle.dumps(batch)) == batch
    assert batch[10:20] == Positions.from_fens(fens[10:20])


def test_planes_show_the_board_of_the_side_to_move() -> None:
    positions = [Position.from_fen(fen) for fen in random_checkers_fens(5, 100)]
    planes = Positions(positions).planes()
    for position, shown in zip(positions, planes, strict=True):
        seen = position if position.side == Side.FIRST else position.flip()
        rows = np.array(seen.rows())
        expected = [rows == letter for letter in "bBwW"] + [np.zeros((8, 8))] * 2
        assert (shown == np.array(expected)).all()


def test_planes_of_a_jump_show_the_piece_and_what_it_took() -> None:
    position = Position.from_fen(DOUBLE_JUMP)
    for side in (position, position.flip()):
        middle = Positions([side]).play(actions_of(side, side.legal_moves()[0])[:1])
        planes = middle.planes()[0]
        assert np.argwhere(planes[4]).tolist() == [list(cell_of(10))]
        assert np.argwhere(planes[5]).tolist() == [list(cell_of(6))]
        assert (planes[0] == planes[4]).all()
        assert planes[2].sum() == 2


@pytest.mark.parametrize("dtype", ["int8", "float32"])
@pytest.mark.parametrize("channels", ["first", "last"])
def test_planes_of_every_type_and_order_say_the_same(channels: str, dtype: str) -> None:
    batch = Positions.random(50, seed=5)
    planes = batch.planes(dtype=dtype, channels=channels)
    assert planes.dtype == dtype
    first = planes if channels == "first" else planes.transpose(0, 3, 1, 2)
    assert (first == batch.planes()).all()
    out = np.full_like(planes, 9)
    assert batch.planes(dtype=dtype, channels=channels, out=out) is out
    assert (out == planes).all()


def test_impossible_positions_are_refused() -> None:
    with pytest.raises(IllegalPositionError, match="position 1 of the batch"):
        Positions.from_bitboards([1, 3], [2, 2], [2, 0], [0, 0])
    with pytest.raises(IllegalPositionError, match="a king where no piece is"):
        Positions.from_bitboards([1], [2], [6], [0])
    with pytest.raises(IllegalPositionError, match="the side to move must be 0 or 1"):
        Positions.from_bitboards([1], [2], [2], [2])
    rows = np.zeros((1, 8, 8), np.int8)
    rows[0, 0, 0] = 1
    message = "position 0 of the batch: row 0, column 0 holds 1, but pieces stand on dark cells"
    with pytest.raises(IllegalPositionError, match=message):
        Positions.from_rows(rows)


def test_random_positions_keep_what_was_asked_for() -> None:
    batch = Positions.random(2000, seed=7)
    assert Positions.random(2000, seed=7, threads=2) == batch
    assert Positions.random(100, seed=7) == batch[:100]
    assert not batch.outcomes().any()
    few = Positions.random(500, pieces=(2, 5), seed=1)
    assert {(position.black | position.white).bit_count() for position in few} == {2, 3, 4, 5}
    early = Positions.random(100, plies=1, seed=1)
    assert {position.fen() for position in early} == {Position().play(move).fen() for move in Position().legal_moves()}
    with pytest.raises(ValueError, match="plies or pieces"):
        Positions.random(1, plies=3, pieces=3)


# Many games in step


class _ShadowedGame:
    """A game by the rules, played by the actions of a vector game."""

    def __init__(self, draw_plies: int) -> None:
        self.game: Game[Position, Move] = Game(Position(), no_progress=NoProgress(draw_plies))
        self._actions: list[int] = []

    def play(self, action: int, *, is_turn_over: bool) -> Outcome | None:
        self._actions.append(action)
        if not is_turn_over:
            return None
        self.game.play(move_of(self.game.position, self._actions))
        self._actions = []
        return self.game.outcome()

    def action_back(self, legal: list[int]) -> int | None:
        """An action that leads to a position that was there before."""
        position = self.game.position
        if self._actions or any(len(move.path) > 2 or move.is_capture for move in position.legal_moves()):
            return None
        before = set(self.game.history[-4:])
        return next((action for action in legal if position.play(move_of(position, [action])) in before), None)


@pytest.mark.parametrize("draw_plies", [12, 80])
def test_vector_games_are_played_like_batches_and_end_by_the_rules(draw_plies: int) -> None:
    count = 11
    games = VectorGames(count, draw_plies=draw_plies)
    games.seed(2)
    batch = Positions.start(count)
    shadows = [_ShadowedGame(draw_plies) for _ in range(count)]
    reasons: Counter[Reason] = Counter()
    for turn in range(600):
        assert games.positions() == batch
        assert (games.planes == batch.planes()).all()
        assert (games.masks == batch.legal_mask()).all()
        assert (games.sides == batch.sides).all()
        actions = games.random_actions()
        for index in range(turn % 3, count, 3):  # kings that step back and forth
            back = shadows[index].action_back(np.flatnonzero(games.masks[index]).tolist())
            actions[index] = actions[index] if back is None else back
        after = batch.play(actions)
        games.step(actions)
        played = zip(shadows, actions.tolist(), after.jumping, strict=True)
        outcomes = [shadow.play(action, is_turn_over=not jumping) for shadow, action, jumping in played]
        is_over = np.array([outcome is not None for outcome in outcomes])
        is_won = [outcome is not None and outcome.winner is not None for outcome in outcomes]
        assert games.rewards.tolist() == [float(won) for won in is_won]
        assert games.finished.tolist() == is_over.tolist()
        reasons.update(outcome.reason for outcome in outcomes if outcome is not None)
        shadows = [_ShadowedGame(draw_plies) if over else old for old, over in zip(shadows, is_over, strict=True)]
        batch = _restarted(after, is_over)
    wanted = {Reason.REPETITION, Reason.NO_PROGRESS} if draw_plies == 12 else {Reason.REPETITION}
    assert wanted < set(reasons), "and wins"


def _restarted(batch: Positions, is_over: NDArray[np.bool_]) -> Positions:
    """The batch with the finished games begun again."""
    if not is_over.any():
        return batch
    state = batch.__getstate__()
    start = Positions.start(1).__getstate__()
    parts = []
    for numbers, new in zip(state, start, strict=True):
        size = len(new)
        cut = [numbers[index * size : (index + 1) * size] for index in range(len(batch))]
        parts.append(b"".join(new if over else old for old, over in zip(cut, is_over, strict=True)))
    restarted = Positions.__new__(Positions)
    restarted.__setstate__(tuple(parts))
    return restarted


def test_an_illegal_action_leaves_every_vector_game_as_it_was() -> None:
    games = VectorGames(3)
    before = games.positions()
    legal = int(np.flatnonzero(games.masks[0])[0])
    with pytest.raises(IllegalMoveError, match="position 1 of the batch"):
        games.step([legal, 0, legal])
    with pytest.raises(IllegalMoveError, match="actions are 0 to 127"):
        games.step([legal, legal, ACTION_COUNT])
    assert games.positions() == before
