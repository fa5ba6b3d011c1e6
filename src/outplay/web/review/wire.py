"""JSON of a review: a game judged move by move."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from outplay.explain import ReasonKind
from outplay.web.learn.wire import PlayedView
from outplay.web.wire import (
    MAX_PLIES,
    KnownBy,
    MarkView,
    MoveText,
    MoveView,
    PositionView,
    Reply,
    Request,
    RunStatus,
    SideNumber,
    Verdict,
)

Grade = Literal["best", "good", "inaccuracy", "mistake", "blunder", "forced", "unknown"]


class JudgedScore(Reply):
    """The worth of a position for the side whose move is judged, and how it is known."""

    label: str = Field(description='"+ win in 7", "= draw", "-0.35", "not solved"')
    verdict: Verdict
    known_by: KnownBy
    known: str = Field(description='"solved", "from the opening book", "from the endgame tables", "depth 17"')


class AnswerView(Reply):
    """One move of a puzzle position."""

    move: str
    label: str
    verdict: Verdict
    is_good: bool = Field(description="it keeps the result, or nearly: accept it as an answer")
    sentence: str = Field(description='"Column 3 keeps the win in 7." or what is wrong with it')


class ReasonView(Reply):
    """Why a move is good, or how it is refuted, with a line to play through."""

    kind: ReasonKind
    text: str = Field(description="one to three sentences; empty if only the line is known")
    line: list[str] = Field(description="from the position before the move; the move itself first")
    at: int = Field(description="the marks belong to the board after this number of moves of the line")
    marks: list[MarkView]
    known_by: KnownBy


class JudgedMoveView(Reply):
    """A move of the game, and what it did."""

    ply: int = Field(description="from 1")
    side: SideNumber
    move: str
    grade: Grade
    grade_words: str = Field(description='"best move", "only move", "blunder"')
    sign: str = Field(description='"??", "?", "?!" or empty')
    before: JudgedScore = Field(description="score after the best move")
    after: JudgedScore = Field(description="score after the move that was played, seen from the side that played it")
    loss: float = Field(description="share of the winning chances that it gave away")
    sentence: str = Field(description='"From a win in 7 to a draw. Column 4 keeps the win."; empty for a good move')
    better: list[str] = Field(description="the best moves; empty unless the move has a flaw")
    line: list[str] = Field(description="the better line, starting with a best move")
    answers: list[AnswerView] = Field(
        description="every legal move, if only some keep the result (a puzzle); otherwise empty"
    )
    refutation: ReasonView | None = Field(description="how a flaw is answered; it does not name a better move")
    missed: ReasonView | None = Field(description="why a best move was better")


class GraphPoint(Reply):
    """The score after a number of moves."""

    ply: int
    gauge: float
    sentence: str = Field(description='for screen readers: "Red wins in 7, solved"')


class SideReviewView(Reply):
    """How well one side played."""

    side: SideNumber
    title: str
    accuracy: float | None = Field(description="in per cent; null without a judged move")
    inaccuracies: int
    mistakes: int
    blunders: int
    sentence: str = Field(description='"1 blunder, 2 mistakes"')


class TurningPointView(Reply):
    """The last move that changed the result."""

    ply: int
    sentence: str = Field(description='"Yellow had a win in 7 and let it go."')


class ReviewView(Reply):
    """The review of a game: not requested, running, or done."""

    id: str
    status: Literal["none"] | RunStatus
    place: int = Field(description="place in the queue; 0 once it runs")
    done: int = Field(description="number of positions judged so far, from the last one backwards")
    total: int
    time_ms: int
    moves: list[JudgedMoveView] = Field(description="the moves judged so far, in the order of the game")
    graph: list[GraphPoint] = Field(description="the scores known so far, in order")
    sides: list[SideReviewView] = Field(description="side 0, then side 1; empty until the review is done")
    turning_point: TurningPointView | None
    sentence: str = Field(
        description='the turning point, or "Neither side gave a result away."; empty until it is done'
    )
    ranked: list[int] = Field(description="plies of the flaws, the easiest to see first; empty until it is done")
    message: str = Field(description="why it failed or was stopped; empty otherwise")


class CoachView(Reply):
    """One sentence after a game, about the one move that is worth another try."""

    id: str
    status: Literal["none"] | RunStatus = Field(description="of the review; only `done` has the fields below")
    done: int
    total: int
    kind: Literal["miss", "faster", "clean", "unsolved"] | None = Field(
        description="`clean`: nothing was missed; `unsolved`: not known, because some moves could not be judged"
    )
    side: SideNumber | None = Field(description="the side that the words are about: yours, or the side that lost")
    is_mine: bool = Field(description='true if that side is "you"')
    title: str = Field(description='"You had a win on move 9", "The fastest win was on move 17", "No chance missed"')
    detail: str = Field(description='"A win in 2. You played column 5."; it does not name the better move')
    sentence: str = Field(description='"You lost on move 14. You had a win on move 9."')
    known: Literal["solved", "estimate"] | None = Field(description="null if nothing is claimed")
    ply: int | None = Field(description="the move worth another try, from 1; null if there is none")
    position: PositionView | None = Field(description="the board before that move")
    legal: list[MoveView]
    last: MoveView | None = Field(description="the move before it, to be ringed")
    sides: list[SideReviewView]


class RefuteRequest(Request):
    """A move that is tried instead of the one that was played."""

    ply: int = Field(ge=1, le=MAX_PLIES, description="the move of the game that it replaces, from 1")
    move: MoveText


class RefutationView(Reply):
    """What is wrong with a move, to be played on the board."""

    sentence: str = Field(description="why; empty if only the line is known")
    line: list[PlayedView] = Field(description="the move first, then the best answers")
    marks: list[MarkView] = Field(description="for the board after the line")


class ReviewRequest(Request):
    """A request to review the game as it is now."""

    nodes: int | None = Field(
        default=None,
        ge=1_000,
        le=5_000_000,
        description="number of nodes for each searched position; default: the usual number",
    )
