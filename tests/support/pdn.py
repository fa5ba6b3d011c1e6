"""Texts of games, read one at a time, and games as plain data."""

from __future__ import annotations

from collections.abc import Iterator

from outplay.notation import Entry, GameTextError
from outplay.notation.pdn import read
from outplay.notation.tokens import words
from outplay.record import AnyGame, AnyNode


def all_nodes(game: AnyGame) -> Iterator[AnyNode]:
    waiting = [game.root]
    while waiting:
        yield (node := waiting.pop())
        waiting += node.children


def whole(game: AnyGame) -> list[object]:
    """Everything that a file has to keep, as plain data."""
    nodes = [
        (node.text, node.position, len(node.children), words(node.comment), node.glyphs, node.ending)
        for node in all_nodes(game)
    ]
    return [game.rules, game.no_progress, game.headers, *nodes]


def only(text: str, game: str = "checkers") -> Entry:
    [entry] = read(text, game=game)
    return entry


def read_one(text: str, game: str = "checkers") -> AnyGame:
    entry = only(text, game)
    assert entry.game is not None, entry.error
    return entry.game


def error_of(text: str, game: str = "checkers") -> GameTextError:
    entry = only(text, game)
    assert entry.error is not None
    assert entry.game is None
    return entry.error


def moves(game: AnyGame) -> list[str]:
    return [node.text for node in game.main_line()]
