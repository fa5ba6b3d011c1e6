"""Read positions in each form that people write.

- a FEN
- a board in rows: plain, as a diagram, or as a list of lists
- Connect Four moves: as digits, letters or cells
- a board drawn cell by cell on screen
"""

from __future__ import annotations

import json
import re

from outplay import checkers, connect4
from outplay.errors import IllegalPositionError, NotationError
from outplay.rules import RULES, Position

EMPTY, FIRST, SECOND = ".-_0 ·", "1xXrR○", "2oOyY●"
CHECKERS_FEN = re.compile(r"(?<![\w:])[WB]:[WB][K0-9,\s-]*:[WB][K0-9,\s-]*(?::[HF][0-9]+)*\.?", re.IGNORECASE)
_CONNECT4_FEN = re.compile(r"[.12]{4,}(?:\s*/\s*[.12]{4,}){3,}")
_SEPARATORS = re.compile(r"[\s,;.]+")
_CELLS = re.compile(r"[a-z][0-9]{1,2}(?:[\s,;]*[a-z][0-9]{1,2})*")
_LETTERS = "abcdefghi"


def fen_in(game: str, text: str) -> str | None:
    """Return the FEN in a text: the whole text, or one of its lines; None if there is none."""
    shape = _CONNECT4_FEN if game == "connect4" else CHECKERS_FEN
    if shape.fullmatch(text.strip()):
        return text.strip()
    like = r"(?<!\d):|:(?!\s*\d)" if game == "checkers" else "/"  # 15:22 is a jump
    if re.search(like, text) and "\n" not in text.strip():
        return text.strip()  # something like a FEN: its reader says what is wrong
    return next((line.strip() for line in text.splitlines() if shape.fullmatch(line.strip())), None)


def position_in(game: str, text: str) -> Position:
    """Return the position of a FEN or of a board in rows."""
    if game == "checkers":
        return RULES["checkers"].read(text) if ":" in text else _checkers_board(text)
    if text.startswith("["):
        return _from_rows(list_of_rows(text))
    if "/" in text:
        return RULES["connect4"].read(re.sub(r"\s", "", text))
    first = 2 if re.search(r"^[ \t]*[●2oO] began\b", text, re.MULTILINE) else None
    return _from_rows([_row(line) for line in _board_lines(text)], first)


def is_connect4_board(text: str) -> bool:
    """Return whether a text looks like a board of Connect Four: rows of equal length, with one sign for each cell."""
    lines = _board_lines(text)
    if len(lines) < 4 or is_checkers_board(text):
        return False
    rows = [_signs(line) for line in lines]
    signs = {sign for row in rows for sign in row}
    is_grid = len(rows[0]) >= 4 and len(set(map(len, rows))) == 1 and signs <= {*EMPTY, *FIRST, *SECOND}
    return is_grid and any(sign in EMPTY for sign in signs)


def _board_lines(text: str) -> list[str]:
    """Return the lines of a diagram that hold its rows: no sentences, no frame, no numbers of columns."""
    lines = [line for line in text.splitlines() if line.strip() and not _is_caption(line)]
    has_frame = any("|" in line for line in lines)
    lines = [line for line in lines if not (re.fullmatch(r"[\s+=-]+", line) and (has_frame or "+" in line))]
    labels = lines[-1].replace("|", " ").split() if lines else []
    return lines[:-1] if labels and labels == list(connect4_labels(len(labels))) else lines


def connect4_labels(width: int) -> str:
    return "123456789abcdefghijklmnop"[:width]


def _is_caption(line: str) -> bool:
    """Return whether a line is a sentence beside a diagram, such as "Red to move: 1 2 3"."""
    return re.search(r"\b(?:to move|wins|began)\b", line) is not None


def columns_in(text: str, size: tuple[int, int]) -> str | None:
    """Return Connect Four moves in our notation of columns: from digits, letters (`ddec`) or cells (`d1 d2 e1`).

    On boards up to nine columns wide, `a` is column 1. On wider ones the letters follow the digit 9, as in our own
    notation: `a` is column 10. None if the text is none of these.
    """
    text = text.strip().casefold()
    bare, width = _SEPARATORS.sub("", text), size[0]
    if not bare or not bare.isascii() or not bare.isalnum():
        return None
    if width > len(_LETTERS) or bare.isdecimal():
        return bare
    if _CELLS.fullmatch(text):
        return _columns_of_cells(text, size)
    if bare.isalpha() and set(bare) <= set(_LETTERS[:width]):
        return "".join(str(_LETTERS.index(letter) + 1) for letter in bare)
    return None


def _columns_of_cells(text: str, size: tuple[int, int]) -> str:
    """Return the columns of cells such as `d1`. Rows count from 1 at the bottom; a disc must come to rest there."""
    heights = dict.fromkeys(_LETTERS, 0)
    columns = []
    for letter, row in re.findall(r"([a-z])([0-9]{1,2})", text):
        if letter not in _LETTERS[: size[0]]:
            raise NotationError(letter + row, f"the board has columns a to {_LETTERS[size[0] - 1]}")
        heights[letter] += 1
        if int(row) != heights[letter]:
            raise NotationError(letter + row, f"a disc in column {letter} lands on {letter}{heights[letter]}")
        columns.append(str(_LETTERS.index(letter) + 1))
    return "".join(columns)


