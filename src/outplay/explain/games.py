"""The words of each game: two files with the same functions, side by side."""

from __future__ import annotations

from types import ModuleType

from outplay.explain import checkers, connect4
from outplay.rules import Move, Position, rules_of

_WORDS = {"connect4": connect4, "checkers": checkers}


def words_of(position: Position) -> ModuleType:
    """The file that knows the words of a position's game."""
    return _WORDS[rules_of(position).name]


def name_of(position: Position, move: Move) -> str:
    """ "Column 4", "11-15"."""
    name: str = words_of(position).name_of(position, move)
    return name
