"""Every JSON type of the web app, once: what the server answers and what it accepts.

The TypeScript types of the front end are generated from these through the OpenAPI document. All paths begin
with /api; a body is JSON; a failed request of any kind answers an `ErrorBody`. A GET changes nothing.

-------------------------- --------------- -------------- ---------------------------------------------
method and path            request         answer         notes
-------------------------- --------------- -------------- ---------------------------------------------
GET  /about                                About          games, players, limits, a storage warning
POST /positions            PositionRequest PositionAnswer reads anything pasted; 200 also when it cannot
POST /games                NewGame         201 GameView   the first engine starts at once unless paused
GET  /games?limit=&offset=                 GameList       newest first; games without a move left out
GET  /games/{id}                           GameView
POST /games/{id}/moves     MoveRequest     GameView       the engine's reply comes as an event
POST /games/{id}/why-not   MoveRequest     Refusal        asks only: the rule that forbids a move, or none
POST /games/{id}/takeback  TakebackRequest GameView       stops a search that is running
POST /games/{id}/redo      VersionRequest  GameView       as many plies as the last takeback took
POST /games/{id}/resign    ResignRequest   GameView
POST /games/{id}/draw      DrawRequest     GameView       an engine answers at once, in `notice`
POST /games/{id}/hint      HintRequest     HintView       step 1 area, 2 piece or column, 3 move
POST /games/{id}/seats     SeatsRequest    GameView       at any ply, also while an engine thinks
POST /games/{id}/pace      PaceRequest     GameView       needs no version: the last one wins
POST /games/{id}/step      VersionRequest  GameView       one engine move while the game is paused
POST /games/{id}/move-now  VersionRequest  GameView       the engine plays the best it has found
POST /games/{id}/stop      VersionRequest  GameView       the search ends without a move, game paused
POST /games/{id}/retry     VersionRequest  GameView       after `failed`: ask the same player again
POST /games/{id}/rematch   VersionRequest  201 GameView   a new game, seats swapped
WS   /games/{id}/events    ClientMessage   Event          a `state` event first, then as things happen
-------------------------- --------------- -------------- ---------------------------------------------

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

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter

MAX_TIME_MS = 60_000
"""The longest thinking time per move a page may ask for."""
MAX_PLIES = 2_000
"""No game is longer: past it a game is refused more moves."""
MAX_TEXT = 4_000
"""The longest text that may be pasted as a position."""

GameName = Literal["connect4", "checkers"]
SideNumber = Literal[0, 1]
KnownBy = Literal["search", "solved", "table", "book"]
Verdict = Literal["win", "draw", "loss", "unclear"]

GameId = Annotated[str, Field(pattern=r"^[A-Za-z0-9_-]{4,32}$")]
PlayerName = Annotated[str, Field(pattern=r"^[a-z][a-z0-9-]{0,31}(:[a-z0-9][a-z0-9-]{0,31})?$")]
MoveText = Annotated[str, Field(min_length=1, max_length=64)]
Sentence = Annotated[str, Field(max_length=300)]
Title = Annotated[str, Field(max_length=60)]
Cell = Annotated[int, Field(ge=0, le=128)]
Cells = Annotated[list[Cell], Field(max_length=128)]
Board = Annotated[str, Field(min_length=16, max_length=128)]
Milliseconds = Annotated[int, Field(ge=0, le=24 * 3600 * 1000)]
Ply = Annotated[int, Field(ge=0, le=MAX_PLIES)]
Version = Annotated[int, Field(ge=0, le=2**31 - 1)]
Width = Annotated[int, Field(ge=4, le=25)]
Height = Annotated[int, Field(ge=4, le=31)]


class Answer(BaseModel):
    """What the server sends, every field always there."""

    model_config = ConfigDict(extra="forbid", frozen=True, json_schema_serialization_defaults_required=True)


class Request(BaseModel):
    """What the server accepts: these fields, of these types, and nothing else."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


# The app itself


class PlayerInfo(Answer):
    """A player that may be given a seat."""

    player: PlayerName
    kind: Literal["human", "level", "lab", "engine"]
    title: Title = Field(description='"Human", "Planner", "Five-phase", "Solver"')
    level: int | None = Field(default=None, ge=1, le=20)
    sentence: Sentence = Field(default="", description="what it is, or what a level misses")
    short: Title = Field(default="", description='for the seat: "looks 6 moves ahead", "from the lab"')


class SizeInfo(Answer):
    """A Connect Four board on offer."""

    width: Width
    height: Height


