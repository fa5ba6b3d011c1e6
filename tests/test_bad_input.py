"""Arbitrary input at every parser: only our own errors come out, never a crash, and nothing changes."""

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from outplay import RULES, Game, checkers, connect4
from outplay.errors import GameOverError, IllegalMoveError, IllegalPositionError, NotationError
from outplay.notation import read_size
from tests.support.positions import connect4_matrices

any_text = st.text(max_size=60)
move_like = st.text(alphabet="0123456789-xX: ab.\n\0é", max_size=20)
fen_like = st.text(alphabet="BWbwKk:,.-0123456789 /12é\0", max_size=60)
board_like = st.lists(st.text(alphabet="..12x ", max_size=9), max_size=9).map("/".join)
texts = any_text | move_like | fen_like | board_like
numbers = st.integers() | st.integers(-3, 130)

OURS = (NotationError, IllegalPositionError, IllegalMoveError, GameOverError)
CHECKERS_POSITIONS = ["start", "W:W18,24,27,K10:B12,16", "B:W:B12", "B:W23,22,15,14:B11,10"]
CONNECT4_POSITIONS = ["start", "4453", "444444", "4455667"]


def value_or_error(call: Callable[..., Any], *arguments: Any) -> Any:
    """What a call gives; one of our errors, which tells something and can be shown, is nothing."""
    try:
        return call(*arguments)
    except OURS as error:
        return None if str(error) and repr(error) else "an error that tells nothing"


def refuses_or_keeps(call: Callable[[str], Any], text: str) -> None:
    """Whatever is read can be written, and reads the same again."""
    position = value_or_error(call, text)
    if position is not None:
        assert type(position).from_fen(position.fen()) == position


@given(texts)
@example("B:W18:Bé")
@example("B:W" + "1," * 5000 + ":B2")
def test_any_text_as_a_checkers_fen(text: str) -> None:
    refuses_or_keeps(checkers.Position.from_fen, text)


@given(texts)
@example("/".join(["." * 300] * 300))
def test_any_text_as_a_connect_four_board(text: str) -> None:
    refuses_or_keeps(connect4.Position.from_fen, text)


@given(texts, numbers, numbers)
@example("4" * 10_000, 7, 6)
@example("", 2**40, 6)
def test_any_text_as_moves_on_any_board(text: str, width: int, height: int) -> None:
    position = value_or_error(connect4.Position.from_moves, text)
    assert position is None or position.plies == len("".join(text.split()))
    if max(abs(width), abs(height)) >= 2**63:
        with pytest.raises(ValueError, match="is out of range"):
            connect4.Position.from_moves(text, width, height)
    else:
        value_or_error(connect4.Position.from_moves, text, width, height)


@given(texts)
@example("１１-15")  # noqa: RUF001
@example("11-15\0")
@example("11x" * 100 + "15")
def test_any_text_as_a_move(text: str) -> None:
    positions = [RULES["checkers"].read(fen) for fen in CHECKERS_POSITIONS]
    positions += [RULES["connect4"].read(moves) for moves in CONNECT4_POSITIONS]
    for position in positions:
        before = position.fen()
        move = value_or_error(position.parse, text)
        assert move is None or move in position.legal_moves()
        assert position.fen() == before


@given(texts)
@example("11-15é")
def test_any_text_as_a_move_by_itself(text: str) -> None:
    move = value_or_error(checkers.Move, text)
    if move is not None:
        assert checkers.Move(str(move)) == move
        value_or_error(checkers.Position().play, move)


@given(texts)
def test_any_text_as_a_position_of_the_command_line(text: str) -> None:
    for rules in RULES.values():
        value_or_error(rules.read, text)
        value_or_error(rules.read, text, (8, 8))
    value_or_error(read_size, text)


@given(st.integers())
@example(-1)
@example(7)
@example(2**63)
def test_any_number_as_a_column(column: int) -> None:
    position = connect4.Position.from_moves("444444")
    after = value_or_error(position.play, column)
    assert (after is not None) == position.is_legal(column) == (column in position.legal_moves())


@given(connect4_matrices() | st.lists(st.lists(st.integers(-2, 4), max_size=9), max_size=9))
def test_any_rows_as_a_board(rows: list[list[int]]) -> None:
    position = value_or_error(connect4.Position.from_rows, rows)
    assert position is None or position.rows() == rows


@pytest.mark.parametrize("rows", [None, 5, "text", [1, 2], [[None]], [["1"]], [[1.5]], [[10**30]], {}, [[]], []])
def test_things_that_are_no_rows_are_refused(rows: Any) -> None:
    with pytest.raises(OURS):
        connect4.Position.from_rows(rows)


@given(st.lists(texts | st.sampled_from(["4", "5", "11-15", "23-18", "15x22"]), max_size=12))
def test_a_game_that_refuses_a_move_stays_as_it_was(moves: list[str]) -> None:
    for rules in RULES.values():
        game = Game(rules.start())
        for move in moves:
            before = (game.position, game.ply, game.current, len(game.current.children))
            if value_or_error(game.play, move) is None:
                assert (game.position, game.ply, game.current, len(game.current.children)) == before


@pytest.mark.parametrize("text", ["\ud800", "4\udfff", "B:W1:B2\udcff"])
def test_text_that_no_encoding_can_hold_is_refused(text: str) -> None:
    calls: list[Callable[[str], Any]] = [
        checkers.Position.from_fen,
        connect4.Position.from_fen,
        connect4.Position.from_moves,
        checkers.Move,
    ]
    for call in [*calls, *(rules.start().parse for rules in RULES.values())]:
        with pytest.raises(OURS):
            call(text)


@pytest.mark.parametrize("thing", [None, 3.5, "4", b"4", [4], object()])
def test_things_that_are_no_moves_are_refused(thing: Any) -> None:
    for rules in RULES.values():
        with pytest.raises((*OURS, TypeError)):
            rules.start().play(thing)
