"""The checkers engine: it says what minimax says, keeps its limits, and solves what has been proved."""

import pickle
import random
import statistics
import threading
import time
from typing import Any

import pytest

from outplay.checkers import Findings, Position, Positions, Searcher, Weights, default_weights, techniques
from outplay.engine.native import SearcherEngine, native_engine
from outplay.engine.types import Engine, Limit
from outplay.errors import GameOverError, NotationError
from outplay.match import find_openings
from outplay.outcome import Side
from outplay.record import Game
from outplay.rules import RULES
from outplay.tablebase import Tablebase, Value
from tests.support.engine_contract import EngineContract
from tests.support.minimax import Minimax
from tests.support.positions import random_checkers_fens
from tests.support.problems import PATIENCE, TABLES_PROVE_IT, check_problem, is_proved_to_win, problems

PRUNING = (
    "cutoffs",
    "extensions",
    "reductions",
    "internal_reductions",
    "reverse_futility",
    "futility",
)


def small(**options: object) -> Searcher:
    return Searcher(table_mib=4, **options)  # type: ignore[arg-type]


def live_positions(seed: int, count: int) -> list[Position]:
    found = [Position.from_fen(fen) for fen in random_checkers_fens(seed, 2 * count)]
    return [position for position in found if position.outcome() is None][:count]


class TestSearcherEngine(EngineContract):
    games = ("checkers",)
    limit = Limit(depth=4)

    def make(self, seed: int) -> Engine:
        return SearcherEngine(table_mib=4, seed=seed)


# The score


def test_without_pruning_the_score_is_that_of_minimax() -> None:
    searcher = small(without=PRUNING)
    minimax = Minimax(searcher.evaluate)
    for position in live_positions(11, 100):
        for depth in (1, 2, 3):
            assert searcher.analyse(position, depth=depth).lines[0].score == minimax.score(position, depth)


@pytest.mark.slow
def test_without_pruning_the_score_is_that_of_minimax_on_hundreds_of_positions() -> None:
    searcher = small(without=PRUNING)
    minimax = Minimax(searcher.evaluate)
    for position in live_positions(12, 400):
        assert searcher.analyse(position, depth=4).lines[0].score == minimax.score(position, 4)


def test_the_evaluation_is_the_same_for_both_sides() -> None:
    searcher = small()
    for position in live_positions(13, 200):
        assert searcher.evaluate(position) == searcher.evaluate(position.flip())


@pytest.mark.slow
def test_the_evaluation_is_the_same_with_and_without_vectors_on_a_million_positions() -> None:
    searcher = small()
    for position in Positions.random(1_000_000, plies=(0, 90), seed=15):
        assert searcher.evaluate(position) == searcher.evaluate(position, vector=False)


def test_a_man_more_is_worth_about_a_man() -> None:
    searcher, worths = small(), list[int]()
    for position in Positions.random(8000, plies=(8, 60), seed=16):
        men = position.black.bit_count() - position.white.bit_count()
        moves = position.legal_moves(side=Side.FIRST) + position.legal_moves(side=Side.SECOND)
        if abs(men) == 1 and position.kings == 0 and not any(move.is_capture for move in moves):
            ahead = Side.FIRST if men > 0 else Side.SECOND
            worths.append(searcher.evaluate(position) * (1 if position.side == ahead else -1))
    assert len(worths) > 500
    assert 80 < statistics.median(worths) < 120


def test_plain_weights_count_men_and_kings() -> None:
    searcher = small(weights=Weights.plain())
    assert searcher.evaluate(Position.start()) == 0
    assert searcher.evaluate(Position.from_fen("B:W29:B1,2")) == 100
    assert searcher.evaluate(Position.from_fen("W:WK29:B1")) == 140 - 100


def test_every_legal_move_can_be_a_line_and_no_better_one_comes_later() -> None:
    searcher = small()
    for position in live_positions(14, 20):
        lines = searcher.analyse(position, depth=5, lines=100).lines
        assert sorted(str(line.move) for line in lines) == sorted(map(str, position.legal_moves()))
        scores = [line.score for line in lines]
        assert scores == sorted(scores, reverse=True)


def test_a_win_is_counted_to_its_end() -> None:
    searcher = small()
    line = searcher.analyse(Position.from_fen("B:W18,25:B15"), depth=12).lines[0]  # a double jump takes both
    assert str(line.move) == "15x22x29"
    assert (line.score, line.plies) == (30_000 - 1, 1)


