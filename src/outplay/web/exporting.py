"""Games out of the library as text: PDN and JSON of the whole game, SVG and FEN of any position of it."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from outplay import connect4
from outplay.draw import checkers_svg, connect4_svg
from outplay.errors import NotationError
from outplay.notation import result_text, write
from outplay.notation.endings import settle, termination_text
from outplay.record import Game
from outplay.rules import RULES
from outplay.store import SavedGame
from outplay.store.headers import get, name_of
from outplay.web import wire
from outplay.web.boards import path_of
from outplay.web.library import titles_of
from outplay.web.study import whole_game

MEDIA = {"pdn": "text/plain", "json": "application/json", "svg": "image/svg+xml", "fen": "text/plain"}
JSON_FORMAT = "outplay game"
MOST_EXPORTED = 5_000


def export(saved: SavedGame, form: wire.ExportFormat, ply: int | None) -> wire.Export:
    """One game, or a position of it; the last one where no ply is said."""
    game = with_names(saved)
    texts: dict[str, Callable[[], str]] = {
        "pdn": lambda: write(game),
        "json": lambda: as_json(game),
        "svg": lambda: picture(game, ply),
        "fen": lambda: fen(game, ply),
    }
    suffix = f"-{ply}" if ply is not None and form in ("svg", "fen") else ""
    ending = {"fen": "txt"}.get(form, form)
    return wire.Export(name=f"outplay-{saved.id}{suffix}.{ending}", media=MEDIA[form], text=texts[form]())


def export_all(games: list[SavedGame]) -> wire.Export:
    """Several games in one file."""
    text = "\n".join(write(with_names(saved)) for saved in games)
    return wire.Export(name="outplay-games.pdn", media=MEDIA["pdn"], text=text)


def with_names(saved: SavedGame) -> Game:
    """The game and its variations, with headers that say who played and when, where it has none of its own."""
    game = whole_game(saved)
    names = (name_of(game, 0), name_of(game, 1))
    titles = titles_of(game.rules.name, saved.seats, names)
    told = {"Event": "outplay", **({"Date": saved.date.replace("-", ".")} if saved.date else {})}
    told |= dict(zip(game.rules.sides, titles, strict=True))
    if saved.terms.is_record:
        told = {}
    game.headers = {**{name: value for name, value in told.items() if not get(game.headers, name)}, **game.headers}
    return game


def as_json(game: Game) -> str:
    """The main line, for programs; PDN has variations and comments too."""
    end = [game.start, *(node.position for node in game.main_line())][-1]
    values = {
        "format": JSON_FORMAT,
        "game": game.rules.name,
        "headers": game.headers,
        "start": game.start.fen(),
        "moves": [node.text for node in game.main_line()],
        "end": end.fen(),
        "result": result_text(game),
        "termination": termination_text(game),
    }
    return json.dumps(values, indent=1, ensure_ascii=False) + "\n"


def our_json(text: str) -> list[dict[str, Any]] | None:
    """The games of a JSON text of ours, one or a list of them; None if it is another text."""
    if not text.startswith(("{", "[")):
        return None
    try:
        values = json.loads(text)
    except (ValueError, RecursionError):
        return None
    found = values if isinstance(values, list) else [values]
    is_ours = all(isinstance(one, dict) and one.get("format") == JSON_FORMAT for one in found)
    return found if found and is_ours else None


def game_from_json(values: dict[str, Any]) -> Game:
    """The game that `as_json` wrote. NotationError, or what the rules say, if it cannot be."""
    name, start, moves = values.get("game"), values.get("start"), values.get("moves")
    headers = values.get("headers", {})
    if name not in RULES or not isinstance(start, str) or not _are_texts(moves):
        raise NotationError(str(name), "a game in JSON has a game, a start and moves, all of them texts")
    if not isinstance(headers, dict) or not _are_texts([*headers, *headers.values()]):
        raise NotationError("headers", "headers are names with a text each")
    game = Game(RULES[str(name)].read(start), headers=headers)
    for move in moves or []:
        game.play(move)
    settle(game, str(values.get("result", "")), str(values.get("termination", "")))
    return game


def _are_texts(values: Any) -> bool:
    return isinstance(values, list) and all(isinstance(value, str) for value in values)


def picture(game: Game, ply: int | None) -> str:
    """A position of the main line as SVG, with the move that led to it and the discs that won."""
    nodes = [game.root, *game.main_line()]
    node = nodes[at_ply(nodes, ply)]
    position: Any = node.position
    if isinstance(position, connect4.Position):
        outcome = position.outcome()
        cell = None if node.parent is None else path_of(node.parent.position, node.move)[0]
        return connect4_svg(
            position.rows(),
            last=None if cell is None else divmod(cell, position.width),
            lines=() if outcome is None else outcome.lines,
        )
    return checkers_svg(position.pieces(), last=() if node.move is None else node.move.path)


def fen(game: Game, ply: int | None) -> str:
    nodes = [game.root, *game.main_line()]
    return nodes[at_ply(nodes, ply)].position.fen() + "\n"


def at_ply(nodes: list[Any], ply: int | None) -> int:
    return len(nodes) - 1 if ply is None else min(ply, len(nodes) - 1)
