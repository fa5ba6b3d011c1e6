"""JSON of a review: a game judged move by move."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from outplay.web.wire import (
    KnownBy,
    Reply,
    Request,
    RunStatus,
    SideNumber,
    Verdict,
)

Grade = Literal["best", "good", "inaccuracy", "mistake", "blunder", "forced", "unknown"]


class JudgedScore(Reply):
    """What a position is worth to the side whose move is judged, and how that is known."""

    label: str = Field(description='"+ win in 7", "= draw", "-0.35", "not solved"')
    verdict: Verdict
    known_by: KnownBy
    known: str = Field(description='"solved", "from the opening book", "from the endgame tables", "depth 17"')


class AnswerView(Reply):
    """One move of a position that is to be found again."""

    move: str
    label: str
    verdict: Verdict
    is_good: bool = Field(description="it keeps the result, or as good as: to be accepted")
    sentence: str = Field(description='"Column 3 keeps the win in 7." or what is wrong with it')


class JudgedMoveView(Reply):
    """A move of the game, and what it did."""

    ply: int = Field(description="from 1")
    side: SideNumber
    move: str
    grade: Grade
    grade_words: str = Field(description='"best move", "only move", "blunder"')
    sign: str = Field(description='"??", "?", "?!" or nothing')
    before: JudgedScore = Field(description="with the best move")
    after: JudgedScore = Field(description="with the move that was played, seen from the same side")
    loss: float = Field(description="how much of the winning chances it gave away")
    sentence: str = Field(description='"From win in 7 to draw. Column 4 keeps the win."; empty for a good move')
    better: list[str] = Field(description="the best moves, where it is none of them")
    line: list[str] = Field(description="the better line, the move itself first")
    answers: list[AnswerView] = Field(
        description="every legal move, where only some keep the result: to learn from; else empty"
    )


class GraphPoint(Reply):
    """The score after so many moves."""

    ply: int
    gauge: float
    sentence: str = Field(description='for the hidden table: "Red wins in 7, solved"')


class SideReviewView(Reply):
    """How well one side played."""

    side: SideNumber
    title: str
    accuracy: float | None = Field(description="per cent; none without a judged move")
    inaccuracies: int
    mistakes: int
    blunders: int
    sentence: str = Field(description='"1 blunder, 2 mistakes"')


class TurningPointView(Reply):
    """The last move that changed the result."""

    ply: int
    sentence: str = Field(description='"Yellow had a win in 7 and let it go."')


class ReviewView(Reply):
    """The review of a game: not asked for yet, under way, or done."""

    id: str
    status: Literal["none"] | RunStatus
    place: int = Field(description="in the queue; 0 as soon as it runs")
    done: int = Field(description="positions judged by now, from the last one backwards")
    total: int
    time_ms: int
    moves: list[JudgedMoveView] = Field(description="those judged by now, in the order of the game")
    graph: list[GraphPoint] = Field(description="those known by now, in order")
    sides: list[SideReviewView] = Field(description="by side: 0 then 1; empty until it is done")
    turning_point: TurningPointView | None
    sentence: str = Field(
        description='the turning point, or "Neither side gave a result away."; empty until it is done'
    )
    message: str = Field(description="why it failed or was stopped; empty otherwise")


class ReviewRequest(Request):
    """Judge the game as it is now."""

    time_ms: int = Field(default=250, ge=10, le=5_000, description="checkers: for each position that must be searched")
