"""Reasons for moves and against them: said where they are true, and not said where they are false."""

from __future__ import annotations

import json
from collections.abc import Sequence

import pytest
from hypothesis import given, settings

from outplay import checkers, connect4
from outplay.explain import MoveReason, Proofs, Voice, reason_for_move, reason_from_dict, refutation, voice_of
from outplay.explain.checkers_reasons import has_the_move
from outplay.explain.forcing import forced_win, fours_through, open_fours
from outplay.explain.proofs import LONG_ENOUGH, shared_proofs
from outplay.explain.shots import breakthrough, exchange, forced_gain
from outplay.explain.voice import does, first_who, first_whose, who, whose
from outplay.outcome import Side
from outplay.rules import Position, must_capture
from tests.support.positions import checkers_fens, connect4_moves

four = connect4.Position.from_moves


# Voices


def test_a_sentence_is_told_to_either_side_or_about_both() -> None:
    red, yellow = Side.FIRST, Side.SECOND
    template = (
        f"{first_who(red)} {does(red, 'makes', 'make')} four: {whose(yellow)} threat is gone, {who(yellow)} lost."
    )
    names = ("Red", "Planner")
    assert Voice(names).tell(template) == "Red makes four: Planner's threat is gone, Planner lost."
    assert Voice(names, red).tell(template) == "You make four: Planner's threat is gone, Planner lost."
    assert Voice(names, yellow).tell(template) == "Red makes four: your threat is gone, you lost."
    assert Voice(names, red).tell(first_whose(red)) == "Your"
    assert Voice(names, red).tell("No {marker} here: {} {2}") == "No {marker} here: {} {2}"


# Connect Four, move by move


@pytest.mark.parametrize(
    ("moves", "move", "kind", "said"),
    [
        ("112233", "4", "four", "It makes four in column 4."),
        ("11223", "4", "block", "It blocks: Red threatens four in column 4."),
        (
            "4152",
            "6",
            "double-threat",
            "It makes two threats at once, in columns 3 and 7: Yellow can block only one.",
        ),
    ],
)
def test_why_a_column_is_good(moves: str, move: str, kind: str, said: str) -> None:
    position = four(moves)
    found = reason_for_move(position, position.parse(move))
    assert (found.kind, found.text) == (kind, said)
    assert found.line[0] == move


@pytest.mark.parametrize(
    ("moves", "move", "kind", "said"),
    [
        ("11223", "5", "missed-block", "It does not block: Red makes four in column 4."),
        (
            "31415",
            "2",
            "double-threat",
            "Red had two threats, in columns 2 and 6: only one can be blocked.",
        ),
        ("44", "4", "line", ""),
    ],
)
def test_how_a_column_is_refuted(moves: str, move: str, kind: str, said: str) -> None:
    position = four(moves)
    found = refutation(position, position.parse(move))
    assert (found.kind, found.text) == (kind, said)


def test_a_reason_is_told_to_the_side_that_asks() -> None:
    position = four("11223")
    found = refutation(position, 4, voice=voice_of(position, Side.FIRST))
    assert found.text == "It does not block: you make four in column 4."
    found = refutation(position, 4, voice=Voice(("Ann", "Bob"), Side.SECOND))
    assert found.text == "It does not block: Ann makes four in column 4."


def test_the_cell_below_a_threat_must_not_be_filled() -> None:
    rows = [
        [0, 0, 0, 0, 0, 0, 0],
        [0, 0, 0, 0, 0, 0, 0],
        [0, 0, 0, 0, 0, 0, 0],
        [0, 0, 0, 0, 0, 0, 0],
        [1, 1, 1, 0, 0, 0, 0],
        [2, 2, 1, 0, 2, 0, 0],
    ]
    position = connect4.Position.from_rows(rows)
    assert position.side is Side.SECOND
    wrong = refutation(position, 3)
    assert wrong.kind == "gives-cell"
    assert wrong.text == "It gives Red the cell on top: Red makes four in column 4."
    assert {"avoid", "threat"} <= {mark.kind for mark in wrong.marks}
    assert refutation(position, 6).kind != "gives-cell"


