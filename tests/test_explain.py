"""Moves, scores and endings in words, and hints in three steps."""

from __future__ import annotations

import pytest
from hypothesis import given

from outplay import checkers, connect4
from outplay.engine.types import Analysis, Line, Score
from outplay.errors import IllegalMoveError
from outplay.explain import (
    Refusal,
    advice,
    cell_of,
    expected,
    hint,
    label_of,
    line_text,
    name_of,
    outcome_sentence,
    own_moves,
    reasons,
    refusal,
    score_sentence,
    settled,
    stuck,
    threats,
    why,
)
from outplay.outcome import Outcome, Reason, Side
from outplay.rules import RULES, Move, Position
from tests.support.positions import checkers_fens, connect4_moves

four = connect4.Position.from_moves
fen = checkers.Position.from_fen


def thought(position: Position, *texts: str, value: float = 0, plies: int | None = None) -> Analysis:
    """An analysis whose line is these moves."""
    moves: list[Move] = []
    at = position
    for text in texts:
        moves.append(at.parse(text))
        at = at.play(moves[-1])
    return Analysis((Line(moves[0], Score(value, depth=5, plies=plies), tuple(moves)),), 5, 100, 0.1)


# Moves


@pytest.mark.parametrize(
    ("moves", "move", "said"),
    [
        ("112233", "4", "Column 4: it makes four in a row."),
        ("11223", "4", "Column 4: it blocks four in a row."),
        ("11223", "5", "Column 5: Red can then win in column 4."),
        ("4152", "6", "Column 6: it threatens two fours at once, in columns 3 and 7."),
        ("4152", "3", "Column 3: it threatens four in a row in column 6."),
        ("", "4", "Column 4: most lines of four run through the centre."),
        ("", "1", "Column 1."),
    ],
)
def test_a_connect_four_move_in_words(moves: str, move: str, said: str) -> None:
    position = four(moves)
    assert why(position, position.parse(move)) == said


def test_a_block_that_is_not_enough_says_so() -> None:
    position = four("31415")  # Red has 3 4 5 at the bottom, and both ends are open
    assert why(position, position.parse("2")) == "Column 2: it blocks four in a row; Red can then win in column 6."


def test_the_only_move_says_so() -> None:
    full_but_one = connect4.Position.from_rows([[0, 1, 1, 2], [2, 2, 1, 1], [1, 1, 2, 2], [2, 1, 2, 1]], first=1)
    assert full_but_one.legal_moves() == [0]
    assert next(reasons(full_but_one, 0)) == "it is the only move"


@pytest.mark.parametrize(
    ("text", "move", "said"),
    [
        ("B:W22,15:B11", "11x18x25", "11x18x25: it is the only move; it takes two men; it ends the game."),
        ("B:WK18,8:B14,5", "14x23", "14x23: it is the only move; it takes a king."),
        ("B:W9:B27,1", "27-31", "27-31: it makes a king."),
        ("B:W18:B9", "9-14", "9-14: White must then take a man with 18x9."),
        ("B:W18,32:B14,5", "14x23", "14x23: it is the only move; it takes a man."),
        ("B:W18:B9", "9-13", "9-13."),
    ],
)
def test_a_checkers_move_in_words(text: str, move: str, said: str) -> None:
    position = fen(text)
    assert why(position, position.parse(move)) == said


def test_a_piece_that_is_moved_out_of_danger_is_saved() -> None:
    position = fen("B:W19,24:B15,1")  # White could take 15 with 19x10
    assert "it saves a piece that could be taken" in list(reasons(position, position.parse("15-18")))


def test_what_the_engine_expects_and_knows_is_said() -> None:
    position = four("4152")
    assert why(position, 5, thought(position, "6", "1", "3", value=900, plies=3)) == (
        "Column 6: it threatens two fours at once, in columns 3 and 7; Red wins in 2; the engine expects 1 3."
    )
    long = thought(position, "6", *"1233445", value=900, plies=9)
    assert why(position, 5, long).endswith("; the engine expects 1 2 3.")
    assert why(position, 0, thought(position, "1", value=0.4)) == "Column 1: estimated +0.4, depth 5."
    assert why(position, 6, thought(position, "1", "2")) == why(position, 6)  # it said nothing about this move


def test_a_line_is_told_as_far_as_it_can_be_played() -> None:
    position = four("44")
    assert line_text(position, (3, 3, 99, 1)) == "4 4"
    assert line_text(position, (0,) * 6 + (1, 2, 3)) == "1 1 1 1 1 1 2 3 ..."
    assert expected(position, Line(3, Score(0), (3, 2, 1))) == "3 2"


