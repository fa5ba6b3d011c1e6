"""Marks on a board: what a lesson points at.

A mark is written as its kind, then its side or number if it has one, then its cells: `threat red d3`,
`line red a1 b2 c3 d4`, `order 1 d3`, `arrow 11 15`, `take 18`. Cells of Connect Four are a column as a letter and a row
from the bottom; those of checkers are squares, 1 to 32.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import get_args

from outplay import connect4
from outplay.errors import NotationError
from outplay.explain import BoardMark, MarkKind
from outplay.outcome import Side
from outplay.rules import Position, Rules, rules_of

_SIDED = {"threat", "line"}
_SQUARES = 32


def read_mark(text: str, position: Position) -> BoardMark:
    """Read a mark for this board; NotationError says what is wrong with it."""
    kind, *words = text.split() or [""]
    if kind not in get_args(MarkKind):
        raise NotationError(text, f"a mark begins with one of {', '.join(get_args(MarkKind))}")
    side, number, rules = None, None, rules_of(position)
    if kind in _SIDED:
        side = _side(text, words.pop(0) if words else "", rules)
    if kind == "order":
        number = _number(text, words.pop(0) if words else "")
    if not words:
        raise NotationError(text, "the mark names no cell")
    return BoardMark(kind, tuple(_cell(word, position) for word in words), side, number)  # type: ignore[arg-type]


def _side(text: str, word: str, rules: Rules) -> Side:
    names = [name.lower() for name in rules.sides]
    if word.lower() not in names:
        raise NotationError(text, f"a mark of this kind needs a side after the first word: {' or '.join(names)}")
    return Side(names.index(word.lower()))


def _number(text: str, word: str) -> int:
    if not re.fullmatch(r"[1-9][0-9]?", word):
        raise NotationError(text, "a mark of this kind needs a number after the first word")
    return int(word)


def _cell(word: str, position: Position) -> int:
    width, height = rules_of(position).size(position)
    if rules_of(position).name == "checkers":
        if word.isdecimal() and 1 <= int(word) <= _SQUARES:
            return int(word)
        raise NotationError(word, f"there is no such square: the squares are 1 to {_SQUARES}")
    found = re.fullmatch(r"([a-y])([1-9][0-9]?)", word.lower())
    column, row = (ord(found[1]) - ord("a"), height - int(found[2])) if found else (-1, -1)
    if not (0 <= column < width and 0 <= row < height):
        raise NotationError(word, f"there is no such cell: the cells are a1 to {chr(ord('a') + width - 1)}{height}")
    return row * width + column


def threat_marks(position: Position, sides: Sequence[Side] = tuple(Side)) -> tuple[BoardMark, ...]:
    """Return the cells where a disc dropped now would make four, for these sides; none in checkers."""
    if rules_of(position).name != "connect4" or position.outcome() is not None:
        return ()
    assert isinstance(position, connect4.Position)
    playable = {(position.landing_row(column), column) for column in position.legal_moves()}
    return tuple(
        BoardMark("threat", (row * position.width + column,), side)
        for side in sides
        for row, column in position.threats(side)
        if (row, column) in playable
    )
