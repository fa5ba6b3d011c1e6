"""The app itself: which games and players there are."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from outplay.web.wire.base import Answer, GameName, Height, Milliseconds, PlayerName, Sentence, SideNumber, Title, Width


class PlayerInfo(Answer):
    """A player that may be given a seat."""

    player: PlayerName
    kind: Literal["human", "level", "lab", "engine"]
    title: Title = Field(description='"Human", "Planner", "Five-phase", "Solver"')
    level: int | None = Field(default=None, ge=1, le=20)
    sentence: Sentence = Field(default="", description="what it is, or what a level misses")
    short: Title = Field(default="", description='for the seat: "looks 6 moves ahead", "from the lab"')


class SizeInfo(Answer):
    """A Connect Four board on offer."""

    width: Width
    height: Height


class GameInfo(Answer):
    """A game that can be played here."""

    game: GameName
    title: Title
    sides: list[Title] = Field(min_length=2, max_length=2, description='"Red", "Yellow"')
    sizes: list[SizeInfo] = Field(max_length=40, description="the first is the default; empty for checkers")
    players: list[PlayerInfo] = Field(max_length=60)
    opponent: PlayerName = Field(description="whom a first-time visitor meets")
    human_side: SideNumber = Field(description="the side a first-time visitor takes")


class About(Answer):
    """What a page needs before its first game."""

    version: str = Field(max_length=40)
    games: list[GameInfo]
    warning: Sentence | None = Field(default=None, description="games are kept in memory only, and why")
    data: Sentence = Field(default="", description="where games are kept, in words")
    time_ms: Milliseconds = Field(description="thinking time per move by default")
    max_time_ms: Milliseconds
