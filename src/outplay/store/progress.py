"""What people have learned: steps of lessons, attempts at puzzles, and results against the levels.

A browser has a key, a terminal has none. The person at a terminal is assumed to be the one whose browser was last
seen on the same machine.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import cast

from sqlalchemy import Connection, Table, delete, func, insert, select, update

from outplay.learn.progress import Attempt, AttemptKind
from outplay.learn.record import GameResult
from outplay.store.filters import seats_of
from outplay.store.models import AttemptRow, GameRow, ProgressRow
from outplay.store.store import Store

MOST_ATTEMPTS = 5_000
"""The most attempts that are kept for one person; older ones are deleted."""
MOST_RESULTS = 1_000
"""At most this number of a person's games is counted: the newest ones."""
LEVEL = "level:"
NOBODY_YET = "terminal"
"""The person at the terminal of a machine on which no browser has been seen yet."""
_PROGRESS = cast(Table, ProgressRow.__table__)
_ATTEMPTS = cast(Table, AttemptRow.__table__)
_GAMES = cast(Table, GameRow.__table__)
_LESSON, _TOLD, _HERE = "lesson:", "ready:", "here"


@dataclass(frozen=True, slots=True)
class LessonProgress:
    """How far a person is in a lesson."""

    done: frozenset[int] = frozenset()
    """The steps that are done, from 1."""
    at: int = 1
    """The step with which the person continues."""
    tries: int = 0
    """Wrong answers to that step so far."""
    changed: datetime | None = None
    right: frozenset[int] = frozenset()
    """The questions that were answered right at the first try; only the course of the lab uses this."""


@dataclass(frozen=True, slots=True)
class LevelResult:
    """A finished game of a person against a level."""

    game: str
    level: int
    result: GameResult


def lessons_of(store: Store, person: str) -> dict[str, LessonProgress]:
    """Return a person's progress by lesson: `connect4/double-threats`."""
    query = select(_PROGRESS).where((_PROGRESS.c.person == person) & _PROGRESS.c.item.startswith(_LESSON))
    with store.reading() as connection:
        rows = connection.execute(query).all()
    return {row.item.removeprefix(_LESSON): _lesson(row.value, row.changed) for row in rows}


def _lesson(value: dict[str, object], changed: datetime) -> LessonProgress:
    done = frozenset(cast("list[int]", value.get("done", [])))
    right = frozenset(cast("list[int]", value.get("right", [])))
    return LessonProgress(done, cast(int, value.get("at", 1)), cast(int, value.get("tries", 0)), changed, right)


def save_lesson(store: Store, person: str, lesson: str, progress: LessonProgress) -> None:
    """Save how far a person is in a lesson."""
    value: dict[str, object] = {"done": sorted(progress.done), "at": progress.at, "tries": progress.tries}
    if progress.right:
        value["right"] = sorted(progress.right)
    _save(store, person, _LESSON + lesson, value)


def told(store: Store, person: str) -> set[str]:
    """Return what a person has been told already: `connect4:4` for "ready for level 4"."""
    query = select(_PROGRESS.c.item).where((_PROGRESS.c.person == person) & _PROGRESS.c.item.startswith(_TOLD))
    with store.reading() as connection:
        return {item.removeprefix(_TOLD) for item in connection.execute(query).scalars()}


def tell(store: Store, person: str, what: str) -> None:
    """Remember that a person has been told something, so that it is said only once."""
    _save(store, person, _TOLD + what, {})


def _save(store: Store, person: str, item: str, value: dict[str, object]) -> None:
    store.change(lambda connection: _put(connection, person, item, value))


def _put(connection: Connection, person: str, item: str, value: dict[str, object]) -> None:
    is_this = (_PROGRESS.c.person == person) & (_PROGRESS.c.item == item)
    row = {"value": value, "changed": datetime.now(UTC)}
    if connection.execute(update(_PROGRESS).where(is_this).values(row)).rowcount == 0:
        connection.execute(insert(_PROGRESS), {"person": person, "item": item, **row})


def person_here(store: Store) -> str:
    """Return the person whose browser on this machine was seen last; NOBODY_YET if there was none."""
    query = select(_PROGRESS.c.person).where(_PROGRESS.c.item == _HERE).order_by(_PROGRESS.c.changed.desc()).limit(1)
    with store.reading() as connection:
        return connection.execute(query).scalar() or NOBODY_YET


