"""A game in progress."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from outplay.web.wire.base import (
    MAX_PLIES,
    Answer,
    Board,
    Cells,
    GameId,
    GameName,
    Milliseconds,
    MoveText,
    PlayerName,
    Ply,
    Sentence,
    SideNumber,
    Title,
    Version,
)
from outplay.web.wire.opinions import Opinion
from outplay.web.wire.positions import MoveView, PositionView


class SeatView(Answer):
    """Who holds a side."""

    side: SideNumber
    side_name: Title = Field(description='"Red"')
    player: PlayerName
    kind: Literal["human", "level", "lab", "engine"]
    title: Title = Field(description='"You", "Planner"; with two humans both are called by their side')
    level: int | None = Field(default=None, ge=1, le=20)
    short: Title = ""


class PlayedMove(Answer):
    """A move that was played, with the board after it, so that a game can be browsed without the server."""

    ply: Ply = Field(description="from 1")
    side: SideNumber
    text: MoveText
    path: Cells
    captures: Cells
    board: Board


class OutcomeView(Answer):
    """How the game ended."""

    winner: SideNumber | None
    reason: Title
    sentence: Sentence = Field(description='"Red wins with column 3: four on a diagonal."')
    detail: Sentence = Field(default="", description='"25 moves."')
    cells: Cells = Field(default_factory=list, description="the winning discs")


class ClockView(Answer):
    """Time left; the page counts down by itself while `running` names a side."""

    left_ms: list[Milliseconds] = Field(min_length=2, max_length=2)
    running: SideNumber | None
    base_ms: Milliseconds
    increment_ms: Milliseconds


class FailureView(Answer):
    """An engine that failed; the game waits for /retry or /seats."""

    side: SideNumber
    title: Title
    message: Sentence


class Allowed(Answer):
    """Which commands make sense now; the page shows the others disabled."""

    takeback: bool
    redo: bool
    hint: bool
    resign: bool
    draw: bool
    step: bool


class GameView(Answer):
    """One game, whole."""

    id: GameId
    version: Version
    revision: Version
    game: GameName
    title: Title
    strict: bool = Field(description="no takeback, no redo, no hint")
    is_record: bool = Field(description="it was imported: nothing of it can be changed")
    seats: list[SeatView] = Field(min_length=2, max_length=2, description="by side: 0 then 1")
    start: PositionView
    position: PositionView
    moves: list[PlayedMove] = Field(max_length=MAX_PLIES)
    undone: int = Field(ge=0, le=MAX_PLIES, description="moves that /redo can bring back")
    legal: list[MoveView] = Field(max_length=256, description="empty unless a human is to move")
    status: Literal["human", "thinking", "paused", "failed", "over"] = Field(
        description="`paused` only when an engine is to move; thinking includes waiting for a free worker"
    )
    sentence: Sentence = Field(description='for the live region: "Yellow, column 2. Your move."')
    notice: Sentence = Field(default="", description='"Planner declines the draw." until the next change')
    outcome: OutcomeView | None
    failure: FailureView | None = None
    draw_offer: SideNumber | None = Field(default=None, description="the human side that waits for an answer")
    paused: bool
    time_ms: Milliseconds = Field(description="thinking time per move; 0 is turbo")
    clock: ClockView | None
    opinions: list[Opinion] = Field(max_length=2, description="the last search of each engine, newest first")
    allowed: Allowed
    rematch: GameId | None = Field(default=None, description="the game that followed this one")


class Refusal(Answer):
    """Why a move cannot be played; the same words as the `illegal-move` error of a move that was sent."""

    move: MoveView | None = Field(description="the move that was meant, if it may be played after all")
    message: Sentence = Field(default="", description='"You must capture: 22x15 or 23x16"')
    detail: Sentence = Field(default="", description='"28-24 is refused: a capture is never optional."')
    moves: list[MoveView] = Field(default_factory=list, max_length=256, description="what must be played instead")


class HintView(Answer):
    """One of three steps: where to look, what to move, the move and why."""

    version: Version
    step: int = Field(ge=1, le=3)
    sentence: Sentence
    cells: Cells = Field(description="to be lit: an area, a column or piece, a path")
    move: MoveView | None = Field(default=None, description="on step 3")
