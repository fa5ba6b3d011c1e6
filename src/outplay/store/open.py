"""Open the store: find the database, bring its tables up to date, and say what to do where that fails."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Literal

from alembic.util import CommandError
from sqlalchemy import URL, Engine, create_engine, event, make_url
from sqlalchemy.exc import ArgumentError, NoSuchModuleError, SQLAlchemyError
from sqlalchemy.pool import StaticPool

from outplay import places
from outplay.errors import MissingExtraError, OutplayError
from outplay.store.lease import FileLease, Lease, Say, SessionLease
from outplay.store.migrate import is_up_to_date, migrate
from outplay.store.store import Store

FILE = "games.sqlite3"
MEMORY = "memory"
"""What `--db` takes for games that are not saved."""
LOCK_SECONDS = 20
"""How long a write waits for those of other programs."""
OPEN_SECONDS = 60
"""How long opening waits for a lock."""
CONNECT_SECONDS = 5
"""How long PostgreSQL may take to answer at the start."""
FLEETING = "Games are kept in memory only and are lost when the server stops."
FIXED = "The database is read-only: games can be looked at, but nothing new is saved or played."
_IN_MEMORY = (None, "", ":memory:")
_FAILURES = (OSError, SQLAlchemyError, CommandError, sqlite3.Error)

Holding = Literal["no", "now", "standby"]


class StoreError(OutplayError):
    """The database cannot be opened; the message says what to do."""


def open_store(
    db: str | None = None, *, hold: Holding = "no", say: Say = lambda _: None, lock_seconds: float = OPEN_SECONDS
) -> Store:
    """Open the store at a database URL or at the path of an SQLite file; default: a file in the user's data folder.

    `memory` keeps the games in memory only. A file that can only be read is opened for reading (`Store.is_read_only`).
    With `hold` the store belongs to this server alone: `now` raises an error if another server holds it, `standby`
    waits until it is free. `say` is called with a message before a wait for a lock. Raise StoreError or
    HeldByOtherError if the database cannot be opened.
    """
    url = _url(db)
    try:
        if url.get_backend_name() != "sqlite":
            return _open_server(url, hold, say)
        if url.database in _IN_MEMORY:
            return _prepared(_sqlite(url, poolclass=StaticPool), "Games are kept in memory only.", warning=FLEETING)
        return _open_file(url, hold, say, lock_seconds)
    except _FAILURES as error:
        raise StoreError(f"{_name(url)} cannot be opened: {_reason(error)}{_advice(error)}") from error


def database_of(db: str | None) -> Path | None:
    """Return the file that `--db` names, or None if it names no file."""
    url = _url(db)
    return Path(str(url.database)) if _is_file(url) and url.database not in _IN_MEMORY else None


@contextmanager
def opened_engine(db: str | None, *, hold: Holding = "no") -> Iterator[Engine]:
    """Open a database for copying it; its tables are up to date."""
    store = open_store(db, hold=hold)
    try:
        store.check_writable()
        yield store.engine
    finally:
        store.close()


def _url(db: str | None) -> URL:
    if db is None:
        return _file_url(places.data_folder() / FILE)
    if db == MEMORY:
        return make_url("sqlite://")
    if "://" not in db:
        return _file_url(Path(db).expanduser())
    try:
        url = make_url(db)
    except ArgumentError:
        raise StoreError(
            f"--db takes a path, a URL such as postgresql://name@host/database, or {MEMORY}, not {db!r}"
        ) from None
    return url.set(drivername="postgresql+psycopg") if url.drivername in ("postgresql", "postgres") else url


def _file_url(path: Path) -> URL:
    return URL.create("sqlite", database=str(path))


def _name(url: URL) -> str:
    return "the database " + (str(url.database) if _is_file(url) else url.render_as_string(hide_password=True))


def _is_file(url: URL) -> bool:
    return url.get_backend_name() == "sqlite"


# PostgreSQL and other servers


def _open_server(url: URL, hold: Holding, say: Say) -> Store:
    engine = _engine(url)
    lease = None
    try:
        if hold != "no" and engine.dialect.name == "postgresql":
            lease = SessionLease(engine)
            lease.take(standby=hold == "standby", say=say)
        return _prepared(engine, f"Games are saved in {_name(url)}.", lease)
    except BaseException:
        if lease is not None:
            lease.close()
        engine.dispose()
        raise


def _engine(url: URL) -> Engine:
    options = {"connect_timeout": CONNECT_SECONDS} if url.get_backend_name() == "postgresql" else {}
    try:
        return create_engine(url, pool_pre_ping=True, connect_args=options)
    except (NoSuchModuleError, ImportError) as error:
        if url.get_backend_name() == "postgresql":
            why = str(MissingExtraError("its driver psycopg", "postgres"))
        else:
            why = "games are saved in SQLite (a path) or PostgreSQL (postgresql://...)"
        raise StoreError(f"{_name(url)} cannot be used: {why}") from error


# SQLite


def _open_file(url: URL, hold: Holding, say: Say, lock_seconds: float) -> Store:
    path = Path(str(url.database))
    place = f"Games are saved in {path}."
    lease = None
    if not url.query:  # a URL with options may say that it is read-only
        path.parent.mkdir(parents=True, exist_ok=True)
        _wait_for_lock(path, say, lock_seconds)
    try:
        if hold != "no" and not url.query:
            lease = FileLease(path)
            lease.take(standby=hold == "standby", say=say)
        return _prepared(_sqlite(url), place, lease)
    except (OSError, SQLAlchemyError) as error:
        if not _is_read_only(error):
            raise
        return _open_to_read(url, path)


def _wait_for_lock(path: Path, say: Say, seconds: float) -> None:
    """Wait until no other program has locked the file, at most this long."""
    if not path.exists():
        return
    deadline, has_said = time.monotonic() + seconds, False
    while True:
        connection = sqlite3.connect(f"{path.absolute().as_uri()}?mode=rw", timeout=0.2, uri=True, isolation_level=None)
        try:
            connection.execute("BEGIN IMMEDIATE")
            connection.execute("ROLLBACK")
            return
        except sqlite3.OperationalError as error:
            if "locked" not in str(error) or time.monotonic() > deadline:
                return  # it is told when the tables are looked at
        except sqlite3.DatabaseError:
            return
        finally:
            connection.close()
        if not has_said:
            say(f"Waiting: another program has locked {path}.")
            has_said = True


def _open_to_read(url: URL, path: Path) -> Store:
    """Open a file that cannot be written. Its tables must be up to date: nothing can be migrated here.

    In a folder that cannot be written either, SQLite must be promised that nothing changes the file.
    """
    file = path.absolute().as_uri()
    addresses = (
        [url] if url.query else [make_url(f"sqlite:///{file}?{how}&uri=true") for how in ("mode=ro", "immutable=1")]
    )
    for number, address in enumerate(addresses, 1):
        engine = create_engine(address, connect_args={"check_same_thread": False})
        try:
            if not is_up_to_date(engine):
                raise StoreError(f"{_name(url)} is read-only and from another version of outplay: it cannot be updated")
            return Store(engine, f"Games are read from {path}.", warning=FIXED, is_read_only=True)
        except SQLAlchemyError:
            engine.dispose()
            if number == len(addresses):
                raise
    raise AssertionError("unreachable")


def _sqlite(url: URL, **options: Any) -> Engine:
    engine = create_engine(url, connect_args={"check_same_thread": False, "timeout": LOCK_SECONDS}, **options)
    event.listen(engine, "connect", _prepare)
    return engine


def _prepare(connection: sqlite3.Connection, _record: object) -> None:
    # With FULL a commit in WAL mode waits for the disk: what is saved survives a power cut too, not only kill -9.
    for pragma in ("journal_mode = WAL", "synchronous = FULL", "foreign_keys = ON"):
        connection.execute(f"PRAGMA {pragma}")


def _prepared(engine: Engine, place: str, lease: Lease | None = None, warning: str | None = None) -> Store:
    try:
        migrate(engine)
    except BaseException:
        engine.dispose()
        if lease is not None:
            lease.close()
        raise
    return Store(engine, place, warning=warning, lease=lease)


# What went wrong


def _is_read_only(error: BaseException) -> bool:
    said = _reason(error).lower()
    return "readonly" in said or "read-only" in said or isinstance(error, PermissionError)


def _reason(error: BaseException) -> str:
    said = str(getattr(error, "orig", None) or error).strip().rstrip(".")
    return said.splitlines()[0] if said else type(error).__name__


def _advice(error: BaseException) -> str:
    """Return what to do, given the error of the database."""
    said = _reason(error).lower()
    if "can't locate revision" in said:
        return ". A newer version of outplay wrote it: install that version, or restore a backup of this one"
    if "not a database" in said or "malformed" in said:
        return ". It is damaged: restore a backup with `outplay restore`, or move it away to begin with no games"
    if "locked" in said:
        return ". Another program has locked it: end that program, or name another file with --db"
    if "full" in said:
        return ". Make space on the disk"
    if isinstance(error, SQLAlchemyError) and "unable to open" not in said:
        return ""
    return f". Name a file that can be written with --db FILE, or keep games in memory only with --db {MEMORY}"
