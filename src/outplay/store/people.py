"""People in the database: their names, and what belongs to them. The id of a person is the hash of a key."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from typing import cast

from sqlalchemy import Connection, Table, delete, func, insert, select, update

from outplay.store.classes import forget_in_classes
from outplay.store.filters import seats_of
from outplay.store.models import ForgottenRow, GameRow, PersonRow, PupilRow, ReviewRow
from outplay.store.progress import come_here, forget_progress
from outplay.store.store import Store
from outplay.store.tournaments import forget_in_tournaments

MOST_NAME = 40
FORGOTTEN_KEPT = timedelta(days=366)
"""How long a forgotten key is refused: longer than a browser keeps its cookie."""
_PEOPLE = cast(Table, PersonRow.__table__)
_GAMES = cast(Table, GameRow.__table__)
_PUPILS = cast(Table, PupilRow.__table__)
_REVIEWS = cast(Table, ReviewRow.__table__)
_FORGOTTEN = cast(Table, ForgottenRow.__table__)


def names_of(store: Store, people: Iterable[str], class_code: str = "") -> dict[str, str]:
    """Return the names that these people have chosen, by id. With `class_code`, return their names in that class.

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
    """Return the ids of the people whose name contains this text; case does not matter."""
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
    """Give a person all games without an owner, with their human seats, and return the number of these games.

    The person uses a browser on this machine: from now on, what is done in its terminal counts for this person too.
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
    """Delete what belongs to a person: name, games and progress. Return the ids of the deleted games.

    A game with another person is kept for that other person, without anything that identifies the forgotten one. The
    key of the forgotten person is refused from now on; only its mark (a hash) is kept.
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
        _bury(connection, person)
        return gone

    return cast("list[str]", store.change(write))


def forgotten(store: Store) -> set[str]:
    """Return the marks of the keys that were forgotten."""
    with store.reading() as connection:
        return set(connection.execute(select(_FORGOTTEN.c.mark)).scalars())


def mark_of(person: str) -> str:
    """Return the mark by which a forgotten key is recognised."""
    return hashlib.sha256(f"forgotten {person}".encode()).hexdigest()[:32]


def _bury(connection: Connection, person: str) -> None:
    now, mark = datetime.now(UTC), mark_of(person)
    connection.execute(delete(_FORGOTTEN).where((_FORGOTTEN.c.at < now - FORGOTTEN_KEPT) | (_FORGOTTEN.c.mark == mark)))
    connection.execute(insert(_FORGOTTEN), {"mark": mark, "at": now})
