"""What every endpoint needs: the games of this server, and who asks."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any

from fastapi import Depends, Path, Request
from starlette.requests import HTTPConnection

from outplay.web import wire
from outplay.web.games import Games
from outplay.web.limits import client_of
from outplay.web.room import Room

ERRORS: dict[int | str, dict[str, Any]] = {"default": {"model": wire.ErrorBody, "description": "What went wrong."}}


def games_of(connection: HTTPConnection) -> Games:
    games: Games = connection.app.state.games
    return games


def _client(request: Request) -> str:
    return client_of(request.scope)


AllGames = Annotated[Games, Depends(games_of)]
Client = Annotated[str, Depends(_client)]
Id = Annotated[wire.GameId, Path(alias="id", description="of a game")]


def _room(game_id: Id, games: AllGames, client: Client) -> Iterator[Room]:
    with games.room(game_id, client) as room:
        yield room


TheRoom = Annotated[Room, Depends(_room)]
"""The game that the path names; it stays in memory while the request lasts."""
