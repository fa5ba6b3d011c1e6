"""Moves of checkers by the coordinates of their cells, as in c3-d4: a1 is the dark corner at the lower left.

As in PDN, White sits at the bottom: f6-e5 is 11-15. Players who put Black at the bottom write the same move as c3-d4;
the first move shows which of the two it is.
"""

from __future__ import annotations

import re

from outplay import checkers
from outplay.errors import IllegalMoveError, NotationError
from outplay.notation.clues import CHESS, COORDINATES
from outplay.notation.tokens import clean

_CELL = re.compile(r"[a-h][1-8]", re.IGNORECASE)


def with_squares(text: str) -> tuple[str, str] | None:
    """Return the text with the numbers of the squares, and which side has a1 at its left; None without coordinates."""
    first = COORDINATES.search(text)
    if first is None:
        return None
    is_turned = not _is_possible(_numbered(first[0], is_turned=False)) and _is_possible(
        _numbered(first[0], is_turned=True)
    )
    numbered = COORDINATES.sub(lambda move: _numbered(move[0], is_turned=is_turned), text)
    return numbered, "Black" if is_turned else "White"


def _is_possible(move: str) -> bool:
    try:
        checkers.Position().parse(move)
    except IllegalMoveError:
        return False
    return True


def _numbered(move: str, *, is_turned: bool) -> str:
    return _CELL.sub(lambda cell: str(_square(cell[0], is_turned=is_turned)), clean(move))


def _square(cell: str, *, is_turned: bool) -> int:
    row, column = 8 - int(cell[1]), ord(cell[0].casefold()) - ord("a")
    if (row + column) % 2 == 0:
        raise NotationError(cell, f"it is a light square, because a1 is dark; {CHESS}")
    square = checkers.square_at(row, column)
    return 33 - square if is_turned else square
