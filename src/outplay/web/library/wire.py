"""JSON of the library: lists of saved games, and games in and out of it as text."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from outplay.web.wire import GameId, GameName, PositionView, Reply, Request, SideNumber

MAX_IMPORT = 4 * 1024 * 1024
"""Characters that may be pasted into the library at a time."""
OutcomeFilter = Literal["first", "second", "draw", "over", "unfinished"]
ExportFormat = Literal["pdn", "json", "svg", "fen"]


class GameSummary(Reply):
    """A saved game in a list."""

    id: str
    game: GameName
    title: str
    seats: list[str] = Field(description="who played, by side: 0 then 1")
    plies: int
    result: Literal["1-0", "0-1", "1/2-1/2", "*"] = Field(description="seen from side 0")
    winner: SideNumber | None
    sentence: str = Field(description="how it ended, or how far it has come")
    is_over: bool
    opening: str = Field(description="its first moves; empty if it did not begin at the usual start")
    event: str
    date: str = Field(description="the day it was played, as far as it is known: 1958-09, or nothing")
    is_imported: bool = Field(description="a record: it cannot be changed, only looked at and played on from")
    is_study: bool = Field(description="moves tried on the analysis board: open it there")
    changed: str = Field(description="ISO 8601, UTC")


class GameList(Reply):
    """Saved games, newest first."""

    games: list[GameSummary]
    total: int = Field(description="all games that fit the filters")


class GamesRequest(Request):
    """Some games by their ids."""

    ids: list[GameId] = Field(min_length=1, max_length=5_000)


class GamesAnswer(Reply):
    """What became of some games."""

    ids: list[str] = Field(description="those that were there")
    sentence: str


class ImportRequest(Request):
    """A text of any kind: PDN, our JSON, FEN, moves, digits, rows, a link of ours."""

    text: str = Field(min_length=1, max_length=MAX_IMPORT)
    game: GameName | None = Field(default=None, description="what is meant where the text does not say")


class ImportProblem(Reply):
    """A game of the text that cannot be read; the others are not harmed by it."""

    number: int = Field(description="the number of the game in the text, from 1")
    line: int
    message: str


class ImportAnswer(Reply):
    """What was found in a text, and is now in the library."""

    what: str = Field(description='what the text was taken for: "checkers: 12 games (PDN), 1 not readable"')
    ids: list[str] = Field(description="the new games, in the order of the text")
    games: list[GameSummary] = Field(description="the first of them")
    found: str | None = Field(description="a game of this library that a link of ours names: nothing new then")
    position: PositionView | None = Field(description="where there is only a position")
    game: GameName | None = Field(description="of that position")
    problems: list[ImportProblem]
    problem_count: int
    notes: list[str] = Field(description="what was odd and has been read all the same")
    sentence: str = Field(description='"723 games imported, 1 cannot be read."')


class Export(Reply):
    """A game, or some, as the text of a file."""

    name: str = Field(description="a name for the file")
    media: str = Field(description="its media type")
    text: str
