"""Guess the game of a text without a GameType: Connect Four, checkers, or chess, which outplay does not play."""

from __future__ import annotations

import re

from outplay import checkers
from outplay.notation.positions import CHECKERS_FEN, is_checkers_board, is_connect4_board

CHESS = "it looks like chess, but outplay plays only Connect Four and checkers"
HEADER = re.compile(r'\[\s*[A-Za-z]\w*\s*"')
DASH, JUMP = "-‐‑‒–—−", "xX×:"  # noqa: RUF001
CHECKERS_MOVE = re.compile(rf"\b[0-9]{{1,2}}\s*[{DASH}{JUMP}]\s*[0-9]{{1,2}}\b")
COORDINATES = re.compile(rf"\b[a-h][1-8](?:\s*[{DASH}{JUMP}]\s*[a-h][1-8])+\b", re.IGNORECASE)
"""A move of checkers by the coordinates of its cells: c3-d4."""
_COMMENT = re.compile(r"\{[^{}]*\}|;[^\n]*|\[[^\[\]\n]*\]")  # none holds another: this keeps the search linear
_RESULT = re.compile(r"\b(?:1-0|0-1|1/2-1/2|2-0|0-2|1-1|0-0)(?=\s|$)")
_PAIRS = re.compile(r"[0-9]{1,2}(?:[\s,]+[0-9]{1,2})+")
_FIRST_MOVES = {tuple(move.path) for move in checkers.Position().legal_moves()}
_CHESS_FEN = re.compile(r"(?:[rnbqkp1-8]{1,8}/){7}[rnbqkp1-8]{1,8}", re.IGNORECASE)
_CHESS_MOVE = re.compile(
    r"\b(?:[KQRN][a-h]?[1-8]?x?[a-h][1-8]|O-O(?:-O)?)\b|\b1\.\s*[a-h][34]\s+(?:[a-h][56]\b|[KQRBN][a-h])"
)


def without_remarks(text: str) -> str:
    """Return the text without comments, headers and results."""
    return _RESULT.sub(" ", _COMMENT.sub(" ", text))


def guessed(text: str) -> str:
    """Guess which game a text without a GameType belongs to: `connect4` or `checkers`."""
    if is_connect4_board(text):
        return "connect4"
    plain = without_remarks(text)
    is_checkers = (
        CHECKERS_FEN.search(text)
        or CHECKERS_MOVE.search(plain)
        or COORDINATES.search(plain)
        or is_checkers_board(text)
        or ((squares := squares_in_pairs(text)) and tuple(squares[:2]) in _FIRST_MOVES)
    )
    return "checkers" if is_checkers else "connect4"


def squares_in_pairs(text: str) -> list[int] | None:
    """Return the squares of moves that are written without a dash, as in "11 15 22 18"; None for another text."""
    text = text.strip()
    squares = [int(number) for number in re.split(r"[\s,]+", text)] if _PAIRS.fullmatch(text) else []
    is_moves = squares and len(squares) % 2 == 0 and all(square in range(1, 33) for square in squares)
    return squares if is_moves else None


def is_chess(text: str) -> bool:
    """Return whether the text looks like a game or a position of chess."""
    plain = without_remarks(text)
    fen = _CHESS_FEN.search(plain)
    return bool(fen and re.search("[rnbqkp]", fen[0], re.IGNORECASE)) or _CHESS_MOVE.search(plain) is not None
