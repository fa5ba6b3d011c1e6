"""The core against the independent second opinion of tests/oracle, position by position."""

from collections.abc import Sequence

import pytest
from hypothesis import given, settings

from outplay import checkers, connect4
from outplay.errors import IllegalPositionError
from outplay.outcome import Outcome, Side
from tests import oracle
from tests.oracle import checkers as oracle_checkers
from tests.oracle import connect4 as oracle_connect4
from tests.support.positions import (
    CONNECT4_SIZES,
    Connect4Game,
    checkers_fens,
    connect4_games,
    connect4_matrices,
    random_checkers_fens,
    random_connect4_matrices,
    random_connect4_moves,
)


def plain(outcome: Outcome | None) -> tuple[object, ...] | None:
    """An outcome in the oracle's terms; the order of lines and of their cells does not matter."""
    if outcome is None:
        return None
    return (outcome.winner, outcome.reason, {frozenset(line) for line in outcome.lines})


def oracle_plain(outcome: oracle.Outcome | None) -> tuple[object, ...] | None:
    if outcome is None:
        return None
    return (outcome.winner, outcome.reason, {frozenset(line) for line in outcome.lines})


# Connect Four


def check_connect4(position: connect4.Position, rows: oracle_connect4.Rows) -> None:
    assert position.fen() == oracle_connect4.fen(rows)
    assert position.rows(first=1) == oracle_connect4.numbered_rows(rows)
    assert position.rows(first=2) == oracle_connect4.numbered_rows(rows, first=2)
    assert position.side == oracle_connect4.side_to_move(rows)
    assert position.legal_moves() == oracle_connect4.legal_moves(rows)
    assert [move for move in range(-1, position.width + 1) if position.is_legal(move)] == position.legal_moves()
    check_columns(position, rows)
    assert plain(position.outcome()) == oracle_plain(oracle_connect4.outcome(rows))
    assert position.mirror().fen() == oracle_connect4.fen(oracle_connect4.mirror(rows))


def check_columns(position: connect4.Position, rows: oracle_connect4.Rows) -> None:
    for column in range(position.width):
        discs = sum(row[column] != oracle_connect4.EMPTY for row in rows)
        assert position.height_of(column) == discs
        if discs < position.height:
            assert position.landing_row(column) == position.height - 1 - discs


def check_sides(position: connect4.Position, rows: oracle_connect4.Rows) -> None:
    """The win and the threats of each side, whoever is to move."""
    sides = {side: oracle_connect4.cells_of(rows, side) for side in Side}
    taken = sides[Side.FIRST] | sides[Side.SECOND]
    is_won = any(oracle_connect4.winning_lines(rows, side) for side in Side)
    for side, own in sides.items():
        assert position.is_win(side) == bool(oracle_connect4.winning_lines(rows, side))
        missing = [set(four) - own for four in oracle_connect4.all_fours(position.width, position.height)]
        threats = {cell for cells in missing if len(cells) == 1 for cell in cells if cell not in taken}
        assert set(position.threats(side)) == (set() if is_won else threats)
        landings = {(position.landing_row(column), column) for column in position.legal_moves()}
        assert position.can_win_next(side=side) == (not is_won and bool(threats & landings))


@given(connect4_games())
@settings(max_examples=300, deadline=None)
def test_connect_four_agrees_all_along_a_game(game: Connect4Game) -> None:
    position = connect4.Position(game.width, game.height)
    rows = oracle_connect4.empty(game.width, game.height)
    check_connect4(position, rows)
    for text in game.moves:
        column = position.parse(text)
        position, rows = position.play(column), oracle_connect4.play(rows, column)
        assert position.format(column) == oracle_connect4.column_text(column) == text
        check_connect4(position, rows)


