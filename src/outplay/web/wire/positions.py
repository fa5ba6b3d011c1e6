"""Positions and moves."""

from __future__ import annotations

from pydantic import Field

from outplay.web.wire.base import (
    MAX_PLIES,
    MAX_TEXT,
    Answer,
    Board,
    Cells,
    GameName,
    Height,
    MoveText,
    Request,
    Sentence,
    SideNumber,
    Width,
)


class MoveView(Answer):
    """A move as a path of cells; see the top of `wire`."""

    text: MoveText
    path: Cells
    captures: Cells = Field(default_factory=list, description="squares jumped, in order")


class PositionView(Answer):
    """Pieces and side to move, ready to be drawn."""

    text: str = Field(max_length=400, description="FEN: `NewGame.position` takes it back")
    board: Board
    side: SideNumber
    width: Width
    height: Height


class PositionRequest(Request):
    """A position to be read: a text of any kind, or a board and its side to move."""

    game: GameName
    width: Width = 7
    height: Height = 6
    text: str | None = Field(default=None, max_length=MAX_TEXT, description="FEN, moves, digits or rows")
    board: Board | None = None
    side: SideNumber | None = None


class PositionAnswer(Answer):
    """The position that was read, or what is wrong with it: no position then, and at least one problem."""

    game: GameName
    position: PositionView | None
    problems: list[Sentence] = Field(default_factory=list, max_length=20)
    moves: list[MoveText] = Field(max_length=MAX_PLIES, description="the moves that led here, when known")
    legal: list[MoveView] = Field(max_length=256)
    sentence: Sentence = Field(description='"Red to move, 14 discs." or how the game has ended; empty if none')
    is_over: bool
