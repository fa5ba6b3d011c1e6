"""Classes: opened, joined, paired, paused, ended; tournaments and results."""

from __future__ import annotations

from typing import Annotated, Literal

from fastapi import APIRouter, Depends, Path, Query, Request

from outplay.outcome import Side
from outplay.store import Filter
from outplay.store import classes as saved_classes
from outplay.store.classes import SavedClass
from outplay.store.exporting import pdn
from outplay.store.people import names_of
from outplay.web.classroom import wire
from outplay.web.classroom.classes import Classes, offer_of
from outplay.web.classroom.view import class_view, results
from outplay.web.dependencies import ERRORS, AllGames, Client, Person
from outplay.web.library.wire import Export
from outplay.web.people.wire import Nothing

router = APIRouter(prefix="/classes", responses=ERRORS)


async def _classes(request: Request) -> Classes:
    found: Classes = request.app.state.classes
    return found


AllClasses = Annotated[Classes, Depends(_classes)]
Code = Annotated[str, Path(alias="code", pattern=r"^[a-zA-Z0-9]{1,8}$", description="the code of a class")]


def _class(code: Code, classes: AllClasses) -> SavedClass:
    return classes.find(code)


def _taught(code: Code, classes: AllClasses, person: Person) -> SavedClass:
    found = classes.find(code)
    classes.check_teacher(found, person)
    return found


TheClass = Annotated[SavedClass, Depends(_class)]
MyClass = Annotated[SavedClass, Depends(_taught)]
"""The class that the path names, for its teacher only."""


@router.post("", status_code=201)
def open_class(request: wire.NewClass, classes: AllClasses, person: Person) -> wire.ClassView:
    """Open a class. The person who opens it is its teacher."""
    return class_view(classes, classes.open(person, request.title), person)


@router.get("")
def my_classes(games: AllGames, person: Person) -> wire.ClassList:
    """Return the classes that you teach or have joined."""
    found = [
        wire.ClassEntry(
            code=one.code.upper(),
            title=one.title,
            is_teacher=one.teacher == person,
            is_over=one.state.is_over,
            people=len(one.pupils),
        )
        for one in saved_classes.classes_of(games.store, person)
    ]
    return wire.ClassList(classes=found)


@router.get("/{code}")
def one_class(the_class: TheClass, classes: AllClasses, person: Person) -> wire.ClassView:
    """Return a class as you see it."""
    return class_view(classes, the_class, person)


@router.post("/{code}/join")
def join(request: wire.JoinRequest, the_class: TheClass, classes: AllClasses, person: Person) -> wire.ClassView:
    """Join a class under a name, or change the name."""
    classes.join(the_class, person, request.name)
    return _now(the_class, classes, person)


@router.post("/{code}/ask")
def ask(
    request: wire.AskRequest, the_class: TheClass, classes: AllClasses, person: Person, client: Client
) -> wire.ClassView:
    """Ask another pupil for a game; if that pupil has asked you already, the game begins."""
    classes.ask(the_class, offer_of(request), person, classes.by_public_id(the_class, request.person), client)
    return _now(the_class, classes, person)


@router.post("/{code}/pair")
def pair(
    request: wire.PairRequest, the_class: MyClass, classes: AllClasses, person: Person, client: Client
) -> wire.ClassView:
    """Start games between pupils: the pairs of the request, or everyone who is here and has no game."""
    pairs = request.pairs
    known = None if pairs is None else [[classes.by_public_id(the_class, one) for one in both] for both in pairs]
    classes.pair(the_class, offer_of(request), known, client)
    return _now(the_class, classes, person)


@router.post("/{code}/pause")
def pause(request: wire.PauseRequest, the_class: MyClass, classes: AllClasses, person: Person) -> wire.ClassView:
    """Stop all boards and clocks of the class, or let them go on."""
    classes.pause(the_class, is_paused=request.paused)
    return _now(the_class, classes, person)


@router.post("/{code}/end")
def end(request: Nothing, the_class: MyClass, classes: AllClasses, person: Person) -> wire.ClassView:
    """End a class; its games and results stay."""
    classes.end(the_class)
    return _now(the_class, classes, person)


@router.post("/{code}/pupils")
def pupils(request: wire.PupilRequest, the_class: MyClass, classes: AllClasses, person: Person) -> wire.ClassView:
    """Correct the name of a pupil, or remove the pupil."""
    classes.correct(the_class, classes.by_public_id(the_class, request.person), request.name)
    return _now(the_class, classes, person)


@router.post("/{code}/seat")
def seat(request: wire.SeatRequest, the_class: MyClass, classes: AllClasses, person: Person) -> wire.ClassView:
    """Let an engine play for a pupil who is away."""
    classes.give_seat(the_class, request.game, Side(request.side), request.player)
    return _now(the_class, classes, person)


@router.post("/{code}/games/end")
def end_game(request: wire.EndGameRequest, the_class: MyClass, classes: AllClasses, person: Person) -> wire.ClassView:
    """End one game of the class, and decide who wins it."""
    classes.end_game(the_class, request.game, None if request.winner is None else Side(request.winner))
    return _now(the_class, classes, person)


@router.post("/{code}/tournament")
def tournament(
    request: wire.TournamentRequest, the_class: MyClass, classes: AllClasses, person: Person, client: Client
) -> wire.ClassView:
    """Begin a tournament of everyone who is here."""
    classes.begin_tournament(the_class, offer_of(request), request.format, request.rounds, client)
    return _now(the_class, classes, person)


@router.post("/{code}/tournament/round")
def next_round(
    request: Nothing, the_class: MyClass, classes: AllClasses, person: Person, client: Client
) -> wire.ClassView:
    """Pair the next round, when all games of the last one are over."""
    classes.next_round(the_class, client)
    return _now(the_class, classes, person)


@router.post("/{code}/tournament/end")
def end_tournament(request: Nothing, the_class: MyClass, classes: AllClasses, person: Person) -> wire.ClassView:
    """End the tournament; its games stay."""
    classes.end_tournament(the_class)
    return _now(the_class, classes, person)


@router.get("/{code}/results")
def class_results(
    the_class: MyClass,
    classes: AllClasses,
    format: Annotated[Literal["csv", "pdn"], Query()] = "csv",  # noqa: A002
) -> Export:
    """Return the results of a class as a table (CSV), or its games (PDN)."""
    name = f"outplay-class-{the_class.code}.{format}"
    if format == "csv":
        return Export(name=name, media="text/csv", text=results(classes, the_class))
    where = Filter(class_code=the_class.code)
    games = list(classes.store.texts(limit=saved_classes.MOST_GAMES, where=where))
    names = names_of(classes.store, {person for saved in games for person in saved.people}, the_class.code)
    return Export(name=name, media="text/plain", text="\n".join(pdn(saved, names) for saved in games))


def _now(the_class: SavedClass, classes: Classes, person: str) -> wire.ClassView:
    return class_view(classes, classes.find(the_class.code), person)
