"""Reviews: what was thrown away is found, all of it and nothing else, and how it is known is told."""

from __future__ import annotations

import json
import os
import threading
from math import exp
from multiprocessing import Process
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from outplay import checkers, connect4
from outplay.explain import Voice
from outplay.notation import games, write
from outplay.outcome import Side
from outplay.record import AnyGame, Game
from outplay.review import Coach, Grade, Review, annotated, coach, judge_for, puzzle_judge, puzzles_of, review
from outplay.review.checkers import CheckersJudge, fitting_nodes
from outplay.review.connect4 import Connect4Judge
from outplay.review.grades import accuracy, grade_of
from outplay.tablebase import Tablebase
from tests.oracle import connect4 as oracle
from tests.oracle.scores import Scores
from tests.support.games import BLUNDERS, THREE_BLUNDERS

WON = "B:W16,K30:BK23,17"
"""Two moves win, three draw, one loses."""


def played(moves: str, width: int = 7, height: int = 6) -> AnyGame:
    game = Game(connect4.Position(width, height))
    for move in moves:
        game.play(move)
    return game


def of_checkers(*moves: str, fen: str | None = None) -> AnyGame:
    game = Game(checkers.Position() if fen is None else checkers.Position.from_fen(fen))
    for move in moves:
        game.play(move)
    return game


def flaws(found: Review, *grades: Grade) -> list[int]:
    return [move.ply for move in found.moves if (move.grade in grades if grades else move.grade.is_flaw)]


@pytest.fixture(scope="module")
def solver() -> connect4.Solver:
    return connect4.Solver()


@pytest.fixture(scope="module")
def three_blunders(solver: connect4.Solver) -> Review:
    return review(played(THREE_BLUNDERS), judge=Connect4Judge(solver=solver))


# Connect Four


def test_exactly_the_moves_that_change_the_result_are_blunders(three_blunders: Review, solver: connect4.Solver) -> None:
    changes = []
    position = connect4.Position()
    for ply, text in enumerate(THREE_BLUNDERS, 1):
        after = position.play(position.parse(text))
        sign = 0 if after.outcome() is not None else -solver.solve(after, sign_only=True).sign
        if sign < solver.solve(position, sign_only=True).sign:
            changes.append(ply)
        position = after
    assert changes == BLUNDERS
    assert flaws(three_blunders, Grade.BLUNDER) == BLUNDERS
    assert flaws(three_blunders) == BLUNDERS


def test_what_was_thrown_away_is_told(three_blunders: Review) -> None:
    first = three_blunders.moves[10]
    assert first.sentence.startswith(f"From a win in {first.before.label.rpartition(' ')[2]} to ")
    assert first.line[0] in first.better
    assert [answer.move for answer in first.answers if answer.is_good] == sorted(first.better)
    assert first.move not in first.better
    last = three_blunders.moves[25]
    assert three_blunders.turning_point is not None
    assert (three_blunders.turning_point.ply, three_blunders.turning_point.side) == (26, Side.SECOND)
    assert three_blunders.turning_point.sentence == last.let_go
    assert last.let_go.startswith("Yellow had a ")
    assert three_blunders.headline == "A draw: the board is full."


def test_every_move_that_keeps_the_result_is_a_good_answer(three_blunders: Review, solver: connect4.Solver) -> None:
    nodes = played(THREE_BLUNDERS).main_line()
    for ply in BLUNDERS:
        position = nodes[ply - 2].position
        assert isinstance(position, connect4.Position)
        scores = solver.scores(position)
        best = max(score for score in scores if score is not None)
        answers = three_blunders.moves[ply - 1].answers
        assert {answer.move for answer in answers} == {position.format(move) for move in position.legal_moves()}
        for answer in answers:
            score = scores[position.parse(answer.move)]
            assert score is not None
            assert answer.is_good == ((score > 0) == (best > 0) and (score < 0) == (best < 0))
            assert answer.worth.known_by in ("solved", "book")


