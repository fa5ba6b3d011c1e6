"""JSON of the play page: players on offer, games in progress, commands, the events of a socket."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field, TypeAdapter, model_validator

from outplay.live import DEFAULT_TIME_MS
from outplay.web.wire import (
    MAX_PLIES,
    MAX_TEXT,
    MAX_TIME_MS,
    Board,
    ErrorView,
    GameInfo,
    GameName,
    Height,
    KnownBy,
    MarkView,
    MoveText,
    MoveView,
    NoProgressName,
    OpinionLine,
    OutcomeView,
    PlayerName,
    PositionView,
    Reply,
    Request,
    SideNumber,
    Version,
    Width,
)


class PositionRequest(Request):
    """A position to read: a text in any notation, or a board and its side to move."""

    game: GameName | None = Field(default=None, description="default: recognised from the text; required for a board")
    width: Width = 7
    height: Height = 6
    text: str | None = Field(default=None, max_length=MAX_TEXT, description="FEN, moves, digits or rows")
    board: Board | None = None
    side: SideNumber | None = None
    move: MoveText | None = Field(default=None, description="a move to check there; the answer is in `refusal`")


class RefusalView(Reply):
    """Why a move cannot be played, or a piece cannot move, in the words of the `illegal-move` error."""

    move: MoveView | None = Field(description="the move, if it is legal after all")
    message: str = Field(default="", description='"You must capture: 22x15 or 23x16"')
    detail: str = Field(default="", description='"28-24 is refused: a capture is never optional."')
    moves: list[MoveView] = Field(default_factory=list, description="what must be played instead")


class PositionAnswer(Reply):
    """The position that was read, or the reasons why there is none."""

    game: GameName | None = Field(description="null if the request names no game and the text cannot be read")
    position: PositionView | None
    what: str = Field(description='how the text was read: "Connect Four: 4 moves"; empty if there is no text')
    problems: list[str] = Field(default_factory=list)
    moves: list[str] = Field(description="the moves that led here, when known")
    legal: list[MoveView]
    must_capture: bool = Field(description="a capture is compulsory: every legal move is a capture")
    sentence: str = Field(description='"Red to move, 14 discs." or how the game ended; empty if there is no position')
    is_over: bool
    refusal: RefusalView | None = Field(default=None, description="why the move of the request cannot be played")


class OpinionView(Reply):
    """What the player to move thinks, or thought before it moved."""

    ply: int = Field(description="number of moves played when the player was asked")
    side: SideNumber
    player: str
    title: str
    lines: list[OpinionLine] = Field(description="best first; moves not judged are left out")
    liked: str | None = Field(default=None, description="the move it thinks best")
    played: str | None = Field(default=None, description="null while it is thinking")
    known_by: KnownBy = "search"
    depth: int
    nodes: int
    time_ms: int
    verdict: str = Field(default="", description='a proof in words: "Red wins in 8"; empty for an estimate')
    remark: str = Field(default="", description='"I liked 7-10 best, but played 15-19: level 2 makes mistakes."')


class About(Reply):
    """What a page needs before its first game."""

    version: str
    games: list[GameInfo]
    warning: str | None = Field(default=None, description="why games are not saved; null if they are saved")
    data: str = Field(default="", description="where games are kept, in words")
    time_ms: int = Field(description="default thinking time per move")
    max_time_ms: int
    strict: str = Field(description='what a strict game forbids: "no takeback, no hints"')
    messages: list[str] = Field(description="what people can say to each other")
    address: str = Field(description="where other machines reach this server; empty if they cannot, or behind a proxy")
    bots: str = Field(description="what protects this server from the bots, in words; empty if there are no bots")


class SeatView(Reply):
    """The player of a side."""

    side: SideNumber
    side_name: str = Field(description='"Red"')
    player: str
    kind: Literal["human", "level", "lab", "engine", "bot"]
    title: str = Field(description='"You", "Planner"; for two humans, the sides or the names in an imported game')
    level: int | None = Field(default=None)
    short: str = ""
    person: str = Field(default="", description="who holds the seat, by the id of /api/me; empty for an engine")
    is_free: bool = Field(default=False, description="the seat waits for a friend")


class PlayedMove(Reply):
    """A move that was played, with the board after it, so that a game can be browsed without the server."""

    ply: int = Field(description="from 1")
    side: SideNumber
    text: str
    path: list[int]
    captures: list[int]
    board: str


class ClockView(Reply):
    """Time left; the page counts down while `running` names a side."""

    left_ms: list[int]
    running: SideNumber | None
    base_ms: int
    increment_ms: int


class FailureView(Reply):
    """An engine that failed; the game waits for /retry or /seats."""

    side: SideNumber
    title: str
    message: str


class AllowedView(Reply):
    """Which commands are possible now; the page shows the others disabled."""

    takeback: bool
    redo: bool
    hint: bool
    resign: bool
    draw: bool
    step: bool


class GameView(Reply):
    """One complete game."""

    id: str
    version: int
    revision: int
    game: GameName
    title: str
    strict: bool = Field(description="no takeback, no redo, no hint")
    is_record: bool = Field(description="imported: it cannot be changed")
    seats: list[SeatView] = Field(description="side 0, then side 1")
    start: PositionView
    position: PositionView
    moves: list[PlayedMove]
    undone: int = Field(description="number of moves that /redo can bring back")
    legal: list[MoveView] = Field(description="empty unless it is a human's turn")
    must_capture: bool = Field(description="it is a human's turn, and every legal move is a capture")
    status: Literal["human", "thinking", "paused", "failed", "over"] = Field(
        description="`paused` only when it is an engine's turn; thinking includes waiting for a free worker"
    )
    sentence: str = Field(description='for the live region: "Yellow, column 2. Your move."')
    advice: str = Field(description='what a human can play now: "Ringed pieces can capture, and one of them must."')
    notice: str = Field(
        default="", description='"Planner declines the draw." until the next change; "Paused by your teacher."'
    )
    outcome: OutcomeView | None
    failure: FailureView | None = None
    draw_offer: SideNumber | None = Field(default=None, description="the human side that offered a draw")
    takeback_offer: SideNumber | None = Field(default=None, description="the side that asked to take a move back")
    owner: str = Field(default="", description="who made the game: the id of /api/me; empty without an owner")
    is_shared: bool = Field(default=False, description="two people play it, or a seat waits for a friend")
    in_class: bool = Field(default=False, description="played in a class, whose teacher decides who plays next")
    paused: bool
    time_ms: int = Field(description="thinking time per move; 0 is turbo")
    clock: ClockView | None
    opinions: list[OpinionView] = Field(description="the last search of each engine, newest first")
    allowed: AllowedView
    rematch: str | None = Field(default=None, description="id of the rematch")
    rematch_by: SideNumber | None = Field(default=None, description="the side that asked for it")


class HintView(Reply):
    """One of three steps: where to look, what to move, the move and why."""

    version: int
    step: int
    sentence: str = Field(description="the complete hint")
    reason: str = Field(description='in step 3 the sentence without the line: "18x25: it takes a man."')
    line: str = Field(description='in step 3 the expected continuation: "The engine expects 28-24 25-29."; often empty')
    cells: list[int] = Field(description="cells to highlight: an area, a column or piece, a path")
    move: MoveView | None = Field(default=None, description="in step 3")
    marks: list[MarkView] = Field(
        default=[], description="in step 3, the marks on the board that illustrate the reason"
    )


class ClockRequest(Request):
    """A clock for both sides."""

    base_ms: int = Field(ge=10_000, le=3 * 3600 * 1000)
    increment_ms: int = Field(default=0, ge=0, le=60_000)


class NewGame(Request):
    """A game to start."""

    game: GameName
    width: Width = 7
    height: Height = 6
    position: str = Field(default="", max_length=MAX_TEXT, description="FEN or moves; empty for the start position")
    seats: list[PlayerName] = Field(min_length=2, max_length=2, description="side 0, then side 1")
    friend: SideNumber | None = Field(default=None, description="the seat that a link gives away; it must be `human`")
    strict: bool = False
    clock: ClockRequest | None = None
    time_ms: int = Field(default=DEFAULT_TIME_MS, ge=0, le=MAX_TIME_MS)
    paused: bool = False
    no_progress: NoProgressName = "official"
    seed: int | None = Field(default=None, ge=0, le=2**31 - 1, description="makes levels repeatable")

    @model_validator(mode="after")
    def _friends_are_human(self) -> NewGame:
        if self.friend is not None and any(seat != "human" for seat in self.seats):
            raise ValueError("a game with a friend has two humans")
        return self


class VersionRequest(Request):
    """A command that has only the version of the game for which it is meant."""

    version: Version


class MoveRequest(VersionRequest):
    """A move of the human to move."""

    move: MoveText


class TakebackRequest(VersionRequest):
    """Take back `plies` plies. Default: back to your last turn. With two people: ask the other one, or answer."""

    plies: int | None = Field(default=None, ge=1, le=MAX_PLIES)
    action: Literal["ask", "agree", "refuse"] = "ask"


class SitRequest(Request):
    """The secret from the link to a free seat."""

    invitation: str = Field(min_length=1, max_length=64)


class Invitation(Reply):
    """The link to the free seat: `/play/{id}/sit/{invitation}`."""

    id: str
    invitation: str = Field(description="empty if no seat is free")


MESSAGES = (
    "Hello!",
    "Have fun!",
    "Good move!",
    "Oops.",
    "I am thinking.",
    "Take your time.",
    "Sorry, I must go.",
    "Good game!",
    "Thank you!",
    "Again?",
)
"""The messages that people can send each other; there is no free text."""


class SayRequest(Request):
    """One of the ready-made messages, by its place in the list."""

    message: int = Field(ge=0, lt=len(MESSAGES))


class Said(Reply):
    """A message, and the side that sent it."""

    side: SideNumber
    text: str


class ResignRequest(VersionRequest):
    """Resign for a side. Default: the only human, otherwise the side to move."""

    side: SideNumber | None = None


class DrawRequest(VersionRequest):
    """A draw offer, or the other human's answer to one."""

    action: Literal["offer", "accept", "decline"] = "offer"


