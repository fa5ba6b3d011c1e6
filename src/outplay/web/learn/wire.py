"""JSON of puzzles made from saved games."""

from __future__ import annotations

from pydantic import Field

from outplay.web.review.wire import AnswerView
from outplay.web.wire import (
    GameId,
    GameName,
    MoveView,
    PositionView,
    Reply,
    Request,
    RunStatus,
)

MAX_PUZZLES = 50


class PuzzleView(Reply):
    """A position of a saved game in which only some moves keep the result, and the player missed them."""

    game: GameName
    position: PositionView
    legal: list[MoveView]
    goal: str = Field(description='"Red to move and win."')
    answers: list[AnswerView] = Field(description="every legal move")
    line: list[str] = Field(description="the solution")
    known: str
    source: str
    ply: int = Field(description="number of moves played before it in that game")
    played: str = Field(description="the move that was played")
    title: str = Field(description='"Ann - Bob"')


class PuzzleRequest(Request):
    """A request for puzzles from saved games."""

    game: GameName | None = None
    ids: list[GameId] | None = Field(default=None, min_length=1, max_length=50, description="only from these games")


class PuzzleRun(Reply):
    """A search for puzzles, with those found so far."""

    id: str
    status: RunStatus
    place: int
    done: int = Field(description="number of games searched")
    total: int
    puzzles: list[PuzzleView]
    message: str = Field(description="why there are none, or why it failed or was stopped; empty otherwise")
