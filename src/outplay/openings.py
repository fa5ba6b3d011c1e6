"""The names of openings. A position is found whatever the order of the moves that led to it.

data/openings.tsv has one opening per line, and every position has at most one name. A game may pass
through several named positions; the last one names its opening, because it is the most specific.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from importlib.resources import files

from outplay.record import Game
from outplay.rules import RULES, Position


@cache
def named_positions() -> dict[Position, str]:
    """Return every position that has a name, with the name."""
    text = files("outplay").joinpath("data", "openings.tsv").read_text(encoding="utf-8")
    _, *rows = [line.split("\t") for line in text.splitlines() if not line.startswith("#")]
    return {_end_of(game, moves): name for game, name, moves in rows}


def _end_of(game: str, moves: str) -> Position:
    played = Game(RULES[game].start())
    for move in moves.split():
        played.play(move)
    end: Position = played.position
    return end


def name_of(position: Position) -> str:
    """Return the name of this position; an empty string if it has none."""
    return named_positions().get(position, "")


def opening_of(positions: Iterable[Position]) -> str:
    """Return the opening of a game, given its positions in order; an empty string if it has no name."""
    return next(filter(None, map(name_of, reversed(list(positions)))), "")
