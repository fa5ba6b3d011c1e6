"""The one shape of every failed request."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from outplay.web.wire.base import Answer, Sentence, Version
from outplay.web.wire.positions import MoveView


class ErrorView(Answer):
    """What was refused, why, and what can be done instead."""

    kind: Literal[
        "invalid",  # 422: a field is missing, of the wrong type or out of bounds
        "notation",  # 422: the text cannot be read
        "illegal-position",  # 422: the text is fine, the position cannot be; see reasons
        "illegal-move",  # 409: see moves, those that may be played
        "unknown-player",  # 422
        "unknown-game",  # 404: no such game id
        "unknown-run",  # 404: no such experiment or analysis; they are not kept for long
        "not-found",  # 404: no such path
        "method",  # 405
        "stale",  # 409: the game has changed; see version
        "game-over",  # 409
        "not-now",  # 409: not this side's turn, nothing to take back, a strict game, ...
        "engine",  # 502: the player failed
        "busy",  # 503: too many games, sockets or searches
        "rate",  # 429
        "forbidden",  # 403: Host or Origin
        "too-large",  # 413
        "internal",  # 500
    ]
    message: Sentence = Field(description='"You must capture: 22x15 or 23x16"')
    detail: Sentence = Field(default="", description='"28-24 is refused: a capture is never optional."')
    reasons: list[Sentence] = Field(default_factory=list, max_length=20)
    moves: list[MoveView] = Field(default_factory=list, max_length=256, description="what must be played instead")
    version: Version | None = Field(default=None, description="the game's, when the request was stale")


class ErrorBody(Answer):
    """The one shape of every failed request."""

    error: ErrorView
