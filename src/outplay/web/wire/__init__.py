"""Every JSON type of the web app, once: what the server answers and what it accepts.

The TypeScript types of the front end are generated from these through the OpenAPI document. All paths begin
with /api; a body is JSON; a failed request of any kind answers an `ErrorBody`. A GET changes nothing.

------------------------------- --------------- ---------------- --------------------------------------------
method and path                 request         answer           notes
------------------------------- --------------- ---------------- --------------------------------------------
GET  /about                                     About            games, players, limits, a storage warning
POST /positions                 PositionRequest PositionAnswer   reads anything pasted; 200 also when it cannot
POST /games                     NewGame         201 GameView     the first engine starts at once unless paused
GET  /games?game=&player=..                     GameList         newest first; games without a move left out
GET  /games/{id}                                GameView
GET  /games/{id}/export                         Export           PDN, JSON; SVG and FEN of any ply
POST /games/{id}/moves          MoveRequest     GameView         the engine's reply comes as an event
POST /games/{id}/why-not        MoveRequest     Refusal          asks only: the rule that forbids a move, or none
POST /games/{id}/takeback       TakebackRequest GameView         stops a search that is running
POST /games/{id}/redo           VersionRequest  GameView         as many plies as the last takeback took
POST /games/{id}/resign         ResignRequest   GameView
POST /games/{id}/draw           DrawRequest     GameView         an engine answers at once, in `notice`
POST /games/{id}/hint           HintRequest     HintView         step 1 area, 2 piece or column, 3 move
POST /games/{id}/seats          SeatsRequest    GameView         at any ply, also while an engine thinks
POST /games/{id}/pace           PaceRequest     GameView         needs no version: the last one wins
POST /games/{id}/step           VersionRequest  GameView         one engine move while the game is paused
POST /games/{id}/move-now       VersionRequest  GameView         the engine plays the best it has found
POST /games/{id}/stop           VersionRequest  GameView         the search ends without a move, game paused
POST /games/{id}/retry          VersionRequest  GameView         after `failed`: ask the same player again
POST /games/{id}/rematch        VersionRequest  201 GameView     a new game, seats swapped
POST /library/import            ImportRequest   ImportAnswer     anything pasted; a bad game harms no other
POST /library/delete            GamesRequest    GamesAnswer      they can be restored for a day
POST /library/restore           GamesRequest    GamesAnswer
GET  /library/export                            Export           the games that fit the filters, as PDN
GET  /lab                                       LabInfo          techniques, evaluations, words
POST /lab/runs                  LabRequest      201 LabRun       an experiment, in a process of its own
GET  /lab/runs/{id}                             LabRun           how it is getting on
POST /lab/runs/{id}/stop        StopRequest     LabRun
POST /analyses                  AnalysisRequest 201 AnalysisView often with the whole answer; else it is polled
GET  /analyses/{id}                             AnalysisView     one that nobody asks for any more is stopped
POST /analyses/{id}/stop        StopRequest     AnalysisView
POST /studies                   NewStudy        201 Study        a position with a first move, saved
GET  /games/{id}/study                          Study            a game as a tree of variations
POST /games/{id}/study/moves    StudyMoves      Study            a line more; by the version of the study
POST /games/{id}/study/promote  StudyRequest    Study            before the variations beside it
POST /games/{id}/study/delete   StudyRequest    Study            with all that follows
POST /games/{id}/study/comment  StudyComment    Study
GET  /games/{id}/review                         ReviewView       status `none` if nobody has asked for it
POST /games/{id}/review         ReviewRequest   ReviewView       begins it, unless it is there already
POST /games/{id}/review/stop    StopRequest     ReviewView
POST /puzzles                   PuzzleRequest   201 PuzzleRun    from mistakes in saved games
GET  /puzzles/{id}                              PuzzleRun
POST /puzzles/{id}/stop         StopRequest     PuzzleRun
WS   /games/{id}/events         ClientMessage   Event            a `state` event first, then as things happen
------------------------------- --------------- ---------------- --------------------------------------------

Two counters: `version` goes up with every change of moves, seats or outcome, and a write that carries another
one is refused as `stale` (409), so that two tabs cannot move over each other. `revision` goes up with every
change of a `GameView` at all (pace, status and failure included): of two views the higher one is the newer.

Cells. Connect Four: row * width + column, both from 0, row 0 on top; a move's path is the one cell in which
the disc comes to rest. Checkers: squares 1-32; a path is every square the piece stands on, first and last
included. `board` is one character per cell in that order (checkers: square 1 first): "." empty; Connect Four
"1" the side that began (Red), "2" the other; checkers "b" "w" men, "B" "W" kings.

Sides: 0 moves first in the normal start position (Red, Black), 1 is the other (Yellow, White).
"""

from __future__ import annotations

