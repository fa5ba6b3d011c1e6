"""What may be asked of a game."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from outplay.web.wire.base import (
    MAX_PLIES,
    MAX_TEXT,
    MAX_TIME_MS,
    GameName,
    Height,
    MoveText,
    PlayerName,
    Request,
    SideNumber,
    Version,
    Width,
)


class ClockRequest(Request):
    """A clock for both sides."""

    base_ms: int = Field(ge=10_000, le=3 * 3600 * 1000)
    increment_ms: int = Field(default=0, ge=0, le=60_000)


class NewGame(Request):
    """A game to begin."""

    game: GameName
    width: Width = 7
    height: Height = 6
    position: str = Field(default="", max_length=MAX_TEXT, description="FEN or moves; empty is the start")
    seats: list[PlayerName] = Field(min_length=2, max_length=2, description="by side: 0 then 1")
    strict: bool = False
    clock: ClockRequest | None = None
    time_ms: int = Field(default=2_500, ge=0, le=MAX_TIME_MS)
    paused: bool = False
    no_progress: Literal["official", "classroom", "none"] = "official"
    seed: int | None = Field(default=None, ge=0, le=2**31 - 1, description="makes levels repeatable")


class VersionRequest(Request):
    """A command that needs nothing but the version it was meant for."""

    version: Version


class MoveRequest(VersionRequest):
    """A move of the human to move."""

    move: MoveText


class TakebackRequest(VersionRequest):
    """Back to where a human last chose, or by so many plies."""

    plies: int | None = Field(default=None, ge=1, le=MAX_PLIES)


class ResignRequest(VersionRequest):
    """Without a side: the only human, else the side to move."""

    side: SideNumber | None = None


class DrawRequest(VersionRequest):
    """An offer, or the answer of the other human to one."""

    action: Literal["offer", "accept", "decline"] = "offer"


class HintRequest(VersionRequest):
    """How much to tell."""

    step: int = Field(ge=1, le=3)


class SeatsRequest(VersionRequest):
    """New players; a seat left out keeps its own."""

    first: PlayerName | None = None
    second: PlayerName | None = None


class PaceRequest(Request):
    """Thinking time and pause, changed while the game runs; what is left out stays."""

    time_ms: int | None = Field(default=None, ge=0, le=MAX_TIME_MS)
    paused: bool | None = None