def test_a_reason_as_json_and_back() -> None:
    position = four("4152")
    found = reason_for_move(position, 5)
    data = json.loads(json.dumps(found.to_dict()))
    assert data["kind"] == "double-threat"
    assert data["line"] == ["6", "3", "7"]
    assert data["at"] == 1
    assert data["known_by"] == "solved"
    assert {"kind": "threat", "cells": [5 * 7 + 2], "side": 0} in data["marks"]
    assert {"kind": "order", "cells": [5 * 7 + 5], "side": 0, "number": 1} in data["marks"]
    assert reason_from_dict(data) == found


# Laws


@given(connect4_moves())
@settings(max_examples=60)
def test_every_reason_of_connect_four_is_true(moves: str) -> None:
    position = four(moves[:-1])
    if position.plies < 10 or position.outcome() is not None:
        return
    for column in position.legal_moves():
        for found in (reason_for_move(position, column), refutation(position, column)):
            assert found.line[0] == position.format(column)
            _check(position, found)


def _check(position: connect4.Position, found: MoveReason) -> None:
    """Check a reason with nothing but the rules and the solver."""
    positions = _played(position, found)
    shown, end = positions[found.at], positions[-1]
    _check_marks(shown, found)
    match found.kind:
        case "four" | "missed-block" | "gives-cell" | "double-threat" | "stacked-threats" | "forced-sequence":
            winner = end.side.other
            assert end.is_win(winner)
            if "With best play" not in found.text and found.kind != "four":
                _check_forced(positions, found, winner)
        case "zugzwang":
            winner = end.side.other
            assert end.is_win(winner)
            last = positions[-3]
            assert not _wins(last, winner)
            assert all(_can_win(last.play(column)) for column in last.legal_moves())
        case "block":
            assert _wins(position, position.side.other) == [position.parse(found.line[0])]
        case "loses-threat":
            assert _worth(positions[1]) > -max(-_worth(position.play(c)) for c in _going_on(position))
    assert ("With best play" not in found.text) or shared_proofs().solve(positions[1]) != 0


def _played(position: connect4.Position, found: MoveReason) -> list[connect4.Position]:
    positions = [position]
    for text in found.line:
        positions.append(positions[-1].play(positions[-1].parse(text)))
    return positions


def _check_marks(shown: connect4.Position, found: MoveReason) -> None:
    """A threat is an empty cell that wins, a line is three discs and that cell, a number is in a disc of the line."""
    cells = shown.fen().replace("/", "")
    for mark in found.marks:
        if mark.kind == "threat":
            assert mark.side is not None
            assert divmod(mark.cells[0], shown.width) in shown.threats(mark.side)
        if mark.kind == "line":
            assert mark.side is not None
            assert [cells[cell] for cell in mark.cells] == [str(mark.side + 1)] * 3 + ["."]
        if mark.kind == "order":
            assert mark.side is not None
            assert cells[mark.cells[0]] == str(mark.side + 1)


def _check_forced(positions: list[connect4.Position], found: MoveReason, winner: Side) -> None:
    """Whatever else the losing side plays in the line, the winner makes four at once."""
    first = 1 if positions[1].side is winner else 2
    for before, after in zip(positions[first:], positions[first + 1 :], strict=False):
        if before.side is winner:
            continue
        for column in before.legal_moves():
            other = before.play(column)
            assert other == after or other.is_win(winner.other) is False
            assert other == after or _can_win(other)


def _wins(position: connect4.Position, side: Side) -> list[int]:
    return [c for c in position.legal_moves() if (position.landing_row(c), c) in position.threats(side)]


def _can_win(position: connect4.Position) -> bool:
    return any(position.play(column).is_win(position.side) for column in position.legal_moves())


def _going_on(position: connect4.Position) -> list[int]:
    return [column for column in position.legal_moves() if position.play(column).outcome() is None]


