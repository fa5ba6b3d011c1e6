"""Puzzles made of saved games, in the worker of the reviews: the newest game first."""

from __future__ import annotations

from collections.abc import Sequence

from outplay.outcome import Side
from outplay.store import SavedGame
from outplay.web import wire
from outplay.web.collector import Collector, Source
from outplay.web.library import seat_titles
from outplay.web.reviews import main_text

MOST_MS = 60_000
MOST_GAMES = 50
"""Games that are looked through at a time."""


def source_of(saved: SavedGame) -> Source:
    """The mistakes of people count; in a record both sides are people."""
    people = [side for side, seat in zip(Side, saved.seats, strict=True) if seat == "human"]
    return Source(saved.id, " - ".join(seat_titles(saved)), main_text(saved.game), tuple(people))


def collector(games: Sequence[SavedGame]) -> Collector:
    """Who looks through these games."""
    return Collector(tuple(source_of(saved) for saved in games), wire.MAX_PUZZLES)
