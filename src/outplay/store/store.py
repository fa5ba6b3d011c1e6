"""The store itself: save, load, list. Every method may be called from any thread, and returns when it is on disk."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import cast

from sqlalchemy import Connection, Engine, Table, delete, func, insert, select, update

from outplay.errors import OutplayError
from outplay.store.games import SavedGame, Summary, saved_from, summary_from, values_of
from outplay.store.models import GameRow

_GAMES = cast(Table, GameRow.__table__)


class ConflictError(OutplayError):
    """Somebody else has saved this game meanwhile: load it anew."""


class Store:
    """Saved games in a database. `place` says in words where; `warning`, if there is one, what is wrong with that."""

    def __init__(self, engine: Engine, place: str, warning: str | None = None) -> None:
        self.place, self.warning = place, warning
        self._engine = engine
        self._alone = threading.Lock()  # SQLite has one writer at a time: better to queue here than to poll there

    def save(self, saved: SavedGame, *, after: int | None) -> None:
        """Save a game whose last saved revision was `after` (None: it is new). ConflictError if it was another."""
        values = values_of(saved, datetime.now(UTC))
        with self._write() as connection:
            if after is None:
                connection.execute(insert(_GAMES).values(id=saved.id, created=values["changed"], **values))
                return
            where = (_GAMES.c.id == saved.id) & (_GAMES.c.revision == after)
            if connection.execute(update(_GAMES).where(where).values(values)).rowcount != 1:
                raise ConflictError(f"game {saved.id} was changed by another server")

    def load(self, game_id: str) -> SavedGame | None:
        with self._read() as connection:
            row = connection.execute(select(_GAMES).where(_GAMES.c.id == game_id)).one_or_none()
        return None if row is None else saved_from(row)

    def games(self, *, limit: int, offset: int = 0) -> list[Summary]:
        """Games in which a move was played, the last changed first."""
        query = select(_GAMES).where(_GAMES.c.plies > 0).order_by(_GAMES.c.changed.desc(), _GAMES.c.id)
        with self._read() as connection:
            rows = connection.execute(query.limit(limit).offset(offset)).all()
        return [summary_from(row) for row in rows]

    def count(self, *, with_moves: bool = False) -> int:
        query = select(func.count()).select_from(_GAMES)
        with self._read() as connection:
            return connection.execute(query.where(_GAMES.c.plies > 0) if with_moves else query).scalar_one()

    def remove_unplayed(self, before: datetime) -> int:
        """Forget games in which no move was played until then. Gives their number."""
        with self._write() as connection:
            where = (_GAMES.c.plies == 0) & (_GAMES.c.changed < before)
            return connection.execute(delete(_GAMES).where(where)).rowcount

    def close(self) -> None:
        with self._alone:
            self._engine.dispose()

    @contextlib.contextmanager
    def _write(self) -> Iterator[Connection]:
        with self._alone, self._engine.begin() as connection:
            yield connection

    @contextlib.contextmanager
    def _read(self) -> Iterator[Connection]:
        with self._engine.connect() as connection:
            yield connection
