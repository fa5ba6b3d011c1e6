"""The oracle on its own: published numbers first, then each rule as an example, then laws."""

from itertools import islice, product

import pytest
from hypothesis import given, settings

from tests.oracle import FIRST, SECOND, Outcome, checkers, connect4
from tests.support import positions
from tests.support.published import table

few = settings(max_examples=40, deadline=None)


def moves(fen: str) -> list[str]:
    return [move.text for move in checkers.legal_moves(checkers.from_fen(fen))]


def drawn(*rows: str) -> connect4.Rows:
    """The top rows of a board are empty and are not drawn; every board has at least four."""
    missing = ["." * len(rows[0])] * (4 - len(rows))
    return connect4.from_fen("/".join([*missing, *rows]))


# Published numbers


def test_connect4_has_the_published_number_of_positions_by_ply() -> None:
    published = [int(row["positions"]) for row in table("positions_connect4_7x6.tsv")]
    assert list(islice(connect4.positions_by_ply(7, 6), 7)) == published[:7]
    assert sum(published) == 4_531_985_219_092


def test_connect4_on_4x4_has_the_published_number_of_positions() -> None:
    published = {(row["width"], row["height"]): int(row["positions"]) for row in table("positions_connect4_small.tsv")}
    assert sum(connect4.positions_by_ply(4, 4)) == published["4", "4"] == 161_029


@pytest.mark.parametrize("row", table("perft_checkers.tsv")[:7], ids=lambda row: f"depth {row['depth']}")
def test_checkers_has_the_published_perft(row: dict[str, str]) -> None:
    assert checkers.perft(checkers.start(), int(row["depth"])) == int(row["nodes"])


@pytest.mark.parametrize("row", table("perft_checkers.tsv")[:6], ids=lambda row: f"depth {row['depth']}")
def test_checkers_has_the_published_perft_when_paths_are_merged(row: dict[str, str]) -> None:
    assert checkers.perft(checkers.start(), int(row["depth"]), merged=True) == int(row["nodes_merged"])


@pytest.mark.parametrize(
    "row",
    [row for row in table("perft_checkers_positions.tsv") if int(row["nodes"]) < 500],
    ids=lambda row: f"{row['fen']} depth {row['depth']}",
)
def test_checkers_still_counts_what_a_peer_confirmed(row: dict[str, str]) -> None:
    position, depth = checkers.from_fen(row["fen"]), int(row["depth"])
    assert checkers.fen(position) == row["fen"]
    assert checkers.perft(position, depth) == int(row["nodes"])
    assert checkers.perft(position, depth, merged=True) == int(row["nodes_merged"])


# Connect Four, by example


def test_a_disc_falls_to_the_lowest_empty_cell() -> None:
    assert connect4.fen(connect4.from_moves("4453", 7, 6)) == "......./......./......./......./...2.../..211.."


def test_columns_past_nine_are_letters() -> None:
    assert connect4.fen(connect4.from_moves("9ab", 12, 4)).endswith("/........121.")


def test_a_full_column_cannot_be_played() -> None:
    rows = connect4.from_moves("1111", 4, 4)
    assert connect4.legal_moves(rows) == [1, 2, 3]
    with pytest.raises(ValueError, match="column 0"):
        connect4.play(rows, 0)


@pytest.mark.parametrize(
    ("text", "winner", "line"),
    [
        ("1122334", FIRST, ((5, 0), (5, 1), (5, 2), (5, 3))),
        ("71212121", SECOND, ((2, 0), (3, 0), (4, 0), (5, 0))),
        ("12234334464", FIRST, ((2, 3), (3, 2), (4, 1), (5, 0))),
        ("76654554424", FIRST, ((2, 3), (3, 4), (4, 5), (5, 6))),
    ],
    ids=["across", "down", "rising", "falling"],
)
def test_four_in_a_row_wins_in_every_direction(text: str, winner: int, line: tuple[tuple[int, int], ...]) -> None:
    assert connect4.outcome(connect4.from_moves(text[:-1])) is None
    rows = connect4.from_moves(text)
    assert connect4.outcome(rows) == Outcome(winner, "four in a row", (line,))
    assert connect4.legal_moves(rows) == []