def test_a_game_of_perfect_moves_has_no_flaw(solver: connect4.Solver) -> None:
    game = Game(connect4.Position())
    for column in solver.line(connect4.Position()):
        game.play(column)
    found = review(game, judge=Connect4Judge(solver=solver))
    assert flaws(found) == []
    assert [side.accuracy for side in found.sides] == [100, 100]
    assert found.turning_point is None
    assert [side.sentence for side in found.sides] == ["no mistakes", "no mistakes"]


def test_the_score_after_a_move_is_the_score_before_the_next(three_blunders: Review) -> None:
    mirrored = {"win": "loss", "loss": "win", "draw": "draw"}
    for move, following in zip(three_blunders.moves, three_blunders.moves[1:], strict=False):
        assert move.after.verdict == mirrored[following.before.verdict]
        assert move.after.chance == 1 - following.before.chance


def test_the_losses_of_both_sides_add_up_to_the_result(three_blunders: Review) -> None:
    """What Red loses, Yellow wins: from the start to the end of the game the chances have moved by the difference."""
    lost = {
        side: sum(move.before.chance - move.after.chance for move in three_blunders.moves if move.side is side)
        for side in Side
    }
    start = three_blunders.moves[0].before.chance
    assert start - lost[Side.FIRST] + lost[Side.SECOND] == 0.5


SMALL = Scores(4, 4)


@settings(max_examples=25)
@given(st.lists(st.integers(0, 15), min_size=16, max_size=16))
def test_a_review_of_a_small_board_agrees_with_the_oracle(choices: list[int]) -> None:
    game = Game(connect4.Position(4, 4))
    rows = oracle.empty(4, 4)
    expected = []
    for choice in choices:
        if game.outcome() is not None:
            break
        moves = game.position.legal_moves()
        move = moves[choice % len(moves)]
        best = SMALL.of(rows)
        rows = oracle.play(rows, move)
        over = oracle.outcome(rows)
        score = -SMALL.of(rows) if over is None else 0 if over.winner is None else (17 - game.ply) // 2
        expected.append(len(moves) > 1 and ((best > 0) > (score > 0) or (best < 0) < (score < 0)))
        game.play(move)
    found = review(game, judge=Connect4Judge(solver=_SMALL_SOLVER))
    assert [move.grade is Grade.BLUNDER for move in found.moves] == expected


_SMALL_SOLVER = connect4.Solver(table_mib=1)


def test_a_slower_win_is_an_inaccuracy_and_a_much_slower_one_a_mistake(solver: connect4.Solver) -> None:
    found = review(played("4435273655"), judge=Connect4Judge(solver=solver))
    assert found.moves[6].sentence == "From a win in 1 to a win in 15. Column 1 wins sooner. It makes four in column 1."
    assert found.moves[6].grade is Grade.MISTAKE
    assert found.moves[5].sentence == (
        "From a win in 18 to a loss in 1. It does not block: Red makes four in column 1. Column 1 keeps the win."
    )
    assert found.moves[6].answers == ()  # every move wins: there is nothing to be found


def test_a_game_that_goes_on_or_was_given_up_is_judged_too(solver: connect4.Solver) -> None:
    game = played("4453")
    found = review(game, judge=Connect4Judge(solver=solver))
    assert (len(found.moves), found.headline) == (4, "Yellow wins in 18, from the opening book")
    game.resign()
    assert review(game, judge=Connect4Judge(solver=solver)).headline == found.headline


def test_a_game_without_a_move_has_an_end_and_nothing_else(solver: connect4.Solver) -> None:
    found = review(Game(connect4.Position()), judge=Connect4Judge(solver=solver))
    assert (found.moves, found.turning_point) == ((), None)
    assert [side.accuracy for side in found.sides] == [None, None]
    assert found.headline == "Red wins in 21, from the opening book"


