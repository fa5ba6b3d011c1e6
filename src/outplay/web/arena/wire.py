"""JSON of the arena: a tournament of engines with its standings, cross table and games."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from outplay.store.tournaments import TournamentStatus
from outplay.web.classroom.wire import Tile
from outplay.web.wire import GameName, PlayerInfo, PlayerName, Reply, Request

MOST_PLAYERS = 24
MOST_GAMES_EACH = 100
LEAST_TIME_MS = 10

ArenaKind = Literal["round-robin", "gauntlet", "swiss"]
ReportFormat = Literal["html", "csv", "games", "pdn"]
PlayerIndex = Annotated[int, Field(ge=0, lt=MOST_PLAYERS)]


class NewTournament(Request):
    """A tournament to begin."""

    game: GameName = "connect4"
    players: list[PlayerName] = Field(min_length=2, max_length=MOST_PLAYERS, description="each player only once")
    kind: ArenaKind = Field(default="round-robin", description="in a gauntlet, the first player meets all others")
    games: int = Field(default=2, ge=1, le=MOST_GAMES_EACH, description="for each pair; sides change after each game")
    time_ms: int = Field(default=100, ge=LEAST_TIME_MS, le=60_000, description="thinking time per move")
    seed: int | None = Field(default=None, ge=0, lt=2**31, description="for openings and players; default: a new one")


class ContestantInfo(Reply):
    """The players that can take part in a game's tournaments."""

    game: GameName
    title: str
    players: list[PlayerInfo]


class ArenaEntry(Reply):
    """A tournament in a list."""

    id: str
    game: GameName
    title: str = Field(description='"Connect Four, 8 players"')
    sentence: str = Field(description='"314 of 420 games"')
    status: TournamentStatus
    is_yours: bool
    owner: str = Field(description="the name of the person who began it; empty if that person has chosen none")
    began: str = Field(description="ISO 8601, UTC")


class ArenaInfo(Reply):
    """What the arena offers."""

    games: list[ContestantInfo]
    most_players: int
    most_games: int = Field(description="the most games in one tournament")
    max_time_ms: int
    slots: int = Field(description="number of games that are played at a time")
    protection: str = Field(description="what protects this machine from the bots; empty if there are no bots")
    tournaments: list[ArenaEntry] = Field(description="yours, and those of others that are not over; newest first")


class ArenaFailure(Reply):
    """What a player did wrong: the games count as lost."""

    count: int
    sentence: str = Field(description='"mybot failed in 3 games: ZeroDivisionError: division by zero"')
    trace: list[str] = Field(description="what it printed last, or its traceback")
    game: str | None = Field(description="the id of the first of these games")


class ArenaRow(Reply):
    """A player of the tournament."""

    player: PlayerIndex
    name: str
    what: str = Field(description='"level 8", "a bot of this server"')
    is_bot: bool
    place: int
    games: int
    won: int
    drawn: int
    lost: int
    byes: int
    points: float
    elo: float | None = Field(description="null before the first game")
    error: float | None = Field(description="half of the width of the 95 % interval")
    failure: ArenaFailure | None


class ArenaCell(Reply):
    """The games of the player in a row against the player in a column."""

    games: int
    points: float
    against: float
    is_playing: bool


class ArenaAbsence(Reply):
    """A player that could not start, and why."""

    name: str
    reason: str


class ArenaGame(Reply):
    """A finished game."""

    id: str = Field(description="the id with which a page opens it on the analysis board")
    key: str = Field(description="round, board, pair, and game of the pair: 3.7.2.1")
    names: list[str]
    players: list[int]
    result: Literal["1-0", "0-1", "1/2-1/2"]
    sentence: str = Field(description='"Planner wins: four in a row, 23 moves."')
    opening: str
    plies: int
    failure: str


class ArenaGames(Reply):
    """Finished games, the newest first."""

    games: list[ArenaGame]
    total: int


class ArenaView(Reply):
    """A tournament."""

    id: str
    game: GameName
    kind: ArenaKind
    status: TournamentStatus
    revision: int = Field(description="increases with every finished game and every command")
    is_yours: bool
    owner: str
    title: str = Field(description='"Seven players, everyone against everyone"')
    terms: str = Field(description='"Connect Four, 20 games for each pair, 100 ms for a move"')
    sentence: str = Field(description='"314 of 420 games, about 2 minutes to go, estimated."')
    message: str = Field(description="why it failed")
    played: int
    planned: int
    rows: list[ArenaRow] = Field(description="the best rating first")
    cross: list[list[ArenaCell | None]] = Field(
        description="in the order of the rows; null if the two have no game against each other"
    )
    absent: list[ArenaAbsence]
    notes: list[str] = Field(description="how to read the table, and what the bots on this server are allowed to do")
    now: list[Tile] = Field(description="the games that are played now; `id` is the key of the game")
    recent: list[ArenaGame] = Field(description="the games that ended last")
