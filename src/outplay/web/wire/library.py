"""The library: lists of saved games, and games in and out of it as text."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from outplay.web.wire.base import Answer, GameId, GameName, Ply, Request, Sentence, SideNumber, Title
from outplay.web.wire.positions import PositionView

MAX_IMPORT = 4 * 1024 * 1024
"""Characters that may be pasted into the library at a time."""
MAX_IMPORTED = 5_000
"""Games of one import; what comes after them is left out, and told."""

OutcomeFilter = Literal["first", "second", "draw", "over", "unfinished"]
ExportFormat = Literal["pdn", "json", "svg", "fen"]


class GameSummary(Answer):
    """A saved game in a list."""

    id: GameId
    game: GameName
    title: Title
    seats: list[Title] = Field(min_length=2, max_length=2, description="who played, by side: 0 then 1")
    plies: Ply
    result: Literal["1-0", "0-1", "1/2-1/2", "*"] = Field(description="seen from side 0")
    winner: SideNumber | None
    sentence: Sentence = Field(description="how it ended, or how far it has come")
    is_over: bool
    opening: Title = Field(description="its first moves; empty if it did not begin at the usual start")
    event: Title
    date: str = Field(max_length=10, description="the day it was played, as far as it is known: 1958-09, or nothing")
    is_imported: bool = Field(description="a record: it cannot be changed, only looked at and played on from")
    is_study: bool = Field(description="moves tried on the analysis board: open it there")
    changed: str = Field(max_length=40, description="ISO 8601, UTC")


class GameList(Answer):
    """Saved games, newest first."""

    games: list[GameSummary] = Field(max_length=100)
    total: int = Field(ge=0, description="all games that fit the filters")


class GamesRequest(Request):
    """Some games by their ids."""

    ids: list[GameId] = Field(min_length=1, max_length=5_000)


class GamesAnswer(Answer):
    """What became of some games."""

    ids: list[GameId] = Field(description="those that were there")
    sentence: Sentence


class ImportRequest(Request):
    """A text of any kind: PDN, our JSON, FEN, moves, digits, rows, a link of ours."""

    text: str = Field(min_length=1, max_length=MAX_IMPORT)
    game: GameName | None = Field(default=None, description="what is meant where the text does not say")


class ImportProblem(Answer):
    """A game of the text that cannot be read; the others are not harmed by it."""

    number: int = Field(ge=1, description="the how-manieth game of the text")
    line: int = Field(ge=1)
    message: Sentence


class ImportAnswer(Answer):
    """What was found in a text, and is now in the library."""

    ids: list[GameId] = Field(max_length=MAX_IMPORTED, description="the new games, in the order of the text")
    games: list[GameSummary] = Field(max_length=20, description="the first of them")
    found: GameId | None = Field(description="a game of this library that a link of ours names: nothing new then")
    position: PositionView | None = Field(description="where there is only a position")
    game: GameName | None = Field(description="of that position")
    problems: list[ImportProblem] = Field(max_length=100)
    problem_count: int = Field(ge=0)
    notes: list[Sentence] = Field(max_length=20, description="what was odd and has been read all the same")
    sentence: Sentence = Field(description='"723 games imported, 1 cannot be read."')


class Export(Answer):
    """A game, or some, as the text of a file."""

    name: str = Field(max_length=100, description="a name for the file")
    media: str = Field(max_length=60, description="its media type")
    text: str