@pytest.mark.parametrize(("width", "height"), CONNECT4_SIZES)
def test_connect_four_agrees_on_seeded_games_of_every_size(width: int, height: int) -> None:
    for moves in random_connect4_moves(seed=width * 100 + height, count=12, width=width, height=height):
        rows = oracle_connect4.from_moves(moves, width, height)
        check_connect4(connect4.Position.from_moves(moves, width, height), rows)
        for plies in (len(moves) // 2, len(moves) - 1, len(moves)):
            rows = oracle_connect4.from_moves(moves[:plies], width, height)
            check_sides(connect4.Position.from_moves(moves[:plies], width, height), rows)


def check_matrix(matrix: Sequence[Sequence[int]], first: int) -> None:
    """Whatever the oracle refuses we refuse; whatever we take can be reached, as far as the oracle can tell."""
    problems = oracle_connect4.problems(matrix, first)
    rows = None if problems else oracle_connect4.rows_from_matrix(matrix, first)
    try:
        position = connect4.Position.from_rows(matrix, first=first)
    except IllegalPositionError as error:
        reasons = error.reasons
    else:
        assert rows is not None
        assert position.rows() == position.rows(first=first) == [list(row) for row in matrix]
        check_connect4(position, rows)
        return
    if rows is not None:
        assert reasons == ("no order of alternating drops leads to this board",)
        if len(matrix) * len(matrix[0]) <= 20:  # small enough for the oracle's exhaustive search
            assert oracle_connect4.move_order(rows) is None


@given(connect4_matrices())
@settings(max_examples=300, deadline=None)
def test_boards_are_refused_exactly_where_the_oracle_sees_a_reason(matrix: list[list[int]]) -> None:
    check_matrix(matrix, first=1)
    check_matrix(matrix, first=2)


def test_every_small_board_is_taken_exactly_if_moves_lead_to_it() -> None:
    for matrix in random_connect4_matrices(seed=7, count=400, width=4, height=4):
        is_reachable = (
            not oracle_connect4.problems(matrix)
            and oracle_connect4.move_order(oracle_connect4.rows_from_matrix(matrix)) is not None
        )
        try:
            connect4.Position.from_rows(matrix)
            is_taken = True
        except IllegalPositionError:
            is_taken = False
        assert is_taken == is_reachable, matrix


@pytest.mark.parametrize(("width", "height", "depth"), [(7, 6, 5), (8, 8, 4), (10, 10, 4), (5, 5, 6), (7, 5, 5)])
def test_connect_four_counts_the_games_the_oracle_counts(width: int, height: int, depth: int) -> None:
    expected = oracle_connect4.perft(oracle_connect4.empty(width, height), depth)
    assert connect4.Position(width, height).perft(depth) == expected


@pytest.mark.parametrize(("width", "height"), [(5, 5), (8, 8), (10, 10), (9, 7)])
def test_different_positions_are_counted_as_the_oracle_counts_them(width: int, height: int) -> None:
    position = connect4.Position(width, height)
    for ply, expected in zip(range(5), oracle_connect4.positions_by_ply(width, height), strict=False):
        assert position.count_positions(ply) == expected


# Checkers


def oracle_winner(position: oracle_checkers.Position) -> int | None:
    outcome = oracle_checkers.outcome(position)
    return None if outcome is None else outcome.winner


def check_checkers(fen: str) -> None:
    position, expected = checkers.Position.from_fen(fen), oracle_checkers.from_fen(fen)
    assert position.fen() == oracle_checkers.fen(expected)
    assert position.side == expected.side
    moves = {str(move): move for move in position.legal_moves()}
    expected_moves = {move.text: move for move in oracle_checkers.legal_moves(expected)}
    assert len(moves) == len(position.legal_moves())
    assert moves.keys() == expected_moves.keys()
    assert plain(position.outcome()) == oracle_plain(oracle_checkers.outcome(expected))
    assert position.flip().fen() == oracle_checkers.fen(oracle_checkers.flip(expected))
    for side in Side:
        turned = oracle_checkers.legal_moves(expected._replace(side=side))
        assert {str(move) for move in position.legal_moves(side=side)} == {move.text for move in turned}
        assert position.is_win(side) == (oracle_winner(expected) == side)
    assert all(position.is_legal(move) for move in moves.values())
    pieces = {oracle_checkers.cell_of(square): piece for square, piece in position.pieces().items()}
    assert pieces == expected.pieces
    assert position.rows() == [[expected.pieces.get((row, column), ".") for column in range(8)] for row in range(8)]
    for text, move in moves.items():
        assert (move.path, move.captures) == (expected_moves[text].path, expected_moves[text].captures)
        after = oracle_checkers.fen(oracle_checkers.after(expected, expected_moves[text]))
        assert position.play(move).fen() == after


@given(checkers_fens())
@settings(max_examples=400, deadline=None)
def test_checkers_moves_agree_with_the_oracle(fen: str) -> None:
    check_checkers(fen)


def test_checkers_moves_agree_with_the_oracle_on_seeded_positions() -> None:
    for fen in random_checkers_fens(seed=20, count=1200):
        check_checkers(fen)


@given(checkers_fens())
@settings(max_examples=60, deadline=None)
def test_checkers_counts_the_games_the_oracle_counts(fen: str) -> None:
    position, expected = checkers.Position.from_fen(fen), oracle_checkers.from_fen(fen)
    assert position.perft(2) == oracle_checkers.perft(expected, 2)
    assert position.perft(2, merged=True) == oracle_checkers.perft(expected, 2, merged=True)