def _worth(position: connect4.Position) -> int:
    score = shared_proofs().solve(position)
    assert score is not None
    return (score > 0) - (score < 0)


@given(connect4_moves())
@settings(max_examples=60)
def test_a_forced_win_is_a_win_and_no_shorter_one_is_missed(moves: str) -> None:
    position = four(moves[:-1])
    if position.plies < 8 or position.outcome() is not None:
        return
    found = forced_win(position)
    if found is None:
        assert not open_fours(position, position.side)
        return
    solved = shared_proofs().solver.solve(position)
    assert solved.plies is not None
    assert solved.score > 0
    assert solved.plies <= len(found)


def test_the_cells_of_a_four() -> None:
    position = four("112233")
    assert fours_through(position, Side.FIRST, 5, 3) == [(35, 36, 37, 38)]
    assert fours_through(position, Side.SECOND, 5, 3) == []


def test_every_voice_of_a_position_names_its_sides() -> None:
    position: Position = four("4")
    assert voice_of(position).names == ("Red", "Yellow")


# Checkers: forced captures

fen = checkers.Position.from_fen
SHOT = "W:W20,24,28:B10,12,3"
"""20-16 must be taken by 12x19, and 24x15x6 takes two."""


def test_a_shot_gives_one_and_takes_two() -> None:
    position = fen(SHOT)
    found = reason_for_move(position, position.parse("20-16"))
    assert found.kind == "shot"
    assert found.text == "It gives a man and takes two men: 20-16 12x19 24x15x6."
    assert [mark.cells for mark in found.marks if mark.kind == "arrow"] == [(20, 16), (24, 15, 6)]
    assert [mark.cells for mark in found.marks if mark.kind == "reply"] == [(12, 19)]
    assert reason_for_move(position, position.parse("24-19")).kind != "shot"


def test_a_gift_that_wins_nothing_is_no_shot() -> None:
    position = fen("W:W20,24,28:B1,12,3")  # nothing stands behind 19
    assert forced_gain(position, first=position.parse("20-16")).gain <= 0
    assert reason_for_move(position, position.parse("20-16")).kind != "shot"


def test_every_choice_of_the_other_side_is_considered() -> None:
    """11-15 is taken by 18x11 or by 19x10: a shot counts only what the worse one wins."""
    for text in ("B:W18,19:B11,8", "B:W22,18,19:B11,7,8"):
        position = fen(text)
        found = forced_gain(position)
        assert found.gain >= 0
        for move in position.legal_moves():
            if not found.moves or move != found.moves[0]:
                assert forced_gain(position, first=move).gain <= found.gain


def test_a_piece_left_hanging_is_told_and_an_even_exchange_is_not() -> None:
    position = fen("B:W22,25,30:B9,2,1")
    wrong = refutation(position, position.parse("9-14"))
    assert wrong.kind == "line"  # nothing can take 14
    position = fen("B:W18,31:B9,2")
    wrong = refutation(position, position.parse("9-14"))
    assert wrong.kind == "hanging"
    assert wrong.text == "It allows 18x9, which wins a man."
    assert wrong.line[:2] == ("9-14", "18x9")
    position = fen("B:W18,31:B9,6,2")  # 18x9 is answered by nothing, 6x13 needs 9: an exchange
    assert refutation(position, position.parse("9-13")).kind == "line"


def test_the_exchange_counts_what_both_sides_take() -> None:
    position = fen("W:W18,31:B14,10,2")  # 18x9 or the end of it
    found = exchange(position)
    assert found.gain == _material(position, found.moves)


def _material(position: checkers.Position, moves: Sequence[checkers.Move]) -> int:
    side, gain = position.side, 0
    for move in moves:
        taken = sum(3 if position.pieces()[square].isupper() else 2 for square in move.captures)
        gain += taken if position.side is side else -taken
        position = position.play(move)
    return gain


@given(checkers_fens())
@settings(max_examples=60)
def test_a_forced_gain_is_a_gain_whatever_the_other_side_takes(text: str) -> None:
    position = fen(text)
    if position.outcome() is not None:
        return
    found = forced_gain(position, given=1)
    assert found.gain == _material(position, found.moves)
    assert found.gain >= 0 or must_capture(position)


