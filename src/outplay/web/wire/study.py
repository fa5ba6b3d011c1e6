"""A game as a tree: what was played, and the variations that were looked at besides."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from outplay.web.wire.base import (
    MAX_PLIES,
    MAX_TEXT,
    Answer,
    Board,
    Cells,
    GameId,
    GameName,
    Height,
    MoveText,
    Ply,
    Request,
    Sentence,
    SideNumber,
    Title,
    Version,
    Width,
)
from outplay.web.wire.games import OutcomeView
from outplay.web.wire.positions import PositionView

MAX_NODES = 4_000
"""Moves of a tree, all variations together."""
MAX_COMMENT = 2_000

LinePath = Annotated[
    list[MoveText],
    Field(max_length=MAX_PLIES, description="a place in the tree: the moves that lead there from the start"),
]


class StudyNode(Answer):
    """A place in the tree: a move and the position after it. The first node is the start, without a move."""

    id: int = Field(ge=0, description="its place in the list")
    parent: int | None = Field(description="it comes before; of nodes with the same parent the first is preferred")
    ply: Ply
    side: SideNumber | None = Field(description="who made the move")
    move: MoveText | None
    path: Cells
    captures: Cells
    text: str = Field(max_length=400, description="the position as FEN")
    board: Board
    turn: SideNumber = Field(description="who is to move")
    is_played: bool = Field(description="a move of the game itself: it can be neither moved nor deleted")
    glyphs: list[int] = Field(max_length=10, description='1 is "!", 2 "?", 3 "!!", 4 "??", 5 "!?", 6 "?!"')
    comment: str = Field(max_length=MAX_COMMENT)
    opening: Title = Field(description="the name of the opening, where this very position has one")
    outcome: OutcomeView | None = Field(description="how the game ends here, by the board or as it was ended")


class Study(Answer):
    """A saved game as a tree."""

    id: GameId
    version: Version = Field(description="of the tree: it has nothing to do with the version of the game")
    game: GameName
    title: Title
    seats: list[Title] = Field(min_length=2, max_length=2, description="who played, by side: 0 then 1")
    is_study: bool = Field(description="it began on the analysis board: no move of it was played in earnest")
    is_over: bool = Field(description="the game itself, as it was played")
    sentence: Sentence = Field(description="how the game ended, or how far it has come")
    start: PositionView
    played: Ply = Field(description="how many moves were played; 0 in a study")
    at: int = Field(ge=0, description="the node that the request was about; else the last move of the game")
    nodes: list[StudyNode] = Field(max_length=MAX_NODES + 1, description="every line down to its end, the first first")


class NewStudy(Request):
    """A study to be begun and saved: where it starts, and at least one move."""

    game: GameName
    width: Width = 7
    height: Height = 6
    position: str = Field(default="", max_length=MAX_TEXT, description="FEN or moves; moves become part of the line")
    moves: list[MoveText] = Field(min_length=1, max_length=MAX_PLIES, description="played from there on")


class StudyRequest(Request):
    """A place in the tree, for the version of the study that the page has."""

    version: Version
    path: LinePath


class StudyMoves(StudyRequest):
    """A line to be added at a place; moves that are there already change nothing."""

    moves: list[MoveText] = Field(min_length=1, max_length=64)


class StudyComment(StudyRequest):
    """A remark about a move; an empty one takes it away."""

    comment: str = Field(max_length=MAX_COMMENT)
