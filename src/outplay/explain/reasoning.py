"""Reasons for moves and against them, in both games: one engine for hints, reviews, lessons and puzzles."""

from __future__ import annotations

from types import ModuleType

from outplay.explain import checkers_reasons, connect4_reasons
from outplay.explain.proofs import Proofs, shared_proofs
from outplay.explain.reason import MoveReason
from outplay.explain.voice import Voice, voice_of
from outplay.rules import Move, Position, rules_of

_REASONS: dict[str, ModuleType] = {"connect4": connect4_reasons, "checkers": checkers_reasons}


def reason_for_move(
    position: Position, move: Move, *, voice: Voice | None = None, proofs: Proofs | None = None
) -> MoveReason:
    """Return why a move is good, or only its line if nothing can be confirmed.

    `voice` says what the sides are called, and which one is "you". Default: by their colours.
    """
    found: MoveReason = _REASONS[rules_of(position).name].reason(position, move, proofs or shared_proofs())
    return found.told(voice or voice_of(position))


def refutation(
    position: Position, move: Move, *, voice: Voice | None = None, proofs: Proofs | None = None
) -> MoveReason:
    """Return what is wrong with a move: the best answer, the line that follows, and why that answer is good.

    It never names a better move. If nothing can be confirmed, or nothing is wrong with the move, return only the line
    of best play after it.
    """
    found: MoveReason = _REASONS[rules_of(position).name].refutation(position, move, proofs or shared_proofs())
    return found.told(voice or voice_of(position))
