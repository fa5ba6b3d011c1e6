"""The names of openings: which one led to a position, whatever the order of the moves.

data/openings.tsv has one opening a line. Every position has at most one name; of several openings on the way to a
position the last one counts, which is the most special one.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from importlib.resources import files

from outplay.record import Game
from outplay.rules import RULES, Position


@cache
def named_positions() -> dict[Position, str]:
    """Every position that has a name of its own."""
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
    """The name of this very position; nothing if it has none."""
    return named_positions().get(position, "")


def opening_of(positions: Iterable[Position]) -> str:
    """The opening of a game, from its positions in the order of play; nothing if it has no name."""
    return next(filter(None, map(name_of, reversed(list(positions)))), "")
