"""Checkers (English draughts): `Position` and `Move` are the whole of its rules, `Searcher` plays it well."""

from functools import cache
from importlib.resources import files

from outplay._core.checkers import (
    Endgames,
    Findings,
    Move,
    Position,
    Searcher,
    SearchLine,
    Weights,
    fit,
    self_play,
    techniques,
)

__all__ = [
    "Endgames",
    "Findings",
    "Move",
    "Position",
    "SearchLine",
    "Searcher",
    "Weights",
    "default_weights",
    "fit",
    "self_play",
    "techniques",
]


@cache
def default_weights() -> Weights:
    """The weights that ship with outplay."""
    return Weights.from_bytes(files("outplay").joinpath("data", "checkers.weights").read_bytes())
