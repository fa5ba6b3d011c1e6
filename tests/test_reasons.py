"""Reasons for moves and against them: said where they are true, and not said where they are false."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings

from outplay import connect4
from outplay.explain import MoveReason, Voice, reason_for_move, reason_from_dict, refutation, voice_of
from outplay.explain.forcing import forced_win, fours_through, open_fours
from outplay.explain.proofs import shared_proofs
from outplay.explain.voice import does, first_who, first_whose, who, whose
from outplay.outcome import Side
from outplay.rules import Position
from tests.support.positions import connect4_moves

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
