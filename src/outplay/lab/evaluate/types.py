"""Evaluations: an estimate with a name, and its table of weights."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any, Protocol

from outplay.errors import NotationError
from outplay.lab.score import bounded
from outplay.outcome import Side
from outplay.rules import Position

Weights = tuple[tuple[str, float], ...]
"""The rows of a table of weights: what is counted, in words, and its weight."""


class Formula(Protocol):
    """An estimate whose weights can be changed: a dataclass of numbers, one field per row of its table."""

    def score(self, position: Any) -> float: ...
    def table(self) -> Weights:
        """Return what each field counts, in words, in the order of the fields."""


@dataclass(frozen=True, slots=True)
class Evaluation:
    """An estimate of how good a position is for the side to move, without looking ahead."""

    name: str
    game: str
    """The name of its game in RULES."""
    about: str
    """A one-line description."""
    score: Callable[[Any], float]
    weights: Weights = ()
    shuffle: float = 0
    """The penalty for a side that brings about the position of four plies ago (see `closes_circle`)."""
    formula: Formula | None = None
    """The formula behind it; None if its weights cannot be changed."""

    def __call__(self, position: Position, history: Sequence[Position] = (), *, side: Side | None = None) -> float:
        """Return the score for `side`, as if that side were to move. Default: the side to move.

        `history` holds the positions before this one, oldest first.
        """
        if side is not None and not isinstance(side, Side):
            raise TypeError(f"side must be a Side, not {side!r}")
        if side is None or side == position.side:
            score = self.score(position)
            return score + self.shuffle if closes_circle(position, history) else score  # charged to the side that moved
        score = self.score(_Turned(position))
        return score - self.shuffle if closes_circle(position, history) else score

    def reweighed(self, values: Sequence[float]) -> Evaluation:
        """Return the evaluation with other weights, in the order of `weights`.

        Its scores stay below a win found by search.
        """
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
    """A position seen by the side that is not to move, as if that side were to move."""

    def __init__(self, position: Any) -> None:
        self._position = position
        self.side = position.side.other
        self.own, self.other = position.other, position.own

    def legal_moves(self, *, side: Side | None = None) -> list[Any]:
        moves: list[Any] = self._position.legal_moves(side=self.side if side is None else side)
        return moves

    def __getattr__(self, name: str) -> Any:
        return getattr(self._position, name)


CIRCLE = "the side that moved last went back and forth: the position is that of four plies ago"
"""The words for `Evaluation.shuffle` in the table of weights."""


def evaluation_of(formula: Formula, name: str, game: str, about: str, *, shuffle: float = 0) -> Evaluation:
    """Return a named evaluation that computes the formula."""
    return Evaluation(name, game, about, formula.score, formula.table(), shuffle, formula)


def _with_values(formula: Any, values: Sequence[float]) -> Formula:
    names = [field.name for field in fields(formula)]
    changed: Formula = replace(formula, **dict(zip(names, values, strict=True)))
    return changed


def closes_circle(position: Position, history: Sequence[Position]) -> bool:
    """Return True if the last four plies undid each other: each side moved there and back, and nothing has changed.

    This needs the game's history, so the search checks it only after the moves at its root. If deeper positions were
    checked too, a score would depend on the path to the position, and the table (table.py) would not be exact.
    """
    return len(history) >= 4 and history[-4] == position
