"""The words of each game: two files with the same functions, side by side."""

from __future__ import annotations

from types import ModuleType

from outplay.explain import checkers, connect4
from outplay.rules import Move, Position, rules_of

_WORDS = {"connect4": connect4, "checkers": checkers}


def words_of(position: Position) -> ModuleType:
    """The file that knows the words of a position's game."""
    return _WORDS[rules_of(position).name]


def advice(position: Position) -> str:
    """What to look at before a move: "Ringed pieces can capture, and one of them must."; often empty."""
    told: str = words_of(position).advice(position)
    return told


def name_of(position: Position, move: Move) -> str:
    """What a move is called at the start of a sentence: "Column 4", "11-15"."""
    name = rules_of(position).move_name(position, move)
    return name[:1].upper() + name[1:]
