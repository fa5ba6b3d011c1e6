"""The players of the lab by name: the engine contract, their options, the five phases, Monte Carlo."""

from typing import Any

import pytest

from outplay import checkers, connect4
from outplay.engine.types import Analysis, Engine, Limit
from outplay.errors import GameOverError, NotationError
from outplay.lab.engine import LabEngine
from outplay.lab.five_phase import FivePhase, safe_moves, winning_moves
from outplay.lab.players import LAB_PLAYERS, make_player
from outplay.lab.techniques import Techniques
from outplay.record import Game
from outplay.rules import RULES
from tests.support.engine_contract import EngineContract


class TestMinimaxPlayer(EngineContract):
    def make(self, seed: int) -> Engine:
        return make_player("minimax", seed=seed)


class TestAlphaBetaPlayer(EngineContract):
    def make(self, seed: int) -> Engine:
        return make_player("alphabeta", seed=seed)


class TestDeepeningPlayer(EngineContract):
    def make(self, seed: int) -> Engine:
        return make_player("deepening", seed=seed)


class TestFivePhasePlayer(EngineContract):
    def make(self, seed: int) -> Engine:
        return make_player("five-phase", seed=seed)


class TestMaterialPlayer(EngineContract):
    games = ("checkers",)

    def make(self, seed: int) -> Engine:
        return make_player("material", seed=seed)


class TestMonteCarloPlayer(EngineContract):
    def make(self, seed: int) -> Engine:
        return make_player("mcts", playouts=100, seed=seed)


@pytest.mark.parametrize("name", LAB_PLAYERS)
def test_every_player_says_who_it_is_and_plays_a_game(name: str) -> None:
    engine = make_player(name, seed=1)
    assert engine.name == name
    assert LAB_PLAYERS[name].about
    game = Game(RULES["checkers"].start())
    for _ in range(6):
        limit = Limit(nodes=200)
        game.play(engine.analyse(game.position, limit, history=game.history).move)


# Options


def test_options_are_set_by_name() -> None:
    engine = make_player("alphabeta", depth=8, evaluate="threats", table=True, ordering=False, order="front")
    assert isinstance(engine, LabEngine)
    assert (engine.depth, engine.evaluate, engine.order) == (8, "threats", "front")
    assert engine.techniques == Techniques(alphabeta=True, table=True, quiescence=True)


@pytest.mark.parametrize(
    ("name", "options", "message"),
    [
        ("nobody", {}, "minimax, alphabeta"),
        ("minimax", {"colour": "red"}, "depth, time_ms"),
        ("minimax", {"depth": "six"}, "whole number"),
        ("minimax", {"depth": True}, "whole number"),
        ("minimax", {"depth": 0}, "from 1 to"),
        ("minimax", {"time_ms": 0}, "positive"),
        ("mcts", {"depth": 3}, "playouts"),
        ("mcts", {"playouts": 0}, "positive"),
    ],
)
def test_options_that_cannot_be_are_refused(name: str, options: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        make_player(name, **options)


def test_an_evaluation_of_the_other_game_is_refused_with_the_names_of_the_right_ones() -> None:
    with pytest.raises(NotationError, match="classic, big, scan, threats"):
        make_player("material").analyse(connect4.Position(), Limit())


# The five phases


def test_phase_1_wins_now() -> None:
    position = connect4.Position.from_moves("112233")
    assert winning_moves(position) == [3]
    analysis = FivePhase().analyse(position, Limit())
    assert (analysis.move, analysis.depth) == (3, 1)
    assert analysis.nodes < 10


def test_phase_2_blocks() -> None:
    position = connect4.Position.from_moves("11223")  # Red threatens column 4, and no other move stops that
    assert winning_moves(position) == []
    assert safe_moves(position) == [3]
    analysis = FivePhase().analyse(position, Limit())
    assert (analysis.move, analysis.depth) == (3, 1)


def test_phase_2_in_checkers_does_not_walk_into_the_end() -> None:
    position = checkers.Position.from_fen("W:W22,32:B14,K18")
    for move in position.legal_moves():
        assert (move in safe_moves(position)) == (not winning_moves(position.play(move)))


def test_phase_3_stops_when_a_forced_win_is_found() -> None:
    reports: list[Analysis] = []
    analysis = FivePhase(time_ms=20_000).analyse(connect4.Position.from_moves("4433"), Limit(), report=reports.append)
    assert analysis.lines[0].score.plies == 3
    assert [report.depth for report in reports] == [1, 2, 3]
    assert analysis.seconds < 10


def test_phase_4_remembers_what_it_searched() -> None:
    position = connect4.Position.from_moves("4453")
    with_table = FivePhase(depth=7).analyse(position, Limit())
    without = FivePhase(depth=7, techniques=Techniques.of("alphabeta,ordering,killers,deepening")).analyse(
        position, Limit()
    )
    assert with_table.nodes < without.nodes


def test_phase_5_has_two_and_a_half_seconds_unless_told_otherwise() -> None:
    assert FivePhase().time_ms == 2500
    assert FivePhase(time_ms=100).time_ms == 100
    assert FivePhase(depth=6).time_ms is None


def test_who_asks_for_every_score_gets_every_move() -> None:
    analysis = FivePhase(depth=4).analyse(connect4.Position.from_moves("11223"), Limit(lines=7))
    assert len(analysis.lines) == 7
    assert analysis.move == 3


def test_a_finished_game_has_no_move() -> None:
    for name in LAB_PLAYERS:
        with pytest.raises(GameOverError):
            make_player(name).analyse(checkers.Position.from_fen("W:W5:B1"), Limit())


# Monte Carlo


def test_monte_carlo_sees_a_win_and_a_threat() -> None:
    for moves, column in (("112233", 3), ("11223", 3)):
        analysis = make_player("mcts", playouts=1500, seed=2).analyse(connect4.Position.from_moves(moves), Limit())
        assert analysis.move == column
        assert analysis.nodes == 1500
        assert -100 <= analysis.lines[0].score.value <= 100


def test_monte_carlo_gives_every_move_its_success() -> None:
    analysis = make_player("mcts", playouts=400, seed=2).analyse(connect4.Position(), Limit(lines=7))
    assert sorted(line.move for line in analysis.lines) == list(range(7))