def test_moves_have_names() -> None:
    assert name_of(four(""), 3) == "Column 4"
    assert name_of(checkers.Position(), checkers.Position().parse("11-15")) == "11-15"


@given(connect4_moves())
def test_the_reasons_agree_with_what_happens(moves: str) -> None:
    position = four(moves)
    for column in position.legal_moves():
        said = " ".join(reasons(position, column))
        after = position.play(column)
        outcome = after.outcome()
        assert ("makes four" in said) == (outcome is not None and outcome.winner is not None)
        wins = [reply for reply in after.legal_moves() if _wins(after, reply)]
        assert ("can then win" in said) == bool(wins)


@given(connect4_moves())
def test_a_threat_is_a_win_if_nothing_is_done(moves: str) -> None:
    position = four(moves)
    for column in threats(position):
        for other in position.legal_moves():
            after = position.play(other)
            if other != column and after.outcome() is None:
                assert _wins(after, column)


def _wins(position: Position, move: Move) -> bool:
    outcome = position.play(move).outcome()
    return outcome is not None and outcome.winner is position.side


@given(checkers_fens())
def test_every_checkers_move_can_be_explained(text: str) -> None:
    position = fen(text)
    for move in position.legal_moves():
        said = why(position, move)
        assert said.startswith(str(move))
        assert ("it takes" in said) == move.is_capture


# Scores: proof and guess never sound alike


@pytest.mark.parametrize(
    ("score", "label", "sentence"),
    [
        (Score(0.35, depth=13), "+0.35", "estimated +0.35, depth 13"),
        (Score(-800, depth=4), "-800", "estimated -800, depth 4"),
        (Score(4023.5, depth=2), "+4024", "estimated +4024, depth 2"),
        (Score(0), "about equal", "estimated about equal"),
        (Score(999, depth=9, plies=9), "+ win in 5", "Red wins in 5"),
        (Score(-999, depth=9, plies=8), "- loss in 4", "Yellow wins in 4"),
        (Score(3, "solved", plies=17), "+ win in 9", "Red wins in 9, solved"),
        (Score(0, "solved"), "= draw", "a draw, solved"),
        (Score(-1, "table"), "- loss", "Yellow wins, from the endgame tables"),
        (Score(1, "book"), "+ win", "Red wins, from the opening book"),
    ],
)
def test_a_score_in_words(score: Score, label: str, sentence: str) -> None:
    assert label_of(score) == label
    assert score_sentence(four(""), score) == sentence


def test_the_winner_counts_his_own_moves() -> None:
    assert [own_moves(plies) for plies in (1, 2, 3, 4, 5)] == [1, 1, 2, 2, 3]


def test_a_score_is_seen_from_the_side_to_move() -> None:
    assert score_sentence(four("4"), Score(9, plies=1), ("You", "The AI")) == "The AI wins in 1"


# Refusals


def test_a_refused_move_says_why_and_what_must_be_played() -> None:
    with pytest.raises(IllegalMoveError) as full:
        four("444444").parse("4")
    assert refusal(full.value).message == "Column 4 is full."
    with pytest.raises(IllegalMoveError) as quiet:
        fen("B:W18,32:B14,5").parse("5-9")
    told = refusal(quiet.value)
    assert (told.message, told.detail) == ("You must capture: 14x23", "5-9 is refused: a capture is never optional.")
    assert [str(move) for move in told.instead] == ["14x23"]


def test_a_piece_that_cannot_be_moved_says_why_and_which_can() -> None:
    start, jump = checkers.Position(), fen("B:W18,32,K1:B14,5,K30")
    assert [stuck(start, text) for text in ("11", "24", "16", "0", "99", "11-15", "x")] == [None] * 7
    assert [stuck(jump, "14"), stuck(four("44"), "4")] == [None, None]
    assert stuck(start, "8") == Refusal("Man on 8 cannot move.", "Dotted rings: can move")
    jumps = tuple(jump.legal_moves())
    assert stuck(jump, "5") == Refusal("Man on 5 cannot capture.", "Ringed pieces can, and one of them must.", jumps)
    assert stuck(jump, "30") == Refusal("King on 30 cannot capture.", "Ringed pieces can, and one of them must.", jumps)


def test_advice_names_the_rings_of_the_board() -> None:
    assert advice(fen("B:W18,32:B14,5")) == "Ringed pieces can capture, and one of them must."
    assert advice(checkers.Position()) == "Dotted rings: can move"
    assert advice(four("44")) == ""


# Endings


