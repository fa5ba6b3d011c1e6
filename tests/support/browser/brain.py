"""Moves for the browser tests: what a good player would play."""

from __future__ import annotations

from outplay.engine.types import Limit
from outplay.players import player
from outplay.rules import RULES
from tests.support.web_server import Json

GOOD = player("level:4", seed=1)


def good_move(view: Json) -> Json:
    """A legal move of the game in `view`: the same one every time."""
    position = RULES[view["game"]].read(view["position"]["text"])
    thought = GOOD.recipe(len(view["moves"]))().analyse(position, Limit())
    return the_move(view, position.format(thought.move))


def the_move(view: Json, text: str) -> Json:
    return next(move for move in view["legal"] if move["text"] == text)
