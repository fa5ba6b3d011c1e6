"""The rules of checkers: published numbers, laws, and each rule that programs get wrong as an example."""

import pickle
import sys

import pytest
from hypothesis import given

from outplay.checkers import Move, Position, cell_of, square_at
from outplay.errors import GameOverError, IllegalMoveError, IllegalPositionError, NotationError
from outplay.outcome import Outcome, Reason, Side
from tests.support.positions import checkers_fens
from tests.support.published import table

PERFT = {int(row["depth"]): row for row in table("perft_checkers.tsv")}
TRICKY = table("perft_checkers_positions.tsv")


def texts(fen: str) -> list[str]:
    return sorted(str(move) for move in Position.from_fen(fen).legal_moves())


# Published numbers


@pytest.mark.parametrize("depth", range(10))
def test_perft_from_the_start_is_the_published_one(depth: int) -> None:
    assert Position().perft(depth) == int(PERFT[depth]["nodes"])
    assert Position().perft(depth, merged=True) == int(PERFT[depth]["nodes_merged"])


@pytest.mark.slow
@pytest.mark.parametrize("depth", [10, 11, 12])
def test_perft_from_the_start_is_the_published_one_further_on(depth: int) -> None:
    assert Position().perft(depth) == int(PERFT[depth]["nodes"])
    assert Position().perft(depth, merged=True) == int(PERFT[depth]["nodes_merged"])


@pytest.mark.parametrize("row", TRICKY, ids=lambda row: f"{row['fen']} to {row['depth']}")
def test_perft_of_positions_that_programs_get_wrong(row: dict[str, str]) -> None:
    position = Position.from_fen(row["fen"])
    assert position.perft(int(row["depth"])) == int(row["nodes"])
    assert position.perft(int(row["depth"]), merged=True) == int(row["nodes_merged"])


# Laws


@given(checkers_fens())
def test_a_board_survives_rows_and_matrix(fen: str) -> None:
    position = Position.from_fen(fen)
    assert Position.from_rows(position.rows(), side=position.side) == position
    assert Position.from_rows(position.matrix(), side=position.side) == position
    letters = [[".bwBW"[number] for number in row] for row in position.matrix().tolist()]
    assert letters == position.rows()


@given(checkers_fens())
def test_is_legal_says_what_play_would_do(fen: str) -> None:
    position = Position.from_fen(fen)
    for side in Side:
        for move in position.legal_moves(side=side):
            assert position.is_legal(move) == (move in position.legal_moves())


@given(checkers_fens())
def test_the_game_is_the_same_from_the_other_side(fen: str) -> None:
    position = Position.from_fen(fen)
    assert position.flip().flip() == position
    assert position.flip().perft(2) == position.perft(2)
    assert position.flip().side == position.side.other


@given(checkers_fens())
def test_a_position_and_its_moves_survive_text_and_pickle(fen: str) -> None:
    position = Position.from_fen(fen)
    assert Position.from_fen(position.fen()) == position
    assert pickle.loads(pickle.dumps(position)) == position
    for move in position.legal_moves():
        assert position.parse(position.format(move)) == move
        assert Move(str(move)) == pickle.loads(pickle.dumps(move)) == move
        assert hash(Move(str(move))) == hash(move)


@given(checkers_fens())
def test_keys_tell_positions_apart(fen: str) -> None:
    position = Position.from_fen(fen)
    family = {position, position.flip(), *(position.play(move) for move in position.legal_moves())}
    assert len({member.key for member in family}) == len(family)


# The rules


def test_black_moves_first_and_has_seven_moves() -> None:
    assert Position().side is Side.FIRST
    assert [str(move) for move in Position().legal_moves()] == sorted(
        ["9-13", "9-14", "10-14", "10-15", "11-15", "11-16", "12-16"],
        key=[str(move) for move in Position().legal_moves()].index,
    )
    assert Position() == Position.start()


def test_a_jump_must_be_taken() -> None:
    assert texts("B:W18,32:B14,1") == ["14x23"]


def test_any_jump_may_be_chosen_not_only_the_longest() -> None:
    assert texts("B:W14,15,23:B10") == ["10x17", "10x19x26"]


