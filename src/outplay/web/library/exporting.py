"""Export games as text: PDN and JSON of the whole game, SVG and FEN of any position."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Any

from outplay.draw import checkers_svg, connect4_svg
from outplay.notation import as_json, write
from outplay.notation.headers import shown
from outplay.record import AnyGame
from outplay.store import SavedGame, Store
from outplay.store.tree import whole_game
from outplay.web.board import path_of
from outplay.web.catalogue import seat_titles
from outplay.web.library import wire

MEDIA = {"pdn": "text/plain", "json": "application/json", "svg": "image/svg+xml", "fen": "text/plain"}
MOST_EXPORTED = 5_000


def export(saved: SavedGame, form: wire.ExportFormat, ply: int | None) -> wire.Export:
    """Export one game, or its position after `ply` moves; default: the last position."""
    game = with_names(saved, saved.game)
    texts: dict[str, Callable[[], str]] = {
        "pdn": lambda: pdn(saved),
        "json": lambda: as_json(game),
        "svg": lambda: picture(game, ply),
        "fen": lambda: fen(game, ply),
    }
    suffix = f"-{ply}" if ply is not None and form in ("svg", "fen") else ""
    ending = {"fen": "txt"}.get(form, form)
    return wire.Export(name=f"outplay-{saved.id}{suffix}.{ending}", media=MEDIA[form], text=texts[form]())


def around_all() -> tuple[str, str]:
    """Return what stands before and after the text in the JSON of an export of several games."""
    empty = wire.Export(name="outplay-games.pdn", media=MEDIA["pdn"], text="").model_dump_json()
    return empty.removesuffix('"}'), '"}'


def part_of_all(store: Store, ids: Sequence[str], *, is_first: bool) -> str:
    """Return some games as PDN, escaped for the JSON around them."""
    text = "\n".join(pdn(saved) for saved in store.some(ids))
    return json.dumps(text if is_first or not text else f"\n{text}")[1:-1]


def pdn(saved: SavedGame) -> str:
    """Return the game as PDN with its comments and variations."""
    return write(with_names(saved, whole_game(saved)))


def with_names(saved: SavedGame, game: AnyGame) -> AnyGame:
    """Return the game with headers that say who played and when, if it has none."""
    titles = seat_titles(saved)
    told = {"Event": "outplay", **({"Date": saved.date.replace("-", ".")} if saved.date else {})}
    told |= dict(zip(game.rules.sides, titles, strict=True))
    if saved.is_record:
        told = {}
    game.headers = {**{name: value for name, value in told.items() if not shown(game.headers, name)}, **game.headers}
    return game


def picture(game: AnyGame, ply: int | None) -> str:
    """Return a position of the main line as SVG, with the last move and the winning discs."""
    nodes = [game.root, *game.main_line()]
    node = nodes[at_ply(nodes, ply)]
    position: Any = node.position
    if game.rules.name == "connect4":
        outcome = position.outcome()
        cell = None if node.parent is None else path_of(node.parent.position, node.move)[0]
        return connect4_svg(
            position.rows(first=1),
            last=None if cell is None else divmod(cell, position.width),
            lines=() if outcome is None else outcome.lines,
        )
    return checkers_svg(position.pieces(), last=() if node.move is None else node.move.path)


def fen(game: AnyGame, ply: int | None) -> str:
    nodes = [game.root, *game.main_line()]
    return f"{nodes[at_ply(nodes, ply)].position.fen()}\n"


def at_ply(nodes: list[Any], ply: int | None) -> int:
    return len(nodes) - 1 if ply is None else min(ply, len(nodes) - 1)
