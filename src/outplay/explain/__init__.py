"""Positions, moves, scores and endings in words."""

from outplay.explain.solved import (
    Explanation,
    Mark,
    explain_solved,
    first_rows,
    marked_board,
)
from outplay.explain.words import (
    STEPS,
    Hint,
    cell_of,
    expected,
    hint,
    line_text,
    name_of,
    outcome_sentence,
    own_moves,
    reasons,
    score_label,
    score_sentence,
    threats,
    why,
)

__all__ = [
    "STEPS",
    "Explanation",
    "Hint",
    "Mark",
    "cell_of",
    "expected",
    "explain_solved",
    "first_rows",
    "hint",
    "line_text",
    "marked_board",
    "name_of",
    "outcome_sentence",
    "own_moves",
    "reasons",
    "score_label",
    "score_sentence",
    "threats",
    "why",
]