def test_every_reason_has_its_sentence() -> None:
    for reason in Reason:
        drawn = reason in (Reason.BOARD_FULL, Reason.REPETITION, Reason.NO_PROGRESS, Reason.AGREEMENT)
        said = outcome_sentence(Outcome(None if drawn else Side.FIRST, reason), ("Black", "Red"))
        assert said.startswith("A draw: " if drawn else "Black wins: ")
        assert said.endswith(".")
        assert "{" not in said


@pytest.mark.parametrize(
    ("moves", "said"),
    [
        ("1212121", "Red wins: four in a row in column 1."),
        ("1122334", "Red wins: four in a row, columns 1 to 4."),
        ("12233434464", "Red wins: four in a row on a diagonal, columns 1 to 4."),
    ],
)
def test_the_four_that_won_is_named(moves: str, said: str) -> None:
    outcome = four(moves).outcome()
    assert outcome is not None
    assert outcome_sentence(outcome, RULES["connect4"].sides) == said


# Hints


def test_a_hint_in_three_steps() -> None:
    position = four("4152")
    analysis = thought(position, "6", "1", "3")
    area, column, move = (hint(position, analysis, step) for step in (1, 2, 3))
    assert (area.sentence, area.places, area.move) == ("Look at the right, columns 6 to 7.", (5, 6), None)
    assert (column.sentence, column.places, column.move) == ("Column 6.", (5,), None)
    assert (move.places, move.move) == ((5,), 5)
    assert move.reason == ("Column 6: it makes two threats at once, in columns 3 and 7: Yellow can block only one.")
    assert move.line == "The engine expects 1 3."
    assert move.sentence == f"{move.reason} {move.line}"


def test_the_last_step_of_a_hint_has_marks_for_the_board_before_the_move() -> None:
    position = four("11223")
    block = hint(position, thought(position, "4"), 3)
    assert block.reason == "Column 4: it blocks: Red threatens four in column 4."
    assert [mark.cells for mark in block.marks if mark.kind == "threat"] == [(38,)]
    assert hint(position, thought(position, "4"), 2).marks == ()


def test_the_line_of_a_hint_stands_apart_from_its_reason() -> None:
    position = fen("B:W22,28:B18")
    last = hint(position, thought(position, "18x25", "28-24", "25-29"), 3)
    assert last.reason == "18x25: it is the only move; it takes a man."
    assert last.line == "The engine expects 28-24 25-29."
    assert last.sentence == "18x25: it is the only move; it takes a man; the engine expects 28-24 25-29."


def test_a_hint_without_a_line_says_only_the_reason() -> None:
    position = four("112233")
    last = hint(position, thought(position, "4"), 3)
    assert (last.reason, last.line) == (last.sentence, "")
    quiet = four("")
    last = hint(quiet, thought(quiet, "1", "4"), 3)
    assert last.sentence == "Column 1: the engine expects 4."
    assert (last.reason, last.line) == ("Column 1.", "The engine expects 4.")


def test_a_hint_says_what_is_urgent() -> None:
    win, block = four("112233"), four("11223")
    assert hint(win, thought(win, "4"), 1).sentence == "You can win at once. Look at the middle, columns 3 to 5."
    assert hint(block, thought(block, "4"), 1).sentence == "Red threatens to win. Look at the middle, columns 3 to 5."
    jump = fen("B:W18,32:B14,5")
    assert hint(jump, thought(jump, "14x23"), 1).sentence == "You must capture. Look around square 6."


def test_a_hint_for_checkers_shows_a_quarter_a_piece_and_a_path() -> None:
    position = checkers.Position()
    analysis = thought(position, "11-15")
    area, piece, move = (hint(position, analysis, step) for step in (1, 2, 3))
    assert area.sentence == "Look around square 8."
    assert area.places == (3, 4, 7, 8, 11, 12, 15, 16)
    assert (piece.sentence, piece.places) == ("The man on 11.", (11,))
    assert move.places == (11, 15)


def test_a_hint_has_three_steps_only() -> None:
    with pytest.raises(ValueError, match="1 to 3"):
        hint(four(""), thought(four(""), "4"), 4)


def test_squares_lie_where_the_board_prints_them() -> None:
    assert [cell_of(square) for square in (1, 4, 5, 32)] == [(0, 1), (0, 7), (1, 0), (7, 6)]
    assert len({cell_of(square) for square in range(1, 33)}) == 32


def test_a_move_that_ends_the_game_is_a_proof() -> None:
    position = four("112233")
    win = Score(999, depth=2, plies=1)
    assert settled(position, Line(3, win)).is_proof
    assert not settled(position, Line(6, win)).is_proof  # it ends nothing, whatever its search says
    assert not settled(position, Line(3, Score(999, depth=2, plies=3))).is_proof
