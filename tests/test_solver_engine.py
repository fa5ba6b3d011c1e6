"""The solver as an engine: perfect where there is a proof, and honest where there is none."""

from __future__ import annotations

import threading

import pytest

from outplay.connect4 import Position, Solver
from outplay.engine.analyst import AnalyseTask
from outplay.engine.native import SolverEngine, native_analyst, native_engine
from outplay.engine.types import Analysis, Engine, Limit, Line
from outplay.outcome import Side
from outplay.record import Game
from outplay.rules import RULES
from outplay.work.pool import ProcessPool
from tests.support.engine_contract import EngineContract
from tests.support.positions import random_connect4_moves

LOST = "44531234"
"""Every move loses: columns 4 and 7 hold out longest."""
LATE = "4453123456"
"""Column 5 wins, every other loses."""
EVERY = Limit(lines=100)
ENDLESS = Limit(time_ms=60_000)


class TestSolverEngine(EngineContract):
    games = ("connect4",)
    limit = Limit(nodes=20_000)

    def make(self, seed: int) -> Engine:
        return SolverEngine(table_mib=4, seed=seed)


@pytest.fixture(scope="module")
def engine() -> SolverEngine:
    return SolverEngine(table_mib=16, seed=1)


def live_positions(seed: int, count: int, *, least: int) -> list[Position]:
    found = [Position.from_moves(moves) for moves in random_connect4_moves(seed, 8 * count) if len(moves) >= least]
    return [position for position in found if position.outcome() is None][:count]


# Proofs


def test_it_is_found_by_the_name_of_its_game() -> None:
    assert native_engine("connect4", table_mib=4).name == "solver"


def test_it_does_not_play_checkers(engine: SolverEngine) -> None:
    with pytest.raises(ValueError, match="the solver plays Connect Four, not Checkers"):
        engine.analyse(RULES["checkers"].start(), Limit())


def test_every_column_has_its_exact_score_and_the_best_comes_first(engine: SolverEngine) -> None:
    solver = Solver(table_mib=16, book=False)
    for position in live_positions(31, 25, least=20):
        lines = engine.analyse(position, EVERY).lines
        expected = {move: score for move, score in enumerate(solver.scores(position)) if score is not None}
        assert {line.move: line.score.value for line in lines} == expected
        assert all(line.score.is_proof for line in lines)
        values = [line.score.value for line in lines]
        assert values == sorted(values, reverse=True)


def test_the_plies_of_a_line_are_those_of_best_play_to_the_end() -> None:
    engine, solver = SolverEngine(table_mib=4, seed=2), Solver(table_mib=4, book=False)
    for position in live_positions(32, 15, least=20):
        for line in engine.analyse(position, EVERY).lines:
            after = position.play(line.move)
            rest = [] if after.outcome() is not None else solver.line(after)
            assert line.score.plies == 1 + len(rest)


def test_an_expected_line_is_best_play_of_both_sides(engine: SolverEngine) -> None:
    solver = Solver(table_mib=16, book=False)
    for position in live_positions(33, 15, least=20):
        line = engine.analyse(position, Limit()).lines[0]
        score, after = solver.solve(position).score, position
        for move in line.moves:
            assert solver.move_score(after, move) == score
            after, score = after.play(move), -score
        assert len(line.moves) == min(13, line.score.plies or 0)


def test_when_every_move_loses_it_plays_the_longest_defence() -> None:
    position = Position.from_moves(LOST)
    for seed in range(2):
        best, *others = SolverEngine(table_mib=16, seed=seed).analyse(position, EVERY).lines
        assert best.move in (3, 6)
        assert (best.score.value, best.score.plies) == (-2, 32)
        assert all((line.score.plies or 0) <= 32 for line in others)


def test_among_equals_the_seed_chooses() -> None:
    solver = Solver(table_mib=4, book=False)
    for position in live_positions(36, 6, least=24):
        scores = solver.scores(position)
        best = {move for move, score in enumerate(scores) if score == solver.solve(position).score}
        moves = [[_chosen(position, seed) for seed in range(30)] for _ in range(2)]
        assert moves[0] == moves[1]
        assert set(moves[0]) == best


def _chosen(position: Position, seed: int) -> int:
    return int(SolverEngine(table_mib=1, seed=seed).analyse(position, Limit()).move)


def test_an_analyst_puts_equals_in_one_order_nearest_to_the_centre_first() -> None:
    position = Position.from_moves("4453")
    engine = native_analyst("connect4", table_mib=4)
    for asked in (engine, engine, native_analyst("connect4", table_mib=4)):
        lines = asked.analyse(position, EVERY).lines
        assert list(lines) == _from_the_centre(lines)
        assert len({line.score.value for line in lines}) < len(lines) - 1


def test_an_analysis_gives_the_same_answer_to_the_same_question() -> None:
    task = AnalyseTask(Position.from_moves("4453"), EVERY)
    answers = [_in_a_new_process(task) for _ in range(2)]
    assert [line.move for line in answers[0]] == [line.move for line in answers[1]]
    assert list(answers[0]) == _from_the_centre(answers[0])


