"""What the page needs before its first game; reading positions; new games, one game, and its rematch."""

from __future__ import annotations

from fastapi import APIRouter, Request

import outplay
from outplay import explain
from outplay.errors import IllegalPositionError, OutplayError
from outplay.live import DEFAULT_TIME_MS
from outplay.notation.any import read_one
from outplay.notation.positions import read_board
from outplay.record import AnyGame, Game
from outplay.rules import Position, must_capture
from outplay.web import board, catalogue
from outplay.web.dependencies import ERRORS, AllGames, Client, Person, TheGame
from outplay.web.http.errors import error_of
from outplay.web.play import wire
from outplay.web.play.rights import Rights
from outplay.web.play.view import refusal_view
from outplay.web.settings import Settings
from outplay.web.words import position_sentence, sentence

router = APIRouter(responses=ERRORS)


@router.get("/about")
def about(games: AllGames, request: Request) -> wire.About:
    """Return the games and players on offer, and facts about this server."""
    settings: Settings = request.app.state.settings
    return wire.About(
        version=outplay.__version__,
        games=catalogue.game_infos(),
        warning=games.store.warning,
        data="" if games.store.warning else "Games are saved on this server.",
        time_ms=DEFAULT_TIME_MS,
        max_time_ms=games.limits.max_time_ms,
        strict=explain.STRICT,
        messages=list(wire.MESSAGES),
        address=settings.address,
        bots=catalogue.bots_sentence(),
    )


@router.post("/positions")
def read_position(request: wire.PositionRequest) -> wire.PositionAnswer:
    """Read a position from any text (moves, FEN, rows, games, links, edited boards), and check a move."""
    size = (request.width, request.height)
    game: AnyGame
    try:
        if request.board is not None:
            if request.game is None:
                raise IllegalPositionError(["a board needs the name of its game"])
            game, what = Game(read_board(request.game, request.board, size, request.side)), ""
        else:
            found = read_one(request.text or "", request.game, size)
            game, what = found.game, found.what
    except OutplayError as error:
        reasons = error.reasons if isinstance(error, IllegalPositionError) else (error_of(error)[1].message,)
        problems = [sentence(reason) for reason in reasons]
        return wire.PositionAnswer(
            game=request.game,
            position=None,
            what="",
            problems=problems,
            moves=[],
            legal=[],
            must_capture=False,
            sentence="",
            is_over=False,
        )
    position = game.position
    return wire.PositionAnswer(
        game=board.game_name(position),
        position=board.position_view(position),
        what=what,
        moves=[node.text for node in game.nodes],
        legal=board.legal_views(position),
        must_capture=must_capture(position),
        sentence=position_sentence(position),
        is_over=position.outcome() is not None,
        refusal=None if request.move is None else _refusal(position, request.move),
    )


def _refusal(position: Position, move: str) -> wire.RefusalView:
    """Return why a move is refused or cannot be read; not as an HTTP error, because browsers would log it."""
    try:
        return refusal_view(position, move)
    except OutplayError as error:
        return wire.RefusalView(move=None, message=error_of(error)[1].message)


@router.post("/games", status_code=201)
def new_game(request: wire.NewGame, games: AllGames, client: Client, person: Person) -> wire.GameView:
    """Start a game. The seat named by `friend` is for the person who opens a link: see /games/{id}/invitation."""
    start = read_one(request.position, request.game, (request.width, request.height)).game.position
    return games.create(request, start, client, person).view()


@router.get("/games/{id}")
def one_game(asked: TheGame) -> wire.GameView:
    """Return a complete game."""
    with asked.room() as room:
        return room.view()


@router.post("/games/{id}/rematch", status_code=201)
def rematch(asked: TheGame, request: wire.VersionRequest) -> wire.GameView:
    """Start a new game with the seats swapped; repeated requests return the same game."""
    with asked.room() as room:
        room.rights(asked.person).check_player()
        room.check(request.version)
        return asked.games.rematch(room, asked.client, asked.person).view()


@router.get("/games/{id}/invitation")
def invitation(asked: TheGame) -> wire.Invitation:
    """Return the secret of the link that gives the free seat away; only the person who made the game sees it."""
    saved = asked.saved()
    Rights(saved, asked.person).check_owner()
    return wire.Invitation(id=saved.id, invitation=saved.invitation)


@router.post("/games/{id}/sit")
def sit(asked: TheGame, request: wire.SitRequest) -> wire.GameView:
    """Take the free seat of a game, with the secret from the link."""
    with asked.room() as room:
        asked.games.store.check_writable()
        return asked.games.sit(room, asked.person, request.invitation).view()