# Checkers: material and endings


def test_the_tables_are_not_quoted_for_a_position_they_know() -> None:
    position = fen("B:W9:B3,K15")
    assert {reason_for_move(position, move).kind for move in position.legal_moves()} <= {"line", "crowned", "only-move"}


def test_a_king_that_waits_for_another_capture_is_not_trapped() -> None:
    position = fen("W:WK16,K31:B13,18,K29")  # after 18-23 the king on 26 must capture, and that on 16 is free
    assert refutation(position, position.parse("31-26")).kind != "trapped-king"


def test_what_a_search_wins_is_counted() -> None:
    position = fen("W:W21,22,25,27,K24:B9,13,14,20,K26")
    found = reason_for_move(position, position.parse("24-19"))
    places = [position]
    for text in found.line:
        places.append(places[-1].play(places[-1].parse(text)))
    assert found.kind == "material"
    assert found.text.startswith("It wins a king: ")
    assert _pieces(places[-1], Side.SECOND) == _pieces(position, Side.SECOND) + 1
    assert not must_capture(places[-1])


@pytest.mark.parametrize(
    ("text", "move", "best"),
    [
        ("B:W24,27,28,31,K12:B13,15,19,20,K25", "25-22", "15-18"),
        ("B:W5,11,24,30,31,32:B2,3,4,10,22,23", "22-26", "23-26"),  # 23-26 gives the same man
    ],
)
def test_a_loss_is_no_reason_if_the_best_move_loses_as_much(text: str, move: str, best: str) -> None:
    position = fen(text)
    assert position.format(shared_proofs().search(position, longer=True).moves[0]) == best
    assert "loses a man" not in refutation(position, position.parse(move)).text
    assert "wins a man" not in refutation(position, position.parse(move)).text


def test_what_a_review_calls_a_mistake_has_a_reason() -> None:
    """25-22 is half a man better: a mistake, and a man left hanging."""
    position = fen("W:W11,16,21,25,26,28,29,31,32:B1,2,4,6,8,9,14,17,19")
    found = refutation(position, position.parse("32-27"))
    assert (found.kind, found.text) == ("hanging", "It allows 8x15, which wins a man.")


def test_a_line_without_a_reason_is_long_enough_to_play_through() -> None:
    """The search lost the rest of its line: 25-21 23-19 22-17 showed nothing."""
    position = fen("W:W13,22,25,K11:B2,5,14,K23")
    found = refutation(position, position.parse("25-21"))
    assert found.kind == "line"
    assert len(found.line) > LONG_ENOUGH


def test_a_line_that_ends_the_game_is_told_before_what_it_wins() -> None:
    position = fen("W:W6,K8,K10,K23,K26:BK12,K30")
    found = reason_for_move(position, position.parse("26-22"))
    assert found.text == f"With best play Black has no piece left: {' '.join(found.line)}."


def test_the_only_move_that_saves_a_piece() -> None:
    position = fen("B:WK7:B10,K15")
    assert reason_for_move(position, position.parse("10-14")).text == "Every other move loses a piece."
    for other in position.legal_moves():
        after = position.play(other)
        assert must_capture(after) is (position.format(other) != "10-14")


# Checkers: kings, the move


def test_a_man_breaks_through_if_nobody_can_stop_it() -> None:
    free = fen("B:W12,11:B22")
    way = breakthrough(free, 22, 3)
    assert way is not None
    assert free.play(way[0]).outcome() is None
    assert breakthrough(fen("B:W29,30,31,32,26,25:B22,1"), 22, 3) is None
    found = reason_for_move(free, way[0])
    assert (found.kind, found.text) == ("crowned", "The man breaks through: Black makes a king in 2 by force.")


def test_a_new_king_is_told() -> None:
    position = fen("B:W12,13:B28,5")
    assert reason_for_move(position, position.parse("28-32")).text == "It makes a king."