def _from_the_centre(lines: tuple[Line, ...]) -> list[Line]:
    return sorted(lines, key=lambda line: (-line.score.value, abs(line.move - 3), line.move))


def _in_a_new_process(task: AnalyseTask) -> tuple[Line, ...]:
    with ProcessPool(1) as pool:
        return pool.submit(task).result().analysis.lines


def test_the_book_says_so_and_answers_at_once() -> None:
    lines = SolverEngine(table_mib=1).analyse(Position(), Limit(nodes=100, lines=7)).lines
    assert [line.score.value for line in lines] == [1, 0, 0, -1, -1, -2, -2]
    assert {line.score.known_by for line in lines} == {"book"}


def test_it_never_lets_a_win_go() -> None:
    """From won positions it wins against every random player, in the plies it promised or sooner."""
    engine = SolverEngine(table_mib=16, seed=3)
    for position in live_positions(34, 12, least=18):
        promised = engine.analyse(position, Limit()).lines[0].score
        if promised.value <= 0 or promised.plies is None:
            continue
        game, replies = Game(position), SolverEngine(table_mib=16, seed=4)
        while (outcome := game.outcome()) is None:
            player = engine if game.position.side == position.side else replies
            game.play(player.analyse(game.position, Limit()).move)
        assert outcome.winner == position.side
        assert len(game.moves) == promised.plies


# Limits


@pytest.mark.parametrize("limit", [Limit(nodes=1), Limit(nodes=30_000), Limit(time_ms=1), Limit(clock_ms=10)])
def test_without_a_proof_it_claims_none(limit: Limit) -> None:
    position = Position(8, 8).play(3)
    analysis = SolverEngine(table_mib=4, book=False).analyse(position, limit)
    assert analysis.move in position.legal_moves()
    assert analysis.lines[0].score.known_by == "search"
    assert analysis.lines[0].score.plies is None


def test_a_score_without_a_proof_has_a_sign_only_if_that_is_certain() -> None:
    truth = Solver(table_mib=16, book=False)
    unproved = 0
    for position in live_positions(35, 20, least=16):
        for line in SolverEngine(table_mib=4, book=False).analyse(position, Limit(nodes=500, lines=7)).lines:
            score = truth.move_score(position, line.move)
            if line.score.is_proof:
                assert line.score.value == score
            else:
                unproved += 1
                assert (line.score.value > 0) <= (score > 0)
                assert (line.score.value < 0) <= (score < 0)
    assert unproved


def test_a_win_or_a_block_is_seen_with_next_to_no_nodes() -> None:
    engine = SolverEngine(table_mib=4, book=False)
    assert engine.analyse(Position.from_moves("112233", 8, 8), Limit(nodes=1)).move == 3
    blocked = Position.from_moves("1122335", 8, 8)  # the first threatens 4
    assert engine.analyse(blocked, Limit(nodes=50)).move == 3


def test_the_limit_of_nodes_is_nearly_kept() -> None:
    """Each search looks at the limit once in a thousand nodes."""
    engine = SolverEngine(table_mib=4, book=False)
    for nodes in (50, 5000, 50_000):
        assert engine.analyse(Position(), Limit(nodes=nodes)).nodes < nodes + 20_000


def test_one_stop_is_enough_whenever_it_comes() -> None:
    for delay in (0.0, 0.05, 0.3):
        engine, found, begun = SolverEngine(table_mib=4, book=False), list[Analysis](), threading.Event()

        def ask(engine: Engine = engine, found: list[Analysis] = found, begun: threading.Event = begun) -> None:
            found.append(engine.analyse(Position(8, 8), ENDLESS, report=lambda analysis: begun.set()))

        thread = threading.Thread(target=ask)
        thread.start()
        assert begun.wait(60)
        thread.join(delay)
        engine.stop()
        thread.join(60)
        assert not thread.is_alive()
        assert found[0].move in Position(8, 8).legal_moves()


def test_an_error_in_a_report_comes_out() -> None:
    def fail(analysis: Analysis) -> None:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        SolverEngine(table_mib=4, book=False).analyse(Position(8, 8), Limit(time_ms=20_000), report=fail)


@pytest.mark.parametrize("options", [{"threads": 0}, {"table_mib": 0}])
def test_options_that_make_no_sense_are_refused(options: dict[str, int]) -> None:
    with pytest.raises(ValueError, match=next(iter(options))):
        SolverEngine(**options)  # type: ignore[arg-type]


def test_two_threads_play_the_same_game() -> None:
    position = Position.from_moves(LATE)
    for threads in (1, 2):
        best = SolverEngine(threads=threads, table_mib=16, seed=1).analyse(position, EVERY).lines[0]
        assert (best.move, best.score.value, best.score.plies) == (4, 3, 27)
        assert position.side == Side.FIRST