def test_variations_are_not_judged(solver: connect4.Solver) -> None:
    game = played("44")
    game.go_to(game.root)
    game.root.add(6)
    assert [move.move for move in review(game, judge=Connect4Judge(solver=solver)).moves] == ["4", "4"]


def test_what_is_not_solved_in_time_is_not_judged() -> None:
    found = review(played("4", 9, 9), judge=Connect4Judge(nodes=1000))
    assert found.moves[0].grade is Grade.UNKNOWN
    assert found.moves[0].before.known == "not solved"
    assert found.headline == "Not solved in time"
    assert [side.accuracy for side in found.sides] == [None, None]


def test_a_game_from_a_custom_position_is_judged(solver: connect4.Solver) -> None:
    game = Game(connect4.Position.from_moves("171717"))
    game.play("2")
    found = review(game, judge=Connect4Judge(solver=solver))
    assert found.start == game.start.fen()
    assert found.moves[0].grade is Grade.BLUNDER
    assert (
        "From a win in 1 to a loss in 1. It does not block: Yellow makes four in column 7." in found.moves[0].sentence
    )


# Checkers


@pytest.fixture(scope="module")
def tables() -> Tablebase:
    return Tablebase.open()


def test_a_win_of_the_tables_that_is_let_go_is_a_blunder(tables: Tablebase) -> None:
    position = checkers.Position.from_fen(WON)
    draws = [move for move in position.legal_moves() if tables.probe(position.play(move)).value == "draw"]
    wins = [move for move in position.legal_moves() if tables.probe(position.play(move)).value == "loss"]
    assert draws
    assert wins
    found = review(of_checkers(str(draws[0]), fen=WON), judge=CheckersJudge(nodes=20_000)).moves[0]
    assert found.grade is Grade.BLUNDER
    assert (found.before.known_by, found.after.known_by) == ("table", "table")
    assert found.sentence.startswith("The tables: from a win in ")
    assert " to a draw." in found.sentence
    assert {answer.move for answer in found.answers if answer.is_good} == set(map(str, wins))
    assert found.line[0] in set(map(str, wins))


def test_a_slower_win_of_the_tables_is_no_flaw(tables: Tablebase) -> None:
    position = checkers.Position.from_fen(WON)
    wins = [move for move in position.legal_moves() if tables.probe(position.play(move)).value == "loss"]
    for move in wins:
        found = review(of_checkers(str(move), fen=WON), judge=CheckersJudge(nodes=20_000)).moves[0]
        assert not found.grade.is_flaw


def test_two_men_for_nothing_are_a_blunder_and_the_jump_is_told() -> None:
    game = of_checkers("11-15", "22-18", "15x22", "25x18", "12-16", "26-22", "8-12", "24-20", "4-8")
    found = review(game, judge=CheckersJudge(nodes=100_000)).moves[-1]
    assert found.grade is Grade.BLUNDER
    assert found.before.known.startswith("depth ")
    assert "It allows 20x11x4, which wins two men." in found.sentence
    good = {answer.move for answer in found.answers if answer.is_good}
    assert set(found.better) <= good
    assert "4-8" not in good


def test_a_forced_move_is_nobodys_merit_and_nobodys_fault() -> None:
    found = review(of_checkers("11-15", "22-18", "15x22", "25x18"), judge=CheckersJudge(nodes=20_000))
    assert [move.grade for move in found.moves][2] is Grade.FORCED
    assert found.opening == "Single Corner"


def test_a_draw_by_repetition_is_a_draw() -> None:
    shuffle = ("1-5", "32-27", "5-1", "27-32") * 2
    game = of_checkers(*shuffle, fen="B:WK32:BK1")
    outcome = game.outcome()
    assert outcome is not None
    found = review(game, judge=CheckersJudge(nodes=20_000))
    assert found.headline == "A draw: the same position for the third time."
    assert found.moves[-1].after.label == "= draw"


# Stopping, progress, forms


