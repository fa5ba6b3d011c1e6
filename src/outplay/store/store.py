"""The store itself: save, load, list. Every method may be called from any thread, and returns when it is on disk."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import cast

from sqlalchemy import Connection, Engine, Table, bindparam, delete, func, insert, select, update

from outplay.errors import OutplayError
from outplay.store.games import SavedGame, Summary, saved_from, summary_from, values_of
from outplay.store.models import GameRow
from outplay.store.writer import Writer

_GAMES = cast(Table, GameRow.__table__)
_INSERT = insert(_GAMES)
_UPDATE = (
    update(_GAMES)
    .where((_GAMES.c.id == bindparam("of_game")) & (_GAMES.c.revision == bindparam("after")))
    .values({column.name: bindparam(column.name) for column in _GAMES.c if column.name not in ("id", "created")})
)  # made once: it is the statement that every move waits for


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
        values = values_of(saved, datetime.now(UTC))

        def write(connection: Connection) -> None:
            if after is None:
                connection.execute(_INSERT, {"id": saved.id, "created": values["changed"], **values})
            elif connection.execute(_UPDATE, {"of_game": saved.id, "after": after, **values}).rowcount != 1:
                raise ConflictError(f"game {saved.id} was changed by another server")

        self._writer.write(write)

    def load(self, game_id: str) -> SavedGame | None:
        with self._engine.connect() as connection:
            row = connection.execute(select(_GAMES).where(_GAMES.c.id == game_id)).one_or_none()
        return None if row is None else saved_from(row)

    def games(self, *, limit: int, offset: int = 0) -> list[Summary]:
        """Games in which a move was played, the last changed first."""
        query = select(_GAMES).where(_GAMES.c.plies > 0).order_by(_GAMES.c.changed.desc(), _GAMES.c.id)
        with self._engine.connect() as connection:
            rows = connection.execute(query.limit(limit).offset(offset)).all()
        return [summary_from(row) for row in rows]

    def count(self, *, with_moves: bool = False) -> int:
        query = select(func.count()).select_from(_GAMES)
        with self._engine.connect() as connection:
            return connection.execute(query.where(_GAMES.c.plies > 0) if with_moves else query).scalar_one()

    def remove_unplayed(self, before: datetime, *, keep: Sequence[str] = ()) -> int:
        """Forget games in which no move was played until then, but for those to keep. Gives their number."""
        is_old = (_GAMES.c.plies == 0) & (_GAMES.c.changed < before)
        query = delete(_GAMES).where(is_old & _GAMES.c.id.not_in(keep))
        return cast(int, self._writer.write(lambda connection: connection.execute(query).rowcount))

    def close(self) -> None:
        self._writer.close()
        self._engine.dispose()
