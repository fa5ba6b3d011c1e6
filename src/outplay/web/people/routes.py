"""The person who sends the request: the name, the key for another device, and "Forget me"."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Depends, Request, Response

from outplay.store import people
from outplay.web.arena.contests import Contests
from outplay.web.dependencies import ERRORS, AllGames, Person, is_own_machine
from outplay.web.http.people import KEY, People, cookie_of, public_id
from outplay.web.people import wire
from outplay.web.people.codes import SECONDS, Codes
from outplay.web.settings import Settings
from outplay.web.words import spoken_name

router = APIRouter(prefix="/me", responses=ERRORS)


async def _codes(request: Request) -> Codes:
    codes: Codes = request.app.state.codes
    return codes


async def _people(request: Request) -> People:
    known: People = request.app.state.people
    return known


TheCodes = Annotated[Codes, Depends(_codes)]
ThePeople = Annotated[People, Depends(_people)]


@router.get("")
def me(games: AllGames, person: Person) -> wire.Me:
    """Return the person who sends the request."""
    name = people.names_of(games.store, [person]).get(person, "")
    return wire.Me(id=public_id(person), name=name)


@router.post("/visit")
def visit(asked: wire.Nothing, request: Request, games: AllGames, person: Person, known: ThePeople) -> wire.Me:
    """Begin a visit. The first person at the server's own machine gets the games without an owner."""
    if person and is_own_machine(request):
        games.claim(person)
    return me(games, person).model_copy(update={"was_forgotten": known.has_begun_anew(person)})


@router.post("/name")
def rename(asked: wire.NameRequest, games: AllGames, person: Person) -> wire.Me:
    """Choose a name."""
    games.rename(person, spoken_name(asked.name))
    return me(games, person)


@router.post("/copy", status_code=201)
def copy(asked: wire.Nothing, request: Request, codes: TheCodes) -> wire.CopyCode:
    """Return a code with which another device gets the key of this device."""
    return wire.CopyCode(code=codes.new(request.scope[KEY]), seconds=SECONDS)


@router.post("/enter")
def enter(asked: wire.EnterRequest, request: Request, response: Response, codes: TheCodes) -> wire.Nothing:
    """Become the person whose other device shows this code: this browser gets the key of that device."""
    response.headers["set-cookie"] = _cookie(request, codes.key(asked.code))
    return wire.Nothing()


@router.post("/forget")
def forget(
    asked: wire.Nothing,
    request: Request,
    response: Response,
    games: AllGames,
    person: Person,
    known: ThePeople,
    codes: TheCodes,
) -> wire.Nothing:
    """Delete the name, the games and the key of this person. Games with another person are kept for that person.

    From now on the key is refused, with the error `forgotten`.
    """
    contests: Contests = request.app.state.contests
    contests.forget(person)
    games.forget(person)
    known.forgotten.add(people.mark_of(person))
    codes.drop(request.scope[KEY])
    response.headers["set-cookie"] = _cookie(request, "", seconds=0)
    return wire.Nothing()


def _cookie(request: Request, key: str, **how: int) -> str:
    settings: Settings = request.app.state.settings
    return cookie_of(key, settings.root_path or "/", is_secure=request.url.scheme == "https", **how)