@pytest.mark.parametrize("game", [played(THREE_BLUNDERS), of_checkers("11-15", "23-19", "8-11", "22-17")])
def test_a_review_that_is_stopped_keeps_the_last_moves(game: AnyGame) -> None:
    judge = judge_for(game, nodes=20_000)
    seen: list[int] = []

    def progress(found: Review) -> None:
        seen.append(len(found.moves))
        if len(found.moves) == 2:
            threading.Thread(target=judge.stop).run()

    found = review(game, judge=judge, progress=progress)
    assert not found.is_complete
    assert [move.ply for move in found.moves] == [len(game.main_line()) - 1, len(game.main_line())]
    assert seen == [0, 1, 2]


def test_a_review_is_json(three_blunders: Review) -> None:
    values = json.loads(json.dumps(three_blunders.to_dict()))
    assert (values["game"], values["plies"], values["complete"]) == ("connect4", 42, True)
    assert [move["ply"] for move in values["moves"] if "answers" in move] == BLUNDERS
    assert values["turning_point"]["ply"] == 26


def test_an_annotated_game_reads_back_with_glyphs_and_better_lines(three_blunders: Review) -> None:
    game = played(THREE_BLUNDERS)
    game.main_line()[0].comment = "the centre"
    text = write(annotated(game, three_blunders))
    back = next(games(text))
    nodes = back.main_line()
    assert [node.text for node in nodes] == list(THREE_BLUNDERS)
    assert [ply for ply, node in enumerate(nodes, 1) if node.glyphs == [4]] == BLUNDERS
    assert nodes[0].comment == "the centre"
    parent = nodes[10].parent
    assert parent is not None
    assert [child.text for child in parent.children] == ["5", three_blunders.moves[10].line[0]]
    assert nodes[10].comment == three_blunders.moves[10].sentence
    assert not any(node.glyphs for node in game.main_line())  # the game itself is as it was


def test_a_position_of_a_long_game_gets_fewer_nodes() -> None:
    assert [fitting_nodes(plies) for plies in (0, 79, 159, 239)] == [300_000, 300_000, 150_000, 100_000]
    assert fitting_nodes(9, 20_000) == 20_000
    assert fitting_nodes(10**9) == 1


# Grades


def test_grades_get_worse_with_the_loss() -> None:
    losses = [0.0, 0.049, 0.05, 0.1, 0.15, 1.0]
    grades = [grade_of(loss, is_best=False, is_exact=False) for loss in losses]
    assert grades == [Grade.GOOD, Grade.GOOD, Grade.INACCURACY, Grade.MISTAKE, Grade.BLUNDER, Grade.BLUNDER]
    assert grade_of(0.01, is_best=False, is_exact=True) is Grade.INACCURACY


@given(st.lists(st.floats(0, 1), min_size=1))
def test_accuracy_is_a_percentage_that_falls_with_every_loss(losses: list[float]) -> None:
    found = accuracy(losses)
    assert found is not None
    assert 100 * exp(-5) - 1e-9 <= found <= 100 + 1e-9
    worse = accuracy([*losses[1:], 1.0])
    assert worse is not None
    assert worse <= found + 1e-9


# Puzzles


def test_puzzles_are_made_of_what_was_thrown_away(three_blunders: Review) -> None:
    game = played(THREE_BLUNDERS)
    found = puzzles_of(game, three_blunders)
    assert [puzzle.ply for puzzle in found] == [ply - 1 for ply in BLUNDERS]
    assert [puzzle.ply for puzzle in puzzles_of(game, three_blunders, sides=[Side.SECOND])] == [25]
    for puzzle in found:
        assert not puzzle.accepts(puzzle.played)
        assert puzzle.accepts(puzzle.line[0])
        assert puzzle.sentence.startswith(("Red to move and ", "Yellow to move and "))


