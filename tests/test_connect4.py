"""The rules of Connect Four: published numbers, laws, and examples of everything a board can be refused for."""

import pickle
import subprocess
import sys
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from outplay.connect4 import Position
from outplay.errors import GameOverError, IllegalMoveError, IllegalPositionError, NotationError
from outplay.outcome import Outcome, Reason, Side
from tests.support.positions import Connect4Game, connect4_games
from tests.support.published import table

BY_PLY = {int(row["ply"]): int(row["positions"]) for row in table("positions_connect4_7x6.tsv")}
BY_SIZE = {
    (int(row["width"]), int(row["height"])): int(row["positions"]) for row in table("positions_connect4_small.tsv")
}


# Published numbers


@pytest.mark.parametrize("ply", range(8))
def test_the_number_of_positions_by_ply_is_the_published_one(ply: int) -> None:
    assert Position().count_positions(ply) == BY_PLY[ply]


@pytest.mark.slow
@pytest.mark.parametrize("ply", range(8, 13))
def test_the_number_of_positions_by_ply_is_the_published_one_further_on(ply: int) -> None:
    assert Position().count_positions(ply) == BY_PLY[ply]


@pytest.mark.parametrize("size", [(4, 4)])
def test_the_number_of_all_positions_of_a_small_board_is_the_published_one(size: tuple[int, int]) -> None:
    assert sum(Position(*size).count_positions(ply) for ply in range(size[0] * size[1] + 1)) == BY_SIZE[size]


@pytest.mark.slow
@pytest.mark.parametrize("size", [(5, 4), (4, 5), (4, 6)])
def test_the_number_of_all_positions_of_a_larger_board_is_the_published_one(size: tuple[int, int]) -> None:
    assert sum(Position(*size).count_positions(ply) for ply in range(size[0] * size[1] + 1)) == BY_SIZE[size]


# Laws


@given(connect4_games())
def test_a_mirrored_mirror_is_the_position_itself(game: Connect4Game) -> None:
    position = Position.from_moves(*game)
    assert position.mirror().mirror() == position
    assert (position.mirror().outcome() is None) == (position.outcome() is None)
    assert [position.width - 1 - column for column in position.mirror().legal_moves()][::-1] == position.legal_moves()


@given(connect4_games())
def test_a_position_survives_text_rows_numpy_and_pickle(game: Connect4Game) -> None:
    position = Position.from_moves(*game)
    assert Position.from_fen(position.fen()) == position
    assert Position.from_rows(position.rows()) == position
    assert Position.from_rows(position.rows(first=2), first=2) == position
    assert Position.from_rows(position.matrix()) == position
    assert pickle.loads(pickle.dumps(position)) == position
    assert hash(Position.from_fen(position.fen())) == hash(position)


@given(connect4_games())
def test_keys_tell_positions_of_one_size_apart(game: Connect4Game) -> None:
    position = Position(game.width, game.height)
    seen = {position.key}
    for text in game.moves:
        position = position.play(position.parse(text))
        assert position.key not in seen
        seen.add(position.key)


@given(connect4_games())
def test_bitboards_hold_the_discs_of_the_rows(game: Connect4Game) -> None:
    position = Position.from_moves(*game)
    for number, bits in ((1, position.first), (2, position.second)):
        cells = {
            column * (position.height + 1) + position.height - 1 - row
            for row, cells in enumerate(position.rows())
            for column, disc in enumerate(cells)
            if disc == number
        }
        assert bits == sum(1 << cell for cell in cells)
    assert {position.own, position.other} == {position.first, position.second}
    assert position.own == (position.first if position.side is Side.FIRST else position.second)


def test_equal_boards_of_different_sizes_are_different_positions() -> None:
    assert Position(7, 6) != Position(6, 7)
    assert Position(7, 6) != "......."
    assert len({Position(7, 6), Position(6, 7), Position(), Position(8, 8)}) == 3


# Playing


def test_a_disc_falls_to_the_lowest_empty_cell() -> None:
    position = Position.from_moves("44")
    assert position.rows()[5][3] == 1
    assert position.rows()[4][3] == 2