from outplay.web.wire.analysis import (
    MAX_LINES,
    AnalysisRequest,
    AnalysisView,
    Gauge,
    JobStatus,
    TableVerdict,
)
from outplay.web.wire.app import (
    About,
    GameInfo,
    PlayerInfo,
    SizeInfo,
)
from outplay.web.wire.base import (
    MAX_PLIES,
    MAX_TEXT,
    MAX_TIME_MS,
    Answer,
    Board,
    Cell,
    Cells,
    GameId,
    GameName,
    Height,
    KnownBy,
    Milliseconds,
    MoveText,
    PlayerName,
    Ply,
    Request,
    Sentence,
    SideNumber,
    Title,
    Verdict,
    Version,
    Width,
)
from outplay.web.wire.commands import (
    ClockRequest,
    DrawRequest,
    HintRequest,
    MoveRequest,
    NewGame,
    PaceRequest,
    ResignRequest,
    SeatsRequest,
    TakebackRequest,
    VersionRequest,
)
from outplay.web.wire.errors import (
    ErrorBody,
    ErrorView,
)
from outplay.web.wire.events import (
    CLIENT_MESSAGE,
    EVENT,
    ClientMessage,
    ClockEvent,
    ErrorEvent,
    Event,
    PingMessage,
    PongEvent,
    ResumeMessage,
    StateEvent,
    ThinkingEvent,
    socket_schemas,
)
from outplay.web.wire.games import (
    Allowed,
    ClockView,
    FailureView,
    GameView,
    HintView,
    OutcomeView,
    PlayedMove,
    Refusal,
    SeatView,
)
from outplay.web.wire.lab import (
    MAX_DEPTH,
    MAX_RUNGS,
    MAX_VISITS,
    MAX_WEIGHT,
    Count,
    EvaluationInfo,
    LabGame,
    LabInfo,
    LabRequest,
    LabRun,
    LadderView,
    OrderInfo,
    Preset,
    Rung,
    RunId,
    SearchStep,
    StopRequest,
    Technique,
    TechniqueName,
    Term,
    TraceView,
    Visit,
    Weight,
    Word,
)
from outplay.web.wire.library import (
    MAX_IMPORT,
    MAX_IMPORTED,
    Export,
    ExportFormat,
    GameList,
    GamesAnswer,
    GamesRequest,
    GameSummary,
    ImportAnswer,
    ImportProblem,
    ImportRequest,
    OutcomeFilter,
)
from outplay.web.wire.opinions import (
    Opinion,
    OpinionLine,
)
from outplay.web.wire.positions import (
    MoveView,
    PositionAnswer,
    PositionRequest,
    PositionView,
)
from outplay.web.wire.review import (
    MAX_PUZZLES,
    AnswerView,
    Grade,
    GraphPoint,
    JudgedMove,
    JudgedScore,
    Puzzle,
    PuzzleRequest,
    PuzzleRun,
    ReviewRequest,
    ReviewView,
    SideReview,
    TurningPoint,
)
from outplay.web.wire.study import (
    MAX_COMMENT,
    MAX_NODES,
    LinePath,
    NewStudy,
    Study,
    StudyComment,
    StudyMoves,
    StudyNode,
    StudyRequest,
)

__all__ = [
    "CLIENT_MESSAGE",
    "EVENT",
    "MAX_COMMENT",
    "MAX_DEPTH",
    "MAX_IMPORT",
    "MAX_IMPORTED",
    "MAX_LINES",
    "MAX_NODES",
    "MAX_PLIES",
    "MAX_PUZZLES",
    "MAX_RUNGS",
    "MAX_TEXT",
    "MAX_TIME_MS",
    "MAX_VISITS",
    "MAX_WEIGHT",
    "About",
    "Allowed",
    "AnalysisRequest",
    "AnalysisView",
    "Answer",
    "AnswerView",
    "Board",
    "Cell",
    "Cells",
    "ClientMessage",
    "ClockEvent",
    "ClockRequest",
    "ClockView",
    "Count",
    "DrawRequest",
    "ErrorBody",
    "ErrorEvent",
    "ErrorView",
    "EvaluationInfo",
    "Event",
    "Export",
    "ExportFormat",
    "FailureView",
    "GameId",
    "GameInfo",
    "GameList",
    "GameName",
    "GameSummary",
    "GameView",
    "GamesAnswer",
    "GamesRequest",
    "Gauge",
    "Grade",
    "GraphPoint",
    "Height",
    "HintRequest",
    "HintView",
    "ImportAnswer",
    "ImportProblem",
    "ImportRequest",
    "JobStatus",
    "JudgedMove",
    "JudgedScore",
    "KnownBy",
    "LabGame",
    "LabInfo",
    "LabRequest",
    "LabRun",
    "LadderView",
    "LinePath",
    "Milliseconds",
    "MoveRequest",
    "MoveText",
    "MoveView",
    "NewGame",
    "NewStudy",
    "Opinion",
    "OpinionLine",
    "OrderInfo",
    "OutcomeFilter",
    "OutcomeView",
    "PaceRequest",
    "PingMessage",
    "PlayedMove",
    "PlayerInfo",
    "PlayerName",
    "Ply",
    "PongEvent",
    "PositionAnswer",
    "PositionRequest",
    "PositionView",
    "Preset",
    "Puzzle",
    "PuzzleRequest",
    "PuzzleRun",
    "Refusal",
    "Request",
    "ResignRequest",
    "ResumeMessage",
    "ReviewRequest",
    "ReviewView",
    "RunId",
    "Rung",
    "SearchStep",
    "SeatView",
    "SeatsRequest",
    "Sentence",
    "SideNumber",
    "SideReview",
    "SizeInfo",
    "StateEvent",
    "StopRequest",
    "Study",
    "StudyComment",
    "StudyMoves",
    "StudyNode",
    "StudyRequest",
    "TableVerdict",
    "TakebackRequest",
    "Technique",
    "TechniqueName",
    "Term",
    "ThinkingEvent",
    "Title",
    "TraceView",
    "TurningPoint",
    "Verdict",
    "Version",
    "VersionRequest",
    "Visit",
    "Weight",
    "Width",
    "Word",
    "socket_schemas",
]
