"""The engine made of a search: equal moves, the score of every move, shuffling, time."""

import threading
import time
from collections import Counter

import pytest

from outplay import checkers, connect4
from outplay.engine.types import Analysis, Limit
from outplay.lab.clock import Clock, Stopped
from outplay.lab.deepening import choose
from outplay.lab.evaluate import find_evaluation
from outplay.lab.minimax import Minimax
from outplay.lab.players import make_player
from outplay.lab.root import Root, RootMove
from outplay.lab.score import WIN, in_words
from outplay.lab.techniques import Techniques, make_search
from outplay.record import Game
from outplay.rules import RULES, Position

# Equal moves


def best_by_minimax(position: Position, depth: int) -> set[str]:
    evaluate = find_evaluation(None, "checkers").score
    scores = {
        position.format(move): -Minimax(evaluate).node(position.play(move), depth - 1, 0, 0, 1)
        for move in position.legal_moves()
    }
    return {move for move, score in scores.items() if score == max(scores.values())}


def test_a_random_choice_among_equally_good_moves_and_no_others() -> None:
    for fen in ("B:W18,24,25,27,K10:B2,3,12,16", "W:W21,22,25,30,32:B1,5,9,10,12", "start"):
        position = RULES["checkers"].read(fen)
        expected = best_by_minimax(position, 4)
        for name in ("minimax", "material"):
            played = Counter(
                position.format(
                    make_player(name, evaluate="material", seed=seed).analyse(position, Limit(depth=4)).move
                )
                for seed in range(60)
            )
            assert set(played) == expected, fen


def test_the_seed_makes_a_whole_game_repeatable() -> None:
    games = []
    for _ in range(2):
        engine, game = make_player("material", seed=5), Game(checkers.Position())
        for _ in range(30):
            game.play(engine.analyse(game.position, Limit(), history=game.history).move)
        games.append([str(move) for move in game.moves])
    assert games[0] == games[1]


# What it says


def test_it_tells_nodes_depth_time_score_and_line() -> None:
    analysis = make_player("minimax", seed=1).analyse(connect4.Position.from_moves("4453"), Limit())
    assert (analysis.depth, analysis.nodes) == (4, 2717)
    assert analysis.seconds > 0
    assert len(analysis.lines[0].moves) == 4
    assert analysis.lines[0].score.value == 10
    assert analysis.lines[0].score.plies is None


@pytest.mark.parametrize("name", ["minimax", "alphabeta", "five-phase"])
def test_a_forced_end_is_told_in_plies(name: str) -> None:
    win = make_player(name).analyse(connect4.Position.from_moves("112233"), Limit(depth=4)).lines[0]
    assert (win.move, win.score.plies, win.score.value) == (3, 1, WIN - 1)
    in_three = make_player(name).analyse(connect4.Position.from_moves("4433"), Limit(depth=6)).lines[0]
    assert in_three.score.plies == 3
    lost = make_player(name).analyse(connect4.Position.from_moves("33445"), Limit(depth=4)).lines[0]
    assert (lost.score.plies, lost.score.value) == (2, 2 - WIN)


@pytest.mark.parametrize("name", ["minimax", "alphabeta", "five-phase"])
def test_every_move_has_its_own_exact_score_when_lines_are_asked_for(name: str) -> None:
    position = connect4.Position.from_moves("44")
    evaluate = find_evaluation("classic", "connect4").score
    analysis = make_player(name, evaluate="classic", seed=3).analyse(position, Limit(depth=4, lines=7))
    scores = {line.move: line.score.value for line in analysis.lines}
    assert scores == {move: -Minimax(evaluate).node(position.play(move), 3, 0, 0, 1) for move in position.legal_moves()}
    values = [line.score.value for line in analysis.lines]
    assert values == sorted(values, reverse=True)


def test_scores_in_words() -> None:
    assert [in_words(score) for score in (7, -2.5, 0, WIN - 3, 4 - WIN)] == [
        "7",
        "-2.5",
        "0",
        "wins in 2",
        "loses in 2",
    ]


# Shuffling


