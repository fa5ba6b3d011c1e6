"""JSON of the course: the rungs, their guided runs, and a person's answers."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from outplay.web.wire import MAX_TEXT, GameName, Height, Reply, Request, Width

RungName = Annotated[str, Field(pattern=r"^[a-z]+(-[a-z]+)*$", max_length=30)]
CourseStepNumber = Annotated[int, Field(ge=1, le=99)]


class RungEntry(Reply):
    """A rung in the list of the course."""

    name: str
    number: int = Field(description="its place in the course, from 1")
    title: str
    summary: str
    steps: int
    done: int = Field(description="number of steps done")
    state: Literal["new", "begun", "done"]
    at: int = Field(description="the step to go on with, from 1")
    asked: int = Field(description="number of questions answered")
    right: int = Field(description="number of questions answered right")


class LabCourse(Reply):
    """The course, and how far the person is."""

    title: str
    done: int = Field(description="number of rungs done")
    rungs: list[RungEntry]


class RunNode(Reply):
    """A position of the tree."""

    id: int
    parent: int | None
    move: str | None
    ply: int
    search: int = Field(description="index of the search, from 0; with deepening there are several searches")
    board: str
    path: list[int] = Field(description="path of the move that leads here")


class RunWindow(Reply):
    """Alpha and beta of an open position, seen from the side to move at the root."""

    id: int
    alpha: str
    beta: str


class RunChange(Reply):
    """The new label of a position, from this moment on."""

    id: int
    stage: Literal["ahead", "open", "done", "cut", "table", "never"]
    label: str


class RunMoment(Reply):
    """A moment of the run: the program executes one line."""

    line: int
    at: int = Field(description="the position for which the line runs")
    words: str
    open: list[RunWindow] = Field(description="from the root to this position; empty if the rung has no alpha and beta")
    changes: list[RunChange]
    board: str | None = Field(description="the end of a random game, to be shown instead of the position")


class StepOption(Reply):
    """An answer that can be given."""

    key: str = Field(description="the key that gives it: y, n, 1, 2")
    text: str


class RungStep(Reply):
    """A place where the run waits. The answer to a question is not in it."""

    number: int
    kind: Literal["read", "question", "end"]
    title: str
    text: str
    moment: int = Field(description="index of the moment at which the run waits")
    options: list[StepOption]
    is_done: bool
    is_right: bool | None = Field(description="null if there is no question, or it is not answered yet")


class ClaimLine(Reply):
    """A row of the table at the end of a rung."""

    title: str
    nodes: int = Field(description="positions searched, or games played")
    move: str
    value: str
    truth: str = Field(
        description="what the move is really worth; empty if the rung only compares how many positions were searched"
    )


class RungView(Reply):
    """A rung: its program, the recorded run, and its steps."""

    rung: RungEntry
    following: RungEntry | None
    game: GameName
    width: int
    height: int
    sides: list[str] = Field(description="names of the sides: first the side to move at the start")
    first: int = Field(description="0 if the first side moves at the start, else 1")
    depth: int = Field(description="0 for Monte Carlo, which has none")
    has_window: bool = Field(description="whether the rung uses alpha and beta")
    docs: str
    program: list[str]
    nodes: list[RunNode]
    moments: list[RunMoment]
    steps: list[RungStep]
    claim: list[ClaimLine]


class MonteCarloRequest(Request):
    """The position from which random games are played."""

    game: GameName
    width: Width = 7
    height: Height = 6
    position: str = Field(default="", max_length=MAX_TEXT, description="FEN or moves; empty is the start")


class PredictRequest(Request):
    """An answer: the key of an option."""

    answer: str = Field(min_length=1, max_length=1)


class Prediction(Reply):
    """The verdict on an answer."""

    is_right: bool
    headline: str
    sentence: str
    rung: RungEntry
