"""Learning the weights: self-play, regression, and a run that goes on after a kill."""

import struct
from pathlib import Path
from typing import Any

import pytest

from outplay.checkers import Position, Searcher, Weights, fit, fit_network, known_endings, self_play
from outplay.errors import NotationError
from outplay.jobs.curve import curve_svg
from outplay.jobs.starts import training_starts
from outplay.jobs.training import Epoch, Learned, ShardPlayed, Training, read_weights, train
from outplay.outcome import Side
from outplay.tablebase import Tablebase, Value, build_table, open_endgames, shipped_folder
from outplay.work import open_workers
from tests.support.positions import random_checkers_fens

KNOWN = -32768
TINY = Training(shards=2, games=40, nodes=60, generations=2, epochs=2)


def samples_of(data: bytes) -> list[tuple[int, ...]]:
    return list(struct.iter_unpack("<IIIhBB", data))


def fen_of_kings(black: int, white: int, side: int) -> str:
    sides = [",".join(f"K{square + 1}" for square in range(32) if own >> square & 1) for own in (white, black)]
    return f"{'BW'[side]}:W{sides[0]}:B{sides[1]}"


def test_the_same_seed_plays_the_same_games() -> None:
    first, second, other = (self_play(Weights.plain(), games=3, nodes=50, seed=seed) for seed in (4, 4, 5))
    assert first == second != other


def test_a_game_is_over_when_the_endgame_tables_know_its_outcome() -> None:
    endgames = open_endgames(shipped_folder())
    with_tables = samples_of(self_play(Weights.plain(), games=60, nodes=50, seed=1, endgames=endgames))
    without = samples_of(self_play(Weights.plain(), games=60, nodes=50, seed=1))
    assert min((black | white).bit_count() for black, white, *_ in with_tables) > endgames.most_pieces
    assert min((black | white).bit_count() for black, white, *_ in without) <= endgames.most_pieces


def test_samples_are_quiet_positions_with_a_result() -> None:
    samples = samples_of(self_play(Weights.plain(), games=10, nodes=50, seed=1))
    assert len(samples) > 100
    assert {result for *_, result in samples} <= {0, 1, 2}
    for black, white, kings, _, side, _ in samples:
        assert black & white == 0
        assert kings & ~(black | white) == 0
        assert side in (0, 1)


def test_one_node_a_move_is_enough_for_a_game() -> None:
    assert len(samples_of(self_play(Weights.plain(), games=3, nodes=1, seed=1))) > 10


def test_positions_that_the_tables_know_have_their_result_and_no_score(tmp_path: Path) -> None:
    build_table("0302", tmp_path)
    endgames = open_endgames(tmp_path, unpacked_pieces=5)
    start = Position.from_fen("B:WK29,K30,K31:BK1,K2,K3")
    data = self_play(Weights.plain(), games=60, nodes=50, seed=1, endgames=endgames, starts=[start])
    known = [sample for sample in samples_of(data) if sample[3] == KNOWN]
    assert len(known) > 10
    with Tablebase.open(tmp_path) as tables:
        for black, white, kings, _, side, result in known:
            assert kings == black | white
            position = Position.from_fen(fen_of_kings(black, white, side))
            assert tables.probe(position).value == list(Value)[result]


def test_known_endings_are_quiet_close_and_told_by_the_tables(tmp_path: Path) -> None:
    build_table("0302", tmp_path)
    endgames = open_endgames(tmp_path, unpacked_pieces=5)
    data = known_endings(endgames, count=300, seed=1)
    assert data == known_endings(endgames, count=300, seed=1) != known_endings(endgames, count=300, seed=2)
    samples = samples_of(data)
    assert len(samples) == 300
    assert len({result for *_, result in samples}) > 1
    with Tablebase.open(tmp_path) as tables:
        for black, white, kings, score, side, result in samples:
            assert (score, kings) == (KNOWN, black | white)
            assert abs(black.bit_count() - white.bit_count()) == 1
            position = Position.from_fen(fen_of_kings(black, white, side))
            moves = position.legal_moves(side=Side.FIRST) + position.legal_moves(side=Side.SECOND)
            assert not any(move.is_capture for move in moves)
            assert tables.probe(position).value == list(Value)[result]


def test_small_tables_bring_no_endings() -> None:
    assert known_endings(open_endgames(shipped_folder()), count=10, seed=1) == b""


