"""The store itself: save, load, list, throw away. Any thread may call any method; it returns when it is on disk."""

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
)  # made once: it is the statement that every move waits for


EVERYTHING = Filter()


class ConflictError(OutplayError):
    """Somebody else has saved this game meanwhile: load it anew."""


class Store:
    """Saved games in a database. `place` says in words where; `warning`, if there is one, what is wrong with that."""

    def __init__(self, engine: Engine, place: str, warning: str | None = None) -> None:
        self.place, self.warning = place, warning
        self._engine = engine
        self._writer = Writer(engine)

    def save(self, saved: SavedGame, *, after: int | None) -> None:
        """Save a game whose last saved revision was `after` (None: it is new). ConflictError if it was another."""
        self.write(columns_of(saved), after=after)

    def write(self, columns: Columns, *, after: int | None) -> None:
        """The same for a game that was written down already."""
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
        # a microsecond apart: lists have the last changed first, and the order of the games is to be kept
        rows = [
            {**_new_row(columns_of(saved), now - timedelta(microseconds=number)), **_study(saved)}
            for number, saved in enumerate(games)
        ]

        def write(connection: Connection) -> None:
            with connection.begin_nested():  # what went in before one that fails comes out again
                connection.execute(_INSERT, rows)

        if rows:
            self._writer.write(write)

    def save_study(self, saved: SavedGame, tree: AnyGame, text: str) -> None:
        """Save the tree of a game, `text` as PDN. The game itself stays as it is, unless it is only a study.

        ConflictError if another tree was saved since `saved` was loaded.
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
        """Games that fit, the last changed first."""
        with self._engine.connect() as connection:
            rows = connection.execute(_ordered(where).limit(limit).offset(offset)).all()
        return [summary_from(row) for row in rows]

    def texts(self, *, limit: int, where: Filter = EVERYTHING) -> list[SavedGame]:
        """The same, whole."""
        with self._engine.connect() as connection:
            rows = connection.execute(_ordered(where).limit(limit)).all()
        return [saved_from(row) for row in rows]

    def count(self, where: Filter | None = None) -> int:
        """How many games fit; without a filter all there are, those thrown away included."""
        query = select(func.count()).select_from(_GAMES)
        if where is not None:
            query = query.where(*where.conditions(_GAMES))
        with self._engine.connect() as connection:
            return connection.execute(query).scalar_one()

    def delete(self, ids: Sequence[str]) -> list[str]:
        """Throw games away, for now. Gives the ids of those that were there."""
        return self._mark(ids, datetime.now(UTC))

    def restore(self, ids: Sequence[str]) -> list[str]:
        """Take games that were thrown away back. Gives their ids."""
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
        """Forget games that were thrown away until then. Gives their number."""
        query = delete(_GAMES).where(_GAMES.c.deleted < before)
        return cast(int, self._writer.write(lambda connection: connection.execute(query).rowcount))

    def remove_unplayed(self, before: datetime, *, keep: Sequence[str] = ()) -> int:
        """Forget games in which no move was played until then, but for those to keep. Gives their number."""
        is_old = (_GAMES.c.plies == 0) & (_GAMES.c.changed < before) & (_GAMES.c.origin == "played")
        query = delete(_GAMES).where(is_old & _GAMES.c.id.not_in(keep))
        return cast(int, self._writer.write(lambda connection: connection.execute(query).rowcount))

    def close(self) -> None:
        self._writer.close()
        self._engine.dispose()


def _new_row(columns: Columns, now: datetime) -> Columns:
    """A game played here was played today; one from elsewhere on the day it names, if it does."""
    date = columns["date"] or ("" if columns["origin"] == "imported" else now.date().isoformat())
    times = {"created": now, "changed": now, "deleted": None}
    return {"study": "", "study_version": 0, **columns, **times, "date": date}


def _study(saved: SavedGame) -> Columns:
    return {"study": saved.study, "study_version": saved.study_version}


def _ordered(where: Filter) -> Select[Any]:
    return select(_GAMES).where(*where.conditions(_GAMES)).order_by(_GAMES.c.changed.desc(), _GAMES.c.id)
