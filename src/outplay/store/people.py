"""People in the database: their names, and what belongs to them. A person is known by the hash of a key."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime
from typing import cast

from sqlalchemy import Connection, Table, delete, func, insert, select, update

from outplay.store.classes import forget_in_classes
from outplay.store.filters import seats_of
from outplay.store.models import GameRow, PersonRow, PupilRow, ReviewRow
from outplay.store.progress import come_here, forget_progress
from outplay.store.store import Store
from outplay.store.tournaments import forget_in_tournaments

MOST_NAME = 40
_PEOPLE = cast(Table, PersonRow.__table__)
_GAMES = cast(Table, GameRow.__table__)
_PUPILS = cast(Table, PupilRow.__table__)
_REVIEWS = cast(Table, ReviewRow.__table__)


def names_of(store: Store, people: Iterable[str], class_code: str = "") -> dict[str, str]:
    """Return the names that these people have chosen, by id; in a class, those that it uses.

    People without a name are left out.
    """
    asked = {person for person in people if person}
    if not asked:
        return {}
    query = select(_PEOPLE.c.id, _PEOPLE.c.name).where(_PEOPLE.c.id.in_(asked) & (_PEOPLE.c.name != ""))
    with store.reading() as connection:
        names = {row.id: row.name for row in connection.execute(query)}
        if class_code:
            in_class = (_PUPILS.c.code == class_code) & _PUPILS.c.person.in_(asked)
            there = connection.execute(select(_PUPILS.c.person, _PUPILS.c.name).where(in_class))
            names |= {row.person: row.name for row in there}
    return names


def people_called(store: Store, part: str) -> tuple[str, ...]:
    """Return the ids of the people whose name contains this text; upper and lower case are the same."""
    if not part:
        return ()
    named = func.lower(_PEOPLE.c.name).contains(part.lower(), autoescape=True)
    with store.reading() as connection:
        return tuple(connection.execute(select(_PEOPLE.c.id).where(named)).scalars())


def rename(store: Store, person: str, name: str) -> None:
    """Give a person another name."""

    def write(connection: Connection) -> None:
        changed = connection.execute(update(_PEOPLE).where(_PEOPLE.c.id == person).values(name=name))
        if changed.rowcount == 0:
            connection.execute(insert(_PEOPLE), {"id": person, "name": name, "created": datetime.now(UTC)})

    store.change(write)


def claim(store: Store, person: str) -> int:
    """Give a person on this machine the games without an owner, with all human seats in them; return their number.

    From now on this is the person at its terminal.
    """
    come_here(store, person)
    unowned = _GAMES.c.owner == ""
    with store.reading() as connection:
        if connection.execute(select(_GAMES.c.id).where(unowned).limit(1)).first() is None:
            return 0

    def write(connection: Connection) -> int:
        for player, seat in zip((_GAMES.c.first, _GAMES.c.second), seats_of(_GAMES), strict=True):
            connection.execute(update(_GAMES).where(unowned & (player == "human")).values({seat.key: person}))
        return connection.execute(update(_GAMES).where(unowned).values(owner=person)).rowcount

    return cast(int, store.change(write))


def forget(store: Store, person: str) -> list[str]:
    """Delete what belongs to a person: name, games, what was learned. Return the ids of the games that are gone.

    A game with another person stays for that person, without a trace of this one.
    """
    first, second = seats_of(_GAMES)
    is_mine = (_GAMES.c.owner == person) | (first == person) | (second == person)

    def write(connection: Connection) -> list[str]:
        gone = []
        for game in connection.execute(select(_GAMES.c.id, _GAMES.c.owner, first, second).where(is_mine)).all():
            this = _GAMES.c.id == game.id
            everyone = (game.owner, game.first_person, game.second_person)
            others = [other for other in everyone if other not in ("", person)]
            if not others:
                connection.execute(delete(_REVIEWS).where(_REVIEWS.c.game_id == game.id))
                connection.execute(delete(_GAMES).where(this))
                gone.append(game.id)
                continue
            left = {
                "owner": others[0] if game.owner == person else game.owner,
                "first_person": "" if game.first_person == person else game.first_person,
                "second_person": "" if game.second_person == person else game.second_person,
            }
            connection.execute(update(_GAMES).where(this).values(left))
        forget_in_classes(connection, person)
        forget_progress(connection, person)
        forget_in_tournaments(connection, person)
        connection.execute(delete(_PEOPLE).where(_PEOPLE.c.id == person))
        return gone

    return cast("list[str]", store.change(write))