def test_a_checkers_puzzle_is_proven_by_the_tables(tables: Tablebase) -> None:
    position = checkers.Position.from_fen(WON)
    draws = [move for move in position.legal_moves() if tables.probe(position.play(move)).value == "draw"]
    game = of_checkers(str(draws[0]), fen=WON)
    (puzzle,) = puzzles_of(game, review(game, judge=puzzle_judge(game)))
    assert puzzle.known == "from the endgame tables"
    assert puzzle.sentence == "Black to move and win."
    for move in position.legal_moves():
        assert puzzle.accepts(str(move)) == (tables.probe(position.play(move)).value == "loss")
    start = of_checkers("11-15", "23-19")
    assert puzzles_of(start, review(start, judge=puzzle_judge(start))) == []


# The coach, ranks, voices, the same every time


def told(moves: str, side: Side, *, resigned: Side | None = None) -> Coach:
    game = played(moves)
    if resigned is not None:
        game.resign(resigned)
    return coach(review(game), side, game.outcome(), Voice(("Red", "Planner"), side))


def test_the_coach_names_the_last_win_that_was_given_away() -> None:
    found = told("4435271", Side.SECOND)
    assert (found.kind, found.ply, found.is_proof) == ("miss", 6, True)
    assert found.sentence == "You lost on move 7. You had a win on move 6."
    assert found.detail == "A win in 18. You played column 7."


def test_the_coach_names_the_fastest_win() -> None:
    found = told("1122335564", Side.FIRST)  # a four in column 4 on move 7, played on move 10 by nobody
    assert found.kind == "miss"
    found = told("11223355664", Side.FIRST)
    assert (found.kind, found.ply, found.title) == ("faster", 7, "The fastest win was on move 7")
    assert found.sentence == "You won on move 11. The fastest win was on move 7."
    assert found.detail == "A win in 1. You played column 5."


def test_the_coach_blames_nobody_who_gave_nothing_away() -> None:
    solver = connect4.Solver()
    moves = "".join(connect4.Position().format(move) for move in solver.line(connect4.Position()))
    found = told(moves, Side.SECOND)
    assert (found.kind, found.ply) == ("clean", None)
    assert found.sentence == "You lost on move 41. No chance missed: Red had a win from move 1."
    winner = told(moves, Side.FIRST)
    assert winner.sentence == "You won on move 41. No chance missed: there was no faster win for you."


@pytest.mark.parametrize(
    ("moves", "reason", "sentence", "detail"),
    [
        ("43444", "resignation", "You lost on move 5. You had a draw at the end.", "A draw. You resigned."),
        ("112233", "resignation", "You lost on move 6. You had a win at the end.", "A win in 1. You resigned."),
        ("112233", "time", "You lost on move 6. You had a win at the end.", "A win in 1. Your time ran out."),
        ("112233", "agreement", "You drew on move 6. You had a win at the end.", "A win in 1. You agreed to a draw."),
        ("", "resignation", "You lost before the first move. You had a win at the end.", "A win in 21. You resigned."),
    ],
)
def test_giving_up_a_good_position_is_a_chance_missed(moves: str, reason: str, sentence: str, detail: str) -> None:
    game = played(moves)
    side = game.position.side
    if reason == "agreement":
        game.agree_draw()
    else:
        (game.resign if reason == "resignation" else game.lose_on_time)(side)
    found = coach(review(game), side, game.outcome(), Voice(("Red", "Planner"), side))
    assert (found.kind, found.ply, found.is_proof) == ("miss", None, True)
    assert (found.sentence, found.detail) == (sentence, detail)


def told_large(moves: str, side: Side) -> Coach:
    game = played("", 10, 10)
    for move in moves:
        game.play(move)
    if game.outcome() is None:
        game.resign(side)
    return coach(review(game, nodes=1_000), side, game.outcome(), Voice(("Red", "Planner"), side))