def test_a_line_does_not_go_on_at_the_other_edge() -> None:
    assert connect4.outcome(drawn("....111", "1......")) is None
    assert connect4.outcome(drawn("1...", "1...", "1...", ".1..")) is None


def test_five_in_a_row_are_two_fours() -> None:
    result = connect4.outcome(drawn("22.22..", "11111.."))
    assert result is not None
    assert result.lines == (((3, 0), (3, 1), (3, 2), (3, 3)), ((3, 1), (3, 2), (3, 3), (3, 4)))


def test_one_disc_can_complete_four_fours() -> None:
    rows = drawn("222.222", "1111111")
    assert connect4.problems(rows) == []
    result = connect4.outcome(rows)
    assert result is not None
    assert [line[0] for line in result.lines] == [(3, 0), (3, 1), (3, 2), (3, 3)]


def test_a_full_board_without_a_line_is_a_draw() -> None:
    rows = connect4.from_moves("4222231343143411", 4, 4)
    assert connect4.outcome(rows) == Outcome(None, "board full")
    assert connect4.legal_moves(rows) == []


def test_the_last_disc_of_a_full_board_can_win() -> None:
    rows = connect4.from_moves("2221331321341444", 4, 4)
    assert "." not in connect4.fen(rows)
    result = connect4.outcome(rows)
    assert result is not None
    assert (result.winner, result.reason) == (SECOND, "four in a row")


@pytest.mark.parametrize(
    ("rows", "reasons"),
    [
        ([[0] * 3] * 4, ["wrong shape"]),
        ([[0] * 4] * 3, ["wrong shape"]),
        ([], ["wrong shape"]),
        ([[0] * 4, [0] * 5, [0] * 4, [0] * 4], ["wrong shape"]),
        ([[0] * 4, [0] * 4, [0] * 4, [1, 2, 3, 0]], ["unknown cell"]),
        ([[0] * 4, [0] * 4, [1, 0, 0, 0], [0, 2, 0, 0]], ["floating disc"]),
        ([[0] * 4, [0] * 4, [0] * 4, [2, 0, 0, 0]], ["wrong counts"]),
        ([[0] * 4, [0] * 4, [0] * 4, [1, 0, 1, 0]], ["wrong counts"]),
        ([[0] * 4, [2, 0, 0, 0], [0] * 4, [2, 0, 0, 0]], ["floating disc", "wrong counts"]),
        ([[0] * 4, [0] * 4, [2, 2, 2, 2], [1, 1, 1, 1]], ["two winners"]),
        ([[0] * 4, [0] * 4, [2, 2, 2, 0], [1, 1, 1, 1]], []),
        ([[0] * 4, [2, 0, 0, 0], [2, 2, 2, 0], [1, 1, 1, 1]], ["played on after a win"]),
        ([[0] * 4, [0] * 4, [1, 1, 0, 0], [2, 2, 0, 0]], ["no last disc"]),
    ],
)
def test_an_impossible_board_is_known_by_its_reasons(rows: list[list[int]], reasons: list[str]) -> None:
    assert connect4.problems(rows) == reasons


def test_the_number_of_the_side_that_began_decides_which_counts_are_right() -> None:
    rows = [[0] * 4, [0] * 4, [0] * 4, [2, 0, 0, 0]]
    assert connect4.problems(rows, first=1) == ["wrong counts"]
    assert connect4.problems(rows, first=2) == []
    assert connect4.numbered_rows(connect4.rows_from_matrix(rows, first=2), first=2) == rows


def test_two_lines_that_no_single_disc_completes_are_refused() -> None:
    rows = drawn("1.....1", "12...21", "12...21", "12.2.21")
    assert connect4.problems(rows) == ["played on after a win"]


def test_a_board_that_looks_right_may_still_have_no_order_of_moves() -> None:
    rows = drawn("21..", "11..", "22..")
    assert connect4.problems(rows) == []
    assert connect4.move_order(rows) is None


# Checkers, by example


def test_black_begins_with_seven_moves() -> None:
    assert checkers.start().side == FIRST
    assert moves(checkers.START_FEN) == ["9-13", "9-14", "10-14", "10-15", "11-15", "11-16", "12-16"]