def test_a_king_is_no_reason_for_one_of_two_moves_that_make_it() -> None:
    position = fen("B:W5,13,16,17,19,24,32:B1,6,10,12,15,26")  # 26-31 makes a king too, and is a mistake
    assert reason_for_move(position, position.parse("26-30")).text != "It makes a king."


def test_who_has_the_move() -> None:
    assert not has_the_move(checkers.Position())  # at the start it is White's
    one = fen("B:WK32:BK1")
    for move in one.legal_moves():  # every move passes it on with the turn
        assert has_the_move(one.play(move)) is not has_the_move(one)


@given(checkers_fens())
@settings(max_examples=15)
def test_every_reason_of_checkers_can_be_played_through(text: str) -> None:
    position, proofs = fen(text), Proofs(search_nodes=2_000)
    for move in position.legal_moves()[:3]:
        for found in (reason_for_move(position, move, proofs=proofs), refutation(position, move, proofs=proofs)):
            assert found.line[0] == position.format(move)
            at, places = position, [position]
            for played in found.line:
                at = at.play(at.parse(played))
                places.append(at)
            for mark in found.marks:
                if mark.kind == "arrow":
                    assert any(mark.cells[0] in place.pieces() for place in places)
            if found.kind in ("shot", "hanging"):
                winner = places[found.at].side
                before, after = (_pieces(place, winner) for place in (places[found.at], places[-1]))
                assert after > before


def _pieces(position: checkers.Position, side: Side) -> int:
    own, other = position.black.bit_count(), position.white.bit_count()
    return own - other if side is Side.FIRST else other - own


# Each kind has a position that shows it, and one in which it must not be said


def board(rows: str) -> connect4.Position:
    return connect4.Position.from_fen(rows)


@pytest.mark.parametrize(
    ("rows", "move", "kind", "said", "other"),
    [
        (
            "..2..../..11.../.111.../.212.2./.22212./.12121.",
            "5",
            "forced-sequence",
            "Red forces the win: 5 5 5. Every threat must be blocked, and the last move makes a threat in column 2: "
            "Yellow must block there, and Red makes four on top.",
            "6",  # no threat: Yellow is free to answer
        ),
        (
            "......./......./.....1./.....1./..22.1./1121222",
            "2",
            "stacked-threats",
            "With best play Red gets two threats on top of one another, in column 5, on move 25.",
            "6",  # it wins at once
        ),
        (
            "......./...1.../.222.../.111.../.1221../.12221.",
            "3",
            "zugzwang",
            "Red's threat in column 1, row 3 wins in the end: with best play Yellow runs out of safe columns on move "
            "38 and must play below it. Row 3 is odd: such threats usually help the side that moved first.",
            "5",  # a four now, not in the end
        ),
        (
            "......./....2../..1.1../..2.2../21121../12112.2",
            "4",
            "threat",
            "It threatens four in column 6: Yellow must block.",
            "1",  # it threatens nothing
        ),
        (
            "......./.12..../1212.../21121../21112../212212.",
            "5",
            "only-move",
            "Every other column loses.",
            "1",  # one of those that lose
        ),
    ],
)
def test_each_kind_of_reason_for_a_column(rows: str, move: str, kind: str, said: str, other: str) -> None:
    position = board(rows)
    found = reason_for_move(position, position.parse(move))
    assert (found.kind, found.text) == (kind, said)
    assert reason_for_move(position, position.parse(other)).kind != kind


@pytest.mark.parametrize(
    ("rows", "move", "kind", "said", "other"),
    [
        (
            "....12./...112./...1221/..22112/.211212/1211212",
            "7",
            "loses-threat",
            "It is directly below Yellow's own threat: Red drops on top, and the threat in column 7, row 6 is gone.",
            "1",  # column 7 stays as it is
        ),
        (
            "......./......./......./......./......./.......",
            "1",
            "centre",
            "It leaves the centre to Yellow, who answers in column 4: every level or diagonal four has a disc in that "
            "column.",
            "4",  # it takes the centre
        ),
    ],
)
def test_each_kind_of_reason_against_a_column(rows: str, move: str, kind: str, said: str, other: str) -> None:
    position = board(rows)
    found = refutation(position, position.parse(move))
    assert (found.kind, found.text) == (kind, said)
    assert refutation(position, position.parse(other)).kind != kind