def test_the_coach_of_a_large_board_claims_only_what_was_judged() -> None:
    found = told_large("195173", Side.SECOND)
    assert (found.kind, found.ply, found.is_proof) == ("unsolved", None, False)
    assert found.sentence == "You lost on move 6. Not solved: 3 of 3 moves could not be judged."
    assert review(played("195173", 10, 10), nodes=1_000).sides[0].sentence == "3 not judged"
    missed = told_large("16162629", Side.SECOND)
    assert (missed.sentence, missed.is_proof) == ("You lost on move 8. You had a win on move 8.", True)
    unblocked = told_large("1626364", Side.SECOND)
    assert (unblocked.sentence, unblocked.is_proof) == ("You lost on move 7. You did not block on move 6.", True)
    assert unblocked.detail == "Red threatened to win. You played column 6."


def test_a_side_without_a_move_has_proved_nothing() -> None:
    found = told_large("5", Side.SECOND)
    assert (found.kind, found.is_proof) == ("unsolved", False)


def test_a_review_speaks_to_one_side() -> None:
    found = review(played("443527"), voice=Voice(("Red", "Yellow"), Side.SECOND))
    assert found.turning_point is not None
    assert found.turning_point.sentence == "You had a win in 18 and let it go."
    assert found.headline == "Red wins in 1, from the opening book"
    assert found.moves[1].headline == "Red wins in 20, from the opening book"
    other = review(played("443527"), voice=Voice(("Red", "Yellow"), Side.FIRST))
    assert other.headline == "You win in 1, from the opening book"
    assert "you make four in column 1" in other.moves[5].sentence


def test_a_flaw_that_shows_at_once_is_ranked_first() -> None:
    found = review(played("443527"))
    assert found.ranked == (6, 3)
    late, soon = found.moves[2], found.moves[5]
    assert late.refutation is not None
    assert soon.refutation is not None
    assert soon.refutation.line == ("7", "1")
    assert len(late.refutation.line) > 20


def test_a_flaw_has_its_refutation_to_play_through(three_blunders: Review) -> None:
    nodes = played(THREE_BLUNDERS).main_line()
    for ply in BLUNDERS:
        move = three_blunders.moves[ply - 1]
        assert move.refutation is not None
        assert move.missed is not None
        position = nodes[ply - 2].position
        for line in (move.refutation.line, move.missed.line):
            at = position
            for text in line:
                at = at.play(at.parse(text))
        assert move.refutation.line[0] == move.move
        assert move.missed.line[0] in move.better


SHORT_GAME = ("11-15", "22-18", "15x22", "25x18", "12-16", "26-22", "8-12", "24-20", "4-8", "20x11x4")


def test_two_reviews_of_a_game_are_equal_whatever_was_judged_before() -> None:
    game = of_checkers(*SHORT_GAME)
    first = review(game, nodes=20_000)
    review(of_checkers("9-13", "22-18"), nodes=5_000)
    assert review(game, nodes=20_000) == first
    assert review(played("443527")) == review(played("443527"))


@pytest.mark.slow
def test_twenty_reviews_are_equal_on_a_busy_machine_and_on_an_idle_one() -> None:
    """Random games of both kinds, judged alone and then while other processes use every core."""
    random = Random(20)
    several = [_random_game(Game(checkers.Position()), random, 30) for _ in range(10)]
    several += [_random_game(Game(connect4.Position()), random, 42) for _ in range(10)]
    idle = [review(game, nodes=20_000) for game in several]
    busy = [Process(target=_spin, daemon=True) for _ in range(2 * (os.cpu_count() or 1))]
    for process in busy:
        process.start()
    try:
        assert [review(game, nodes=20_000) for game in several] == idle
    finally:
        for process in busy:
            process.kill()


def _random_game(game: AnyGame, random: Random, plies: int) -> AnyGame:
    while game.ply < plies and game.outcome() is None:
        game.play(random.choice(game.position.legal_moves()))
    return game


def _spin() -> None:
    while True:
        pass
