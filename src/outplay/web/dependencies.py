"""The dependencies of every endpoint: the games of this server, the client, and the person."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Annotated, Any

from fastapi import Depends, Path, Request
from starlette.requests import HTTPConnection

from outplay.live import LiveGame
from outplay.store import SavedGame
from outplay.web.http.lanes import Lanes
from outplay.web.http.limits import client_of
from outplay.web.http.people import PERSON
from outplay.web.play.games import Games
from outplay.web.play.rights import Rights
from outplay.web.play.room import Room
from outplay.web.play.wire import GameView
from outplay.web.settings import Settings, is_loopback
from outplay.web.wire import ErrorBody, GameId

ERRORS: dict[int | str, dict[str, Any]] = {"default": {"model": ErrorBody, "description": "What went wrong."}}


@dataclass(frozen=True, slots=True)
class GameRequest:
    """A request for one game."""

    game_id: str
    games: Games
    client: str
    person: str
    is_command: bool = False
    """True for a command: it changes the game, so it is refused for imported games and for people who only watch."""

    @contextmanager
    def room(self) -> Iterator[Room]:
        """Yield the game, and keep it in memory while the block runs."""
        with self.games.room(self.game_id, self.client) as room:
            if self.is_command:
                self.games.store.check_writable()
                room.rights(self.person).check_player()
                room.check_is_no_record()
                room.wake()
            yield room

    def saved(self) -> SavedGame:
        """Return the game as it is in the store."""
        return self.games.saved(self.game_id)

    def check_mine(self) -> SavedGame:
        """Return the saved game. Raise NotYoursError unless the person made it or plays in it."""
        saved = self.saved()
        Rights(saved, self.person).check_player()
        return saved

    def do(self, command: Callable[[LiveGame], object]) -> GameView:
        """Run a command of the only person in the game, and return the saved game after it."""
        with self.room() as room:
            room.rights(self.person).check_alone()
            return room.do(command)


# async, although they wait for nothing: FastAPI then calls them directly and not in a thread


async def games_of(connection: HTTPConnection) -> Games:
    return all_games(connection)


async def _client(request: Request) -> str:
    return client_of(request.scope)


async def _person(request: Request) -> str:
    person: str = request.scope.get(PERSON, "")
    return person


async def _lanes(request: Request) -> Lanes:
    lanes: Lanes = request.app.state.lanes
    return lanes


AllGames = Annotated[Games, Depends(games_of)]
TheLanes = Annotated[Lanes, Depends(_lanes)]
Client = Annotated[str, Depends(_client)]
Person = Annotated[str, Depends(_person)]
"""The id of the person who sends the request."""


async def _game(
    game_id: Annotated[GameId, Path(alias="id", description="id of a game")],
    games: AllGames,
    client: Client,
    person: Person,
) -> GameRequest:
    return GameRequest(game_id, games, client, person)


TheGame = Annotated[GameRequest, Depends(_game)]
"""The game that the path names."""


async def _command(request: TheGame) -> GameRequest:
    return replace(request, is_command=True)


TheCommand = Annotated[GameRequest, Depends(_command)]
"""A command for the game that the path names."""


def all_games(connection: HTTPConnection) -> Games:
    games: Games = connection.app.state.games
    return games


def is_own_machine(request: Request) -> bool:
    """Return True for a request from the server's own machine. Behind a proxy, return False.

    With a proxy on this machine, requests from other machines seem to come from this one too.
    """
    settings: Settings = request.app.state.settings
    return not settings.proxies and request.client is not None and is_loopback(request.client.host)
