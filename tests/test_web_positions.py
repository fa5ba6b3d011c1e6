"""What people paste as a position, and what the page says of positions, moves and ends."""

from __future__ import annotations

import pytest

from outplay import checkers, connect4
from outplay.errors import IllegalPositionError, NotationError
from outplay.notation.any import read_one
from outplay.notation.positions import read_board
from outplay.outcome import Side
from outplay.web.board import board_text, legal_views, move_view
from outplay.web.words import clipped, position_sentence, sentence

SIZE = (7, 6)
ROWS = "0000000\n0000000\n0000000\n0000000\n0002000\n0001100"


@pytest.mark.parametrize(
    "text",
    [
        "445",
        "4 4 5",
        "4, 4, 5",
        "4.4.5",
        "......./......./......./......./...2.../...11..",
        ". . . . . . .\n. . . . . . .\n. . . . . . .\n. . . . . . .\n. . . o . . .\n. . . x x . .",
        ROWS,
        ROWS.replace("1", "○").replace("2", "●").replace("0", "_"),
        str([[int(cell) for cell in row] for row in ROWS.splitlines()]),
        "https://games.example.org/play/connect4?pos=445&first=human",
        '[GameType "connect4"]\n\n1. 4 4 2. 5 *',
    ],
)
def test_a_connect_four_position_is_read_from_anything(text: str) -> None:
    assert read_one(text, "connect4", SIZE).game.position == connect4.Position.from_moves("445")


@pytest.mark.parametrize(
    "text",
    [
        "B:W18,21,22,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,12,15",
        "11-15 23-18",
        "1. 11-15 23-18",
        "1.11-15 23-18",
        '[Event "x"]\n1. 11-15 23-18 *',
        "http://127.0.0.1:8642/play/checkers?pos=11-15+23-18",
    ],
)
def test_a_checkers_position_is_read_from_anything(text: str) -> None:
    found = read_one(text, "checkers", SIZE).game.position
    expected = checkers.Position()
    for move in ("11-15", "23-18"):
        expected = expected.play(expected.parse(move))
    assert found == expected


def test_the_moves_that_led_there_are_told_when_they_are_known() -> None:
    assert [node.text for node in read_one("445", "connect4", SIZE).game.nodes] == ["4", "4", "5"]
    assert [node.text for node in read_one("11-15 23-18", "checkers", SIZE).game.nodes] == ["11-15", "23-18"]
    assert [node.text for node in read_one(ROWS, "connect4", SIZE).game.nodes] == []


@pytest.mark.parametrize("text", ["", "start", "  start  "])
def test_nothing_is_the_start(text: str) -> None:
    assert read_one(text, "connect4", (8, 8)).game.position == connect4.Position(8, 8)
    assert read_one(text, "checkers", SIZE).game.position == checkers.Position()


@pytest.mark.parametrize(
    ("game", "text"),
    [
        ("connect4", "48"),
        ("connect4", "hello"),
        ("connect4", "4444444"),
        ("connect4", "12121212"),
        ("connect4", "1......\n......."),
        ("connect4", "[[0, 3]]"),
        ("connect4", "[[0, true]]"),
        ("connect4", "[" * 3000),
        ("connect4", '{"a": 1}'),
        ("connect4", "[1, [2]]"),
        ("connect4", "12?4567\n1234567"),
        ("connect4", "https://games.example.org/"),
        ("connect4", "http://[::1"),
        ("connect4", '[GameType "21"]\n1. 11-15 *'),
        ("connect4", '"]'),
        ("checkers", "B:W99:B1"),
        ("checkers", "11-16 11-16"),
        ("checkers", "hello"),
        ("checkers", "B:W1:B2"),
    ],
)
def test_what_cannot_be_read_says_why(game: str, text: str) -> None:
    with pytest.raises((NotationError, IllegalPositionError)) as error:
        read_one(text, game, SIZE)
    assert str(error.value)


def test_an_edited_board_is_read() -> None:
    board = "." * 35 + "12.1..."
    assert board_text(read_board("connect4", board, SIZE)) == board
    board = "b" + "." * 29 + "W."
    position = read_board("checkers", board, SIZE, 1)
    assert (board_text(position), position.side) == (board, Side.SECOND)


@pytest.mark.parametrize(
    ("game", "board"),
    [
        ("connect4", "." * 41),
        ("connect4", "x" * 42),
        ("checkers", "." * 31),
        ("checkers", "?" * 32),
        ("checkers", "w" * 32),
    ],
)
def test_an_edited_board_that_cannot_be_says_why(game: str, board: str) -> None:
    with pytest.raises((NotationError, IllegalPositionError)):
        read_board(game, board, SIZE)


def test_a_disc_comes_to_rest_on_the_pile() -> None:
    position = connect4.Position.from_moves("44", 8, 8)
    assert move_view(position, 3).path == [5 * 8 + 3]
    assert [move.text for move in legal_views(position)] == list("12345678")


def test_a_multi_jump_is_a_path() -> None:
    position = checkers.Position.from_fen("B:W10,18:B6")
    [move] = legal_views(position)
    assert (move.text, move.path, move.captures) == ("6x15x22", [6, 15, 22], [10, 18])


@pytest.mark.parametrize(
    ("position", "words"),
    [
        (connect4.Position(), "Red to move, 0 discs."),
        (connect4.Position.from_moves("4"), "Yellow to move, 1 disc."),
        (connect4.Position.from_moves("1212121"), "Red wins: four in a row"),
        (checkers.Position(), "Black to move, 24 pieces."),
        (checkers.Position.from_fen("B:WK1:B"), "White wins: Black has no piece left."),
    ],
)
def test_a_position_in_words(position: connect4.Position | checkers.Position, words: str) -> None:
    assert position_sentence(position).startswith(words)


def test_sentences_begin_with_a_capital_letter_and_end() -> None:
    assert sentence("column 4 is full") == "Column 4 is full."
    assert sentence("Really?") == "Really?"
    assert len(clipped("x" * 1000)) == 300