def come_here(store: Store, person: str) -> None:
    """Remember that a person's browser runs on this machine. Give this person the progress made in its terminal."""
    if person_here(store) == person:
        return

    def write(connection: Connection) -> None:
        _put(connection, person, _HERE, {})
        _adopt_lessons(connection, person)
        _adopt_attempts(connection, person)

    store.change(write)


def _adopt_lessons(connection: Connection, person: str) -> None:
    """Give a person the progress made in the terminal. A step done in the browser or in the terminal is done."""
    items = select(_PROGRESS.c.item, _PROGRESS.c.value)
    mine = {row.item: row.value for row in connection.execute(items.where(_PROGRESS.c.person == person))}
    for row in connection.execute(items.where(_PROGRESS.c.person == NOBODY_YET)).all():
        value = {**row.value, **mine.get(row.item, {})}
        if "done" in value:
            value["done"] = sorted({*row.value["done"], *mine.get(row.item, row.value)["done"]})
        _put(connection, person, row.item, value)
    connection.execute(delete(_PROGRESS).where(_PROGRESS.c.person == NOBODY_YET))


def _adopt_attempts(connection: Connection, person: str) -> None:
    """Give a person the attempts made in the terminal, numbered after the person's own."""
    last = select(func.max(_ATTEMPTS.c.number)).where(_ATTEMPTS.c.person == person)
    moved = {"person": person, "number": _ATTEMPTS.c.number + (connection.execute(last).scalar() or 0)}
    connection.execute(update(_ATTEMPTS).where(_ATTEMPTS.c.person == NOBODY_YET).values(moved))


def attempts_of(store: Store, person: str) -> list[Attempt]:
    """Return a person's attempts at puzzles, oldest first."""
    query = select(_ATTEMPTS).where(_ATTEMPTS.c.person == person).order_by(_ATTEMPTS.c.number)
    with store.reading() as connection:
        rows = connection.execute(query).all()
    return [Attempt(row.puzzle, cast(AttemptKind, row.kind), row.at) for row in rows]


def add_attempt(store: Store, person: str, attempt: Attempt) -> None:
    """Add an attempt of a person; the oldest is deleted if there are too many."""
    mine = _ATTEMPTS.c.person == person
    row = {"person": person, "puzzle": attempt.puzzle, "kind": attempt.kind, "at": attempt.at}

    def write(connection: Connection) -> None:
        last = connection.execute(select(func.max(_ATTEMPTS.c.number)).where(mine)).scalar_one() or 0
        connection.execute(insert(_ATTEMPTS), {**row, "number": last + 1})
        connection.execute(delete(_ATTEMPTS).where(mine & (_ATTEMPTS.c.number <= last + 1 - MOST_ATTEMPTS)))

    store.change(write)


def results_of(store: Store, person: str) -> list[LevelResult]:
    """Return a person's finished games against levels, oldest first.

    Only games from the usual start on the usual board count, with the same players from the first move to the last.
    Imported games are not a person's results.
    """
    first, second = seats_of(_GAMES)
    is_mine = ((first == person) & _GAMES.c.second.startswith(LEVEL)) | (
        (second == person) & _GAMES.c.first.startswith(LEVEL)
    )
    is_over = _GAMES.c.reason.is_not(None) & _GAMES.c.deleted.is_(None) & (_GAMES.c.origin == "played")
    is_over &= _GAMES.c.opening != ""  # the usual start, and at least one move
    columns = (_GAMES.c.game, _GAMES.c.first, _GAMES.c.second, _GAMES.c.winner, first.label("red"), _GAMES.c.terms)
    query = select(*columns).where(is_mine & is_over).order_by(_GAMES.c.changed.desc()).limit(MOST_RESULTS)
    with store.reading() as connection:
        rows: Sequence[object] = connection.execute(query).all()
    return [result for row in reversed(rows) if (result := _result(row, person)) is not None]


def _result(row: object, person: str) -> LevelResult | None:
    game, first, second, winner, red, terms = cast("tuple[str, str, str, int | None, str, dict[str, object]]", row)
    side = 0 if red == person else 1
    number = (second if side == 0 else first).removeprefix(LEVEL)
    if not number.isdecimal() or terms.get("has_new_players"):
        return None
    result: GameResult = "draw" if winner is None else "win" if winner == side else "loss"
    return LevelResult(game, int(number), result)


def forget_progress(connection: Connection, person: str) -> None:
    """Delete all that a person has learned."""
    connection.execute(delete(_PROGRESS).where(_PROGRESS.c.person == person))
    connection.execute(delete(_ATTEMPTS).where(_ATTEMPTS.c.person == person))
