"""Describe what a move gave away, what would have kept it, and how it is punished."""

from __future__ import annotations

from collections.abc import Sequence

from outplay.engine.types import Score
from outplay.explain.games import name_of, words_of
from outplay.explain.reason import MoveReason
from outplay.explain.scores import label_of, verdict_of, worth_words
from outplay.explain.voice import Voice, does, first_who, voice_of
from outplay.explain.words import listed
from outplay.outcome import Side
from outplay.rules import Move, Position

SHOWN_MOVES = 6
SHORT = 7
"""If the refutation has a reason, the best move's reason is added only if its line has at most this many moves."""
NO_TURN = "Neither side gave a result away."
"""The sentence for a game without a decisive mistake."""


def looking_sentence(done: int, plies: int) -> str:
    """Return what a coach says while a review runs: "Looking for your best chance: move 9 of 14"."""
    return f"Looking for your best chance: move {done} of {plies}"


def mistake_sentence(
    position: Position,
    move: Move,
    best: Score,
    played: Score,
    *,
    better: Sequence[Move] = (),
    refutation: MoveReason | None = None,
    missed: MoveReason | None = None,
) -> str:
    """Describe a mistake: "From a win in 7 to a draw. Column 4 keeps the win."

    `better` lists the best moves; the reasons say how the move is answered, and why a best move was better.
    """
    by_tables = "The tables: from" if best.known_by == played.known_by == "table" else "From"
    told = [f"{by_tables} {worth_words(best)} to {worth_words(played)}."]
    if refutation is not None and refutation.is_reason:
        told.append(refutation.text)
    if better:
        told.append(f"{keepers(position, better, best, played)}.")
    if missed is not None and missed.is_reason and _is_worth_saying(missed, refutation):
        told.append(missed.text if len(better) == 1 else f"{missed.line[0]}: {missed.text}")
    return " ".join(told)


def _is_worth_saying(missed: MoveReason, refutation: MoveReason | None) -> bool:
    """Return True if the reason for the best move is short and new, or if the refutation gives no reason."""
    if refutation is None or not refutation.is_reason:
        return True
    return len(missed.line) <= SHORT and missed.kind not in ("block", "only-move")


def turning_sentence(position: Position, best: Score, played: Score, voice: Voice | None = None) -> str:
    """Describe the decisive mistake: "Yellow had a win in 7 and let it go."

    `voice` names the sides. Default: by their colours.
    """
    return (voice or voice_of(position)).tell(_turning(position.side, best, played))


def _turning(side: Side, best: Score, played: Score) -> str:
    if verdict_of(best) == "unclear":
        then = {"draw": does(side, "has a draw", "have a draw"), "loss": does(side, "is lost", "are lost")}
        after = then.get(verdict_of(played), f"at {label_of(played)}")
        return f"{first_who(side)} stood at {label_of(best)} before this move, and {after} after it."
    return f"{first_who(side)} had {worth_words(best)} and let it go."


def keepers(position: Position, moves: Sequence[Move], best: Score, played: Score) -> str:
    """Name the better moves and what they do: "Columns 4 and 5 keep the draw", "Column 2 holds out longer"."""
    named, is_one = _named(position, moves), len(moves) == 1
    verdict = verdict_of(best)
    if verdict == "unclear":
        return f"{named} {'was' if is_one else 'were'} better"
    if verdict != verdict_of(played):
        return f"{named} keep{'s' if is_one else ''} the {verdict}"
    done = {"win": "win{} sooner", "draw": "draw{} too", "loss": "hold{} out longer"}[verdict]
    return f"{named} {done.format('s' if is_one else '')}"


def answer_sentence(position: Position, move: Move, score: Score, best: Score, *, is_good: bool) -> str:
    """Describe a move tried in a puzzle: "Column 3 keeps the win in 7.", "Column 2 is only a draw." """
    named, words = name_of(position, move), worth_words(score)
    if verdict_of(best) == "unclear":
        if score.value >= best.value:
            return f"{named}: {words}; there is nothing better."
        possible = label_of(best)
        return (
            f"{named}: {words}, {f'good enough: the best is {possible}' if is_good else f'but {possible} is possible'}."
        )
    if is_good:
        return f"{named} keeps the {words.removeprefix('a ')}."
    return f"{named} is only {words}." if verdict_of(score) == "draw" else f"{named} leads to {words}."


def _named(position: Position, moves: Sequence[Move]) -> str:
    texts = [position.format(move) for move in moves[:SHOWN_MOVES]]
    shown = listed([*texts, "others"] if len(moves) > SHOWN_MOVES else texts)
    name: str = words_of(position).named(shown, len(moves))
    return name