def test_a_started_jump_must_be_finished() -> None:
    with pytest.raises(IllegalMoveError, match="the jump must be finished: 10x19x26"):
        Position.from_fen("B:W14,15,23:B10").parse("10x19")


def test_a_man_crowned_by_a_jump_stops_there() -> None:
    assert texts("B:W26,27:B22") == ["22x31"]
    with pytest.raises(IllegalMoveError, match="a man that is crowned on 31 stops there"):
        Position.from_fen("B:W26,27:B22").parse("22x31x24")
    after = Position.from_fen("B:W26,27:B22").play(Move("22x31"))
    assert after.fen() == "W:W27:BK31"


def test_a_king_goes_on_jumping_over_the_crowning_row() -> None:
    assert texts("B:W26,27:BK22") == ["22x31x24"]


def test_men_jump_forward_only() -> None:
    assert texts("B:W6:B10") == ["10-14", "10-15"]
    with pytest.raises(IllegalMoveError, match="men jump forward only"):
        Position.from_fen("B:W6:B10").parse("10x1")


def test_a_jumped_piece_blocks_until_the_turn_is_over() -> None:
    # round the circle 14-22-23-15 and back to 10; the first man jumped still stands there and cannot be jumped twice
    assert texts("B:W14,15,22,23:BK10") == ["10x17x26x19x10", "10x19x26x17x10"]


def test_a_king_may_pass_over_its_first_square() -> None:
    assert "10x17x26x19x10x1" in texts("B:W6,14,15,22,23:BK10")


def test_two_captures_may_share_first_and_last_square() -> None:
    position = Position.from_fen("B:W23,22,15,14:B11,10")
    assert {"10x17x26", "10x19x26"} <= set(map(str, position.legal_moves()))
    with pytest.raises(IllegalMoveError, match="ambiguous: 10x17x26 or 10x19x26"):
        position.parse("10x26")
    assert position.parse("10x19x26").captures == (15, 23)


def test_a_short_capture_is_read_where_only_one_fits() -> None:
    assert str(Position.from_fen("B:W14,15,23:B10").parse("10x26")) == "10x19x26"
    assert str(Position().parse("11x15")) == "11-15"


def test_a_side_without_a_move_has_lost() -> None:
    position = Position.from_fen("W:W5:B1")
    assert position.legal_moves() == []
    assert position.outcome() == Outcome(Side.FIRST, Reason.NO_MOVES)


def test_a_side_without_a_piece_has_lost() -> None:
    position = Position.from_fen("B:W18:B14").play(Move("14x23"))
    assert position.outcome() == Outcome(Side.FIRST, Reason.NO_PIECES)
    assert position.legal_moves() == []
    assert Position.from_fen("B:W:B14").outcome() == Outcome(Side.FIRST, Reason.NO_PIECES)
    assert Position.from_fen("B:W:B14").perft(1) == 0


def test_captured_kings_leave_no_crown_behind() -> None:
    after = Position.from_fen("B:WK18,32:B14").play(Move("14x23"))
    assert (after.kings, after.fen()) == (0, "W:W32:B23")


# Refusals


@pytest.mark.parametrize(
    ("fen", "move", "reason"),
    [
        ("B:W22:B11,18", "11-16", "18x25 is a jump and must be taken"),
        ("B:W14,15,23:B10", "10-15", r"a jump must be taken: 10x17 or 10x19x26"),
        ("B:W32:B10", "11-15", "there is no piece on 11"),
        ("B:W32:B10", "32-28", "the piece on 32 is White's and it is Black's move"),
        ("B:W32:B10,14", "10-14", "14 is occupied"),
        ("B:W32:B10", "10-6", "men move forward only"),
        ("B:W32:B10", "10-32", "32 is occupied"),
        ("B:W32:B10", "10-31", "31 is not a diagonal step away from 10"),
        ("B:W32:B10", "10x17", "there is no piece on 14 to jump"),
        ("B:W32:B10,14", "10x17", "the piece on 14 is Black's own"),
        ("B:W32:B10", "10x17x26", "nothing to jump"),
    ],
)
def test_a_refused_move_says_which_rule_forbids_it(fen: str, move: str, reason: str) -> None:
    position = Position.from_fen(fen)
    with pytest.raises(IllegalMoveError, match=reason) as caught:
        position.parse(move)
    assert str(caught.value).startswith(f"illegal move {move} in {position.fen()}: ")