# Connect Four in rows


def list_of_rows(text: str) -> list[list[int]]:
    """Return the rows of a board that is written as a list of lists of 0, 1 and 2."""
    try:
        rows = json.loads(re.sub(r",\s*\]", "]", text))
    except (ValueError, RecursionError):
        raise NotationError(text, "a board is a list of rows of 0, 1 and 2: [[0, 0, 1, ...], ...]") from None
    if not isinstance(rows, list) or not all(isinstance(row, list) for row in rows):
        raise NotationError(text, "a board is a list of rows of 0, 1 and 2")
    if not all(cell in (0, 1, 2) and isinstance(cell, int) for row in rows for cell in row):
        raise NotationError(text, "a cell is 0 (empty), 1 or 2")
    return rows


def _signs(line: str) -> list[str]:
    """Cut a row into cells: at bars if it has any (then a space is an empty cell), or at spaces, or after each sign."""
    line = line.strip()
    if line.count("|") > 2:
        return [cell.strip() or " " for cell in line.removeprefix("|").removesuffix("|").split("|")]
    cells = line.replace("|", " ").split()
    return cells if len(cells) > 1 else list("".join(cells))


def _row(line: str) -> list[int]:
    return [_cell(line, cell) for cell in _signs(line)]


def _cell(line: str, text: str) -> int:
    for number, signs in enumerate((EMPTY, FIRST, SECOND)):
        if len(text) == 1 and text in signs:
            return number
    raise NotationError(line, f"{text!r} is not a cell: write . for empty, 1 or x for one side, 2 or o for the other")


def _from_rows(rows: list[list[int]], first: int | None = None) -> connect4.Position:
    """Return the board; player 1 began if that is possible, if not player 2. Errors count rows and columns from 1."""
    text = "/".join("".join(".12"[cell] for cell in row) for row in rows)
    try:
        if first != 2:
            return connect4.Position.from_fen(text)
    except IllegalPositionError:
        try:
            return connect4.Position.from_rows(rows, first=2)
        except IllegalPositionError:
            pass
        raise
    return connect4.Position.from_rows(rows, first=2)


# Checkers in rows


_PIECES = {"b": "b", "B": "B", "x": "b", "X": "B", "w": "w", "W": "W", "r": "w", "R": "W", "o": "w", "O": "W"}


def is_checkers_board(text: str) -> bool:
    """Return whether a text looks like a diagram of checkers: eight rows of eight, with letters of men and kings."""
    rows = _checkers_rows(text)
    return rows is not None and any(cell in "bBwW" for row in rows for cell in row)


def _checkers_rows(text: str) -> list[str] | None:
    """Return the eight rows of a diagram, eight characters each; None if it is not one."""
    lines = [line.rstrip() for line in text.splitlines() if line.strip() and not _is_caption(line)]
    if lines and lines[0].split()[:8] == list("01234567"):  # as `outplay show` draws it, with numbers around the board
        rows = [line[2:18].ljust(16)[::2] for line in lines[1:9]]
    else:
        rows = ["".join(_signs(line)) for line in _board_lines(text)]
    good = set("".join(_PIECES) + ".-_· ")
    return rows if len(rows) == 8 and all(len(row) == 8 and set(row) <= good for row in rows) else None


def _checkers_board(text: str) -> checkers.Position:
    rows = _checkers_rows(text)
    if rows is None:
        raise NotationError(text, "a board in rows has eight rows of eight cells: . b B w W")
    board = [_PIECES.get(cell, ".") for row in rows for cell in row]
    dark = [row * 8 + column for row in range(8) for column in range(8) if (row + column) % 2]
    light = next((place for place, cell in enumerate(board) if cell != "." and place not in dark), None)
    if light is not None:
        raise NotationError(rows[light // 8], "a piece stands on a light square: the corner at the top left is light")
    is_second = re.search(r"\b(?:white|red) to move\b", text, re.IGNORECASE) is not None
    return _edited("".join(board[place] for place in dark), is_second)


# An edited board


def read_board(game: str, board: str, size: tuple[int, int], side: int | None = None) -> Position:
    """Return the position of a board drawn cell by cell; `side` is to move if the pieces do not decide it."""
    width, height = size
    if game == "connect4":
        if len(board) != width * height:
            raise NotationError(board, f"a board of {width} x {height} has {width * height} cells")
        rows = [board[start : start + width] for start in range(0, len(board), width)]
        return connect4.Position.from_fen("/".join(rows))
    if len(board) != 32 or set(board) - set(".bBwW"):
        raise NotationError(board, "a checkers board is 32 characters, one for each square: . b B w or W")
    return _edited(board, side == 1)


def _edited(board: str, is_second: bool) -> checkers.Position:
    """Return the position of a board that is written as squares 1 to 32, one character each."""
    turn = "W" if is_second else "B"
    return checkers.Position.from_fen(f"{turn}:W{_squares(board, 'w')}:B{_squares(board, 'b')}")


def _squares(board: str, man: str) -> str:
    """Return the squares of one side as FEN lists them."""
    named = {man: "", man.upper(): "K"}
    return ",".join(f"{named[piece]}{square}" for square, piece in enumerate(board, 1) if piece in named)
