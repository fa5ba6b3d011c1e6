"""What every endpoint needs: the games of this server, and who asks."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Annotated, Any

from fastapi import Depends, Path, Request
from starlette.requests import HTTPConnection

from outplay.live import LiveGame
from outplay.web import wire
from outplay.web.games import Games
from outplay.web.limits import client_of
from outplay.web.room import Room

ERRORS: dict[int | str, dict[str, Any]] = {"default": {"model": wire.ErrorBody, "description": "What went wrong."}}


@dataclass(frozen=True, slots=True)
class Visit:
    """A request for one game."""

    game_id: str
    games: Games
    client: str
    is_command: bool = False
    """Commands change the game: none is for a record."""

    @contextmanager
    def room(self) -> Iterator[Room]:
        """The game, in memory while the block lasts."""
        with self.games.room(self.game_id, self.client) as room:
            if self.is_command:
                room.check_is_no_record()
            yield room

    def do(self, command: Callable[[LiveGame], object]) -> wire.GameView:
        """Carry out a command; the game after it, saved."""
        with self.room() as room:
            return room.do(command)


# async, though they wait for nothing: FastAPI then calls them in place and not in a thread


async def games_of(connection: HTTPConnection) -> Games:
    return all_games(connection)


async def _client(request: Request) -> str:
    return client_of(request.scope)


AllGames = Annotated[Games, Depends(games_of)]
Client = Annotated[str, Depends(_client)]


async def _visit(
    game_id: Annotated[wire.GameId, Path(alias="id", description="of a game")], games: AllGames, client: Client
) -> Visit:
    return Visit(game_id, games, client)


TheVisit = Annotated[Visit, Depends(_visit)]
"""The game that the path names."""


async def _command(visit: TheVisit) -> Visit:
    return replace(visit, is_command=True)


TheCommand = Annotated[Visit, Depends(_command)]
"""A command for the game that the path names."""


def all_games(connection: HTTPConnection) -> Games:
    games: Games = connection.app.state.games
    return games