def test_playing_leaves_the_old_position_as_it_was() -> None:
    position = Position()
    after = position.play(3)
    assert (position.plies, after.plies) == (0, 1)
    assert (position.side, after.side) == (Side.FIRST, Side.SECOND)


@pytest.mark.parametrize(
    ("moves", "line"),
    [
        ("1122334", [(5, 0), (5, 1), (5, 2), (5, 3)]),
        ("1212121", [(5, 0), (4, 0), (3, 0), (2, 0)]),
        ("12233434464", [(5, 0), (4, 1), (3, 2), (2, 3)]),
        ("76655454424", [(5, 6), (4, 5), (3, 4), (2, 3)]),
    ],
)
def test_four_in_a_row_wins_in_all_four_directions_and_says_where(moves: str, line: list[tuple[int, int]]) -> None:
    outcome = Position.from_moves(moves).outcome()
    assert outcome is not None
    assert (outcome.winner, outcome.reason) == (Side.FIRST, Reason.FOUR_IN_A_ROW)
    assert [set(found) for found in outcome.lines] == [set(line)]


def test_one_disc_can_complete_two_lines() -> None:
    outcome = Position.from_moves("11225566 4 7 3".replace(" ", "")).outcome()
    assert outcome is not None
    assert {frozenset(line) for line in outcome.lines} == {
        frozenset((5, column) for column in range(left, left + 4)) for left in range(3)
    }


def test_a_full_board_without_a_four_is_a_draw() -> None:
    position = Position.from_moves("1234123421432143", 4, 4)
    assert position.outcome() == Outcome(None, Reason.BOARD_FULL)
    assert position.legal_moves() == []


@pytest.mark.parametrize("moves", ["1212121"])
def test_nothing_can_be_played_after_the_end(moves: str) -> None:
    position = Position.from_moves(moves)
    assert position.legal_moves() == []
    for act in (lambda: position.play(0), lambda: position.parse("1"), lambda: Position.from_moves(moves + "3")):
        with pytest.raises(GameOverError, match="four in a row"):
            act()


@pytest.mark.parametrize(
    ("column", "reason"), [(7, "columns 0 to 6"), (-1, "columns 0 to 6"), (3, "column 3 is full"), (10**12, "columns")]
)
def test_a_column_off_the_board_or_full_is_refused_with_its_reason(column: int, reason: str) -> None:
    position = Position.from_moves("444444")
    with pytest.raises(IllegalMoveError, match=reason) as caught:
        position.play(column)
    assert caught.value.position == position
    assert position.plies == 6


@pytest.mark.parametrize("text", ["", "44", "x y", "0", "-1", "é"])
def test_a_move_that_is_no_column_cannot_be_read(text: str) -> None:
    with pytest.raises(NotationError, match="1 to 7"):
        Position().parse(text)


def test_columns_past_nine_are_letters() -> None:
    position = Position.from_moves("aA", 10, 10)
    assert position.rows()[9][9] == 1
    assert position.format(9) == "a"
    assert position.parse(" a ") == 9


def test_move_text_that_goes_wrong_says_where() -> None:
    with pytest.raises(NotationError, match="character 3"):
        Position.from_moves("44?")
    with pytest.raises(IllegalMoveError, match="illegal move 8 in"):
        Position.from_moves("448")


# Boards


@pytest.mark.parametrize("size", [(3, 6), (7, 3), (12, 10), (0, 0), (-7, -6), (128, 1), (2**20, 2**20)])
def test_a_board_that_does_not_fit_is_refused(size: tuple[int, int]) -> None:
    with pytest.raises(IllegalPositionError, match="does not fit"):
        Position(*size)


@pytest.mark.parametrize("size", [(8, 8), (10, 10), (25, 4), (4, 31), (11, 10)])
def test_large_boards_are_played_to_the_far_corner(size: tuple[int, int]) -> None:
    width, height = size
    position = Position(width, height)
    for column in (width - 1, 0) * 3 + (width - 1,):
        position = position.play(column)
    assert position.outcome() == Outcome(
        Side.FIRST, Reason.FOUR_IN_A_ROW, (tuple((height - 1 - row, width - 1) for row in range(4)),)
    )