def test_a_move_of_another_position_is_refused() -> None:
    for text in ("22-18", "9-14", "11x18"):
        position = Position.from_fen("B:W22:B11,18")
        with pytest.raises(IllegalMoveError):
            position.play(Move(text))


def test_nothing_can_be_played_after_the_end() -> None:
    with pytest.raises(GameOverError, match="no moves"):
        Position.from_fen("W:W5:B1").parse("5-1")
    with pytest.raises(GameOverError, match="no pieces"):
        Position.from_fen("B:W:B14").play(Move("14-18"))


@pytest.mark.parametrize(
    "text", ["", "11", "11-", "a-b", "11-33", "0-4", "11-15-", "11 15", "1111-15", "9" * 50, "11\u201315"]
)
def test_a_move_that_cannot_be_read_is_told(text: str) -> None:
    with pytest.raises(NotationError):
        Position().parse(text)


@pytest.mark.parametrize("text", ["1-2", "1x3", "1-32", "1x10x1", "11-15-18"])
def test_squares_that_no_move_joins_are_no_move(text: str) -> None:
    with pytest.raises(NotationError, match="neither one step nor jumps"):
        Move(text)


# Set-ups


def test_every_reason_against_a_set_up_is_told_at_once() -> None:
    with pytest.raises(IllegalPositionError) as caught:
        Position.from_fen("B:W1,K33,0:B5,5,32,6-18")
    assert caught.value.reasons == (
        "White has a man on square 1, where it would have been crowned",
        "there is no square 33: squares are 1-32",
        "there is no square 0: squares are 1-32",
        "square 5 is occupied twice",
        "Black has a man on square 32, where it would have been crowned",
        "Black has 16 pieces: a side has at most 12",
    )


def test_an_empty_board_is_refused() -> None:
    with pytest.raises(IllegalPositionError, match="no pieces"):
        Position.from_fen("B:W:B")


@pytest.mark.parametrize(
    ("fen", "reason"),
    [
        ("", "the side to move, B or W at character 1"),
        ("X:W1:B2", "the side to move"),
        ("B", "':' before the pieces"),
        ("B:W18", "':' before the pieces"),
        ("B:W18:W19", "White's pieces are given twice"),
        ("B:W18,:B5", "a square at character 7, found ':'"),
        ("B:W18:B5,Q6", "a square"),
        ("B:W18:B5 and more", "the end of the text"),
        ("B:W18-:B5", "the last square of a range"),
        ("B:W18-16:B5", "the range 18-16 runs backwards"),
        ("B:W18888:B5", "a square"),
    ],
)
def test_a_fen_that_cannot_be_read_says_where(fen: str, reason: str) -> None:
    with pytest.raises(NotationError, match=reason):
        Position.from_fen(fen)


@pytest.mark.parametrize("fen", ["B:W18,24,27,K10:B12,16", "B:B12,16:WK10,18,24,27.", " b : w 18, 24,27 ,K10: B12,16 "])
def test_a_fen_is_read_in_any_order_and_spacing(fen: str) -> None:
    assert Position.from_fen(fen).fen() == "B:W18,24,27,K10:B12,16"


def test_ranges_of_squares_are_read() -> None:
    assert Position.from_fen("B:W21-32:B1-12") == Position()


def test_squares_and_bits_are_those_of_the_rule_book() -> None:
    position = Position.from_fen("W:W32,K5:B1,K4")
    assert position.pieces() == {1: "b", 4: "B", 5: "W", 32: "w"}
    assert (position.black, position.white, position.kings) == (0b1001, 1 << 31 | 1 << 4, 0b11000)
    assert (position.own, position.other) == (position.white, position.black)


def test_positions_and_moves_show_themselves() -> None:
    position = Position.from_fen("B:W18,24,27,K10:B12,16")
    assert eval(repr(position), {"checkers": sys.modules["outplay.checkers"]}) == position
    assert eval(repr(Move("10x19x26")), {"checkers": sys.modules["outplay.checkers"]}) == Move("10x19x26")
    assert position._repr_svg_().startswith("<svg")
    assert "R" in str(position)