class HintRequest(VersionRequest):
    """The step of a hint."""

    step: int = Field(ge=1, le=3)


class SeatsRequest(VersionRequest):
    """New players; a seat that is left out keeps its player."""

    first: PlayerName | None = None
    second: PlayerName | None = None


class PaceRequest(Request):
    """Thinking time and pause, changed during the game; fields that are left out stay as they are."""

    time_ms: int | None = Field(default=None, ge=0, le=MAX_TIME_MS)
    paused: bool | None = None


class StateEvent(Reply):
    """The whole game: sent first, after every change, and after `resume` if there is a newer revision."""

    kind: Literal["state"] = "state"
    game: GameView


class ThinkingEvent(Reply):
    """A search is running; at most four events a second."""

    kind: Literal["thinking"] = "thinking"
    version: int
    is_queued: bool = Field(description="no worker is free yet")
    opinion: OpinionView


class ClockEvent(Reply):
    """The time left, sent regularly while a clock runs."""

    kind: Literal["clock"] = "clock"
    version: int
    clock: ClockView


class PeopleEvent(Reply):
    """Who is at the board. Sent first, and when a player or a watcher comes or goes."""

    kind: Literal["people"] = "people"
    here: list[bool] = Field(description="for each side whether its person has the page open; true for engines")
    watchers: int = Field(description="people who only watch")