def test_a_man_moves_forward_only() -> None:
    assert moves("B:WK32:B18") == ["18-22", "18-23"]
    assert moves("W:W18:BK32") == ["18-14", "18-15"]


def test_a_king_moves_one_step_any_way() -> None:
    assert moves("B:WK32:BK18") == ["18-14", "18-15", "18-22", "18-23"]


def test_a_jump_is_compulsory() -> None:
    assert moves("B:W15,32:B1,10") == ["10x19"]


def test_a_longer_jump_is_not_compulsory() -> None:
    assert moves("B:W14,15,24:B10") == ["10x17", "10x19x28"]


def test_a_jump_that_was_begun_must_be_finished() -> None:
    fen = "B:W15,24:B10"
    assert moves(fen) == ["10x19x28"]
    with pytest.raises(ValueError, match="10x19 is not a move"):
        checkers.play(checkers.from_fen(fen), "10x19")


def test_any_piece_that_can_jump_may_be_chosen() -> None:
    assert moves("B:W14,15,24:B9,10,11") == ["9x18", "10x17", "10x19x28", "11x18"]


def test_a_man_jumps_forward_only() -> None:
    assert moves("B:W14:B18") == ["18-22", "18-23"]


def test_a_man_does_not_turn_back_in_the_middle_of_a_jump() -> None:
    assert moves("B:W15,16:B10") == ["10x19"]
    assert moves("B:W15,16:BK10") == ["10x19x12"]


def test_a_man_crowned_by_a_jump_stops_there() -> None:
    fen = "B:W26,27:B22"
    assert moves(fen) == ["22x31"]
    assert checkers.fen(checkers.play(checkers.from_fen(fen), "22x31")) == "W:W27:BK31"
    assert moves("B:W26,27:BK22") == ["22x31x24"]


def test_a_man_crowned_by_a_plain_move_stops_there() -> None:
    assert checkers.fen(checkers.play(checkers.from_fen("B:W27:B26"), "26-31")) == "W:W27:BK31"


def test_a_king_stays_a_king() -> None:
    assert checkers.fen(checkers.play(checkers.from_fen("B:W5:BK31"), "31-27")) == "W:W5:BK27"


def test_a_man_may_take_a_king() -> None:
    assert moves("B:WK15:B10") == ["10x19"]


def test_own_pieces_are_not_jumped() -> None:
    assert "10x19" not in moves("B:W32:B10,15")


def test_two_pieces_in_a_row_are_not_jumped() -> None:
    assert moves("B:W15,19:B10") == ["10-14"]


def test_a_piece_on_the_edge_is_not_jumped() -> None:
    assert moves("B:W13:BK9") == ["9-5", "9-6", "9-14"]


def test_a_taken_piece_cannot_be_taken_again() -> None:
    assert moves("B:W15,32:BK10") == ["10x19"]


def test_a_king_may_end_a_jump_on_its_start() -> None:
    fen = "B:W14,15,22,23:BK10"
    assert moves(fen) == ["10x17x26x19x10", "10x19x26x17x10"]
    assert checkers.fen(checkers.play(checkers.from_fen(fen), "10x17x26x19x10")) == "W:W:BK10"


def test_a_king_may_pass_over_its_start() -> None:
    assert moves("B:W6,14,15,22,23:BK10") == ["10x1", "10x17x26x19x10x1", "10x19x26x17x10x1"]


def test_captures_are_told_in_the_order_of_jumping() -> None:
    (move,) = checkers.legal_moves(checkers.from_fen("B:W15,24:B10"))
    assert move == checkers.Move((10, 19, 28), (15, 24))


def test_different_jumps_may_share_their_first_and_last_square() -> None:
    fen = "B:W23,22,15,14:B11,10"
    assert moves(fen) == ["10x17x26", "10x19x26", "11x18x25", "11x18x27"]
    position = checkers.from_fen(fen)
    assert checkers.fen(checkers.play(position, "10x17x26")) == "W:W15,23:B11,26"
    assert checkers.fen(checkers.play(position, "10x19x26")) == "W:W14,22:B11,26"
    assert checkers.perft(position, 1) == checkers.perft(position, 1, merged=True) == 4