def test_the_centre_is_no_reason_if_another_column_keeps_the_result() -> None:
    """After 3 and 4, column 3 leaves the centre too, and draws as column 4 does."""
    position = connect4.Position.from_moves("34")
    found = refutation(position, position.parse("1"))
    assert (found.kind, found.line[:2]) == ("stacked-threats", ("1", "4"))


@pytest.mark.parametrize(
    ("text", "move", "kind", "said", "other", "not_here"),
    [
        (
            "B:W25,26,27,28,K7:B11,15,18,19,20",
            "11-16",
            "parries",
            "It stops a threat: otherwise White could win three men with 7x16x23x14.",
            "B:W25,26,27,28:B11,15,18,19,20",  # nothing threatens the man on 11
            "11-16",
        ),
        (
            "W:W11,19,20,23,K9:B12,17,K22,K26",
            "11-7",
            "crowned",
            "With best play White makes a king: 11-7 17-21 7-2.",
            "W:W11,19,20,23,K9:B12,17,K22,K26",
            "9-13",  # it leaves the man where it is
        ),
        (
            "B:W15,16,17,21,24,28,31:B4,5,8,10,12,13,14,22",
            "10x19",
            "simplify",
            "It exchanges a man for a man: Black is ahead, 8 pieces to 7.",
            "B:W15,16,17,21,24,28,31:B5,8,10,12,13,14,22",  # the same exchange, but nobody is ahead
            "10x19",
        ),
        (
            "W:W26,30:B7,19",
            "26-23",
            "the-move",
            "The exchange gives White the opposition, also called the move.",
            "W:W23,26:B8,14",  # it is won by the opposition, but without an exchange
            "26-22",
        ),
        (
            "B:W21:B13,14",
            "13-17",
            "no-moves",
            "It ends the game: White has no move left.",
            "B:W21:B10,13",  # White can take the man
            "13-17",
        ),
    ],
)
def test_each_kind_of_reason_for_a_move_of_checkers(
    text: str, move: str, kind: str, said: str, other: str, not_here: str
) -> None:
    position, counter = fen(text), fen(other)
    found = reason_for_move(position, position.parse(move))
    assert (found.kind, found.text) == (kind, said)
    assert reason_for_move(counter, counter.parse(not_here)).kind != kind


@pytest.mark.parametrize(
    ("text", "move", "kind", "said", "other"),
    [
        (
            "W:W30,32,13:B23,12",
            "30-25",
            "back-row",
            "It breaks the bridge on 30 and 32. The man on 23 breaks through: Black makes a king in 2.",
            "13-9",  # the bridge stays
        ),
        (
            "B:W11,19,20,23,K13:B12,17,K22,K26",
            "17-21",
            "crowned",
            "With best play White makes a king: 11-7 21-25 7-3.",
            "26-31",  # it wins a man before that
        ),
        (
            "W:W12,16,30,31,K9:B3,7,21,23,K28",
            "9-6",
            "tables",
            "It loses the ending. After 7-11 16x7 3x10 6x15 23-27 31x24 28x19x10 the tables know that Black wins: "
            "a man and a king against two men.",
            "31-26",  # nothing is lost yet
        ),
        (
            "W:W30,32,13:B23,12",
            "30-26",
            "hanging",
            "It allows 23x30, which wins a man.",
            "13-9",  # nothing can be taken
        ),
    ],
)
def test_each_kind_of_reason_against_a_move_of_checkers(text: str, move: str, kind: str, said: str, other: str) -> None:
    position = fen(text)
    found = refutation(position, position.parse(move))
    assert (found.kind, found.text) == (kind, said)
    assert refutation(position, position.parse(other)).kind != kind