def test_a_position_that_comes_back_is_a_draw() -> None:
    ahead = Position.from_fen("B:WK1:BK32,K31")
    searcher = small()
    game = Game(ahead)
    for text in ("31-26", "1-5", "26-31", "5-1"):
        game.play(text)
    line = next(
        line
        for line in searcher.analyse(ahead, depth=2, lines=10, history=game.history).lines
        if str(line.move) == "31-26"
    )
    assert line.score == 0


def test_two_threads_agree_that_a_win_is_a_win() -> None:
    line = Searcher(threads=2, table_mib=8).analyse(Position.from_fen("B:WK5:BK14,K7,K11"), depth=20).lines[0]
    assert line.score > 100


# Limits


def test_the_node_limit_is_kept_exactly() -> None:
    for nodes in (1, 100, 5000):
        assert small().analyse(Position.start(), nodes=nodes).nodes <= nodes + 1


def test_a_search_can_be_stopped_from_another_thread() -> None:
    searcher, found = small(), list[Findings]()
    thread = threading.Thread(target=lambda: found.append(searcher.analyse(Position.start(), time_ms=60_000)))
    thread.start()
    while thread.is_alive():
        searcher.stop()
        thread.join(0.01)
    assert found[0].lines[0].move in Position.start().legal_moves()


def test_a_stopped_search_ends_within_ten_milliseconds_of_processor_time() -> None:
    assert min(milliseconds_to_stop() for _ in range(5)) < 10


def milliseconds_to_stop() -> float:
    searcher, begun = small(), threading.Event()
    thread = threading.Thread(
        target=lambda: searcher.analyse(Position.start(), time_ms=60_000, report=lambda findings: begun.set())
    )
    thread.start()
    assert begun.wait(60)
    used = time.process_time()
    searcher.stop()
    thread.join()
    return 1000 * (time.process_time() - used)


def test_one_search_at_a_time() -> None:
    searcher = small()
    begun = threading.Event()
    thread = threading.Thread(
        target=lambda: searcher.analyse(Position.start(), time_ms=60_000, report=lambda findings: begun.set())
    )
    thread.start()
    assert begun.wait(60)
    with pytest.raises(RuntimeError, match="already"):
        searcher.analyse(Position.start(), depth=1)
    searcher.stop()
    thread.join()


def test_an_error_in_a_report_ends_the_search_and_comes_out() -> None:
    def fail(findings: Findings) -> None:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        small().analyse(Position.start(), time_ms=60_000, report=fail)


def test_with_a_clock_it_takes_a_share_of_it() -> None:
    started = time.monotonic()
    small().analyse(Position.start(), clock_ms=1000, increment_ms=0)
    assert time.monotonic() - started < 30  # wide: machines are noisy


@pytest.mark.parametrize(
    "limit",
    [{"depth": 0}, {"depth": 101}, {"nodes": 0}, {"time_ms": -1}, {"clock_ms": -1}, {"lines": 0}, {"increment_ms": -1}],
)
def test_limits_that_make_no_sense_are_refused(limit: dict[str, int]) -> None:
    with pytest.raises(ValueError, match=next(iter(limit))):
        small().analyse(Position.start(), **limit)  # type: ignore[arg-type]


def test_options_that_make_no_sense_are_refused() -> None:
    with pytest.raises(ValueError, match="threads"):
        Searcher(threads=0)
    with pytest.raises(ValueError, match="table_mib"):
        Searcher(table_mib=0)
    with pytest.raises(ValueError, match="no technique magic"):
        Searcher(without=["magic"])


def test_a_finished_game_has_no_move() -> None:
    with pytest.raises(GameOverError):
        small().analyse(Position.from_fen("W:W5:B1"), depth=1)


def test_every_technique_can_be_switched_off() -> None:
    for name in techniques():
        move = small(without=[name]).analyse(Position.start(), depth=6).lines[0].move
        assert move in Position.start().legal_moves()


# Weights


def test_weights_survive_a_file_and_a_pickle() -> None:
    weights = default_weights()
    assert Weights.from_bytes(weights.to_bytes()) == weights == pickle.loads(pickle.dumps(weights))
    assert weights != Weights.plain()
    assert len(weights.to_bytes()) < 1_000_000


def test_bytes_that_are_no_weights_are_refused() -> None:
    good = Weights.plain().to_bytes()
    for bad in (b"", b"x" * 100, good[:-1], good[:-1] + bytes([good[-1] ^ 1])):
        with pytest.raises(NotationError):
            Weights.from_bytes(bad)


# Play