def test_a_circle_both_ways_round_is_one_move_when_merged() -> None:
    position = checkers.from_fen("B:W14,15,22,23:BK10")
    assert checkers.perft(position, 1) == 2
    assert checkers.perft(position, 1, merged=True) == 1


def test_a_side_that_cannot_move_loses() -> None:
    assert checkers.outcome(checkers.from_fen("W:W5:B1,10")) == Outcome(FIRST, "no moves")
    assert checkers.outcome(checkers.from_fen("B:W23,32:B28")) == Outcome(SECOND, "no moves")


def test_a_side_without_pieces_loses() -> None:
    last = checkers.play(checkers.from_fen("B:W15:B10"), "10x19")
    assert checkers.fen(last) == "W:W:B19"
    assert checkers.outcome(last) == Outcome(FIRST, "no pieces")
    assert checkers.legal_moves(last) == []


@pytest.mark.parametrize(
    ("fen", "reasons"),
    [
        ("B:W1:B32", ["man on its crowning row"]),
        ("B:WK1:BK32", []),
        ("B:W32:B1,2,3,4,5,6,7,8,9,10,11,12,13", ["more than twelve pieces"]),
        ("B:W:B", ["no pieces"]),
    ],
)
def test_an_impossible_set_up_is_known_by_its_reasons(fen: str, reasons: list[str]) -> None:
    assert checkers.problems(checkers.from_fen(fen)) == reasons


@pytest.mark.parametrize("fen", ["B:W33:B1", "B:W0:B1", "B:W5:B5"])
def test_a_square_off_the_board_or_filled_twice_is_refused(fen: str) -> None:
    with pytest.raises(ValueError, match="square"):
        checkers.from_fen(fen)


# Laws, which also try out the makers of positions


@few
@given(positions.connect4_games())
def test_a_connect4_game_keeps_the_laws(game: positions.Connect4Game) -> None:
    rows = connect4.from_moves(game.moves, game.width, game.height)
    assert connect4.from_fen(connect4.fen(rows)) == rows
    assert connect4.mirror(connect4.mirror(rows)) == rows
    assert connect4.problems(rows) == []
    mirrored, result = connect4.outcome(connect4.mirror(rows)), connect4.outcome(rows)
    assert (mirrored is None) == (result is None)
    if mirrored and result:
        assert (mirrored.winner, len(mirrored.lines)) == (result.winner, len(result.lines))


@few
@given(positions.connect4_matrices(sizes=((4, 4), (5, 4), (4, 5))))
def test_a_board_with_an_order_of_moves_has_no_problems(matrix: list[list[int]]) -> None:
    found = connect4.problems(matrix)
    rows = connect4.rows_from_matrix(matrix)
    order = None if found else connect4.move_order(rows)
    if order is not None:
        assert connect4.from_moves(order, len(matrix[0]), len(matrix)) == rows


@few
@given(positions.checkers_fens())
def test_a_checkers_position_keeps_the_laws(fen: str) -> None:
    position = checkers.from_fen(fen)
    assert checkers.fen(position) == fen
    assert checkers.problems(position) == []
    assert checkers.flip(checkers.flip(position)) == position
    turned = {tuple(33 - square for square in move.path) for move in checkers.legal_moves(position)}
    assert {move.path for move in checkers.legal_moves(checkers.flip(position))} == turned


@few
@given(positions.jumpy_checkers_fens())
def test_a_jump_never_lands_on_the_rows_of_the_pieces_it_takes(fen: str) -> None:
    """So a taken piece, still on the board, can never fill a landing square in this game."""
    for move in checkers.legal_moves(checkers.from_fen(fen)):
        for landing, taken in product(move.path, move.captures):
            assert checkers.cell_of(landing)[0] % 2 != checkers.cell_of(taken)[0] % 2


def test_seeded_positions_are_the_same_every_time() -> None:
    assert positions.random_checkers_fens(3, 8) == positions.random_checkers_fens(3, 8)
    assert positions.random_connect4_moves(3, 8, 5, 4) == positions.random_connect4_moves(3, 8, 5, 4)
    assert positions.random_connect4_matrices(3, 8) == positions.random_connect4_matrices(3, 8)
