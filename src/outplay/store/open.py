"""Open the store: find it, update its tables, and fall back to memory if it cannot be written."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import Any

from alembic.util import CommandError
from sqlalchemy import URL, Engine, create_engine, event, make_url
from sqlalchemy.exc import ArgumentError, NoSuchModuleError, SQLAlchemyError
from sqlalchemy.pool import StaticPool

from outplay import places
from outplay.errors import OutplayError
from outplay.store.migrate import migrate
from outplay.store.store import Store

FILE = "games.sqlite3"
MEMORY = "sqlite://"
LOCK_SECONDS = 20
"""How long a write waits for other writers, which a busy disk may slow down."""
_FAILURES = (OSError, SQLAlchemyError, CommandError)


class StoreError(OutplayError):
    """The database cannot be opened."""


def open_store(db: str | None = None) -> Store:
    """Open the store at a database URL or the path of an SQLite file. Default: a file in the user's data folder.

    If an SQLite file cannot be written, games are kept in memory and `Store.warning` says why. Any other database that
    cannot be opened raises StoreError.
    """
    url = _url(db)
    try:
        return _open(url)
    except _FAILURES as error:
        if url.get_backend_name() != "sqlite":
            raise StoreError(f"the database cannot be opened: {_reason(error)}") from error
        warning = f"Games are kept in memory only and are lost when the server stops: {_reason(error)}."
        return _open(make_url(MEMORY), warning)


def _url(db: str | None) -> URL:
    if db is None:
        return _file_url(places.data_folder() / FILE)
    if "://" not in db:
        return _file_url(Path(db).expanduser())
    try:
        return make_url(db)
    except ArgumentError:
        raise StoreError("--db takes a path, or a URL such as sqlite:///games.sqlite3") from None


def _file_url(path: Path) -> URL:
    return URL.create("sqlite", database=str(path))


def _open(url: URL, warning: str | None = None) -> Store:
    if url.get_backend_name() != "sqlite":
        engine = _engine(url)
        place = f"Games are kept in the database {url.render_as_string(hide_password=True)}."
    elif url.database in (None, "", ":memory:"):
        engine = _sqlite(url, poolclass=StaticPool)
        place = "Games are kept in memory."
    else:
        path = Path(str(url.database))
        path.parent.mkdir(parents=True, exist_ok=True)
        engine = _sqlite(url)
        place = f"Games are kept in {_shown(path)}."
    try:
        migrate(engine)
    except BaseException:
        engine.dispose()
        raise
    return Store(engine, place, warning)


def _engine(url: URL) -> Engine:
    try:
        return create_engine(url)
    except (NoSuchModuleError, ImportError) as error:
        raise StoreError(f"the database needs a driver that is not installed: {error}") from error


def _sqlite(url: URL, **options: Any) -> Engine:
    engine = create_engine(url, connect_args={"check_same_thread": False, "timeout": LOCK_SECONDS}, **options)
    event.listen(engine, "connect", _prepare)
    return engine


def _prepare(connection: sqlite3.Connection, _record: object) -> None:
    # With FULL, a commit in WAL mode waits for the disk: saved games survive a power cut, not only kill -9.
    for pragma in ("journal_mode = WAL", "synchronous = FULL", "foreign_keys = ON"):
        connection.execute(f"PRAGMA {pragma}")


def _shown(path: Path) -> str:
    """Return the path with ~ for the home folder, because the page shows it and should not reveal the user's name."""
    path = path.absolute()
    home = Path.home()
    return f"~/{path.relative_to(home)}" if path.is_relative_to(home) else str(path)


def _reason(error: BaseException) -> str:
    said = str(getattr(error, "orig", None) or error).strip().rstrip(".")
    return said.splitlines()[0] if said else type(error).__name__