def test_our_engine_of_a_game_is_found_by_its_name() -> None:
    assert native_engine("checkers", table_mib=4).name == "searcher"
    with pytest.raises(ValueError, match="no engine of its own for draughts"):
        native_engine("draughts")
    with pytest.raises(ValueError, match="plays checkers, not Connect Four"):
        native_engine("checkers", table_mib=4).analyse(RULES["connect4"].start(), Limit(depth=1))


def won_endings(pieces: int, count: int) -> list[Position]:
    """Positions of so many pieces that the tables say are won, with either side to move."""
    chance, found = random.Random(17), list[Position]()
    with Tablebase.open() as tables:
        while len(found) < count:
            squares = chance.sample(range(1, 33), pieces)
            mine = chance.randint(1, pieces - 1)
            own = ",".join(f"{chance.choice(('', 'K'))}{square}" for square in squares[:mine])
            other = ",".join(f"{chance.choice(('', 'K'))}{square}" for square in squares[mine:])
            try:
                position = Position.from_fen(f"{chance.choice('BW')}:W{own}:B{other}")
            except ValueError:
                continue  # a man on the row where it would be a king
            verdict = tables.get(position)
            if verdict is not None and verdict.value == Value.WIN and position.outcome() is None:
                found.append(position)
    return found


@pytest.mark.parametrize("pieces", [3, 4])
def test_endings_that_the_tables_say_are_won_are_won_in_play(pieces: int) -> None:
    engine = SearcherEngine(table_mib=4)
    for start in won_endings(pieces, 12):
        game = Game(start)
        while (outcome := game.outcome()) is None:
            game.play(engine.analyse(game.position, Limit(nodes=500), history=game.history).move)
        assert outcome.winner == start.side, start.fen()


def test_fifty_games_against_itself_are_played_to_their_end() -> None:
    """`make sanitize` plays them too, with asserts and sanitizers."""
    opening = find_openings("3move+11man", "checkers")
    for number in range(1, 51):
        players = SearcherEngine(table_mib=1), SearcherEngine(table_mib=1, without="endgames")
        game = opening(number).game(RULES["checkers"])
        while game.outcome() is None:
            player = players[(game.position.side + number) % 2]
            game.play(player.analyse(game.position, Limit(nodes=200), history=game.history).move)


def test_it_wins_against_random_moves_from_either_side() -> None:
    engine, chance = SearcherEngine(table_mib=4), random.Random(5)
    for side in Side:
        game = Game(Position.start())
        while (outcome := game.outcome()) is None:
            if game.position.side == side:
                game.play(engine.analyse(game.position, Limit(nodes=2000), history=game.history).move)
            else:
                game.play(chance.choice(game.position.legal_moves()))
        assert outcome.winner == side


def problems_by_cost() -> list[Any]:
    """The problems; those that need more positions are slow tests."""
    return [pytest.param(*row, marks=pytest.mark.slow) if row[0] in PATIENCE else row for row in problems()]


@pytest.mark.parametrize(("fen", "move", "how"), problems_by_cost())
def test_problems_are_solved_with_two_million_positions(fen: str, move: str, how: str) -> None:
    """A third of a second on a core of its own."""
    check_problem(fen, move, how, Limit(nodes=2_000_000 * PATIENCE.get(fen, 1)))


@pytest.mark.parametrize(("fen", "move", "how"), [row for row in problems() if row[2].startswith(TABLES_PROVE_IT)])
def test_what_the_tables_are_said_to_prove_they_prove(fen: str, move: str, how: str) -> None:
    position = Position.from_fen(fen)
    assert is_proved_to_win(position, position.parse(move))


def test_a_problem_accepts_the_moves_that_are_proved_to_win_and_no_other() -> None:
    with Tablebase.open() as tables:
        for position in won_endings(4, 12):
            moves = position.legal_moves()
            winning = [move for move in moves if tables.probe(position.play(move)).value == Value.LOSS]
            assert len(winning) > 0
            assert [move for move in moves if is_proved_to_win(position, move)] == winning


SIGNATURE_POSITIONS = ("start", "W:W21,22,25,30,32:B1,5,9,10,12", "B:WK14,22,K30:BK3,12,K17")


def test_the_search_is_the_one_that_was_measured() -> None:
    """A signature: whoever changes the search or its weights changes this number, and says so in the commit."""
    searcher = small()
    nodes = 0
    for text in SIGNATURE_POSITIONS:
        searcher.clear()
        position = RULES["checkers"].read(text)
        assert isinstance(position, Position)
        nodes += searcher.analyse(position, depth=11).nodes
    assert nodes == SIGNATURE


SIGNATURE = 50441
