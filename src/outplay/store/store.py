"""The store: save, load, list and delete games. Any thread may call any method; writes return once on disk."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any, cast

from sqlalchemy import Connection, Engine, Select, Table, bindparam, delete, func, insert, select, update

from outplay.errors import OutplayError
from outplay.record import AnyGame
from outplay.store.filters import Filter
from outplay.store.games import Columns, SavedGame, Summary, columns_of, saved_from, summary_from
from outplay.store.models import GameRow
from outplay.store.writer import Writer

_GAMES = cast(Table, GameRow.__table__)
_INSERT = insert(_GAMES)
_FIXED = {"id", "created", "date", "deleted", "study", "study_version"}
_UPDATE = (
    update(_GAMES)
    .where((_GAMES.c.id == bindparam("of_game")) & (_GAMES.c.revision == bindparam("after")))
    .values({column.name: bindparam(column.name) for column in _GAMES.c if column.name not in _FIXED})
)  # built once, because every move waits for this statement


EVERYTHING = Filter()


class ConflictError(OutplayError):
    """Another server has saved this game meanwhile: load it again."""


class Store:
    """Saved games in a database. `place` says in words where; `warning` says what is wrong, if anything."""

    def __init__(self, engine: Engine, place: str, warning: str | None = None) -> None:
        self.place, self.warning = place, warning
        self._engine = engine
        self._writer = Writer(engine)

    def save(self, saved: SavedGame, *, after: int | None) -> None:
        """Save a game whose last saved revision was `after` (None: a new game). ConflictError if it was another."""
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

        self._writer.write(write)

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
            self._writer.write(write)

    def save_study(self, saved: SavedGame, tree: AnyGame, text: str) -> None:
        """Save the variations of a game; `text` is the tree as PDN. The game itself changes only if it is a study.

        Raises ConflictError if another tree was saved since `saved` was loaded.
        """
        values: dict[str, object] = {"study_version": saved.study_version + 1}
        if saved.is_study:
            row = {**columns_of(replace(saved, game=tree)), "changed": datetime.now(UTC)}
            values |= {name: row[name] for name in ("changed", "plies", "winner", "reason", "opening", "pdn")}
        else:
            values["study"] = text
        is_same = (_GAMES.c.id == saved.id) & (_GAMES.c.study_version == saved.study_version)
        query = update(_GAMES).where(is_same & _GAMES.c.deleted.is_(None)).values(values)

        def write(connection: Connection) -> None:
            if connection.execute(query).rowcount != 1:
                raise ConflictError(f"the study of game {saved.id} was changed meanwhile")

        self._writer.write(write)

    def load(self, game_id: str) -> SavedGame | None:
        query = select(_GAMES).where((_GAMES.c.id == game_id) & _GAMES.c.deleted.is_(None))
        with self._engine.connect() as connection:
            row = connection.execute(query).one_or_none()
        return None if row is None else saved_from(row)

    def games(self, *, limit: int, offset: int = 0, where: Filter = EVERYTHING) -> list[Summary]:
        """Return the games that match, last changed first."""
        with self._engine.connect() as connection:
            rows = connection.execute(_ordered(where).limit(limit).offset(offset)).all()
        return [summary_from(row) for row in rows]

    def texts(self, *, limit: int, where: Filter = EVERYTHING) -> list[SavedGame]:
        """Return the same games in full."""
        with self._engine.connect() as connection:
            rows = connection.execute(_ordered(where).limit(limit)).all()
        return [saved_from(row) for row in rows]

    def count(self, where: Filter | None = None) -> int:
        """Return the number of games that match; without a filter all games, deleted ones included."""
        query = select(func.count()).select_from(_GAMES)
        if where is not None:
            query = query.where(*where.conditions(_GAMES))
        with self._engine.connect() as connection:
            return connection.execute(query).scalar_one()

    def delete(self, ids: Sequence[str]) -> list[str]:
        """Delete games until `restore`, and return the ids of those that existed."""
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

        return cast("list[str]", self._writer.write(write))

    def remove_deleted(self, before: datetime) -> int:
        """Remove for good the games that were deleted before this time, and return their number."""
        query = delete(_GAMES).where(_GAMES.c.deleted < before)
        return cast(int, self._writer.write(lambda connection: connection.execute(query).rowcount))

    def remove_unplayed(self, before: datetime, *, keep: Sequence[str] = ()) -> int:
        """Remove games without a move that were last saved before this time, except `keep`; return their number."""
        is_old = (_GAMES.c.plies == 0) & (_GAMES.c.changed < before) & (_GAMES.c.origin == "played")
        query = delete(_GAMES).where(is_old & _GAMES.c.id.not_in(keep))
        return cast(int, self._writer.write(lambda connection: connection.execute(query).rowcount))

    def close(self) -> None:
        self._writer.close()
        self._engine.dispose()


def _new_row(columns: Columns, now: datetime) -> Columns:
    """Return the row with its dates: a game played here was played today, an imported one on the day it names."""
    date = columns["date"] or ("" if columns["origin"] == "imported" else now.date().isoformat())
    times = {"created": now, "changed": now, "deleted": None}
    return {"study": "", "study_version": 0, **columns, **times, "date": date}


def _study(saved: SavedGame) -> Columns:
    return {"study": saved.study, "study_version": saved.study_version}


def _ordered(where: Filter) -> Select[Any]:
    return select(_GAMES).where(*where.conditions(_GAMES)).order_by(_GAMES.c.changed.desc(), _GAMES.c.id)
