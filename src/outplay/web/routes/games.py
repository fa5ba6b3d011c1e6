"""Games: new ones, saved ones, one."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query

from outplay.explain import outcome_sentence
from outplay.outcome import Outcome, Reason, Side
from outplay.rules import RULES
from outplay.store import Summary
from outplay.web import catalogue, wire
from outplay.web.positions import read_text
from outplay.web.routes.desk import ERRORS, AllGames, Client, TheVisit
from outplay.web.words import TITLE, clipped, counted

router = APIRouter(prefix="/games", responses=ERRORS)


@router.post("", status_code=201)
def new_game(request: wire.NewGame, games: AllGames, client: Client) -> wire.GameView:
    """Begin a game."""
    start = read_text(request.game, request.position, (request.width, request.height)).position
    return games.create(request, start, client).view()


@router.get("")
def saved_games(
    games: AllGames,
    limit: Annotated[int, Query(ge=1, le=100)] = 20,
    offset: Annotated[int, Query(ge=0, le=1_000_000)] = 0,
) -> wire.GameList:
    """Saved games, the last changed first."""
    found = games.store.games(limit=limit, offset=offset)
    return wire.GameList(games=[_summary(saved) for saved in found], total=games.store.count(with_moves=True))


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


def _summary(saved: Summary) -> wire.GameSummary:
    rules = RULES[saved.game]
    cards = catalogue.seatable(saved.game)
    seats = [cards[name].title if name in cards else name for name in saved.seats]
    outcome = None
    if saved.reason is not None:
        outcome = Outcome(None if saved.winner is None else Side(saved.winner), Reason(saved.reason))
    return wire.GameSummary(
        id=saved.id,
        game="connect4" if saved.game == "connect4" else "checkers",
        title=rules.title,
        seats=[clipped(seat, TITLE) for seat in seats],
        plies=saved.plies,
        sentence=f"After {counted(saved.plies, 'move')}."
        if outcome is None
        else outcome_sentence(outcome, rules.sides),
        is_over=outcome is not None,
        changed=saved.changed.isoformat(timespec="seconds"),
    )