class GameInfo(Answer):
    """A game that can be played here."""

    game: GameName
    title: Title
    sides: list[Title] = Field(min_length=2, max_length=2, description='"Red", "Yellow"')
    sizes: list[SizeInfo] = Field(max_length=40, description="the first is the default; empty for checkers")
    players: list[PlayerInfo] = Field(max_length=60)
    opponent: PlayerName = Field(description="whom a first-time visitor meets")
    human_side: SideNumber = Field(description="the side a first-time visitor takes")


class About(Answer):
    """What a page needs before its first game."""

    version: str = Field(max_length=40)
    games: list[GameInfo]
    warning: Sentence | None = Field(default=None, description="games are kept in memory only, and why")
    data: Sentence = Field(default="", description="where games are kept, in words")
    time_ms: Milliseconds = Field(description="thinking time per move by default")
    max_time_ms: Milliseconds


# Positions and moves


class MoveView(Answer):
    """A move as a path of cells; see the top of this file."""

    text: MoveText
    path: Cells
    captures: Cells = Field(default_factory=list, description="squares jumped, in order")


class PositionView(Answer):
    """Pieces and side to move, ready to be drawn."""

    text: str = Field(max_length=400, description="FEN: `NewGame.position` takes it back")
    board: Board
    side: SideNumber
    width: Width
    height: Height


class PositionRequest(Request):
    """A position to be read: a text of any kind, or a board and its side to move."""

    game: GameName
    width: Width = 7
    height: Height = 6
    text: str | None = Field(default=None, max_length=MAX_TEXT, description="FEN, moves, digits or rows")
    board: Board | None = None
    side: SideNumber | None = None


class PositionAnswer(Answer):
    """The position that was read, or what is wrong with it: no position then, and at least one problem."""

    game: GameName
    position: PositionView | None
    problems: list[Sentence] = Field(default_factory=list, max_length=20)
    moves: list[MoveText] = Field(max_length=MAX_PLIES, description="the moves that led here, when known")
    legal: list[MoveView] = Field(max_length=256)
    sentence: Sentence = Field(description='"Red to move, 14 discs." or how the game has ended; empty if none')
    is_over: bool


# What a player thinks


class OpinionLine(Answer):
    """One move as a player judges it."""

    move: MoveText
    label: str = Field(max_length=24, description='short: "+2", "-0.35", "= draw", "+ win in 5"')
    bar: float = Field(ge=-1, le=1, description="length and direction of its bar")
    verdict: Verdict = Field(description="for the side to move; `unclear` for an estimate near nothing")
    ends_in: int | None = Field(default=None, ge=0, le=MAX_PLIES, description="the winner's own moves")
    known_by: KnownBy = "search"
    moves: list[MoveText] = Field(default_factory=list, max_length=64, description="the expected line")


class Opinion(Answer):
    """What the player to move thought before it moved, or thinks now."""

    ply: Ply = Field(description="moves played when it was asked")
    side: SideNumber
    player: PlayerName
    title: Title
    lines: list[OpinionLine] = Field(max_length=64, description="best first; moves not judged are left out")
    liked: MoveText | None = Field(default=None, description="the move it thinks best")
    played: MoveText | None = Field(default=None, description="none while it is thinking")
    known_by: KnownBy = "search"
    depth: int = Field(ge=0, le=1_000)
    nodes: int = Field(ge=0, le=2**53)
    time_ms: Milliseconds
    verdict: Sentence = Field(default="", description='a proof in words: "Red wins in 8"; empty for a guess')
    remark: Sentence = Field(default="", description='"I liked 7-10 best, but played 15-19: level 2 slips."')


# A game


class SeatView(Answer):
    """Who holds a side."""

    side: SideNumber
    side_name: Title = Field(description='"Red"')
    player: PlayerName
    kind: Literal["human", "level", "lab", "engine"]
    title: Title = Field(description='"You", "Planner"; with two humans both are called by their side')
    level: int | None = Field(default=None, ge=1, le=20)
    short: Title = ""


class PlayedMove(Answer):
    """A move that was played, with the board after it, so that a game can be browsed without the server."""

    ply: Ply = Field(description="from 1")
    side: SideNumber
    text: MoveText
    path: Cells
    captures: Cells
    board: Board


class OutcomeView(Answer):
    """How the game ended."""

    winner: SideNumber | None
    reason: Title
    sentence: Sentence = Field(description='"Red wins with column 3: four on a diagonal."')
    detail: Sentence = Field(default="", description='"25 moves."')
    cells: Cells = Field(default_factory=list, description="the winning discs")


