"""Export games as text: PDN and JSON of the whole game, SVG and FEN of any position."""

from __future__ import annotations

import json
from collections.abc import Sequence

from outplay.store import SavedGame, Store
from outplay.store.exporting import pdn, text_of
from outplay.store.people import names_of
from outplay.web.library import wire

MEDIA = {"pdn": "text/plain", "json": "application/json", "svg": "image/svg+xml", "fen": "text/plain"}


def export(store: Store, saved: SavedGame, form: wire.ExportFormat, ply: int | None) -> wire.Export:
    """Export one game, or a position of it; default: the last position."""
    text = text_of(saved, form, ply, names_of(store, saved.people, saved.class_code))
    suffix = f"-{ply}" if ply is not None and form in ("svg", "fen") else ""
    ending = {"fen": "txt"}.get(form, form)
    return wire.Export(name=f"outplay-{saved.id}{suffix}.{ending}", media=MEDIA[form], text=text)


def around_all() -> tuple[str, str]:
    """Return the two parts of the JSON of an export of several games: before the text, and after it."""
    empty = wire.Export(name="outplay-games.pdn", media=MEDIA["pdn"], text="").model_dump_json()
    return empty.removesuffix('"}'), '"}'


def part_of_all(store: Store, ids: Sequence[str], *, is_first: bool) -> str:
    """Return some games as PDN, escaped for the JSON around them."""
    games = list(store.some(ids))
    names = names_of(store, {person for saved in games for person in saved.people})
    text = "\n".join(pdn(saved, names) for saved in games)
    return json.dumps(text if is_first or not text else f"\n{text}")[1:-1]
