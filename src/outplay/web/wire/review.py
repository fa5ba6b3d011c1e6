"""A game judged move by move, and puzzles made of the moves that were missed."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from outplay.web.wire.analysis import Gauge, JobStatus
from outplay.web.wire.base import (
    MAX_PLIES,
    Answer,
    GameId,
    GameName,
    KnownBy,
    Milliseconds,
    MoveText,
    Ply,
    Request,
    Sentence,
    SideNumber,
    Title,
    Verdict,
)
from outplay.web.wire.lab import RunId, Word
from outplay.web.wire.positions import MoveView, PositionView

Grade = Literal["best", "good", "inaccuracy", "mistake", "blunder", "forced", "unknown"]
MAX_PUZZLES = 50


class JudgedScore(Answer):
    """What a position is worth to the side whose move is judged, and how that is known."""

    label: str = Field(max_length=24, description='"+ win in 7", "= draw", "-0.35", "not solved"')
    verdict: Verdict
    known_by: KnownBy
    known: Word = Field(description='"solved", "from the opening book", "from the endgame tables", "depth 17"')


class AnswerView(Answer):
    """One move of a position that is to be found again."""

    move: MoveText
    label: str = Field(max_length=24)
    verdict: Verdict
    is_good: bool = Field(description="it keeps the result, or as good as: to be accepted")
    sentence: Sentence = Field(description='"Column 3 keeps the win in 7." or what is wrong with it')


class JudgedMove(Answer):
    """A move of the game, and what it did."""

    ply: Ply = Field(description="from 1")
    side: SideNumber
    move: MoveText
    grade: Grade
    sign: str = Field(max_length=2, description='"??", "?", "?!" or nothing')
    before: JudgedScore = Field(description="with the best move")
    after: JudgedScore = Field(description="with the move that was played, seen from the same side")
    loss: float = Field(ge=0, le=1, description="how much of the winning chances it gave away")
    sentence: Sentence = Field(description='"From win in 7 to draw. Column 4 keeps the win."; empty for a good move')
    better: list[MoveText] = Field(max_length=64, description="the best moves, where it is none of them")
    line: list[MoveText] = Field(max_length=64, description="the better line, the move itself first")
    answers: list[AnswerView] = Field(
        max_length=256, description="every legal move, where only some keep the result: to learn from; else empty"
    )


class GraphPoint(Answer):
    """The score after so many moves."""

    ply: Ply
    gauge: Gauge
    sentence: Sentence = Field(description='for the hidden table: "Red wins in 7, solved"')


class SideReview(Answer):
    """How well one side played."""

    side: SideNumber
    title: Title
    accuracy: Annotated[float, Field(ge=0, le=100)] | None = Field(description="per cent; none without a judged move")
    inaccuracies: Ply
    mistakes: Ply
    blunders: Ply
    sentence: Sentence = Field(description='"1 blunder, 2 mistakes"')


class TurningPoint(Answer):
    """The last move that changed the result."""

    ply: Ply
    sentence: Sentence = Field(description='"Yellow had a win in 7 and let it go."')


class ReviewView(Answer):
    """The review of a game: not asked for yet, under way, or done."""

    id: GameId
    status: Literal["none"] | JobStatus
    place: int = Field(ge=0, description="in the queue; 0 as soon as it runs")
    done: Ply = Field(description="positions judged by now, from the last one backwards")
    total: int = Field(ge=0, le=MAX_PLIES + 1)
    time_ms: Milliseconds
    moves: list[JudgedMove] = Field(max_length=MAX_PLIES, description="those judged by now, in the order of the game")
    graph: list[GraphPoint] = Field(max_length=MAX_PLIES + 1, description="those known by now, in order")
    sides: list[SideReview] = Field(max_length=2, description="by side: 0 then 1; empty until it is done")
    turning_point: TurningPoint | None
    message: Sentence = Field(description="why it failed or was stopped; empty otherwise")


class ReviewRequest(Request):
    """Judge the game as it is now."""

    time_ms: int = Field(default=250, ge=10, le=5_000, description="checkers: for each position that must be searched")


class Puzzle(Answer):
    """A position of a saved game in which only some moves keep the result, and the player missed them."""

    game: GameName
    position: PositionView
    legal: list[MoveView] = Field(max_length=256)
    goal: Sentence = Field(description='"Red to move and win."')
    answers: list[AnswerView] = Field(max_length=256, description="every legal move")
    line: list[MoveText] = Field(max_length=64, description="the solution")
    known: Word
    source: GameId
    ply: Ply = Field(description="moves played before it in that game")
    played: MoveText = Field(description="what was played")
    title: Title = Field(description='"Ann - Bob"')


class PuzzleRequest(Request):
    """Make puzzles of saved games."""

    game: GameName | None = None
    ids: list[GameId] | None = Field(default=None, min_length=1, max_length=50, description="only of these games")


class PuzzleRun(Answer):
    """The search for puzzles: those found by now."""

    id: RunId
    status: JobStatus
    place: int = Field(ge=0)
    done: int = Field(ge=0, description="games looked through")
    total: int = Field(ge=0)
    puzzles: list[Puzzle] = Field(max_length=MAX_PUZZLES)
    message: Sentence
