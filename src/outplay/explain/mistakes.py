"""Describe what a move gave away, what would have kept it, and how it is punished."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from outplay.engine.types import Score
from outplay.explain.games import name_of, words_of
from outplay.explain.scores import label_of, verdict_of, worth_words
from outplay.explain.words import listed
from outplay.rules import Move, Position, rules_of

SHOWN_MOVES = 6
NO_TURN = "Neither side gave a result away."
"""The sentence for a game without a decisive mistake."""


def mistake_sentence(
    position: Position,
    move: Move,
    best: Score,
    played: Score,
    *,
    better: Sequence[Move] = (),
    reply: Sequence[Move] = (),
) -> str:
    """Describe a mistake: "From a win in 7 to a draw. Column 4 keeps the win."

    `better` lists the best moves, `reply` the expected line after the move that was played.
    """
    by_tables = "The tables: from" if best.known_by == played.known_by == "table" else "From"
    told = [f"{by_tables} {worth_words(best)} to {worth_words(played)}."]
    is_felt = words_of(position).is_felt(best, played)
    told += [f"{sentence}." for sentence in (_punishment(position, move, reply) if is_felt else ())]
    if better:
        told.append(f"{keepers(position, better, best, played)}.")
    return " ".join(told)


def turning_sentence(position: Position, best: Score, played: Score) -> str:
    """Describe the decisive mistake: "Yellow had a win in 7 and let it go." """
    side = rules_of(position).sides[position.side]
    if verdict_of(best) == "unclear":
        then = {"draw": "has a draw", "loss": "is lost"}.get(verdict_of(played))
        after = then or f"at {label_of(played)}"
        return f"{side} stood at {label_of(best)} before it, and {after} after it."
    return f"{side} had {worth_words(best)} and let it go."


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
            return f"{named}: {words}, there is nothing better."
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


def _punishment(position: Position, move: Move, reply: Sequence[Move]) -> Iterator[str]:
    after = position.play(move)
    if after.outcome() is None:
        yield from words_of(after).punishment(after, reply)
