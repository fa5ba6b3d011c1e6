"""Evaluations: named estimates of how good a position is, each with its table of weights.

>>> from outplay import connect4
>>> classic = find_evaluation("classic", "connect4")
>>> classic(connect4.Position.from_moves("4453"))
6
"""

from __future__ import annotations

from outplay.errors import NotationError, wrong_type
from outplay.lab.evaluate.checkers import FORMATION, MATERIAL
from outplay.lab.evaluate.connect4 import BIG, CLASSIC, SCAN, THREATS
from outplay.lab.evaluate.own import load
from outplay.lab.evaluate.types import Evaluation, Weights, closes_circle
from outplay.rules import rules_named

EVALUATIONS: dict[str, dict[str, Evaluation]] = {
    "connect4": {evaluation.name: evaluation for evaluation in (CLASSIC, BIG, SCAN, THREATS)},
    "checkers": {evaluation.name: evaluation for evaluation in (MATERIAL, FORMATION)},
}
"""The evaluations of each game by name, the default first."""


OURS = "ours"
"""The name of our own evaluation in every game: the last one in its list."""


def find_evaluation(name: str | None, game: str) -> Evaluation:
    """Return the evaluation of that name. Default: the first in the game's list.

    `ours` is the project's own evaluation; `file.py:function` names a function of your own.
    """
    known = EVALUATIONS[rules_named(game).name]
    if not isinstance(name, str | None):
        raise wrong_type("name", "the name of an evaluation, or None", name)
    if name == OURS:
        return list(known.values())[-1]
    if name is None:
        return next(iter(known.values()))
    if ".py:" in name:
        return load(name, game)
    if name not in known:
        raise NotationError(name, f"the evaluations of {game} are {', '.join(known)}, or your own as file.py:function")
    return known[name]


__all__ = ["EVALUATIONS", "OURS", "Evaluation", "Weights", "closes_circle", "find_evaluation"]
