"""The cells that a hint or an outcome is about, as indices in `Rules.cells` (checkers: squares 1-32)."""

from __future__ import annotations

from outplay.explain.hints import Hint
from outplay.outcome import Outcome
from outplay.rules import Position, rules_of


def outcome_cells(position: Position, outcome: Outcome) -> list[int]:
    """Return the cells of the winning fours."""
    width, _ = rules_of(position).size(position)
    return sorted({row * width + column for line in outcome.lines for row, column in line})


def hint_cells(position: Position, hint: Hint) -> list[int]:
    """Return the cells that a hint highlights: in Connect Four whole columns, in the last step the disc's cell."""
    rules = rules_of(position)
    if hint.move is not None:
        return list(rules.path(position, hint.move))
    if rules.name == "checkers":
        return sorted(set(hint.places))
    width, height = rules.size(position)
    return [row * width + column for row in range(height) for column in sorted(hint.places)]
