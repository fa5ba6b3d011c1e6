"""Explain why a move was refused or a piece cannot move: the rule, and what may be played instead."""

from __future__ import annotations

from dataclasses import dataclass

from outplay.errors import IllegalMoveError
from outplay.explain.games import words_of
from outplay.rules import Move, Position, rules_of

SHOWN = 4
"""The largest number of captures that are named; the rest are "others"."""


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why a move was refused, the rule, and the captures that must be played instead, if any."""

    message: str
    detail: str
    instead: tuple[Move, ...] = ()


def refusal(error: IllegalMoveError) -> Refusal:
    """Explain a refused move: "You must capture: 22x15 or 23x16"."""
    position: Position = error.position
    jumps = _jumps(position)
    if not jumps:
        reason = error.reason
        return Refusal(f"{reason[:1].upper()}{reason[1:]}.", f"{error.move} is refused.")
    texts = [position.format(move) for move in jumps]
    shown = " or ".join(texts) if len(texts) <= SHOWN else f"{', '.join(texts[:SHOWN])} or others"
    detail = f"{error.move} is refused: a capture is never optional."
    return Refusal(f"You must capture: {shown}", detail, jumps)


def stuck(position: Position, text: str) -> Refusal | None:
    """Explain why the piece on a square cannot move: "Man on 8 cannot move."

    None if it can move, or the text names no piece.
    """
    words: tuple[str, str] | None = words_of(position).stuck(position, text)
    if words is None:
        return None
    message, detail = words
    return Refusal(message, detail, _jumps(position))


def _jumps(position: Position) -> tuple[Move, ...]:
    return tuple(filter(rules_of(position).is_capture, position.legal_moves()))
