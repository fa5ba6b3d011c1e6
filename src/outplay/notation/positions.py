"""Reading what people paste or draw as a position. Links are parsed, never followed."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from urllib.parse import parse_qs, urlsplit

from outplay import checkers, connect4
from outplay.errors import GameOverError, IllegalMoveError, IllegalPositionError, NotationError
from outplay.notation.pdn import games
from outplay.record import AnyGame, Game
from outplay.rules import RULES, Position

EMPTY, FIRST, SECOND = ".-_0 ", "1xXrR○", "2oOyY●"
_SEPARATORS = re.compile(r"[\s,;.]+")
_MOVE_NUMBER = re.compile(r"\b\d+\.+")


@dataclass(frozen=True, slots=True)
class ReadPosition:
    """A position, and the moves that led to it from the start where they are known."""

    position: Position
    moves: tuple[str, ...] = ()


def read_text(game: str, text: str, size: tuple[int, int]) -> ReadPosition:
    """A text of any kind: moves, FEN, a board in rows, a game, or a link of ours."""
    text = _from_link(text.strip())
    try:
        if '"]' in text:
            return _from_game(game, text)
        return _read_connect4(text, size) if game == "connect4" else _read_checkers(text)
    except IllegalMoveError as error:
        raise IllegalPositionError([f"{error.move} cannot be played: {error.reason}"]) from None
    except GameOverError as error:
        raise IllegalPositionError([f"the moves go on after the end of the game: {error.reason}"]) from None


def read_game(game: str, text: str, size: tuple[int, int]) -> AnyGame:
    """The same as a game that stands there: with the moves that led to the position, where they are known."""
    text = _from_link(text.strip())
    found = read_text(game, text, size)
    if not found.moves:
        return Game(found.position)
    start = _first_game(game, text).start if '"]' in text else RULES[game].read("start", _board_size(game, size))
    played = Game(start)
    for move in found.moves:
        played.go_to(played.current.add(played.position.parse(move)))
    return played


def _board_size(game: str, size: tuple[int, int]) -> tuple[int, int] | None:
    return size if game == "connect4" else None


def _from_link(text: str) -> str:
    """The position in a link of ours; any other text as it is."""
    if not text.startswith(("http://", "https://")):
        return text
    try:
        return parse_qs(urlsplit(text).query)["pos"][0]
    except (KeyError, ValueError):
        raise NotationError(text, "there is no position in this link") from None


def _from_game(game: str, text: str) -> ReadPosition:
    """The end of the first game in a text."""
    return _end_of(_first_game(game, text))


def _first_game(game: str, text: str) -> AnyGame:
    found = next(games(text, game=game), None)
    if found is None or found.rules.name != game:
        raise NotationError(text, f"there is no game of {RULES[game].title} in it")
    return found


def _end_of(game: AnyGame) -> ReadPosition:
    nodes = game.main_line()
    if not nodes:
        return ReadPosition(game.position)
    return ReadPosition(nodes[-1].position, tuple(node.text for node in nodes))


# Connect Four


def _read_connect4(text: str, size: tuple[int, int]) -> ReadPosition:
    if text.startswith("["):
        return ReadPosition(_from_rows(_nested(text)))
    if "/" in text:
        return ReadPosition(connect4.Position.from_fen(re.sub(r"\s", "", text)))
    lines = [line for line in text.splitlines() if line.strip()]
    if len(lines) > 1:
        return ReadPosition(_from_rows([_row(line) for line in lines]))
    moves = "" if text == "start" else _SEPARATORS.sub("", text)
    position = connect4.Position.from_moves(moves, *size)
    return ReadPosition(position, tuple(moves))


def _nested(text: str) -> list[list[int]]:
    """Rows written as a list of lists."""
    try:
        rows = json.loads(re.sub(r",\s*\]", "]", text))
    except (ValueError, RecursionError):
        raise NotationError(text, "a board as a list of lists looks like [[0, 0, 1, ...], ...]") from None
    if not isinstance(rows, list) or not all(isinstance(row, list) for row in rows):
        raise NotationError(text, "a board is a list of rows, each a list of cells")
    if not all(cell in (0, 1, 2) and isinstance(cell, int) for row in rows for cell in row):
        raise NotationError(text, "a cell is 0 (empty), 1 or 2")
    return rows


def _row(line: str) -> list[int]:
    cells = line.split() if len(line.split()) > 1 else list(line.strip())
    return [_cell(line, cell) for cell in cells if cell not in "|"]


def _cell(line: str, text: str) -> int:
    for number, signs in enumerate((EMPTY, FIRST, SECOND)):
        if len(text) == 1 and text in signs:
            return number
    raise NotationError(line, f"{text!r} is no cell: write . for empty, 1 or x for one side, 2 or o for the other")


def _from_rows(rows: list[list[int]]) -> connect4.Position:
    """Either number may have begun: 1 if the board allows it."""
    try:
        return connect4.Position.from_rows(rows, first=1)
    except IllegalPositionError:
        try:
            return connect4.Position.from_rows(rows, first=2)
        except IllegalPositionError:
            pass
        raise


# Checkers


def _read_checkers(text: str) -> ReadPosition:
    if text in ("", "start"):
        return ReadPosition(checkers.Position())
    if ":" in text:
        return ReadPosition(checkers.Position.from_fen(text))
    game = Game(checkers.Position(), no_progress=None)
    for word in _MOVE_NUMBER.sub(" ", text).replace(",", " ").split():
        game.play(word)
    return _end_of(game)


# An edited board


def read_board(game: str, board: str, size: tuple[int, int], side: int | None = None) -> Position:
    """A board drawn cell by cell, one character each; `side` is to move where the pieces do not tell."""
    width, height = size
    if game == "connect4":
        if len(board) != width * height:
            raise NotationError(board, f"a board of {width} x {height} has {width * height} cells")
        rows = [board[start : start + width] for start in range(0, len(board), width)]
        return connect4.Position.from_fen("/".join(rows))
    if len(board) != 32 or set(board) - set(".bBwW"):
        raise NotationError(board, "a checkers board has 32 squares: . b B w W")
    turn = "W" if side == 1 else "B"
    return checkers.Position.from_fen(f"{turn}:W{_squares(board, 'w')}:B{_squares(board, 'b')}")


def _squares(board: str, man: str) -> str:
    """The squares of one side as FEN lists them."""
    named = {man: "", man.upper(): "K"}
    return ",".join(f"{named[piece]}{square}" for square, piece in enumerate(board, 1) if piece in named)
