"""JSON of the lab: its options, experiments and their results."""

from __future__ import annotations

from typing import Annotated, Literal, get_args

from pydantic import Field

from outplay.web.wire import (
    MAX_TEXT,
    GameName,
    Height,
    PositionView,
    Reply,
    Request,
    Width,
    Word,
)

MAX_DEPTH = 12
"""The greatest depth in plies; a search that takes too long is stopped, with a message."""
MAX_WEIGHT = 100_000_000
MAX_VISITS = 1_200
"""The most positions of a recorded search that are sent; the others are counted."""
MAX_RUNGS = 10
TechniqueName = Literal["alphabeta", "ordering", "killers", "table", "mirror", "deepening", "quiescence"]


class Term(Reply):
    """A term of the lab with its explanation."""

    name: str
    title: str
    about: str = Field(description="one line")
    docs: str = Field(description="the page with more about it: lab/alphabeta")


class Technique(Term):
    """A technique that can be switched on."""

    name: TechniqueName


class Preset(Reply):
    """Techniques that go together."""

    title: str
    about: str
    techniques: list[TechniqueName]


class Weight(Reply):
    """What an evaluation counts, and its weight."""

    what: str
    value: int


class EvaluationInfo(Reply):
    """An estimate of how good a position is."""

    name: str
    about: str
    weights: list[Weight]


class OrderInfo(Reply):
    """A way to order moves."""

    name: str
    about: str


class LabGame(Reply):
    """The options for one game."""

    game: GameName
    techniques: list[Technique]
    presets: list[Preset]
    evaluations: list[EvaluationInfo] = Field(description="the default first")
    orders: list[OrderInfo] = Field(description="the default first")
    examples: list[str] = Field(description="positions worth a look")


class LabInfo(Reply):
    """The options of the lab."""

    games: list[LabGame]
    terms: list[Term]
    max_depth: int
    time_ms: int = Field(description="an experiment is stopped after this time")


class LabRequest(Request):
    """An experiment: a recorded search, or the technique ladder."""

    kind: Literal["trace", "ladder"]
    game: GameName
    width: Width = 7
    height: Height = 6
    position: str = Field(default="", max_length=MAX_TEXT, description="FEN or moves; empty for the start position")
    depth: int = Field(ge=1, le=MAX_DEPTH)
    techniques: list[TechniqueName] = Field(
        default_factory=list, max_length=len(get_args(TechniqueName)), description="empty: minimax"
    )
    evaluation: Word | None = None
    weights: list[Annotated[int, Field(ge=-MAX_WEIGHT, le=MAX_WEIGHT)]] | None = Field(
        default=None, max_length=20, description="replace the evaluation's own weights, in its order"
    )
    order: Word | None = None


class VisitView(Reply):
    """A position of a recorded search, or a move never searched. Values are seen from the side to move at the root."""

    id: int
    parent: int | None
    move: str | None = Field(description="null at the root")
    ply: int
    number: int | None = Field(description="index of this position in the search, from 1; null if never searched")
    kind: Literal["exact", "cut", "low", "table", "leaf", "end", "pruned", "unfinished"]
    is_main: bool = Field(description="on the expected line")
    label: str = Field(description='"+3", "≤+2", "win in 3"')
    bound: str
    window: str = Field(description="alpha and beta")
    moves: int = Field(description="number of legal moves")
    looked: int = Field(description="number of legal moves that were searched")
    left_out: int = Field(description="number of positions below that are not in the list")
    reason: str = Field(description='"cut: +7 ≥ beta +5, three moves never looked at"')
    sentences: str
    board: str
    path: list[int] = Field(description="path of the move that leads here")


class SearchStep(Reply):
    """One of several searches, if the search deepens step by step."""

    depth: int
    nodes: int


class TraceView(Reply):
    """A recorded search; with deepening, the last of its searches."""

    game: GameName
    position: PositionView
    sides: list[str] = Field(description="the side to move at the root, then the other")
    sentence: str
    depth: int
    techniques: list[TechniqueName]
    evaluation: str
    label: str = Field(description="score of the position; empty if the search was stopped")
    line: list[str] = Field(description="the expected line")
    visited: int
    searches: list[SearchStep]
    left_out: int
    visits: list[VisitView] = Field(description="in the order of the search")


class Rung(Reply):
    """A rung of the ladder: one technique more than the rung before."""

    title: str = Field(description='"+ alpha-beta"')
    techniques: list[TechniqueName]
    nodes: int
    time_ms: float
    fewer: str = Field(description='compared with minimax: "15 times fewer"; empty if not known')
    move: str | None = Field(description="null if the rung was given up")
    label: str
    is_finished: bool


class LadderView(Reply):
    """The finished rungs, and whether they agree."""

    position: PositionView
    depth: int
    evaluation: str
    rungs: list[Rung]
    agreement: str = Field(description='"All find +2."')
    now: str = Field(description="the rung that is being searched")


class LabRun(Reply):
    """An experiment: waiting, running, or over."""

    id: str
    kind: Literal["trace", "ladder"]
    status: Literal["waiting", "running", "done", "stopped", "failed"]
    place: int = Field(description="place in the queue; 0 once it runs")
    nodes: int
    time_ms: int
    trace: TraceView | None
    ladder: LadderView | None
    message: str = Field(description="why it failed or was stopped; empty otherwise")