EMPTY = [0] * 7


@pytest.mark.parametrize(
    ("rows", "reason"),
    [
        ([EMPTY] * 4 + [[0, 0, 1, 0, 0, 0, 0]] + [EMPTY], "row 4, column 2 floats"),
        ([EMPTY] * 5 + [[1, 1, 0, 0, 0, 0, 0]], "has 2 discs, player 2 has 0"),
        ([EMPTY] * 5 + [[2, 0, 0, 0, 0, 0, 0]], "player 1 began and has 0 discs"),
        ([EMPTY] * 4 + [[2, 2, 2, 2, 0, 0, 0]] + [[1, 1, 1, 1, 0, 0, 0]], "both sides have four"),
        ([EMPTY] * 4 + [[2, 2, 2, 0, 0, 0, 0]] + [[1, 1, 1, 1, 2, 0, 0]], "player 2 moved after that"),
        ([EMPTY] * 4 + [[1] + [0] * 6] + [[2] + [0] * 6], "no order of alternating drops"),
        ([EMPTY] * 5 + [[3, 0, 0, 0, 0, 0, 0]], "holds 3, not 0, 1 or 2"),
        ([EMPTY] * 5 + [[np.int64(3), 0, 0, 0, 0, 0, 0]], "holds 3, not 0, 1 or 2"),
        ([EMPTY] * 5 + [["x", 0, 0, 0, 0, 0, 0]], "holds 'x', not 0, 1 or 2"),
        ([EMPTY] * 5 + [[1.5, 0, 0, 0, 0, 0, 0]], r"holds 1\.5"),
        ([EMPTY] * 5 + [[0] * 6], "row 5 has 6 cells, row 0 has 7"),
        ([[0] * 3] * 3, "does not fit"),
        ([], "no rows"),
        (42, "the board is not a sequence"),
        ("12", "the board is not a sequence"),
        ([1, 2], "row 0 is not a sequence"),
        ([[0] * 200] * 6, "more than 128 cells"),
        ([EMPTY] * 200, "more than 128 rows"),
    ],
)
def test_a_board_that_no_game_leads_to_is_refused_with_its_reason(rows: list[list[int]], reason: str) -> None:
    with pytest.raises(IllegalPositionError, match=reason):
        Position.from_rows(rows)


def test_two_fours_that_no_one_disc_completed_are_refused() -> None:
    rows = [
        [0, 0, 0, 0, 0, 0, 0, 0, 0],
        [0, 0, 0, 0, 0, 0, 0, 0, 0],
        [0, 0, 0, 0, 0, 0, 0, 0, 0],
        [0, 0, 0, 0, 2, 0, 0, 0, 0],
        [1, 1, 1, 1, 2, 1, 1, 1, 1],
        [2, 2, 2, 1, 2, 2, 1, 2, 2],
    ]
    with pytest.raises(IllegalPositionError, match="no single last disc completes every four in a row of player 1"):
        Position.from_rows(rows)


def test_the_second_number_may_have_begun() -> None:
    rows = [EMPTY] * 5 + [[0, 0, 0, 2, 0, 0, 0]]
    position = Position.from_rows(rows, first=2)
    assert position == Position.from_moves("4")
    assert position.rows(first=2) == rows
    with pytest.raises(ValueError, match="first must be from 1 to 2"):
        Position.from_rows(rows, first=3)