def test_games_begin_from_the_given_starts() -> None:
    start = Position.from_fen("B:W18,22,26,30,31,32:B1,2,3,8,10,11")
    data = self_play(Weights.plain(), games=30, nodes=20, seed=1, starts=[start])
    assert sum((black | white).bit_count() <= 12 for black, white, *_ in samples_of(data)) > 100


def test_training_starts_hold_ballots_and_positions_of_real_games(tmp_path: Path) -> None:
    file = tmp_path / "one.pdn"
    file.write_text('[Event "x"]\n\n1. 11-15 23-19 2. 8-11 22-17 3. 4-8 17-13 4. 15-18 24-20 *\n', encoding="utf-8")
    ballots, with_game = training_starts(), training_starts(file)
    assert len(set(ballots)) > 2400
    assert len(set(with_game) - set(ballots)) == 2


def test_learning_lowers_the_loss_and_a_seed_repeats_it() -> None:
    data = self_play(Weights.plain(), games=60, nodes=60, seed=2)
    losses = list[float]()
    weights = fit([data], epochs=3, report=lambda number, loss, held_out: losses.append(loss))
    assert losses[0] > losses[-1]
    assert weights == fit([data], epochs=3)
    man_up = Position.from_fen("B:W21,22,23:B1,2,3,4")
    assert Searcher(table_mib=1, weights=weights).evaluate(man_up) > 20


def test_a_network_learns_and_a_seed_repeats_it() -> None:
    data = self_play(Weights.plain(), games=200, nodes=60, seed=2)
    losses = list[float]()
    network = fit_network([data], epochs=6, report=lambda number, loss, held_out: losses.append(loss))
    assert losses[0] > losses[-1]
    short = [fit_network([data], epochs=1, seed=seed) for seed in (1, 1, 2)]
    assert short[0] == short[1] != short[2]
    assert network == Weights.from_bytes(network.to_bytes())
    assert network != short[0]
    searcher = Searcher(table_mib=1, weights=network)
    ahead, behind = (
        Position.from_fen(f"B:W{w}:B{b}") for w, b in (("22,23,31", "2,3,6,7,9"), ("21,22,23,26,31", "2,3,9"))
    )
    assert searcher.evaluate(ahead) > searcher.evaluate(behind)


def test_a_network_says_the_same_with_and_without_vectors_and_for_both_sides() -> None:
    data = self_play(Weights.plain(), games=60, nodes=60, seed=3)
    searcher = Searcher(table_mib=1, weights=fit_network([data], epochs=2))
    positions = [Position.from_fen(fen) for fen in random_checkers_fens(5, 2000)]
    assert len({searcher.evaluate(position) for position in positions}) > 50
    for position in positions:
        assert searcher.evaluate(position) == searcher.evaluate(position, vector=False)
        assert searcher.evaluate(position) == searcher.evaluate(position.flip())


def test_samples_that_are_none_are_refused() -> None:
    with pytest.raises(NotationError, match="sixteen"):
        fit([b"x" * 17])
    with pytest.raises(NotationError, match="not a position"):
        fit([b"\xff" * 16])
    with pytest.raises(ValueError, match="at least"):
        fit([])


def test_a_run_trains_one_generation_after_another_and_goes_on_where_it_was(tmp_path: Path) -> None:
    with open_workers(0) as runner:
        events = list(train(tmp_path, runner, TINY))
        assert [event.generation for event in events if isinstance(event, Learned)] == [1, 2]
        assert sum(isinstance(event, ShardPlayed) for event in events) == 4
        assert sum(isinstance(event, Epoch) for event in events) == 4
        before = (tmp_path / "2.weights").read_bytes()

        assert list(train(tmp_path, runner, TINY)) == []  # all is there

        (tmp_path / "2.weights").unlink()
        (tmp_path / "2" / "0001.samples").unlink()
        again = list(train(tmp_path, runner, TINY))
    assert sum(isinstance(event, ShardPlayed) for event in again) == 1
    assert (tmp_path / "2.weights").read_bytes() == before
    assert read_weights(tmp_path, 0) == Weights.plain()
    assert curve_svg(tmp_path).count("<polyline") == 4


@pytest.mark.parametrize("wrong", [{"hours": 0}, {"generations": 0}, {"games": -1}, {"shards": 0}])
def test_recipes_that_make_no_sense_are_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=next(iter(wrong))):
        Training(**wrong)
