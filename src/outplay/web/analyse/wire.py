"""JSON of the analysis board: exact or estimated scores of a position, and games as trees of variations."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from outplay.store.tree import MOST_COMMENT
from outplay.web.wire import (
    MAX_PLIES,
    MAX_TEXT,
    MAX_TIME_MS,
    GameName,
    Height,
    KnownBy,
    MoveText,
    MoveView,
    OpinionLine,
    OutcomeView,
    PositionView,
    Reply,
    Request,
    RunStatus,
    SideNumber,
    Verdict,
    Version,
    Width,
)

MAX_LINES = 5
"""The most lines of checkers; Connect Four gives the score of every column."""


class AnalysisRequest(Request):
    """A position to analyse, and for how long."""

    game: GameName
    width: Width = 7
    height: Height = 6
    position: str = Field(default="", max_length=MAX_TEXT, description="FEN or moves; empty for the start position")
    moves: list[MoveText] = Field(
        default_factory=list,
        max_length=MAX_PLIES,
        description="moves played from there; needed for repetition and for the name of the opening",
    )
    lines: int = Field(
        default=3,
        ge=1,
        le=MAX_LINES,
        description="checkers: how many moves to return, best first; Connect Four returns every column",
    )
    time_ms: int = Field(default=10_000, ge=100, le=MAX_TIME_MS)


class TableVerdict(Reply):
    """What the endgame tables know about a position, for the side to move."""

    verdict: Literal["win", "draw", "loss"]
    ends_in: int | None = Field(description="number of the winner's own moves, if the table counts them")
    sentence: str = Field(description='"White wins in 12, from the endgame tables."')


class AnalysisView(Reply):
    """What is known about a position so far. Scores are those of the side to move, except the gauge."""

    id: str
    status: RunStatus
    place: int = Field(description="place in the queue; 0 once it runs")
    game: GameName
    position: PositionView
    legal: list[MoveView] = Field(description="empty when the game is over")
    must_capture: bool = Field(description="a capture is compulsory: every legal move is a capture")
    is_over: bool
    label: str = Field(description='score of the best move: "+ win in 7"; empty while nothing is known')
    verdict: Verdict
    known_by: KnownBy
    known: str = Field(
        description='source: "solved", "from the opening book", "from the endgame tables", "depth 17", "not solved"'
    )
    sentence: str = Field(description='"Yellow wins in 7" or "estimated +0.35, depth 17", or how the game ended')
    detail: str = Field(description='"Only column 7 wins. Column 6 draws, the others lose."; often empty')
    gauge: float
    lines: list[OpinionLine] = Field(description="best first; Connect Four: one for each open column")
    depth: int
    nodes: int
    time_ms: int
    table: TableVerdict | None
    opening: str = Field(description='the named opening that led here: "Old Faithful"; empty if there is none')
    message: str = Field(description="why it failed or was stopped; empty otherwise")


LinePath = Annotated[
    list[MoveText],
    Field(max_length=MAX_PLIES, description="a place in the tree: the moves that lead there from the start"),
]


class StudyNode(Reply):
    """A place in the tree: a move and the position after it. The first node is the start, without a move."""

    id: int = Field(description="its place in the list")
    parent: int | None = Field(description="the node before; its first child is the main move, others are variations")
    ply: int
    side: SideNumber | None = Field(description="the side that made the move")
    move: str | None
    path: list[int]
    captures: list[int]
    text: str = Field(description="the position as FEN")
    board: str
    turn: SideNumber = Field(description="the side to move")
    is_played: bool = Field(description="a move of the game itself: it cannot be reordered or deleted")
    glyphs: list[int] = Field(description='1 is "!", 2 "?", 3 "!!", 4 "??", 5 "!?", 6 "?!"')
    comment: str
    opening: str = Field(description="the name of the opening, if this position has one")
    outcome: OutcomeView | None = Field(
        description="how the game ended here: on the board, or by agreement, resignation or time"
    )


class Study(Reply):
    """A saved game as a tree."""

    id: str
    version: int = Field(description="the version of the tree, independent of the version of the game")
    game: GameName
    title: str
    seats: list[str] = Field(description='the players, side 0 first: "You", a name, or a colour')
    is_study: bool = Field(description="it began on the analysis board: its moves were tried, not played")
    is_yours: bool = Field(description="you made it or play in it: you can change the tree and have the game reviewed")
    is_over: bool = Field(description="the game itself is over")
    sentence: str = Field(description="how the game ended, or the number of moves so far")
    start: PositionView
    played: int = Field(description="the number of moves played; 0 in a study")
    at: int = Field(description="the node of the request; otherwise the last move of the game")
    nodes: list[StudyNode] = Field(description="every line down to its end, main line first")


class NewStudy(Request):
    """A new study to save: its start, and at least one move."""

    game: GameName
    width: Width = 7
    height: Height = 6
    position: str = Field(default="", max_length=MAX_TEXT, description="FEN or moves; moves become part of the line")
    moves: list[MoveText] = Field(min_length=1, max_length=MAX_PLIES, description="moves played from there")


class StudyRequest(Request):
    """A place in the tree, and the version of the study in which the page found it."""

    version: Version
    path: LinePath


class StudyMoves(StudyRequest):
    """A line to add at a node; moves that exist already change nothing."""

    moves: list[MoveText] = Field(min_length=1, max_length=64)


class StudyComment(StudyRequest):
    """A comment on a move; an empty one removes it."""

    comment: str = Field(max_length=MOST_COMMENT)