@given(connect4_games(), st.sampled_from([1, 2]))
def test_a_board_keeps_its_numbers_whoever_began(game: Connect4Game, first: int) -> None:
    start = Position.from_moves(game.moves[: len(game.moves) // 2], game.width, game.height)
    rows = start.rows(first=first)
    position = Position.from_rows(rows, first=first)
    assert position.rows() == position.matrix().tolist() == rows
    assert pickle.loads(pickle.dumps(position)).rows() == rows
    assert position.mirror().rows() == [row[::-1] for row in rows]
    for text in game.moves[len(game.moves) // 2 :]:
        start, position = start.play(start.parse(text)), position.play(position.parse(text))
        assert position.rows() == start.rows(first=first)


def test_the_numbers_of_the_rows_change_nothing_else() -> None:
    rows = [EMPTY] * 5 + [[0, 0, 0, 2, 0, 0, 0]]
    position, same = Position.from_rows(rows, first=2), Position.from_moves("4")
    assert (position, hash(position), position.key) == (same, hash(same), same.key)
    assert (position.fen(), position.first, position._repr_svg_()) == (same.fen(), same.first, same._repr_svg_())
    assert position.rows(first=1) == same.rows()


def test_a_board_that_player_2_began_prints_with_its_numbers() -> None:
    position = Position.from_rows([EMPTY] * 5 + [[0, 0, 0, 2, 0, 0, 0]], first=2)
    assert repr(position) == f"connect4.Position.from_fen('{position.fen()}', first=2)"
    assert Position.from_fen(position.fen(), first=2).rows() == position.rows()
    assert str(position).splitlines()[-3:] == ["· · · ● · · ·", "1 2 3 4 5 6 7", "● began"]
    with pytest.raises(ValueError, match="first must be from 1 to 2, not 3"):
        Position.from_fen(position.fen(), first=3)


# One column, one side


def test_the_height_of_a_column_and_the_row_where_the_next_disc_lands() -> None:
    position = Position.from_moves("44")
    assert [position.height_of(column) for column in range(7)] == [0, 0, 0, 2, 0, 0, 0]
    assert [position.landing_row(column) for column in range(7)] == [5, 5, 5, 3, 5, 5, 5]
    assert position.play(3).rows()[3][3] == 1
    for ask in (position.height_of, position.landing_row):
        with pytest.raises(ValueError, match=r"^there is no column 7: the board has columns 0 to 6$"):
            ask(7)
    with pytest.raises(ValueError, match=r"^column 3 is full: no disc lands there$"):
        Position.from_moves("444444").landing_row(3)


def test_is_legal_says_what_play_would_do() -> None:
    position = Position.from_moves("444444")
    assert [move for move in (*range(-3, 12), 10**30) if position.is_legal(move)] == position.legal_moves()
    assert not any(Position.from_moves("1212121").is_legal(column) for column in range(7))
    for wrong in (None, "4", 3.0):
        with pytest.raises(TypeError, match="move must be a column"):
            position.is_legal(wrong)  # type: ignore[arg-type]


def test_both_sides_have_the_same_columns() -> None:
    position = Position.from_moves("444444")
    assert all(position.legal_moves(side=side) == position.legal_moves() for side in Side)
    for number in (0, 1, 2):  # "1" is the first player to some, and Side.SECOND to others
        with pytest.raises(TypeError, match=rf"^side must be a Side, not {number} \(int\)$"):
            position.legal_moves(side=number)  # type: ignore[arg-type]
        with pytest.raises(TypeError, match=rf"^side must be a Side, not {number} \(int\)$"):
            position.is_win(number)  # type: ignore[arg-type]


def test_the_win_of_a_named_side() -> None:
    won = Position.from_moves("1212121")
    assert (won.is_win(Side.FIRST), won.is_win(Side.SECOND)) == (True, False)
    assert not any(Position().is_win(side) for side in Side)


def test_several_moves_at_once_are_those_moves_one_by_one() -> None:
    start = Position.from_rows([[0] * 7] * 5 + [[2, 0, 0, 0, 0, 0, 0]], first=2)
    after = start.play(3).play(3).play(4)
    assert start.play_all([3, 3, 4]) == start.play_all("445") == start.play_all(iter((3, 3, 4))) == after
    assert start.play_all("445").rows() == after.rows()
    assert start.play_all([]) == start.play_all("") == start


@pytest.mark.parametrize(
    ("moves", "error", "message"),
    [
        ([3, 9], IllegalMoveError, "illegal move 9 .*: the board has columns 0 to 6"),
        ("48", IllegalMoveError, "illegal move 8 .*: the board has columns 1 to 7"),
        ("4444444", IllegalMoveError, "column 4 is full"),
        ("4?", NotationError, "character 2 is not a column"),
        ([3, "4"], TypeError, "moves must be columns, counted from 0"),
        (None, TypeError, "moves must be columns, counted from 0"),
    ],
)
def test_several_moves_with_a_bad_one_are_refused(moves: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        Position().play_all(moves)


def test_the_threats_of_a_named_side() -> None:
    position = Position.from_moves("121212")  # three each, the first side to move
    assert position.threats(Side.FIRST) == [(2, 0)]
    assert position.threats(Side.SECOND) == [(2, 1)]
    assert all(Position.from_moves("1212121").threats(side) == [] for side in Side)


def test_a_full_or_won_start_board_is_a_finished_game_and_never_a_crash() -> None:
    full = Position.from_moves("1234123421432143", 4, 4)
    again = Position.from_rows(full.rows())
    assert (again.outcome(), again.legal_moves()) == (Outcome(None, Reason.BOARD_FULL), [])
    won = Position.from_rows(Position.from_moves("1212121").rows())
    assert won.legal_moves() == []


def test_rows_of_any_kind_of_sequence_or_array_are_taken() -> None:
    expected = Position.from_moves("44")
    rows = expected.rows()
    as_tuples = tuple(tuple(row) for row in rows)
    for given_rows in (rows, as_tuples, iter(rows), np.array(rows), np.array(rows, dtype=float), np.array(rows, "u1")):
        assert Position.from_rows(given_rows) == expected


def test_the_matrix_is_a_copy_with_row_0_on_top() -> None:
    position = Position.from_moves("44")
    matrix = position.matrix()
    assert (matrix.shape, matrix[5, 3], matrix[4, 3]) == ((6, 7), 1, 2)
    matrix[:] = 9
    assert position.matrix()[0, 0] == 0


@pytest.mark.parametrize("fen", ["", "...", "....../......", "abc", "./././.", ".......\n......."])
def test_a_board_text_that_is_wrong_is_refused(fen: str) -> None:
    with pytest.raises((NotationError, IllegalPositionError)):
        Position.from_fen(fen)


def test_a_position_shows_itself() -> None:
    position = Position.from_moves("4453")
    assert eval(repr(position), {"connect4": sys.modules["outplay.connect4"]}) == position
    assert "○" in str(position)
    assert position._repr_svg_().startswith("<svg")


def test_a_number_that_would_never_end_is_refused() -> None:
    for depth in (-1, 41):
        with pytest.raises(ValueError, match="depth must be from 0 to 40"):
            Position().perft(depth)
    with pytest.raises(ValueError, match="plies must be from 0 to 42"):
        Position().count_positions(43)


INTERRUPTED = """
import os, signal, threading, time
from outplay.connect4 import Position

def interrupt():
    global sent
    sent = time.monotonic()
    os.kill(os.getpid(), signal.SIGINT)

threading.Timer({seconds}, interrupt).start()
try:
    Position().{count}
except KeyboardInterrupt:
    print(time.monotonic() - sent)
"""


def seconds_to_stop(count: str, seconds: float) -> float:
    """How long a count takes to end when Ctrl-C comes after so many seconds."""
    script = INTERRUPTED.format(count=count, seconds=seconds)
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=60)
    assert done.stdout, done.stderr
    return float(done.stdout)


@pytest.mark.parametrize("count", ["perft(30)", "count_positions(14)"])
def test_a_long_count_can_be_interrupted(count: str) -> None:
    assert seconds_to_stop(count, 0.3) < 5  # 0.02 on a machine with nothing else to do


@pytest.mark.slow
@pytest.mark.parametrize("seconds", [4, 6])
def test_a_count_is_interrupted_while_it_sorts_millions_of_positions(seconds: float) -> None:
    assert seconds_to_stop("count_positions(14)", seconds) < 1  # most of it to give back a gigabyte; it was 2.2 s