def test_moves_differ_by_path() -> None:
    assert Move("10x19x26") != Move("10x17x26")
    assert Move("11-15") != "11-15"
    assert Move("22x15").is_capture
    assert not Move("22-18").is_capture


# Rows and columns


def test_squares_and_cells_name_each_other() -> None:
    assert (cell_of(1), cell_of(4), cell_of(5), cell_of(32)) == ((0, 1), (0, 7), (1, 0), (7, 6))
    assert [square_at(*cell_of(square)) for square in range(1, 33)] == list(range(1, 33))
    for square in (0, 33, -1, None, "1", 10**30):
        with pytest.raises(ValueError, match="squares are 1-32"):
            cell_of(square)  # type: ignore[arg-type]
    for row, column, reason in (
        (0, 0, "light"),
        (8, 1, "from 0 to 7"),
        (0, -1, "from 0 to 7"),
        ("a", 1, "from 0 to 7"),
    ):
        with pytest.raises(ValueError, match=reason):
            square_at(row, column)  # type: ignore[arg-type]


def test_the_rows_of_the_start_have_black_on_top() -> None:
    rows = Position().rows()
    assert rows[0] == [".", "b", ".", "b", ".", "b", ".", "b"]
    assert rows[7] == ["w", ".", "w", ".", "w", ".", "w", "."]
    assert all(rows[row][column] == "b" for row, column in map(cell_of, range(1, 13)))


def test_the_matrix_is_a_copy_with_kings_as_3_and_4() -> None:
    position = Position.from_fen("W:WK10,27:B12,K16")
    matrix = position.matrix()
    assert matrix.shape == (8, 8)
    assert [matrix[cell_of(square)] for square in (12, 27, 16, 10)] == [1, 2, 3, 4]
    matrix[:] = 9
    assert position.matrix()[0, 0] == 0


def test_rows_are_read_in_the_letters_of_a_classroom_too() -> None:
    position = Position.from_fen("W:WK10,27:B12,K16")
    letters = {".": " ", "w": "r", "W": "R"}
    rows = [[letters.get(piece, piece) for piece in row] for row in position.rows()]
    assert Position.from_rows(rows, side=Side.SECOND) == position
    empties: list[list[object]] = [[None if piece == "." else piece for piece in row] for row in position.rows()]
    assert Position.from_rows(empties, side=Side.SECOND) == position
    assert Position.from_rows(rows).side is Side.FIRST


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({(0, 0): "b"}, "row 0, column 0 is on a light square"),
        ({(0, 1): "w"}, "White has a man on square 1, where it would have been crowned"),
        ({(3, 0): "x"}, r"row 3, column 0 holds 'x', not ., b, w, B, W or 0 to 4"),
        ({(3, 0): 5}, "row 3, column 0 holds 5"),
        ({(3, 0): "b"}, "Black has 13 pieces"),
    ],
)
def test_rows_that_no_board_has_are_refused(change: dict[tuple[int, int], object], reason: str) -> None:
    rows: list[list[object]] = [list(row) for row in Position().rows()]
    for (row, column), piece in change.items():
        rows[row][column] = piece
    with pytest.raises(IllegalPositionError, match=reason):
        Position.from_rows(rows)


@pytest.mark.parametrize("rows", [None, 5, "text", [], [[]], [["."] * 8] * 7, [["."] * 7] * 8, [["."] * 8] * 8])
def test_things_that_are_no_board_are_refused(rows: object) -> None:
    with pytest.raises(IllegalPositionError):
        Position.from_rows(rows)  # type: ignore[arg-type]


def test_the_moves_of_either_side() -> None:
    position = Position()
    assert len(position.legal_moves(side=Side.SECOND)) == 7
    assert position.legal_moves(side=Side.FIRST) == position.legal_moves()
    jump = Position.from_fen("B:W22:B18")
    assert [[str(move) for move in jump.legal_moves(side=side)] for side in Side] == [["18x25"], ["22x15"]]


def test_the_win_of_a_named_side() -> None:
    over = Position.from_fen("B:W22:B")
    assert (over.is_win(Side.FIRST), over.is_win(Side.SECOND)) == (False, True)
    assert not any(Position().is_win(side) for side in Side)
