"""JSON of a class: its people, its running games as small boards, its tournament."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field, TypeAdapter

from outplay.store.people import MOST_NAME
from outplay.web.play.wire import ClockRequest, ClockView, ErrorEvent, PongEvent
from outplay.web.wire import Board, GameName, Height, PlayerName, Reply, Request, SideNumber, Width

MAX_TITLE = 60
MOST_PAIRS = 250

Person = Annotated[str, Field(pattern=r"^[0-9a-f]{12}$", description="the id of a person, as in /api/me")]


class NewClass(Request):
    """A class to open."""

    title: str = Field(default="", max_length=MAX_TITLE)


class JoinRequest(Request):
    """The name by which a pupil is known in the class."""

    name: str = Field(min_length=1, max_length=MOST_NAME)


class OfferRequest(Request):
    """What is played."""

    game: GameName = "connect4"
    width: Width = 7
    height: Height = 6
    clock: ClockRequest | None = None
    strict: bool = Field(default=True, description="no takeback, no redo, no hint")


class PairRequest(OfferRequest):
    """Who plays whom. Default: everyone who is here and has no game, against a new opponent if possible."""

    pairs: list[Annotated[list[Person], Field(min_length=2, max_length=2)]] | None = Field(
        default=None, max_length=MOST_PAIRS, description="pairs of people; the first of each pair moves first"
    )


class AskRequest(OfferRequest):
    """A pupil asks another pupil for a game. If the other pupil has asked too, the game begins."""

    person: Person


class PauseRequest(Request):
    """Stop all boards, or let them go on."""

    paused: bool


class PupilRequest(Request):
    """The corrected name of a pupil; without a name, the pupil is removed."""

    person: Person
    name: str | None = Field(default=None, min_length=1, max_length=MOST_NAME)


class SeatRequest(Request):
    """A seat to give to an engine, because its pupil is away."""

    game: str = Field(max_length=32, description="id of a game of the class")
    side: SideNumber
    player: PlayerName


class EndGameRequest(Request):
    """A game of the class to end, and who wins it."""

    game: str = Field(max_length=32, description="id of a game of the class")
    winner: SideNumber | None = Field(description="null: a draw")


class TournamentRequest(OfferRequest):
    """A tournament of everyone who is here."""

    format: Literal["swiss", "round-robin"] = "swiss"
    rounds: int | None = Field(default=None, ge=1, le=99, description="default: as many as the format needs")


class PupilView(Reply):
    """A pupil."""

    person: str
    name: str
    is_here: bool
    seconds_away: int = Field(description="0 while the pupil is here, and if the server has not seen the pupil yet")
    game: str | None = Field(description="id of the running game")
    sentence: str = Field(description='"waiting", "plays Mia", "away 3 min"')


class Tile(Reply):
    """A game of the class as a small board."""

    id: str
    game: GameName
    width: int
    height: int
    names: list[str]
    board: Board
    last: list[int] = Field(description="the cells of the last move")
    turn: SideNumber
    is_over: bool
    sentence: str = Field(description='"Mia to move", "Ben wins"')
    clock: ClockView | None
    round: int


class StandingView(Reply):
    """A row of the tournament's table."""

    place: int
    person: str
    name: str
    points: float
    won: int
    drawn: int
    lost: int
    byes: int
    buchholz: float = Field(description="the points of all opponents together; it breaks ties")


class ClassTournamentView(Reply):
    """The tournament of a class."""

    format: Literal["swiss", "round-robin"]
    game: GameName
    round: int
    rounds: int
    is_round_over: bool
    is_over: bool
    sentence: str = Field(description='"Round 2 of 5: 3 games still running."')
    resting: list[str] = Field(description="the names of those who have a bye in this round")
    standings: list[StandingView]


class ClassView(Reply):
    """A class, as one person sees it."""

    code: str
    title: str
    is_teacher: bool
    name: str = Field(description="your name in the class; empty before you join, and for the teacher")
    is_paused: bool
    is_over: bool
    sentence: str = Field(description='"26 here, 2 away. 11 games running, 4 free."')
    people: list[PupilView] = Field(description="free first, then those who play, then those who are away")
    tiles: list[Tile] = Field(description="running games, then those that ended last; a pupil sees only their own game")
    asked_by: list[str] = Field(description="the people who ask the pupil for a game")
    asking: str = Field(description="the id of the pupil who was asked; empty if none")
    tournament: ClassTournamentView | None


class ClassEntry(Reply):
    """A class in a list."""

    code: str
    title: str
    is_teacher: bool
    is_over: bool
    people: int


class ClassList(Reply):
    """The classes of a person, newest first."""

    classes: list[ClassEntry]


class ClassEvent(Reply):
    """The class has changed. This is also the first message."""

    kind: Literal["class"] = "class"
    view: ClassView


class TilesEvent(Reply):
    """Boards that changed."""

    kind: Literal["tiles"] = "tiles"
    tiles: list[Tile]


AnyEvent = ClassEvent | TilesEvent | PongEvent | ErrorEvent
EVENT: TypeAdapter[AnyEvent] = TypeAdapter(Annotated[AnyEvent, Field(discriminator="kind")])


def socket_schemas() -> dict[str, Any]:
    """Return the types of the class's WebSocket as OpenAPI components, which FastAPI leaves out."""
    event = EVENT.json_schema(ref_template="#/components/schemas/{model}", mode="serialization")
    return {**event.pop("$defs", {}), "ClassroomEvent": event}