def test_the_material_player_does_not_shuffle_if_it_can_do_otherwise() -> None:
    game = Game(checkers.Position.from_fen("B:WK32:BK1,K3"))
    for move in ("1-6", "32-27", "6-1"):
        game.play(move)
    for seed in range(10):
        analysis = make_player("material", seed=seed).analyse(game.position, Limit(), history=game.history)
        assert game.position.format(analysis.move) != "27-32"
    without = {
        game.position.format(make_player("material", seed=seed).analyse(game.position, Limit()).move)
        for seed in range(30)
    }
    assert "27-32" in without


# Time


@pytest.mark.parametrize("name", ["minimax", "alphabeta", "deepening", "five-phase", "mcts"])
@pytest.mark.parametrize("game", RULES)
def test_the_time_limit_holds(name: str, game: str) -> None:
    """A generous margin, as machines are noisy; the depth alone would take hours."""
    engine = make_player(name) if name == "mcts" else make_player(name, depth=30)
    for time_ms in (1, 20, 200):
        started = time.thread_time()  # the processor's: other programs run here too
        analysis = engine.analyse(RULES[game].start(), Limit(time_ms=time_ms))
        assert time.thread_time() - started < time_ms / 1000 + 0.5
        assert analysis.move in RULES[game].start().legal_moves()


def test_the_number_of_positions_is_never_passed() -> None:
    for nodes in (1, 10, 1000):
        analysis = make_player("minimax", depth=30).analyse(connect4.Position(), Limit(nodes=nodes))
        assert analysis.nodes <= nodes + 1
        assert analysis.move in range(7)


def test_a_stop_before_the_search_is_forgotten_and_one_during_it_ends_it() -> None:
    engine = make_player("five-phase", time_ms=60_000)
    engine.stop()
    begun = threading.Event()

    def tell(found: Analysis) -> None:
        if found.depth >= 2:
            begun.set()

    def stop_when_begun() -> None:
        begun.wait()
        engine.stop()

    stopper = threading.Thread(target=stop_when_begun)
    stopper.start()
    started = time.perf_counter()
    analysis = engine.analyse(connect4.Position(), Limit(), report=tell)
    stopper.join()
    assert time.perf_counter() - started < 30
    assert analysis.depth >= 2


def test_a_search_cut_short_keeps_the_old_favourite_or_a_move_that_beat_it() -> None:
    """Cut the same search at many points: the answer always has the exact score of one of the depths."""
    position = connect4.Position.from_moves("4453")
    evaluate = find_evaluation("threats", "connect4").score
    techniques = Techniques.of("alphabeta,ordering,table,deepening")

    def answer(nodes: int) -> RootMove:
        search = make_search(techniques, position, evaluate, clock=Clock(nodes=nodes))
        return [*choose(search, Root(search, position), 6)][-1].moves[0]

    exact = {
        depth: {
            move: -Minimax(evaluate).node(position.play(move), depth - 1, 0, 0, 1) for move in position.legal_moves()
        }
        for depth in range(1, 7)
    }
    for nodes in range(10, 2500, 45):
        found = answer(nodes)
        assert any(scores[found.move] == found.score for scores in exact.values())


def test_a_known_loss_is_worse_than_the_unknown() -> None:
    position = connect4.Position.from_moves("4453")
    search = Minimax(find_evaluation("classic", "connect4").score)
    root = Root(search, position)
    before = root.look(2)
    root.moves = [found.move for found in before.moves]
    root.done = [RootMove(before.moves[0].move, 4 - WIN, True, (before.moves[0].move,))]
    after = root.so_far(3, before)
    assert after is not None
    assert after.moves[0].move == before.moves[1].move
    root.done = [RootMove(before.moves[0].move, -7, True, (before.moves[0].move,))]
    kept = root.so_far(3, before)
    assert kept is not None
    assert kept.moves[0].move == before.moves[0].move
    assert kept.best() == [kept.moves[0]]


def test_a_clock_that_is_stopped_stops_the_search() -> None:
    clock = Clock()
    clock.stop()
    with pytest.raises(Stopped):
        Minimax(lambda position: 0, clock=clock).look(connect4.Position(), 2)