class ClockView(Answer):
    """Time left; the page counts down by itself while `running` names a side."""

    left_ms: list[Milliseconds] = Field(min_length=2, max_length=2)
    running: SideNumber | None
    base_ms: Milliseconds
    increment_ms: Milliseconds


class FailureView(Answer):
    """An engine that failed; the game waits for /retry or /seats."""

    side: SideNumber
    title: Title
    message: Sentence


class Allowed(Answer):
    """Which commands make sense now; the page shows the others disabled."""

    takeback: bool
    redo: bool
    hint: bool
    resign: bool
    draw: bool
    step: bool


class GameView(Answer):
    """One game, whole."""

    id: GameId
    version: Version
    revision: Version
    game: GameName
    title: Title
    strict: bool = Field(description="no takeback, no redo, no hint")
    seats: list[SeatView] = Field(min_length=2, max_length=2, description="by side: 0 then 1")
    start: PositionView
    position: PositionView
    moves: list[PlayedMove] = Field(max_length=MAX_PLIES)
    undone: int = Field(ge=0, le=MAX_PLIES, description="moves that /redo can bring back")
    legal: list[MoveView] = Field(max_length=256, description="empty unless a human is to move")
    status: Literal["human", "thinking", "paused", "failed", "over"] = Field(
        description="`paused` only when an engine is to move; thinking includes waiting for a free worker"
    )
    sentence: Sentence = Field(description='for the live region: "Yellow, column 2. Your move."')
    notice: Sentence = Field(default="", description='"Planner declines the draw." until the next change')
    outcome: OutcomeView | None
    failure: FailureView | None = None
    draw_offer: SideNumber | None = Field(default=None, description="the human side that waits for an answer")
    paused: bool
    time_ms: Milliseconds = Field(description="thinking time per move; 0 is turbo")
    clock: ClockView | None
    opinions: list[Opinion] = Field(max_length=2, description="the last search of each engine, newest first")
    allowed: Allowed
    rematch: GameId | None = Field(default=None, description="the game that followed this one")


class GameSummary(Answer):
    """A saved game in a list."""

    id: GameId
    game: GameName
    title: Title
    seats: list[Title] = Field(min_length=2, max_length=2)
    plies: Ply
    sentence: Sentence
    is_over: bool
    changed: str = Field(max_length=40, description="ISO 8601, UTC")


class GameList(Answer):
    """Saved games, newest first."""

    games: list[GameSummary] = Field(max_length=100)
    total: int = Field(ge=0)


class Refusal(Answer):
    """Why a move cannot be played; the same words as the `illegal-move` error of a move that was sent."""

    move: MoveView | None = Field(description="the move that was meant, if it may be played after all")
    message: Sentence = Field(default="", description='"You must capture: 22x15 or 23x16"')
    detail: Sentence = Field(default="", description='"28-24 is refused: a capture is never optional."')
    moves: list[MoveView] = Field(default_factory=list, max_length=256, description="what must be played instead")


class HintView(Answer):
    """One of three steps: where to look, what to move, the move and why."""

    version: Version
    step: int = Field(ge=1, le=3)
    sentence: Sentence
    cells: Cells = Field(description="to be lit: an area, a column or piece, a path")
    move: MoveView | None = Field(default=None, description="on step 3")


# Requests


class ClockRequest(Request):
    """A clock for both sides."""

    base_ms: int = Field(ge=10_000, le=3 * 3600 * 1000)
    increment_ms: int = Field(default=0, ge=0, le=60_000)


class NewGame(Request):
    """A game to begin."""

    game: GameName
    width: Width = 7
    height: Height = 6
    position: str = Field(default="", max_length=MAX_TEXT, description="FEN or moves; empty is the start")
    seats: list[PlayerName] = Field(min_length=2, max_length=2, description="by side: 0 then 1")
    strict: bool = False
    clock: ClockRequest | None = None
    time_ms: int = Field(default=2_500, ge=0, le=MAX_TIME_MS)
    paused: bool = False
    no_progress: Literal["official", "classroom", "none"] = "official"
    seed: int | None = Field(default=None, ge=0, le=2**31 - 1, description="makes levels repeatable")


class VersionRequest(Request):
    """A command that needs nothing but the version it was meant for."""

    version: Version


class MoveRequest(VersionRequest):
    """A move of the human to move."""

    move: MoveText


