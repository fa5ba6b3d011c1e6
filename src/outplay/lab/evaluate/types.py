"""What an evaluation is: a guess with a name, and the table of weights behind it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any, Protocol

from outplay.errors import NotationError
from outplay.lab.score import bounded
from outplay.outcome import Side
from outplay.rules import Position

Weights = tuple[tuple[str, float], ...]
"""What is counted, in words, and how much each counts."""


class Formula(Protocol):
    """A guess whose weights can be changed: a dataclass of numbers, a field for each row of its table."""

    def score(self, position: Any) -> float: ...
    def table(self) -> Weights:
        """What each field counts, in words, in the order of the fields."""


@dataclass(frozen=True, slots=True)
class Evaluation:
    """A guess how good a position is for the side to move, without looking ahead."""

    name: str
    game: str
    """The game it is made for, by its name in RULES."""
    about: str
    """One line for people."""
    score: Callable[[Any], float]
    weights: Weights = ()
    shuffle: float = 0
    """What it costs a side to close a circle: to bring about the position of four plies ago (see `closes_circle`)."""
    formula: Formula | None = None
    """How it is made up of its weights; None if they cannot be changed."""

    def __call__(self, position: Position, history: Sequence[Position] = (), *, side: Side | None = None) -> float:
        """Return the score for `side`, as if it were its turn. Default: the side to move.

        `history` holds the positions before this one, oldest first.
        """
        if side is None or side == position.side:
            score = self.score(position)
            return score + self.shuffle if closes_circle(position, history) else score  # charged to the side that moved
        score = self.score(_Turned(position))
        return score - self.shuffle if closes_circle(position, history) else score

    def reweighed(self, values: Sequence[float]) -> Evaluation:
        """The same guess with other weights, in the order of `weights`; never as large as a win found by search."""
        if self.formula is None or len(values) != len(self.weights):
            raise NotationError(str(list(values)), f"the evaluation {self.name} has {len(self.weights)} weights")
        formula = _with_values(self.formula, values)
        charged = [values[row] for row, (what, _) in enumerate(self.weights) if what == CIRCLE]
        return replace(
            self,
            score=lambda position: bounded(formula.score(position)),
            weights=formula.table(),
            shuffle=charged[0] if charged else self.shuffle,
            formula=formula,
        )


class _Turned:
    """A position as the side sees it that is not to move: as if it were its turn."""

    def __init__(self, position: Any) -> None:
        self._position = position
        self.side = position.side.other
        self.own, self.other = position.other, position.own

    def legal_moves(self, *, side: Side | None = None) -> list[Any]:
        moves: list[Any] = self._position.legal_moves(side=self.side if side is None else side)
        return moves

    def __getattr__(self, name: str) -> Any:
        return getattr(self._position, name)


CIRCLE = "the side that moved last has closed a circle: the last four plies undid each other"
"""The row of a table that is `Evaluation.shuffle`."""


def evaluation_of(formula: Formula, name: str, game: str, about: str, *, shuffle: float = 0) -> Evaluation:
    """The evaluation that a formula makes."""
    return Evaluation(name, game, about, formula.score, formula.table(), shuffle, formula)


def _with_values(formula: Any, values: Sequence[float]) -> Formula:
    names = [field.name for field in fields(formula)]
    changed: Formula = replace(formula, **dict(zip(names, values, strict=True)))
    return changed


def closes_circle(position: Position, history: Sequence[Position]) -> bool:
    """Whether the last four plies undid each other: each side went there and back, and nothing has changed.

    Only the past of the game can tell, so the search asks this at its root, for each move it may play. Deeper in the
    tree it would make a position's score depend on the road to it, and then the table (table.py) would not be exact.
    """
    return len(history) >= 4 and history[-4] == position
