"""Choose the module with the words of a game. Each game has one, and all have the same functions."""

from __future__ import annotations

from types import ModuleType

from outplay.explain import checkers, connect4
from outplay.rules import Move, Position, rules_of

_WORDS = {"connect4": connect4, "checkers": checkers}


def words_of(position: Position) -> ModuleType:
    """Return the module with the words of a position's game."""
    return _WORDS[rules_of(position).name]


def advice(position: Position) -> str:
    """Return what to look at before a move: "Ringed pieces can capture, and one of them must."; often empty."""
    told: str = words_of(position).advice(position)
    return told


def name_of(position: Position, move: Move) -> str:
    """Return a move's name at the start of a sentence: "Column 4", "11-15"."""
    name = rules_of(position).move_name(position, move)
    return name[:1].upper() + name[1:]
