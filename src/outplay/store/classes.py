"""Classes in the database: who teaches, who has joined under which name, and the state of the tournament."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Any, Literal, cast

from pydantic import TypeAdapter
from sqlalchemy import Connection, Table, delete, insert, select, update
from sqlalchemy.exc import IntegrityError

from outplay.store.filters import Filter
from outplay.store.games import Summary
from outplay.store.models import ClassRow, PupilRow
from outplay.store.store import Store

MOST_PUPILS = 500
MOST_GAMES = 10_000
_CLASSES = cast(Table, ClassRow.__table__)
_PUPILS = cast(Table, PupilRow.__table__)
Format = Literal["swiss", "round-robin"]


@dataclass(frozen=True, slots=True)
class Offer:
    """The kind of game that the class plays."""

    game: str = "connect4"
    width: int = 7
    height: int = 6
    clock_ms: int | None = None
    increment_ms: int = 0
    is_strict: bool = False


@dataclass(frozen=True, slots=True)
class ClassTournament:
    """The tournament of a class. Its games are the games of the class that have a round number."""

    format: Format
    rounds: int
    offer: Offer
    people: tuple[str, ...]
    """The ids of those who take part, in the order of their numbers; the id of a forgotten person is empty."""
    round: int = 0
    """The number of the current round; 0 before the first."""
    byes: tuple[tuple[int, str], ...] = ()
    """The byes so far: the round, and the person who had no opponent in it."""
    first_game_round: int = 0
    """Games with a round up to this number belong to earlier tournaments of the class."""


@dataclass(frozen=True, slots=True)
class ClassState:
    """What may change in a class besides its people and games."""

    is_paused: bool = False
    is_over: bool = False
    tournament: ClassTournament | None = None


@dataclass(frozen=True, slots=True)
class Pupil:
    """A person in a class."""

    person: str
    name: str
    joined: datetime


@dataclass(frozen=True, slots=True)
class SavedClass:
    """A class at one moment."""

    code: str
    teacher: str
    title: str
    created: datetime
    state: ClassState = field(default_factory=ClassState)
    pupils: tuple[Pupil, ...] = ()
    """The pupils, in the order in which they joined."""

    def pupil(self, person: str) -> Pupil | None:
        return next((pupil for pupil in self.pupils if pupil.person == person), None)

    def names(self) -> dict[str, str]:
        """Return the names of the pupils, by the person's id."""
        return {pupil.person: pupil.name for pupil in self.pupils}


_STATE: TypeAdapter[ClassState] = TypeAdapter(ClassState)


class TakenError(ValueError):
    """Another class has this code, or another pupil has this name."""


def add_class(store: Store, code: str, teacher: str, title: str) -> SavedClass:
    """Save a new class. TakenError if there is one with this code."""
    new = SavedClass(code, teacher, title, datetime.now(UTC))
    row = {"code": code, "teacher": teacher, "title": title, "created": new.created, "state": _json(new.state)}

    def write(connection: Connection) -> None:
        try:
            with connection.begin_nested():
                connection.execute(insert(_CLASSES), row)
        except IntegrityError as error:
            raise TakenError(code) from error

    store.change(write)
    return new


def load_class(store: Store, code: str) -> SavedClass | None:
    """Return a class with its pupils, or None if there is none."""
    with store.reading() as connection:
        row = connection.execute(select(_CLASSES).where(_CLASSES.c.code == code)).one_or_none()
        query = select(_PUPILS).where(_PUPILS.c.code == code).order_by(_PUPILS.c.joined, _PUPILS.c.person)
        pupils = connection.execute(query).all() if row is not None else []
    if row is None:
        return None
    state = _STATE.validate_python(row.state)
    return SavedClass(row.code, row.teacher, row.title, row.created, state, tuple(map(_pupil, pupils)))


def codes_of(store: Store, person: str) -> list[str]:
    """Return the codes of the classes that a person teaches or has joined, newest first."""
    joined = select(_PUPILS.c.code).where(_PUPILS.c.person == person)
    mine = (_CLASSES.c.teacher == person) | _CLASSES.c.code.in_(joined)
    query = select(_CLASSES.c.code).where(mine).order_by(_CLASSES.c.created.desc())
    with store.reading() as connection:
        return list(connection.execute(query).scalars())


def classes_of(store: Store, person: str) -> list[SavedClass]:
    """Return the classes that a person teaches or has joined, newest first."""
    return [found for code in codes_of(store, person) if (found := load_class(store, code)) is not None]


def save_state(store: Store, the_class: SavedClass, state: ClassState) -> SavedClass:
    """Save the new state of a class, and return the class with that state."""
    query = update(_CLASSES).where(_CLASSES.c.code == the_class.code).values(state=_json(state))
    store.change(lambda connection: connection.execute(query).rowcount)
    return replace(the_class, state=state)


def put_pupil(store: Store, code: str, person: str, name: str) -> None:
    """Let a person join a class under a name, or change the name of a person who has joined."""

    def write(connection: Connection) -> None:
        this = (_PUPILS.c.code == code) & (_PUPILS.c.person == person)
        if connection.execute(update(_PUPILS).where(this).values(name=name)).rowcount == 0:
            row = {"code": code, "person": person, "name": name, "joined": datetime.now(UTC)}
            connection.execute(insert(_PUPILS), row)

    store.change(write)


def remove_pupil(store: Store, code: str, person: str) -> None:
    """Remove a person from a class. The games stay."""
    query = delete(_PUPILS).where((_PUPILS.c.code == code) & (_PUPILS.c.person == person))
    store.change(lambda connection: connection.execute(query).rowcount)


def games_of(store: Store, code: str) -> list[Summary]:
    """Return the games of a class, most recently changed first."""
    return store.games(limit=MOST_GAMES, where=Filter(class_code=code))


def forget_in_classes(connection: Connection, person: str) -> None:
    """Remove a person from all classes, and delete the classes that the person teaches."""
    taught = list(connection.execute(select(_CLASSES.c.code).where(_CLASSES.c.teacher == person)).scalars())
    connection.execute(delete(_PUPILS).where((_PUPILS.c.person == person) | _PUPILS.c.code.in_(taught)))
    connection.execute(delete(_CLASSES).where(_CLASSES.c.code.in_(taught)))
    for row in connection.execute(select(_CLASSES)).all():
        state = _STATE.validate_python(row.state)
        tournament = state.tournament
        if tournament is not None and person in str(row.state):
            people = tuple("" if other == person else other for other in tournament.people)
            byes = tuple((number, other) for number, other in tournament.byes if other != person)
            left = _json(replace(state, tournament=replace(tournament, people=people, byes=byes)))
            connection.execute(update(_CLASSES).where(_CLASSES.c.code == row.code).values(state=left))


def _pupil(row: Any) -> Pupil:
    return Pupil(row.person, row.name, row.joined)


def _json(state: ClassState) -> dict[str, object]:
    dumped: dict[str, object] = _STATE.dump_python(state, mode="json")
    return dumped
