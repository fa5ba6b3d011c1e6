"""Describe positions, moves, scores and endings in words."""

from outplay.explain.checkers import cell_of
from outplay.explain.connect4 import threats
from outplay.explain.games import advice, name_of
from outplay.explain.hints import STEPS, Hint, expected, hint, reasons, why
from outplay.explain.mistakes import (
    NO_TURN,
    answer_sentence,
    keepers,
    mistake_sentence,
    turning_sentence,
)
from outplay.explain.refusals import Refusal, refusal, stuck
from outplay.explain.scores import (
    CERTAIN,
    KNOWN,
    Verdict,
    bar_of,
    chance_of,
    gauge_of,
    headline_of,
    in_moves,
    is_certain,
    known_of,
    label_of,
    own_moves,
    score_sentence,
    sentence_of,
    settled,
    verdict_of,
    worth_words,
)
from outplay.explain.solved import (
    Explanation,
    Mark,
    explain_solved,
    first_rows,
    marked_board,
)
from outplay.explain.words import STRICT, line_text, listed, no_progress_words, outcome_sentence

__all__ = [
    "CERTAIN",
    "KNOWN",
    "NO_TURN",
    "STEPS",
    "STRICT",
    "Explanation",
    "Hint",
    "Mark",
    "Refusal",
    "Verdict",
    "advice",
    "answer_sentence",
    "bar_of",
    "cell_of",
    "chance_of",
    "expected",
    "explain_solved",
    "first_rows",
    "gauge_of",
    "headline_of",
    "hint",
    "in_moves",
    "is_certain",
    "keepers",
    "known_of",
    "label_of",
    "line_text",
    "listed",
    "marked_board",
    "mistake_sentence",
    "name_of",
    "no_progress_words",
    "outcome_sentence",
    "own_moves",
    "reasons",
    "refusal",
    "score_sentence",
    "sentence_of",
    "settled",
    "stuck",
    "threats",
    "turning_sentence",
    "verdict_of",
    "why",
    "worth_words",
]
