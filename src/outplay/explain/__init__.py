"""Describe positions, moves, scores and endings in words."""

from outplay.explain.checkers import cell_of
from outplay.explain.connect4 import first_rows, threats
from outplay.explain.games import advice, name_of
from outplay.explain.hints import STEPS, Hint, expected, hint, reasons, why
from outplay.explain.mistakes import (
    NO_TURN,
    answer_sentence,
    keepers,
    looking_sentence,
    mistake_sentence,
    turning_sentence,
)
from outplay.explain.proofs import Proofs
from outplay.explain.reason import BoardMark, MarkKind, MoveReason, ReasonKind, line_moves, reason_from_dict
from outplay.explain.reasoning import reason_for_move, refutation
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
    marked_board,
)
from outplay.explain.voice import UNTOLD, Voice, voice_of
from outplay.explain.words import (
    STRICT,
    line_text,
    listed,
    no_progress_words,
    outcome_reason,
    outcome_sentence,
)

__all__ = [
    "CERTAIN",
    "KNOWN",
    "NO_TURN",
    "STEPS",
    "STRICT",
    "UNTOLD",
    "BoardMark",
    "Explanation",
    "Hint",
    "Mark",
    "MarkKind",
    "MoveReason",
    "Proofs",
    "ReasonKind",
    "Refusal",
    "Verdict",
    "Voice",
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
    "line_moves",
    "line_text",
    "listed",
    "looking_sentence",
    "marked_board",
    "mistake_sentence",
    "name_of",
    "no_progress_words",
    "outcome_reason",
    "outcome_sentence",
    "own_moves",
    "reason_for_move",
    "reason_from_dict",
    "reasons",
    "refusal",
    "refutation",
    "score_sentence",
    "sentence_of",
    "settled",
    "stuck",
    "threats",
    "turning_sentence",
    "verdict_of",
    "voice_of",
    "why",
    "worth_words",
]
