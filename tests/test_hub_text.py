"""The Hub protocol as text: lines, positions, moves, limits and scores."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from outplay.checkers import Position
from outplay.engine.protocols import hub
from outplay.engine.protocols.hub import Message
from outplay.engine.types import Limit, Score
from outplay.errors import IllegalMoveError, IllegalPositionError, NotationError
from tests.support.positions import checkers_fens, jumpy_checkers_fens

START = "Bbbbbbbbbbbbbeeeeeeeewwwwwwwwwwww"


# Lines


@pytest.mark.parametrize(
    ("line", "command", "arguments"),
    [  # the examples of Scan's protocol.txt
        (
            'id name=Scan version=3.0 author="Fabien Letouzey" country=France',
            "id",
            {"name": "Scan", "version": "3.0", "author": "Fabien Letouzey", "country": "France"},
        ),
        (
            'param name=variant value=normal type=enum values="normal killer bt"',
            "param",
            {"name": "variant", "value": "normal", "type": "enum", "values": "normal killer bt"},
        ),
        ("level moves=9 time=291.587", "level", {"moves": "9", "time": "291.587"}),
        ("go ponder", "go", {"ponder": ""}),
        ("    done move=32-28 ponder=17-22", "done", {"move": "32-28", "ponder": "17-22"}),
        ('info score=-0.01 pv="32-28 17-22 28x17x22"', "info", {"score": "-0.01", "pv": "32-28 17-22 28x17x22"}),
        ("wait", "wait", {}),
        ("", "", {}),
    ],
)
def test_the_lines_of_the_specification_are_read(line: str, command: str, arguments: dict[str, str]) -> None:
    message = hub.read_line(line)
    assert (message.command, dict(message.arguments)) == (command, arguments)
    assert str(message) == line.strip()


@pytest.mark.parametrize("line", ['pos pos="unfinished', "go =3", 'x a="b"c', 'x "a"=b'])
def test_a_line_that_is_none_is_refused(line: str) -> None:
    with pytest.raises(NotationError, match="name=value"):
        hub.read_line(line)


@given(st.text())
def test_any_text_is_a_message_or_refused(line: str) -> None:
    try:
        message = hub.read_line(line)
    except NotationError:
        return
    assert isinstance(message.command, str)


words = st.from_regex(r"[a-z][a-z0-9-]{0,8}", fullmatch=True)
values = st.text(st.characters(codec="ascii", categories=["L", "N", "P", "Zs"], exclude_characters='"'))


@given(words, st.dictionaries(words, values))
def test_what_is_written_is_read_again(command: str, arguments: dict[str, str]) -> None:
    read = hub.read_line(str(Message(command, arguments)))
    assert (read.command, dict(read.arguments)) == (command, arguments)


def test_a_value_cannot_break_out_of_its_line() -> None:
    line = str(Message("error", {"message": 'a "quoted"\ndone move=1-5'}))
    assert line == 'error message="a  quoted  done move=1-5"'


# Positions and moves


def test_the_start_position() -> None:
    assert hub.write_position(Position()) == START
    assert hub.read_position(START) == Position()


@given(checkers_fens())
def test_positions_are_read_as_they_are_written(fen: str) -> None:
    position = Position.from_fen(fen)
    text = hub.write_position(position)
    assert len(text) == 33
    assert hub.read_position(text) == position


@pytest.mark.parametrize(
    "text", ["", "B", START[1:], START + "e", "X" + START[1:], START.replace("e", "x"), "B" + "é" * 32]
)
def test_a_text_that_is_no_position_is_refused(text: str) -> None:
    with pytest.raises(NotationError, match="32 letters"):
        hub.read_position(text)


def test_an_impossible_position_is_refused_with_its_reason() -> None:
    with pytest.raises(IllegalPositionError):
        hub.read_position("Bw" + "e" * 31)  # a white man on the row where it is crowned


@given(jumpy_checkers_fens())
def test_a_move_is_read_as_it_is_written_and_leads_to_the_same_position(fen: str) -> None:
    position = Position.from_fen(fen)
    for move in position.legal_moves():
        text = hub.write_move(move)
        assert position.play(hub.read_move(position, text)) == position.play(move)
        if move.is_capture:
            first, last, *taken = text.split("x")
            backwards = "x".join([first, last, *reversed(taken)])
            assert position.play(hub.read_move(position, backwards)) == position.play(move)


def test_captures_with_the_same_ends_are_told_apart_by_what_they_take() -> None:
    position = Position.from_fen("B:W23,22,15,14:B11,10")
    assert str(hub.read_move(position, "10x26x15x23")) == "10x19x26"
    assert str(hub.read_move(position, "10x26x22x14")) == "10x17x26"
    with pytest.raises(IllegalMoveError):
        hub.read_move(position, "10x26")
    with pytest.raises(IllegalMoveError):
        hub.read_move(position, "10x26x14x23")


def test_what_is_taken_may_be_left_out_where_it_is_clear() -> None:
    assert str(hub.read_move(Position.from_fen("B:W14,22:B9"), "9x25")) == "9x18x25"


@pytest.mark.parametrize("text", ["", "11", "11-", "11-15-18", "a-b", "0-4", "11-15x2", "111-15"])
def test_a_text_that_is_no_move_is_refused(text: str) -> None:
    with pytest.raises(NotationError, match="a move is written"):
        hub.read_move(Position(), text)


def test_an_illegal_move_is_told_with_the_legal_ones() -> None:
    with pytest.raises(IllegalMoveError, match=r"11-18 in .*the moves are .*11-15"):
        hub.read_move(Position(), "11-18")


def test_the_history_becomes_moves_as_far_back_as_it_hangs_together() -> None:
    positions = [Position()]
    for text in ("11-15", "22-18", "15x22", "25x18"):
        positions.append(positions[-1].play(positions[-1].parse(text)))
    *history, last = positions
    start, moves = hub.history_moves(last, history)
    assert (start, [hub.write_move(move) for move in moves]) == (Position(), ["11-15", "22-18", "15x22x18", "25x18x22"])
    start, moves = hub.history_moves(last, [Position(), history[3]])
    assert (start, len(moves)) == (history[3], 1)
    assert hub.history_moves(last, ()) == (last, ())


# Limits and scores


@pytest.mark.parametrize(
    ("line", "limit"),
    [
        ("level depth=8", Limit(depth=8)),
        ("level move-time=0.25", Limit(time_ms=250)),
        ("level nodes=5000", Limit(nodes=5000)),
        ("level time=60 inc=1", Limit(clock_ms=61_000, increment_ms=1000)),
        ("level time=60", Limit(clock_ms=60_000)),
        ("level moves=9 time=60", Limit(clock_ms=60_000, time_ms=6000)),
        ("level move-time=0", Limit(time_ms=1)),
        ("level infinite", Limit(time_ms=hub.FOR_EVER_MS)),
        ("level depth=8 move-time=2", Limit(depth=8, time_ms=2000)),
        ("level something=else", Limit(time_ms=hub.FOR_EVER_MS)),
    ],
)
def test_limits_are_read(line: str, limit: Limit) -> None:
    assert hub.read_limit(hub.read_line(line)) == limit


@pytest.mark.parametrize("text", ["-1", "x", "1e9", "nan", "inf", "1,5", "९"])
@pytest.mark.parametrize("name", ["depth", "move-time", "time", "inc", "nodes", "moves"])
def test_a_limit_that_is_no_number_is_refused(name: str, text: str) -> None:
    with pytest.raises(NotationError, match=f"{name} must be a number"):
        hub.read_limit(Message("level", {name: text}))


@pytest.mark.parametrize(
    "limit",
    [Limit(depth=3), Limit(time_ms=1500), Limit(nodes=7), Limit(clock_ms=9000, increment_ms=100), Limit(5, 6, 7)],
)
def test_a_limit_is_read_as_it_was_written(limit: Limit) -> None:
    assert hub.read_limit(hub.write_limit(limit)) == limit


@pytest.mark.parametrize(
    ("score", "text"),
    [
        (Score(-25, depth=3), "-0.25"),
        (Score(999_999_991, depth=9, plies=9), "99.91"),
        (Score(-999_999_990, depth=9, plies=10), "-99.90"),
        (Score(3, "table"), "100.00"),
        (Score(0, "table"), "0.00"),
        (Score(50_000, depth=2), "89.00"),  # an estimate is never taken for a win
    ],
)
def test_scores_are_men_and_wins_are_near_a_hundred(score: Score, text: str) -> None:
    assert hub.write_score(score) == text
    assert hub.read_score(text, 3).plies == score.plies or score.plies is None
