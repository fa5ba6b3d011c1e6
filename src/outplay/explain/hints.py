"""Hints in three steps, and a move with its reasons.

Every statement is either a fact from `Position` (the move wins, blocks or takes a king), or what an engine has found
(the expected line, a score and how it is known). Proofs and estimates are worded differently.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from outplay.engine.types import Analysis, Line
from outplay.explain.games import name_of, words_of
from outplay.explain.proofs import Proofs
from outplay.explain.reason import BoardMark
from outplay.explain.reasoning import reason_for_move
from outplay.explain.scores import score_sentence
from outplay.explain.voice import voice_of
from outplay.explain.words import line_text
from outplay.rules import Move, Position

STEPS = 3
FORESEEN = 3
"""The largest number of moves of the expected line that are shown with a reason; more are hard to follow."""

FOLLOWED = 9
"""A hint gives a reason only if the reason's line has at most this number of moves; more are hard to follow."""


@dataclass(frozen=True, slots=True)
class Hint:
    """One step of a hint: 1 says where to look, 2 which column or piece, 3 the move and why."""

    step: int
    sentence: str
    places: tuple[int, ...]
    """The places to highlight: columns from 0 in Connect Four, squares 1-32 in checkers; in step 3 the move's path."""
    move: Move | None = None
    """The move itself; only in step 3."""
    line: str = ""
    """In step 3, the expected continuation: "The engine expects 28-24 25-29." `sentence` ends with this line."""
    reason: str = ""
    """In step 3, the sentence without the line: "18x25: it takes a man." """
    marks: tuple[BoardMark, ...] = ()
    """In step 3, what the reason draws on the board before the move."""


def hint(position: Position, analysis: Analysis, step: int, *, proofs: Proofs | None = None) -> Hint:
    """Return step 1, 2 or 3 of a hint for the side to move, which is "you". `proofs` confirm the reason in step 3."""
    if not 1 <= step <= STEPS:
        raise ValueError(f"the step of a hint must be from 1 to {STEPS}, not {step}")
    words, move = words_of(position), analysis.move
    if step == 1:
        sentence, places = words.area(position, move)
        return Hint(1, f"{words.urgency(position, move)}Look {sentence}.", places)
    if step == 2:
        sentence, places = words.subject(position, move)
        return Hint(2, f"{sentence}.", places)
    return last_step(position, move, analysis, proofs=proofs)


def last_step(
    position: Position, move: Move, analysis: Analysis | None = None, *, proofs: Proofs | None = None
) -> Hint:
    """Return step 3 of a hint: the move and why it is good, with the continuation that an engine expects, if known."""
    facts, line = _known(position, move, analysis)
    expected_line = f"The engine expects {line}." if line else ""
    path = words_of(position).path(position, move)
    found = reason_for_move(position, move, voice=voice_of(position, position.side), proofs=proofs)
    if not found.is_reason or len(found.line) > FOLLOWED:
        return Hint(3, why(position, move, analysis), path, move, expected_line, _told(position, move, facts))
    reason = f"{name_of(position, move)}: {found.text[:1].lower()}{found.text[1:]}"
    marks = found.marks if found.at == 0 else ()
    return Hint(3, f"{reason} {expected_line}".strip(), path, move, expected_line, reason, marks)


def why(position: Position, move: Move, analysis: Analysis | None = None) -> str:
    """Return a move with its reasons: "Column 4: it blocks four in a row; the engine expects 4 3 5." """
    facts, line = _known(position, move, analysis)
    return _told(position, move, [*facts, f"the engine expects {line}"] if line else facts)


def _known(position: Position, move: Move, analysis: Analysis | None) -> tuple[list[str], str]:
    """Return the reasons for a move, including what an engine found, and the expected continuation."""
    facts = list(reasons(position, move))
    line = _line_of(analysis, move)
    if line is None:
        return facts, ""
    if line.score.plies is not None and not _ends_the_game(position, move):
        facts.append(score_sentence(position, line.score))
    if len(line.moves) > 1:
        return facts, line_text(position.play(move), line.moves[1 : 1 + FORESEEN])
    return facts or [score_sentence(position, line.score)], ""


def _told(position: Position, move: Move, facts: Sequence[str]) -> str:
    named = name_of(position, move)
    return f"{named}: {'; '.join(facts)}." if facts else f"{named}."


def reasons(position: Position, move: Move) -> Iterator[str]:
    """Yield the facts about a move, most important first."""
    if len(position.legal_moves()) == 1:
        yield "it is the only move"
    yield from words_of(position).reasons(position, move)


def expected(position: Position, line: Line) -> str:
    """Return the moves that are expected after the first move of a line, as text."""
    return line_text(position.play(line.move), line.moves[1:])


def _line_of(analysis: Analysis | None, move: Move) -> Line | None:
    lines = analysis.lines if analysis is not None else ()
    return next((line for line in lines if line.move == move), None)


def _ends_the_game(position: Position, move: Move) -> bool:
    return position.play(move).outcome() is not None
