"""A saved game as text: PDN with its variations, JSON, and any position as SVG or FEN."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from outplay.draw import checkers_svg, connect4_svg
from outplay.live.catalogue import titles_of
from outplay.notation import as_json, write
from outplay.notation.headers import name_of, shown
from outplay.record import AnyGame
from outplay.store.games import SavedGame
from outplay.store.tree import whole_game

FORMS = ("pdn", "json", "svg", "fen")
NOBODY: Mapping[str, str] = MappingProxyType({})

# `names` are the names that people have chosen, by person: `store.people.names_of`.


def text_of(saved: SavedGame, form: str, ply: int | None = None, names: Mapping[str, str] = NOBODY) -> str:
    """Return a game in one of FORMS; SVG and FEN show the position after `ply` moves, by default the last."""
    if form == "pdn":
        return pdn(saved, names)
    game = with_names(saved, saved.game, names)
    return as_json(game) if form == "json" else picture(game, ply) if form == "svg" else fen(game, ply)


def pdn(saved: SavedGame, names: Mapping[str, str] = NOBODY) -> str:
    """Return the game as PDN with its comments and variations."""
    return write(with_names(saved, whole_game(saved), names))


def seat_titles(saved: SavedGame, names: Mapping[str, str] = NOBODY) -> list[str]:
    """Return the titles of both sides of a saved game."""
    first, second = saved.people
    known = NOBODY if first == second else names  # one person has both seats: only the sides differ
    in_game = (name_of(saved.game, 0) or known.get(first, ""), name_of(saved.game, 1) or known.get(second, ""))
    return titles_of(saved.game.rules.name, saved.seats, in_game)


def with_names(saved: SavedGame, game: AnyGame, names: Mapping[str, str] = NOBODY) -> AnyGame:
    """Return the game with headers that say who played and when; existing headers stay."""
    titles = seat_titles(saved, names)
    told = {"Event": "outplay", **({"Date": saved.date.replace("-", ".")} if saved.date else {})}
    if saved.class_round:
        told["Round"] = str(saved.class_round)
    told |= dict(zip(game.rules.sides, titles, strict=True))
    if saved.is_record:
        told = {}
    game.headers = {**{name: value for name, value in told.items() if not shown(game.headers, name)}, **game.headers}
    return game


def picture(game: AnyGame, ply: int | None) -> str:
    """Return a position of the main line as SVG, with the last move and the winning discs."""
    nodes = [game.root, *game.main_line()]
    node = nodes[_at_ply(nodes, ply)]
    position: Any = node.position
    if game.rules.name == "connect4":
        outcome = position.outcome()
        cell = None if node.parent is None else game.rules.path(node.parent.position, node.move)[0]
        return connect4_svg(
            position.rows(first=1),
            last=None if cell is None else divmod(cell, position.width),
            lines=() if outcome is None else outcome.lines,
        )
    return checkers_svg(position.pieces(), last=() if node.move is None else node.move.path)


def fen(game: AnyGame, ply: int | None) -> str:
    nodes = [game.root, *game.main_line()]
    return f"{nodes[_at_ply(nodes, ply)].position.fen()}\n"


def _at_ply(nodes: list[Any], ply: int | None) -> int:
    return len(nodes) - 1 if ply is None else min(ply, len(nodes) - 1)
