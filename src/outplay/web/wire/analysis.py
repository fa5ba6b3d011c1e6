"""The truth about a position, or the best guess: asked for, under way, and found."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from outplay.web.wire.base import (
    MAX_PLIES,
    MAX_TEXT,
    MAX_TIME_MS,
    Answer,
    GameName,
    Height,
    KnownBy,
    Milliseconds,
    MoveText,
    Request,
    Sentence,
    Title,
    Verdict,
    Width,
)
from outplay.web.wire.lab import Count, RunId, Word
from outplay.web.wire.opinions import OpinionLine
from outplay.web.wire.positions import MoveView, PositionView

MAX_LINES = 5
"""Of checkers; Connect Four tells the score of every column."""

Gauge = Annotated[float, Field(ge=-1, le=1, description="1 is won for side 0, -1 for side 1, 0 is even")]
JobStatus = Literal["waiting", "running", "done", "stopped", "failed"]


class AnalysisRequest(Request):
    """A position to be judged, and for how long."""

    game: GameName
    width: Width = 7
    height: Height = 6
    position: str = Field(default="", max_length=MAX_TEXT, description="FEN or moves; empty is the start")
    moves: list[MoveText] = Field(
        default_factory=list, max_length=MAX_PLIES, description="played from there on: for repetition and the opening"
    )
    lines: int = Field(default=3, ge=1, le=MAX_LINES, description="checkers: how many of the best moves")
    time_ms: int = Field(default=10_000, ge=100, le=MAX_TIME_MS)


class TableVerdict(Answer):
    """What the endgame tables know about a position, for the side to move."""

    verdict: Literal["win", "draw", "loss"]
    ends_in: int | None = Field(ge=0, le=MAX_PLIES, description="the winner's own moves, where the table counts them")
    sentence: Sentence = Field(description='"White wins in 12, from the endgame tables."')


class AnalysisView(Answer):
    """What is known about a position by now. Scores are those of the side to move, but for the gauge."""

    id: RunId
    status: JobStatus
    place: int = Field(ge=0, description="in the queue; 0 as soon as it runs")
    game: GameName
    position: PositionView
    legal: list[MoveView] = Field(max_length=256, description="empty when the game is over")
    is_over: bool
    label: str = Field(max_length=24, description='of the best move: "+ win in 7"; empty while nothing is known')
    verdict: Verdict
    known_by: KnownBy
    known: Word = Field(
        description='how: "solved", "from the opening book", "from the endgame tables", "depth 17", "not solved"'
    )
    sentence: Sentence = Field(description='"Yellow wins in 7" or "estimated +0.35, depth 17", or how the game ended')
    detail: Sentence = Field(description='"Only column 7 wins. Column 6 draws, the others lose."; often empty')
    gauge: Gauge
    lines: list[OpinionLine] = Field(max_length=64, description="best first; Connect Four: one for each open column")
    depth: int = Field(ge=0, le=1_000)
    nodes: Count
    time_ms: Milliseconds
    table: TableVerdict | None
    opening: Title = Field(description='the named opening that led here: "Old Faithful"; empty if there is none')
    message: Sentence = Field(description="why it failed or was stopped; empty otherwise")
