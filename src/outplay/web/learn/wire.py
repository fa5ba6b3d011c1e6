"""JSON of lessons and of a person's record."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from outplay.web.wire import GameName, MarkView, MoveText, MoveView, PositionView, Reply, Request, SideNumber

LessonName = Annotated[str, Field(pattern=r"^[a-z0-9]+(-[a-z0-9]+)*$", max_length=60)]
StepNumber = Annotated[int, Field(ge=1, le=99)]
LearningState = Literal["new", "begun", "done"]


class LessonEntry(Reply):
    """A lesson in a list."""

    game: GameName
    name: str
    number: int = Field(description="its place in the course, from 1")
    title: str
    summary: str = Field(description='one line: "Two at once cannot be blocked"')
    steps: int
    done: int = Field(description="number of steps done")
    state: LearningState
    at: int = Field(description="the step to go on with, from 1")


class CourseView(Reply):
    """The lessons of one game."""

    game: GameName
    title: str
    done: int = Field(description="number of lessons done")
    lessons: list[LessonEntry]


class GoOn(Reply):
    """The step to go on with, for the continue card."""

    lesson: LessonEntry
    step: int
    position: PositionView
    marks: list[MarkView]
    sentence: str = Field(
        description='"Step 3 of 6. Two threats at once cannot be blocked.", or how to start, on a first visit'
    )


class LearnView(Reply):
    """The page of all lessons."""

    courses: list[CourseView]
    go_on: GoOn | None = Field(description="null if all lessons are done")
    is_first_visit: bool


class StepEntry(Reply):
    """A step in the row of dots."""

    number: int
    is_done: bool
    has_task: bool


class LessonView(Reply):
    """A lesson, and how far the person is in it."""

    lesson: LessonEntry
    steps: list[StepEntry]
    following: LessonEntry | None = Field(description="the lesson after it")


class StepView(Reply):
    """One step of a lesson. A task is solved by a move of `legal`; without a task there is only something to read."""

    lesson: LessonEntry
    number: int
    is_done: bool
    text: str
    task: str = Field(description="empty if there is only something to read")
    position: PositionView
    legal: list[MoveView] = Field(description="empty without a task")
    marks: list[MarkView]
    side: str = Field(description='who moves: "Red"')
    tries: int = Field(description="wrong answers so far")


class PlayedView(Reply):
    """A move that is played on the board to show something, and the position after it."""

    move: MoveView
    side: SideNumber
    position: PositionView


class Shown(Reply):
    """Moves to play on the board, and what to say about them."""

    headline: str = Field(description='"Yes, column 4", "Not column 6"')
    sentence: str
    line: list[PlayedView] = Field(description="the move of the answer, then the moves that follow")
    marks: list[MarkView] = Field(description="for the board after the last move")
    label: str = Field(default="", description='"+ win in 2"; empty if nothing is claimed')
    known: str = Field(default="", description='"solved", "from the endgame tables", "depth 17"')
    is_proof: bool = Field(default=False, description="true for a proof; pages then show a check mark")


class StepVerdict(Shown):
    """The answer to a move: right, or wrong and refuted on the board."""

    is_right: bool
    tries: int = Field(description="wrong answers to this step so far")
    lesson: LessonEntry


class StepHint(Reply):
    """A hint in three steps: where to look, what to move, the move."""

    step: int
    sentence: str
    cells: list[int]
    move: MoveView | None = Field(default=None, description="in step 3")


class AnswerRequest(Request):
    """A move that answers a task."""

    move: MoveText


class StepHintRequest(Request):
    """The step of a hint."""

    step: int = Field(ge=1, le=3)


class LevelStanding(Reply):
    """The last games of a person against one level, oldest first."""

    level: int
    name: str
    results: list[Literal["win", "draw", "loss"]] = Field(description="at most ten")
    wins: int


class ReadyView(Reply):
    """Seven wins in the last ten games: time for the next level."""

    level: int = Field(description="the next level")
    name: str
    sentence: str = Field(description='"You won 7 of 10 against Planner. You are ready for level 4, Weaver."')


class ThemeStanding(Reply):
    """The puzzles of one theme, and those that the person has solved."""

    theme: str
    title: str
    total: int
    solved: int


class GameStanding(Reply):
    """A person's record in one game."""

    game: GameName
    title: str
    levels: list[LevelStanding] = Field(description="levels that were played, weakest first")
    ready: ReadyView | None = Field(description="null once it has been said")
    lessons_done: int
    lessons: int
    themes: list[ThemeStanding]
    solved: int = Field(description="number of puzzles solved")
    in_a_row: int
    grade: float = Field(description="the grade of puzzles that fits, from 1 to 8")


class RecordView(Reply):
    """A person's record."""

    games: list[GameStanding]
    sentence: str = Field(description='"Play a game and your record starts here."; empty once the record has an entry')


class ToldRequest(Request):
    """Something that the person has read, and that need not be said again: "ready for level 4"."""

    game: GameName
    level: int = Field(ge=1, le=8)
