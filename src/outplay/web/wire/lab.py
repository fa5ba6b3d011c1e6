"""The lab: what can be tried, an experiment under way, and what came out of it."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from outplay.web.wire.base import (
    MAX_TEXT,
    Answer,
    Board,
    Cells,
    GameName,
    Height,
    Milliseconds,
    MoveText,
    Request,
    Sentence,
    Title,
    Width,
)
from outplay.web.wire.positions import PositionView

MAX_DEPTH = 12
"""Plies; what takes too long at that depth is stopped, and says so."""
MAX_WEIGHT = 100_000_000
MAX_VISITS = 1_200
"""Positions of a recorded search that are sent; the others are counted."""
MAX_RUNGS = 10

TechniqueName = Literal["alphabeta", "ordering", "killers", "table", "mirror", "deepening", "quiescence"]
RunId = Annotated[str, Field(pattern=r"^[A-Za-z0-9]{4,32}$")]
Count = Annotated[int, Field(ge=0, le=2**53)]
Word = Annotated[str, Field(max_length=40)]


class Term(Answer):
    """A word of the lab with its explanation."""

    name: Word
    title: Title
    about: Sentence = Field(description="one line")
    docs: Word = Field(description="the page that tells more: lab/alphabeta")


class Technique(Term):
    """One that can be switched on."""

    name: TechniqueName


class Preset(Answer):
    """Techniques that go together."""

    title: Title
    about: Sentence
    techniques: list[TechniqueName]


class Weight(Answer):
    """What an evaluation counts, and how much it counts."""

    what: Sentence
    value: int = Field(ge=-MAX_WEIGHT, le=MAX_WEIGHT)


class EvaluationInfo(Answer):
    """A guess how good a position is."""

    name: Word
    about: Sentence
    weights: list[Weight]


class OrderInfo(Answer):
    """A way to order moves."""

    name: Word
    about: Sentence


class LabGame(Answer):
    """What can be tried in one game."""

    game: GameName
    techniques: list[Technique]
    presets: list[Preset]
    evaluations: list[EvaluationInfo] = Field(description="the usual one first")
    orders: list[OrderInfo] = Field(description="the usual one first")
    examples: list[MoveText] = Field(description="positions worth a look")


class LabInfo(Answer):
    """What can be tried."""

    games: list[LabGame]
    terms: list[Term]
    max_depth: int
    time_ms: Milliseconds = Field(description="an experiment is stopped after this time")


class LabRequest(Request):
    """An experiment: a recorded search, or the technique ladder."""

    kind: Literal["trace", "ladder"]
    game: GameName
    width: Width = 7
    height: Height = 6
    position: str = Field(default="", max_length=MAX_TEXT, description="FEN or moves; empty is the start")
    depth: int = Field(ge=1, le=MAX_DEPTH)
    techniques: list[TechniqueName] = Field(default_factory=list, max_length=7, description="without any: minimax")
    evaluation: Word | None = None
    weights: list[Annotated[int, Field(ge=-MAX_WEIGHT, le=MAX_WEIGHT)]] | None = Field(
        default=None, max_length=20, description="instead of the evaluation's own, in its order"
    )
    order: Word | None = None


class Visit(Answer):
    """One position of a recorded search, or a move that was never looked at. Values are the root side's."""

    id: int = Field(ge=0)
    parent: int | None
    move: MoveText | None = Field(description="none at the root")
    ply: int = Field(ge=0)
    number: Count | None = Field(description="the how-manieth position of the search; none if never looked at")
    kind: Literal["exact", "cut", "low", "table", "leaf", "end", "pruned", "unfinished"]
    is_main: bool = Field(description="on the expected line")
    label: Word = Field(description='"+3", "≤+2", "win in 3"')
    bound: Word
    window: Word = Field(description="alpha and beta")
    moves: int = Field(ge=0, description="legal ones")
    looked: int = Field(ge=0, description="how many of them were looked at")
    left_out: Count = Field(description="positions below that are not in the list")
    reason: Sentence = Field(description='"cut: +7 ≥ beta +5, three moves never looked at"')
    sentences: str = Field(max_length=600)
    board: Board
    path: Cells = Field(description="of the move that leads here")


class SearchStep(Answer):
    """One search of several, when deepening."""

    depth: int
    nodes: Count


class TraceView(Answer):
    """A recorded search: the last one, when deepening."""

    position: PositionView
    sides: list[Title] = Field(min_length=2, max_length=2, description="the side to move at the root, then the other")
    sentence: Sentence
    depth: int
    techniques: list[TechniqueName]
    evaluation: Word
    label: Word = Field(description="what it is worth; empty if the search was stopped")
    line: list[MoveText] = Field(description="the expected line")
    visited: Count
    searches: list[SearchStep]
    left_out: Count
    visits: list[Visit] = Field(max_length=MAX_VISITS, description="in the order of the search")


class Rung(Answer):
    """One technique more than the rung before."""

    title: Title = Field(description='"+ alpha-beta"')
    techniques: list[TechniqueName]
    nodes: Count
    time_ms: float = Field(ge=0)
    fewer: Word = Field(description='against minimax: "15 times fewer"; empty where that is not known')
    move: MoveText | None = Field(description="none where the rung was given up")
    label: Word
    is_finished: bool


class LadderView(Answer):
    """The rungs that are done, and what they agree on."""

    position: PositionView
    depth: int
    evaluation: Word
    rungs: list[Rung] = Field(max_length=MAX_RUNGS)
    agreement: Sentence = Field(description='"All find +2."')
    now: Sentence = Field(description="the rung that is being searched")


class LabRun(Answer):
    """An experiment: waiting, running, or over."""

    id: RunId
    kind: Literal["trace", "ladder"]
    status: Literal["waiting", "running", "done", "stopped", "failed"]
    place: int = Field(ge=0, description="in the queue; 0 as soon as it runs")
    nodes: Count
    time_ms: Milliseconds
    trace: TraceView | None
    ladder: LadderView | None
    message: Sentence = Field(description="why it failed or was stopped; empty otherwise")


class StopRequest(Request):
    """End an experiment; what it has found so far stays."""
