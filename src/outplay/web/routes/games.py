"""Games: new ones, one, and the one that follows it."""

from __future__ import annotations

from fastapi import APIRouter

from outplay.web import wire
from outplay.web.positions import read_text
from outplay.web.routes.desk import ERRORS, AllGames, Client, TheVisit

router = APIRouter(prefix="/games", responses=ERRORS)


@router.post("", status_code=201)
def new_game(request: wire.NewGame, games: AllGames, client: Client) -> wire.GameView:
    """Begin a game."""
    start = read_text(request.game, request.position, (request.width, request.height)).position
    return games.create(request, start, client).view()


@router.get("/{id}")
def one_game(visit: TheVisit) -> wire.GameView:
    """A game, whole."""
    with visit.room() as room:
        return room.view()


@router.post("/{id}/rematch", status_code=201)
def rematch(visit: TheVisit, request: wire.VersionRequest) -> wire.GameView:
    """A new game with the seats swapped; asked for again, the same one."""
    with visit.room() as room:
        room.check(request.version)
        return visit.games.rematch(room, visit.client).view()