class SaidEvent(Reply):
    """A player sent one of the ready-made messages."""

    kind: Literal["said"] = "said"
    said: Said


class PongEvent(Reply):
    """The answer to a ping."""

    kind: Literal["pong"] = "pong"


class ErrorEvent(Reply):
    """A message that could not be understood, or a socket about to be closed."""

    kind: Literal["error"] = "error"
    error: ErrorView


class PingMessage(Request):
    """A ping; the server answers with a pong."""

    kind: Literal["ping"]


class ResumeMessage(Request):
    """The revision that the page has; the server sends `state` if there is a newer one."""

    kind: Literal["resume"]
    revision: Version


AnyEvent = StateEvent | ThinkingEvent | ClockEvent | PeopleEvent | SaidEvent | PongEvent | ErrorEvent
Event = Annotated[AnyEvent, Field(discriminator="kind")]
ClientMessage = Annotated[PingMessage | ResumeMessage, Field(discriminator="kind")]
EVENT: TypeAdapter[AnyEvent] = TypeAdapter(Event)
CLIENT_MESSAGE: TypeAdapter[PingMessage | ResumeMessage] = TypeAdapter(ClientMessage)


def socket_schemas() -> dict[str, Any]:
    """Return the WebSocket's types as OpenAPI components, which FastAPI leaves out."""
    reference = "#/components/schemas/{model}"
    event = EVENT.json_schema(ref_template=reference, mode="serialization")
    message = CLIENT_MESSAGE.json_schema(ref_template=reference, mode="validation")
    parts = event.pop("$defs", {}) | message.pop("$defs", {})
    return {**parts, "Event": event, "ClientMessage": message}
