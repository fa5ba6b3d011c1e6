"""JSON of puzzles: those that come with outplay, and those made from saved games."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from outplay.web.learn.wire import Shown, StepHintRequest, ThemeStanding
from outplay.web.review.wire import AnswerView
from outplay.web.wire import (
    GameId,
    GameName,
    MoveText,
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


PuzzleName = Annotated[str, Field(pattern=r"^(c4|ck)-[0-9]{4}$")]
ThemeName = Annotated[str, Field(pattern=r"^[a-z-]{0,30}$")]
PuzzleState = Literal["new", "solved", "missed"]


class GradedView(Reply):
    """A puzzle that comes with outplay. Its themes are sent only with the answer: they show much of it."""

    id: str = Field(description='"c4-0123", as in its address')
    game: GameName
    position: PositionView
    legal: list[MoveView]
    sentence: str = Field(description='the task: "Red to move and win in 3."')
    words: str = Field(description='more about it: "Only one column does it."')
    grade: int = Field(description="from 1 to 8")
    moves: int = Field(description="number of moves to find")
    state: PuzzleState = Field(description="the person's last result")
    is_due: bool = Field(description="it was missed before and comes back now")
    day: str = Field(default="", description='for the puzzle of the day, its date: "2026-11-16"')


class PuzzleRunStanding(Reply):
    """A person's progress with the puzzles of a game."""

    today: list[Literal["solved", "missed"]] = Field(description="the results of today, in order")
    in_a_row: int
    solved: int = Field(description='number of puzzles whose last result is "solved"')
    grade: float = Field(description="the grade that fits, from 1 to 8")
    due: int = Field(description="number of puzzles that come back now")


class GradeStanding(Reply):
    """The puzzles of one grade, and those that the person has solved."""

    grade: int
    total: int
    solved: int


class PuzzlesView(Reply):
    """All puzzles of a game in numbers."""

    game: GameName
    total: int
    themes: list[ThemeStanding]
    grades: list[GradeStanding]
    run: PuzzleRunStanding
    own_games: int = Field(description="number of your games played here: puzzles can be searched in them")


class NextPuzzle(Reply):
    """The puzzle that is next for a person, or why there is none."""

    puzzle: GradedView | None
    sentence: str = Field(description='"All 24 solved. Next theme: Odd and even"; empty if there is a puzzle')
    theme: str = Field(description="the next theme with unsolved puzzles, if this one has none; empty otherwise")


class TryRequest(Request):
    """The moves of both sides in a puzzle so far; the last one is to be judged."""

    moves: list[MoveText] = Field(min_length=1, max_length=40)


class PuzzleHintRequest(StepHintRequest):
    """The step of a hint for the next move of a puzzle."""

    moves: list[MoveText] = Field(default=[], max_length=40, description="the moves played so far, of both sides")


class TryVerdict(Shown):
    """The result of a move: `going` (right so far), `solved`, or `missed` (then it is refuted on the board)."""

    status: Literal["going", "solved", "missed"]
    position: PositionView = Field(description="after the moves of `line`")
    legal: list[MoveView] = Field(description="legal moves for the next try if `status` is `going`; otherwise empty")
    moves: list[str] = Field(
        description="the moves of the line so far, to send with the next one; empty unless `going`"
    )
    is_first_try: bool = Field(description="solved without a miss or a hint")
    themes: list[str] = Field(description="the names of its themes, once the puzzle is over")
    comes_back: str = Field(description='"It comes back tomorrow."; empty otherwise')
    run: PuzzleRunStanding
