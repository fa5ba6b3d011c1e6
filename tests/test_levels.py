"""The strength ladder: names and numbers, and what every level must see."""

import itertools
import threading

import pytest

from outplay import checkers, connect4
from outplay.engine.types import Engine, Limit
from outplay.errors import NotationError
from outplay.levels import LEVELS, LevelEngine, level
from tests.support.engine_contract import EngineContract
from tests.support.positions import random_connect4_moves

FAST = Limit(nodes=3000)


@pytest.mark.parametrize("number", [1, 3, 5])
class TestLevelEngine(EngineContract):
    limit = FAST
    number = 1

    @pytest.fixture(autouse=True)
    def _use(self, number: int) -> None:
        self.number = number

    def make(self, seed: int) -> Engine:
        return LevelEngine(self.number, seed=seed)


@pytest.mark.parametrize("game", LEVELS)
def test_there_are_eight_levels_with_names_of_their_own_that_look_further_and_further(game: str) -> None:
    levels = LEVELS[game]
    assert [rung.number for rung in levels] == list(range(1, 9))
    assert len({rung.name for rung in levels}) == 8
    assert all(low.depth < high.depth for low, high in itertools.pairwise(levels))
    assert all(low.slack >= high.slack for low, high in itertools.pairwise(levels))
    assert all(rung.misses.endswith(".") for rung in levels)


@pytest.mark.parametrize("number", [0, 9, -1])
def test_other_levels_are_refused(number: int) -> None:
    with pytest.raises(NotationError, match="level"):
        LevelEngine(number)
    with pytest.raises(NotationError, match="levels 1 to 8"):
        level("connect4", number)


def immediate_wins(position: connect4.Position) -> list[int]:
    return [
        move for move in position.legal_moves() if (end := position.play(move).outcome()) and end.winner is not None
    ]


def with_a_win() -> list[connect4.Position]:
    positions = [connect4.Position.from_moves(moves[:-1]) for moves in random_connect4_moves(3, 60) if moves]
    return [position for position in positions if immediate_wins(position)][:15]


def with_one_to_block() -> list[connect4.Position]:
    """The other side would win at once, in one column only, if it were its move; we cannot win ourselves."""
    found = []
    for moves in random_connect4_moves(4, 400):
        position = connect4.Position.from_moves(moves[: max(0, len(moves) - 2)])
        if position.outcome() is not None or immediate_wins(position):
            continue
        safe = [move for move in position.legal_moves() if not immediate_wins(position.play(move))]
        if len(safe) == 1 and len(position.legal_moves()) > 1:
            found.append(position)
    return found[:15]


@pytest.mark.parametrize("number", range(2, 9))
def test_every_level_but_the_first_takes_an_immediate_win(number: int) -> None:
    positions = with_a_win()
    assert len(positions) >= 10
    for seed, position in enumerate(positions):
        assert LevelEngine(number, seed=seed).analyse(position, FAST).move in immediate_wins(position)


@pytest.mark.parametrize("number", range(2, 9))
def test_every_level_but_the_first_blocks_an_immediate_loss(number: int) -> None:
    positions = with_one_to_block()
    assert len(positions) >= 10
    for seed, position in enumerate(positions):
        move = LevelEngine(number, seed=seed).analyse(position, FAST).move
        assert immediate_wins(position.play(move)) == []


def test_the_first_level_overlooks_things() -> None:
    positions = with_one_to_block() * 3
    missed = sum(
        bool(immediate_wins(position.play(LevelEngine(1, seed=seed).analyse(position, FAST).move)))
        for seed, position in enumerate(positions)
    )
    assert 0 < missed < len(positions)


@pytest.mark.parametrize("number", range(2, 9))
def test_no_level_but_the_first_gives_a_piece_away_for_nothing(number: int) -> None:
    position = checkers.Position.from_fen("B:W22,30,31,32:B1,2,3,14")  # 14-18 or 14-17 loses the man at once
    for seed in range(5):
        assert str(LevelEngine(number, seed=seed).analyse(position, FAST).move) not in ("14-18", "14-17")


def test_a_low_level_varies_and_a_seed_repeats() -> None:
    position = connect4.Position()
    assert len({LevelEngine(1, seed=seed).analyse(position, FAST).move for seed in range(30)}) > 3
    moves = [LevelEngine(2, seed=5).analyse(position, FAST).move for _ in range(3)]
    assert len(set(moves)) == 1


# The eighth level of Connect Four


def test_the_eighth_level_of_connect_four_plays_what_is_proved() -> None:
    known = connect4.Position.from_moves("4453123456")  # column 5 wins, every other loses
    unknown = connect4.Position.from_moves("44531234565544")  # four plies on: column 6 alone wins
    for seed in range(3):
        best = LevelEngine(8, seed=seed).analyse(known, Limit(time_ms=20_000)).lines[0]
        assert (best.move, best.score.value, best.score.known_by) == (4, 3, "book")
        best = LevelEngine(8, seed=seed).analyse(unknown, Limit(time_ms=20_000)).lines[0]
        assert (best.move, best.score.value, best.score.known_by) == (5, 3, "solved")
    assert LevelEngine(8).analyse(connect4.Position(), FAST).lines[0].score.known_by == "book"


def test_where_nothing_can_be_proved_the_eighth_level_looks_ahead() -> None:
    line = LevelEngine(8, seed=1).analyse(connect4.Position(8, 8), FAST).lines[0]
    assert line.score.known_by == "search"
    assert line.score.depth


def test_one_stop_ends_the_eighth_level_on_a_large_board() -> None:
    engine, begun, found = LevelEngine(8, seed=1), threading.Event(), list[int]()
    limit = Limit(time_ms=120_000)

    def ask() -> None:
        found.append(engine.analyse(connect4.Position(8, 8), limit, report=lambda analysis: begun.set()).move)

    thread = threading.Thread(target=ask)
    thread.start()
    assert begun.wait(60)
    engine.stop()
    thread.join(60)
    assert not thread.is_alive()
    assert found[0] in range(8)
