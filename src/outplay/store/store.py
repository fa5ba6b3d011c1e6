"""The store: save, load, list and delete games. Any thread may call any method; a write returns when it is on disk."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any, TypeVar, cast

from pydantic import TypeAdapter, ValidationError
from sqlalchemy import Connection, Engine, Row, Select, Table, bindparam, delete, func, insert, select, text, update
from sqlalchemy.pool import StaticPool

from outplay.errors import OutplayError
from outplay.record import AnyGame
from outplay.review import Review
from outplay.store.damage import damage_of
from outplay.store.filters import Filter
from outplay.store.games import (
    Columns,
    SavedGame,
    Summary,
    columns_of,
    damage_in,
    saved_from,
    summary_from,
    text_checksum,
)
from outplay.store.lease import Lease, MovedError
from outplay.store.models import GameRow, ReviewRow
from outplay.store.outage import Outage
from outplay.store.writer import Write, Writer

MOST_DAMAGED = 100
"""The most damaged games that are remembered."""
_REVIEW: TypeAdapter[Review] = TypeAdapter(Review)
_REVIEWS = cast(Table, ReviewRow.__table__)
_GAMES = cast(Table, GameRow.__table__)
Read = TypeVar("Read")
_INSERT = insert(_GAMES)
_FIXED = {"id", "created", "date", "deleted", "study", "study_version", "study_checksum"}
_UPDATE = (
    update(_GAMES)
    .where((_GAMES.c.id == bindparam("of_game")) & (_GAMES.c.revision == bindparam("after")))
    .values({column.name: bindparam(column.name) for column in _GAMES.c if column.name not in _FIXED})
)  # built once, because every move waits for this statement


_STUDIED = ("changed", "plies", "winner", "reason", "opening", "pdn", "checksum")
"""The columns that change when the tree of a study is saved: a study has no played game."""
EVERYTHING = Filter()


class ConflictError(OutplayError):
    """Another server has saved this game meanwhile: load it again."""


class DamagedGameError(OutplayError):
    """A saved game cannot be read: its row in the database is damaged."""

    def __init__(self, game_id: str, reason: str) -> None:
        super().__init__(game_id, reason)
        self.game_id, self.reason = game_id, reason

    def __str__(self) -> str:
        return f"saved game {self.game_id} is damaged: {self.reason}"


class ReadOnlyError(OutplayError):
    """The database can only be read."""

    def __str__(self) -> str:
        return "the games of this server can be looked at but not changed: its database is read-only"


class Store:
    """Saved games in a database. `place` says in words where it is, `warning` what people must know before they play.

    A row that cannot be read is left out of lists, logged once, and listed in `damaged`; `raw` returns it as it is.
    """

    def __init__(
        self,
        engine: Engine,
        place: str,
        *,
        warning: str | None = None,
        lease: Lease | None = None,
        is_read_only: bool = False,
    ) -> None:
        self.place, self.warning, self.is_read_only = place, warning, is_read_only
        self.lease = lease
        self.damaged: dict[str, str] = {}
        """What is wrong with the damaged games found so far, by id; the newest `MOST_DAMAGED`."""
        self.engine = engine
        has_one_connection = isinstance(engine.pool, StaticPool)
        self._turn: AbstractContextManager[object] = threading.RLock() if has_one_connection else nullcontext()
        """Held by each reader and by the writer of a database in memory: they share its one connection."""
        self._writer = Writer(engine, self._turn)
        self._outage = Outage()
        self.writes, self.write_seconds = 0, 0.0
        """How many writes there were, and how long they waited for the disk."""

    @property
    def works(self) -> bool:
        """Whether the database worked when it was last used."""
        return self._outage.is_over

    def check_writable(self) -> None:
        """Raise ReadOnlyError if nothing can be saved."""
        if self.is_read_only:
            raise ReadOnlyError

    def check_lease(self) -> None:
        """Take the lock of this server again if it was lost. Raise HeldByOtherError if another server has it now."""
        try:
            with self._outage.watched():
                if self.lease is not None:
                    self.lease.check()
        except MovedError as error:
            self._outage.give_up(str(error), f"{error}: {error.path}")

    def ping(self) -> None:
        """Check that the database answers and is not known to be damaged; raise UnavailableError if not."""
        self._outage.check_usable()
        with self.reading() as connection:
            connection.execute(select(_GAMES.c.id).limit(1))

    def check_file(self) -> None:
        """Look through an SQLite file for damage. If there is any, log it and save nothing from then on."""
        with self.reading() as connection:
            found = damage_of(connection)
        if found is not None:
            self._outage.give_up(f"the database is damaged: {found}")

    def check_games(self, after: str = "", *, limit: int = 100) -> str | None:
        """Look for damage in the next games after this id; return the last id, or None if there are no more."""
        query = select(_GAMES).where((_GAMES.c.id > after) & _GAMES.c.deleted.is_(None)).order_by(_GAMES.c.id)
        with self.reading() as connection:
            ids = list(connection.execute(query.with_only_columns(_GAMES.c.id).limit(limit)).scalars())
        self._read(query.limit(limit), summary_from, ids)
        return ids[-1] if len(ids) == limit else None

    def change(self, write: Write) -> object:
        """Run a change; it is on disk when this returns."""
        self.check_writable()
        self._outage.check_usable()
        started = time.perf_counter()
        with self._outage.watched(writes=True):
            found = self._writer.write(write)
        self.writes += 1
        self.write_seconds += time.perf_counter() - started
        return found

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        with self._turn, self._outage.watched(), self.engine.connect() as connection:
            yield connection

    def save(self, saved: SavedGame, *, after: int | None) -> None:
        """Save a game whose last saved revision is `after` (None: a new game).

        Raise ConflictError if the store has another revision.
        """
        self.write(columns_of(saved), after=after)

    def write(self, columns: Columns, *, after: int | None) -> None:
        """Save a game that is given as a database row."""
        now = datetime.now(UTC)

        def write(connection: Connection) -> None:
            if after is None:
                connection.execute(_INSERT, _new_row(columns, now))
                return
            values = {name: value for name, value in columns.items() if name not in _FIXED}
            found = connection.execute(_UPDATE, {"of_game": columns["id"], "after": after, "changed": now, **values})
            if found.rowcount != 1:
                raise ConflictError(f"game {columns['id']} was changed by another server")

        self.change(write)

    def add(self, games: Sequence[SavedGame]) -> None:
        """Save new games, all of them or none."""
        now = datetime.now(UTC)
        # a microsecond apart, so that a list by time keeps the order of the games
        rows = [
            {**_new_row(columns_of(saved), now - timedelta(microseconds=number)), **_study(saved)}
            for number, saved in enumerate(games)
        ]

        def write(connection: Connection) -> None:
            with connection.begin_nested():  # if one game fails, those inserted before it are rolled back
                connection.execute(_INSERT, rows)

        if rows:
            self.change(write)

    def save_study(self, saved: SavedGame, tree: AnyGame, text: str) -> None:
        """Save the variations of a game; `text` is the tree as PDN. The game itself changes only if it is a study.

        Raises ConflictError if another tree was saved since `saved` was loaded.
        """
        values: dict[str, object] = {"study_version": saved.study_version + 1}
        if saved.is_study:
            row = {**columns_of(replace(saved, game=tree)), "changed": datetime.now(UTC)}
            values |= {name: row[name] for name in _STUDIED}
        else:
            values |= {"study": text, "study_checksum": text_checksum(text)}
        is_same = (_GAMES.c.id == saved.id) & (_GAMES.c.study_version == saved.study_version)
        query = update(_GAMES).where(is_same & _GAMES.c.deleted.is_(None)).values(values)

        def write(connection: Connection) -> None:
            if connection.execute(query).rowcount != 1:
                raise ConflictError(f"the study of game {saved.id} was changed meanwhile")

        self.change(write)

    def load(self, game_id: str) -> SavedGame | None:
        """Return a game, or None if there is none. Raise DamagedGameError if its row cannot be read."""
        query = select(_GAMES).where((_GAMES.c.id == game_id) & _GAMES.c.deleted.is_(None))
        found = self._read(query, saved_from, [game_id])
        if not found and game_id in self.damaged:
            raise DamagedGameError(game_id, self.damaged[game_id])
        return found[0] if found else None

    def games(self, *, limit: int, offset: int = 0, where: Filter = EVERYTHING) -> list[Summary]:
        """Return games that match, most recently changed first."""
        return self._read(_ordered(where).limit(limit).offset(offset), summary_from)

    def texts(self, *, limit: int, offset: int = 0, where: Filter = EVERYTHING) -> list[SavedGame]:
        """Return the games that `games` returns, but complete instead of as summaries."""
        return self._read(_ordered(where).limit(limit).offset(offset), saved_from)

    def ids(self, where: Filter = EVERYTHING) -> list[str]:
        """Return the ids of all games that match, most recently changed first."""
        with self.reading() as connection:
            return list(connection.execute(_ordered(where).with_only_columns(_GAMES.c.id)).scalars())

    def some(self, ids: Sequence[str]) -> list[SavedGame]:
        """Return the games with these ids, complete and in this order; deleted and damaged ones are left out."""
        found = self._read(select(_GAMES).where(_GAMES.c.id.in_(ids) & _GAMES.c.deleted.is_(None)), saved_from)
        places = {game_id: place for place, game_id in enumerate(ids)}
        return sorted(found, key=lambda saved: places[saved.id])

    def raw(self, game_id: str) -> dict[str, object] | None:
        """Return the row of a game as the database has it, unchecked; None if there is none."""
        names = [column.name for column in _GAMES.c]
        query = text(f"SELECT {', '.join(names)} FROM games WHERE id = :id")
        with self.reading() as connection:
            row = connection.execute(query, {"id": game_id}).one_or_none()
        return None if row is None else dict(row._mapping)

    def _read(self, query: Select[Any], read: Callable[[Row[Any]], Read], ids: Sequence[str] = ()) -> list[Read]:
        """Return the rows that match and can be read. If one is damaged, the rows are read one by one."""
        with self.reading() as connection:
            try:
                rows = list(connection.execute(query).all())
            except (ValueError, TypeError):  # a column holds a value of the wrong kind
                rows = []
                for game_id in ids or connection.execute(query.with_only_columns(_GAMES.c.id)).scalars().all():
                    try:
                        rows += connection.execute(select(_GAMES).where(_GAMES.c.id == game_id)).all()
                    except (ValueError, TypeError) as error:
                        self._note_damage(game_id, str(error))
        return [found for row in rows if (found := self._checked(row, read)) is not None]

    def _checked(self, row: Row[Any], read: Callable[[Row[Any]], Read]) -> Read | None:
        damage = damage_in(row)
        if damage is None:
            try:
                found = read(row)
            except (OutplayError, ValueError, TypeError, AttributeError, StopIteration) as error:
                damage = str(error) or type(error).__name__
            else:
                self.damaged.pop(row.id, None)
                return found
        self._note_damage(row.id, damage)
        return None

    def _note_damage(self, game_id: str, reason: str) -> None:
        if game_id not in self.damaged:
            logging.getLogger(__name__).error("saved game %s is damaged and left out: %s", game_id, reason)
            while len(self.damaged) >= MOST_DAMAGED:
                self.damaged.pop(next(iter(self.damaged)))
        self.damaged[game_id] = reason

    # Reviews

    def save_review(self, game_id: str, moves: str, review: Review) -> None:
        """Save the review of a game; it replaces an older one. `moves` is the game that was judged, as PDN."""
        row = {"moves": moves, "review": _REVIEW.dump_json(review).decode(), "saved": datetime.now(UTC)}

        def write(connection: Connection) -> None:
            is_this = _REVIEWS.c.game_id == game_id
            if connection.execute(update(_REVIEWS).where(is_this).values(row)).rowcount == 0:
                connection.execute(insert(_REVIEWS), {"game_id": game_id, **row})

        self.change(write)

    def review(self, game_id: str, moves: str) -> Review | None:
        """Return the saved review of exactly these moves of a game, if there is one that can be read."""
        query = select(_REVIEWS.c.review).where((_REVIEWS.c.game_id == game_id) & (_REVIEWS.c.moves == moves))
        with self.reading() as connection:
            found = connection.execute(query).scalar_one_or_none()
        try:
            return None if found is None else _REVIEW.validate_json(found)
        except ValidationError:
            logging.getLogger(__name__).error("the review of saved game %s is damaged; it can be made again", game_id)
            return None

    def count(self, where: Filter | None = None) -> int:
        """Return the number of games that match; without a filter, of all games that are not deleted.

        Games that are known to be damaged are counted only without a filter.
        """
        query = select(func.count()).select_from(_GAMES)
        sound = _GAMES.c.id.not_in(list(self.damaged))
        query = query.where(*[*where.conditions(_GAMES), sound] if where is not None else [_GAMES.c.deleted.is_(None)])
        with self.reading() as connection:
            return connection.execute(query).scalar_one()

    def has_space(self, more: int, most: int) -> bool:
        """Return whether `more` games can be added to those that are not deleted, of which there may be `most`.

        Each new game asks this, so the deleted games, for which the whole table must be read, are told apart only if
        it is nearly full.
        """
        with self.reading() as connection:
            rows = connection.execute(select(func.count()).select_from(_GAMES)).scalar_one()
        return rows + more <= most or self.count() + more <= most

    def count_of(self, owner: str) -> int:
        """Return the number of games of an owner that are not deleted."""
        query = select(func.count()).where((_GAMES.c.owner == owner) & _GAMES.c.deleted.is_(None))
        with self.reading() as connection:
            return connection.execute(query).scalar_one()

    def owners(self, ids: Sequence[str]) -> dict[str, str]:
        """Return the owners of these games, deleted ones included, by game id; empty for a game without an owner."""
        with self.reading() as connection:
            found = connection.execute(select(_GAMES.c.id, _GAMES.c.owner).where(_GAMES.c.id.in_(ids))).all()
        return {row.id: row.owner for row in found}

    def people_of(self, ids: Sequence[str]) -> dict[str, set[str]]:
        """Return who made these games or plays in them, by game id, even if a game is damaged."""
        columns = (_GAMES.c.id, _GAMES.c.owner, _GAMES.c.first_person, _GAMES.c.second_person)
        with self.reading() as connection:
            found = connection.execute(select(*columns).where(_GAMES.c.id.in_(ids))).all()
        return {row.id: {row.owner, row.first_person, row.second_person} - {""} for row in found}

    def delete(self, ids: Sequence[str]) -> list[str]:
        """Mark games as deleted; `restore` brings them back. Return the ids of those that existed."""
        return self._mark(ids, datetime.now(UTC))

    def restore(self, ids: Sequence[str]) -> list[str]:
        """Restore deleted games, and return their ids."""
        return self._mark(ids, None)

    def _mark(self, ids: Sequence[str], deleted: datetime | None) -> list[str]:
        is_other = _GAMES.c.deleted.is_(None) if deleted is not None else _GAMES.c.deleted.is_not(None)
        chosen = _GAMES.c.id.in_(ids) & is_other

        def write(connection: Connection) -> list[str]:
            found = list(connection.execute(select(_GAMES.c.id).where(chosen)).scalars())
            connection.execute(update(_GAMES).where(chosen).values(deleted=deleted))
            return found

        return cast("list[str]", self.change(write))

    def remove_deleted(self, before: datetime) -> int:
        """Remove permanently the games that were deleted before this time, and return their number."""
        query = delete(_GAMES).where(_GAMES.c.deleted < before)
        orphans = delete(_REVIEWS).where(_REVIEWS.c.game_id.not_in(select(_GAMES.c.id)))

        def write(connection: Connection) -> int:
            count = connection.execute(query).rowcount
            connection.execute(orphans)
            return count

        return cast(int, self.change(write))

    def remove_unplayed(self, before: datetime, *, keep: Sequence[str] = ()) -> int:
        """Remove games without a move that were last saved before this time, except `keep`; return their number."""
        is_old = (_GAMES.c.plies == 0) & (_GAMES.c.changed < before) & (_GAMES.c.origin == "played")
        query = delete(_GAMES).where(is_old & _GAMES.c.id.not_in(keep))
        return cast(int, self.change(lambda connection: connection.execute(query).rowcount))

    def hurry(self) -> None:
        """Stop writes from waiting for the locks of other programs, because this program is ending."""
        self._writer.hurry()

    def close(self) -> None:
        self._writer.close()
        self.engine.dispose()
        if self.lease is not None:
            self.lease.close()


def _new_row(columns: Columns, now: datetime) -> Columns:
    """Return the row with its dates: a game played here gets today's date, an imported game the date in its headers."""
    date = columns["date"] or ("" if columns["origin"] == "imported" else now.date().isoformat())
    times = {"created": now, "changed": now, "deleted": None}
    return {"study": "", "study_version": 0, "study_checksum": "", **columns, **times, "date": date}


def _study(saved: SavedGame) -> Columns:
    text = saved.study
    return {"study": text, "study_version": saved.study_version, "study_checksum": text_checksum(text) if text else ""}


def _ordered(where: Filter) -> Select[Any]:
    return select(_GAMES).where(*where.conditions(_GAMES)).order_by(_GAMES.c.changed.desc(), _GAMES.c.id)