class TakebackRequest(VersionRequest):
    """Back to where a human last chose, or by so many plies."""

    plies: int | None = Field(default=None, ge=1, le=MAX_PLIES)


class ResignRequest(VersionRequest):
    """Without a side: the only human, else the side to move."""

    side: SideNumber | None = None


class DrawRequest(VersionRequest):
    """An offer, or the answer of the other human to one."""

    action: Literal["offer", "accept", "decline"] = "offer"


class HintRequest(VersionRequest):
    """How much to tell."""

    step: int = Field(ge=1, le=3)


class SeatsRequest(VersionRequest):
    """New players; a seat left out keeps its own."""

    first: PlayerName | None = None
    second: PlayerName | None = None


class PaceRequest(Request):
    """Thinking time and pause, changed while the game runs; what is left out stays."""

    time_ms: int | None = Field(default=None, ge=0, le=MAX_TIME_MS)
    paused: bool | None = None


# Events of a game's WebSocket


class StateEvent(Answer):
    """The game changed; also the first message, and the answer to `resume` when something is newer."""

    kind: Literal["state"] = "state"
    game: GameView


class ThinkingEvent(Answer):
    """A search goes on; at most four a second."""

    kind: Literal["thinking"] = "thinking"
    version: Version
    is_queued: bool = Field(description="no worker is free yet")
    opinion: Opinion


class ClockEvent(Answer):
    """Time left, now and then while a clock runs."""

    kind: Literal["clock"] = "clock"
    version: Version
    clock: ClockView


class PongEvent(Answer):
    """The answer to a ping."""

    kind: Literal["pong"] = "pong"


class ErrorEvent(Answer):
    """A message that could not be understood, or a socket about to be closed."""

    kind: Literal["error"] = "error"
    error: ErrorView


class PingMessage(Request):
    """Are you there?"""

    kind: Literal["ping"]


class ResumeMessage(Request):
    """The page has this revision; send `state` if there is a newer one."""

    kind: Literal["resume"]
    revision: Version


# Errors


class ErrorView(Answer):
    """What was refused, why, and what can be done instead."""

    kind: Literal[
        "invalid",  # 422: a field is missing, of the wrong type or out of bounds
        "notation",  # 422: the text cannot be read
        "illegal-position",  # 422: the text is fine, the position cannot be; see reasons
        "illegal-move",  # 409: see moves, those that may be played
        "unknown-player",  # 422
        "unknown-game",  # 404: no such game id
        "not-found",  # 404: no such path
        "method",  # 405
        "stale",  # 409: the game has changed; see version
        "game-over",  # 409
        "not-now",  # 409: not this side's turn, nothing to take back, a strict game, ...
        "engine",  # 502: the player failed
        "busy",  # 503: too many games, sockets or searches
        "rate",  # 429
        "forbidden",  # 403: Host or Origin
        "too-large",  # 413
        "internal",  # 500
    ]
    message: Sentence = Field(description='"You must capture: 22x15 or 23x16"')
    detail: Sentence = Field(default="", description='"28-24 is refused: a capture is never optional."')
    reasons: list[Sentence] = Field(default_factory=list, max_length=20)
    moves: list[MoveView] = Field(default_factory=list, max_length=256, description="what must be played instead")
    version: Version | None = Field(default=None, description="the game's, when the request was stale")


class ErrorBody(Answer):
    """The one shape of every failed request."""

    error: ErrorView


ErrorEvent.model_rebuild()

Event = Annotated[StateEvent | ThinkingEvent | ClockEvent | PongEvent | ErrorEvent, Field(discriminator="kind")]
ClientMessage = Annotated[PingMessage | ResumeMessage, Field(discriminator="kind")]
EVENT: TypeAdapter[StateEvent | ThinkingEvent | ClockEvent | PongEvent | ErrorEvent] = TypeAdapter(Event)
CLIENT_MESSAGE: TypeAdapter[PingMessage | ResumeMessage] = TypeAdapter(ClientMessage)


def socket_schemas() -> dict[str, Any]:
    """The WebSocket's types as OpenAPI components, which FastAPI leaves out by itself."""
    reference = "#/components/schemas/{model}"
    event = EVENT.json_schema(ref_template=reference, mode="serialization")
    message = CLIENT_MESSAGE.json_schema(ref_template=reference, mode="validation")
    parts = event.pop("$defs", {}) | message.pop("$defs", {})
    return {**parts, "Event": event, "ClientMessage": message}
