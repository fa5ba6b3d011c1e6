"""JSON of the library: lists of saved games, imports and exports."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from outplay.web.wire import GameId, GameName, PositionView, Reply, Request, SideNumber

MAX_IMPORT = 4 * 1024 * 1024
"""The most characters that may be pasted into the library at a time."""
OutcomeFilter = Literal["first", "second", "draw", "over", "unfinished"]
ExportFormat = Literal["pdn", "json", "svg", "fen"]


class GameSummary(Reply):
    """A saved game as an entry of a list."""

    id: str
    game: GameName
    title: str
    seats: list[str] = Field(description="the players: side 0, then side 1")
    plies: int
    result: Literal["1-0", "0-1", "1/2-1/2", "*"] = Field(description="seen from side 0")
    winner: SideNumber | None
    sentence: str = Field(description="how it ended, or the number of moves so far")
    is_over: bool
    opening: str = Field(description="its first moves; empty if it did not start from the usual position")
    event: str
    date: str = Field(description="the day it was played, as far as known: 1958-09, or empty")
    is_imported: bool = Field(description="a record: it cannot be changed, only viewed and continued in a new game")
    is_study: bool = Field(description="moves tried on the analysis board: open it there")
    is_yours: bool = Field(description="you made it: you can delete it")
    changed: str = Field(description="ISO 8601, UTC")


class DamagedGame(Reply):
    """A saved game that cannot be read."""

    id: str
    message: str


class GameList(Reply):
    """Saved games, newest first."""

    games: list[GameSummary]
    total: int = Field(description="number of games that match the filters")
    damaged: list[DamagedGame] = Field(description="games that were left out because they cannot be read")


class GamesRequest(Request):
    """Some games by their ids."""

    ids: list[GameId] = Field(min_length=1, max_length=5_000)


class GamesAnswer(Reply):
    """The result of a request about several games."""

    ids: list[str] = Field(description="the ids of the games that existed")
    sentence: str


class ImportRequest(Request):
    """A text in any notation: PDN, our JSON, FEN, moves, digits, rows, a link of ours."""

    text: str = Field(min_length=1, max_length=MAX_IMPORT)
    game: GameName | None = Field(default=None, description="which game it is, if the text does not show it")


class ImportProblem(Reply):
    """A game in the imported text that is not readable. All other games are imported."""

    number: int = Field(description="index of the game in the text, from 1")
    line: int
    message: str


class ImportAnswer(Reply):
    """What was found in a text and added to the library."""

    what: str = Field(description='how the text was read: "checkers: 12 games (PDN), 1 not readable"')
    ids: list[str] = Field(description="the ids of the new games, in the order of the text")
    games: list[GameSummary] = Field(description="the first of the new games, at most 20")
    found: str | None = Field(description="the game of this library that a link names; then nothing is added")
    position: PositionView | None = Field(description="set if the text is only a position")
    game: GameName | None = Field(description="the game of that position")
    problems: list[ImportProblem]
    problem_count: int
    notes: list[str] = Field(description="oddities of the text that did not prevent reading it")
    sentence: str = Field(description='the result in words: "723 games imported, 1 cannot be read."')


class Export(Reply):
    """One or more games as the text of a file."""

    name: str = Field(description="the suggested file name")
    media: str = Field(description="its media type")
    text: str
