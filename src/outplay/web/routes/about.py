"""What the page needs before its first game, and reading positions."""

from __future__ import annotations

from fastapi import APIRouter

import outplay
from outplay.errors import IllegalPositionError, OutplayError
from outplay.live import DEFAULT_TIME_MS
from outplay.web import boards, catalogue, wire
from outplay.web.errors import error_of
from outplay.web.positions import read_request
from outplay.web.routes.desk import ERRORS, AllGames
from outplay.web.words import clipped, position_sentence, sentence

router = APIRouter(responses=ERRORS)


@router.get("/about")
def about(games: AllGames) -> wire.About:
    """The games and players on offer, and what there is to know about this server."""
    warning = games.store.warning
    return wire.About(
        version=outplay.__version__,
        games=catalogue.game_infos(),
        warning=None if warning is None else clipped(warning),
        data=clipped(games.store.place),
        time_ms=DEFAULT_TIME_MS,
        max_time_ms=games.limits.max_time_ms,
    )


@router.post("/positions")
def read_position(request: wire.PositionRequest) -> wire.PositionAnswer:
    """Read a position from anything: moves, FEN, rows, a game, a link of ours, or an edited board."""
    try:
        found = read_request(request)
    except OutplayError as error:
        reasons = error.reasons if isinstance(error, IllegalPositionError) else (error_of(error)[1].message,)
        problems = [sentence(reason) for reason in reasons[:20]]
        return wire.PositionAnswer(
            game=request.game, position=None, problems=problems, moves=[], legal=[], sentence="", is_over=False
        )
    position = found.position
    return wire.PositionAnswer(
        game=request.game,
        position=boards.position_view(position),
        moves=list(found.moves),
        legal=boards.legal_views(position),
        sentence=position_sentence(position),
        is_over=position.outcome() is not None,
    )
