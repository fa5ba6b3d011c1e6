"""Open the store: find the database, bring its tables up to date, and say what to do if that fails."""

from __future__ import annotations

import os
import sqlite3
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Literal
from urllib.parse import unquote, urlsplit

from alembic.util import CommandError
from sqlalchemy import URL, Engine, create_engine, event, make_url
from sqlalchemy.exc import ArgumentError, NoSuchModuleError, SQLAlchemyError
from sqlalchemy.pool import StaticPool
from sqlalchemy.util import asbool

from outplay import places
from outplay.errors import MissingExtraError, OutplayError
from outplay.store.damage import damage_of, is_damage
from outplay.store.lease import FileLease, Lease, Say, SessionLease
from outplay.store.migrate import is_up_to_date, migrate
from outplay.store.store import Store
from outplay.store.writer import LOCK_SECONDS

FILE = "games.sqlite3"
SIGNATURE = b"SQLite format 3\0"
"""How every SQLite file begins."""
MEMORY = "memory"
"""The value of `--db` for games that are not saved."""
OPEN_SECONDS = 60
"""How long `open_store` waits for a lock of another program."""
CONNECT_SECONDS = 5
"""How long PostgreSQL may take to answer at the start."""
IDLE_SECONDS, ASK_SECONDS, ASKED = 4, 2, 3
"""When each end of a connection to PostgreSQL asks whether the machine at the other end is still there, how often it
asks again, and how many questions may stay without an answer.

A machine without power or network ends no connection. By default, PostgreSQL would keep its lock for two hours.
"""
FLEETING = "Games are kept in memory only and are lost when the server stops."
FIXED = "The database is read-only: games can be looked at, but not played or saved."
_IN_MEMORY = (None, "", ":memory:", "file::memory:")
_FAILURES = (OSError, SQLAlchemyError, CommandError, sqlite3.Error)

Holding = Literal["no", "now", "standby"]


class StoreError(OutplayError):
    """The database cannot be opened; the message says what to do."""


class UnusableError(StoreError):
    """The database is damaged, or a newer version of outplay wrote it: only a backup can take its place."""


def open_store(
    db: str | None = None, *, hold: Holding = "no", say: Say = lambda _: None, lock_seconds: float = OPEN_SECONDS
) -> Store:
    """Open the store at a database URL or at the path of an SQLite file; default: a file in the user's data folder.

    `memory` keeps the games in memory only. A file that can only be read is opened for reading (`Store.is_read_only`).
    `hold` reserves the database for this server: `now` raises an error if another server holds it, `standby` waits
    until it is free. `say` is called with a message before a wait for a lock. Raise StoreError or
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
        kind = UnusableError if _is_newer(error) or is_damage(_reason(error)) else StoreError
        raise kind(f"{_name(url)} cannot be opened: {_reason(error)}{_advice(error, url)}") from error


def database_of(db: str | None) -> Path | None:
    """Return the file that `--db` names, or None if it names no file."""
    url = _url(db)
    return _path(url) if _is_file(url) and url.database not in _IN_MEMORY else None


def files_of(path: Path) -> list[Path]:
    """Return the files of an SQLite database: itself, and those that SQLite and the servers keep beside it."""
    return [path.with_name(path.name + end) for end in ("", "-wal", "-shm", "-journal", ".lock")]


def is_sqlite(path: Path) -> bool:
    """Return whether a file is empty or looks like an SQLite database."""
    with path.open("rb") as file:
        return file.read(len(SIGNATURE)) in (b"", SIGNATURE)


def name_of(db: str | None) -> str:
    """Return the name that messages use for the database of `--db`."""
    return _name(_url(db))


def is_in_memory(db: str | None) -> bool:
    """Return whether `--db` asks for games that are not saved."""
    url = _url(db)
    return _is_file(url) and url.database in _IN_MEMORY


@contextmanager
def opened_engine(db: str | None, *, hold: Holding = "no") -> Iterator[Engine]:
    """Open a database to copy its rows, with its tables brought up to date."""
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
    if db and "://" not in db:
        return _file_url(Path(db).expanduser())
    try:
        url = make_url(db.replace("postgres://", "postgresql://", 1))
    except (ArgumentError, ValueError):
        raise StoreError(
            f"--db takes a path, a URL such as postgresql://name@host/database, or {MEMORY}, not {db!r}"
        ) from None
    return url.set(drivername="postgresql+psycopg") if url.get_backend_name() == "postgresql" else url


def _file_url(path: Path) -> URL:
    return URL.create("sqlite", database=str(path))


def _name(url: URL) -> str:
    if _is_file(url):
        return f"the database {url.database}"
    url = url.set(drivername=url.drivername.removesuffix("+psycopg"))
    return f"the database {url.render_as_string(hide_password=True)}"


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
    options = dict[str, Any]()
    if url.get_backend_name() == "postgresql":
        gone_ms = (IDLE_SECONDS + ASKED * ASK_SECONDS) * 1000
        asking = {"idle": IDLE_SECONDS, "interval": ASK_SECONDS, "count": ASKED}
        options |= {f"keepalives_{name}": value for name, value in asking.items()}
        options |= {"connect_timeout": CONNECT_SECONDS, "tcp_user_timeout": gone_ms}
        there = {f"tcp_keepalives_{name}": value for name, value in asking.items()}
        if "options" not in url.query:
            settings = {"lock_timeout": f"{LOCK_SECONDS}s", "tcp_user_timeout": gone_ms, **there}
            options["options"] = " ".join(f"-c {name}={value}" for name, value in settings.items())
    try:
        return create_engine(url, pool_pre_ping=True, pool_timeout=LOCK_SECONDS, connect_args=options)
    except (NoSuchModuleError, ImportError) as error:
        if url.get_backend_name() == "postgresql":
            why = str(MissingExtraError("its driver psycopg", "postgres"))
        else:
            why = "games are saved in SQLite (a path) or PostgreSQL (postgresql://...)"
        raise StoreError(f"{_name(url)} cannot be used: {why}") from error


# SQLite


def _open_file(url: URL, hold: Holding, say: Say, lock_seconds: float) -> Store:
    path = _path(url)
    _check_log(path)
    if _is_for_reading(url):
        return _open_to_read(url, path)
    lease = None
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        _wait_for_lock(path, say, lock_seconds)
        if hold != "no":
            lease = FileLease(path)
            lease.take(standby=hold == "standby", say=say)
            _check_log(path)  # again: a standby may have waited for days
        sqlite3.connect(path).close()  # the only place where the file is made: see _existing
        return _prepared(_sqlite(_existing(url, path)), f"Games are saved in {path}.", lease)
    except (OSError, SQLAlchemyError, sqlite3.Error) as error:
        if lease is not None:
            lease.close()
        if not _is_read_only(error) and (not path.is_file() or os.access(path.parent, os.W_OK)):
            raise
        return _open_to_read(url, path)


def _path(url: URL) -> Path:
    """Return the file that a URL of SQLite names."""
    return Path(unquote(urlsplit(str(url.database)).path) if _is_uri(url) else str(url.database))


def _is_uri(url: URL) -> bool:
    return asbool(url.query.get("uri", False))


def _is_for_reading(url: URL) -> bool:
    return _is_uri(url) and (url.query.get("mode") == "ro" or url.query.get("immutable") == "1")


def _existing(url: URL, path: Path) -> URL:
    """Return the URL for a file that exists.

    If the file is moved while a server runs, a new connection must not make an empty one in its place: SQLite would
    delete the write-ahead log with it.
    """
    return url.set(database=path.absolute().as_uri(), query={"mode": "rw", **url.query, "uri": "true"})


def _check_log(path: Path) -> None:
    """Raise UnusableError if the file of a write-ahead log is gone: SQLite would delete the log and the games in it."""
    real = path.resolve()
    log = real.with_name(f"{real.name}-wal")
    if _size(log) and not _size(real):  # in this order: another program may be making the file
        raise UnusableError(
            f"the database {path} is gone, but the latest games are still in its write-ahead log {log}. Put the file "
            "back beside its log, or restore a backup with `outplay restore FILE --replace`; to begin with no games, "
            "move the log away too"
        )


def _size(path: Path) -> int:
    return path.stat().st_size if path.is_file() else 0


def _wait_for_lock(path: Path, say: Say, seconds: float) -> None:
    """Wait until no other program has locked the file, for at most `seconds`."""
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
                return  # the error is reported when the tables are opened
        except sqlite3.DatabaseError:
            return
        finally:
            connection.close()
        if not has_said:
            say(f"Waiting: another program has locked {path}.")
            has_said = True


def _open_to_read(url: URL, path: Path) -> Store:
    """Open a file that cannot be written. Its tables must be up to date: nothing can be migrated here.

    If the folder cannot be written either, SQLite opens the file only with `immutable=1`: our promise that nothing
    changes it. SQLite then ignores the write-ahead log, so a file with a log beside it is not opened in this way: the
    last games may be in the log.
    """
    file, log = path.absolute().as_uri(), path.with_name(f"{path.name}-wal")
    ways = ["mode=ro"] if log.exists() and log.stat().st_size else ["mode=ro", "immutable=1"]
    own = [url] if _is_for_reading(url) else []
    addresses = own or [make_url(f"sqlite:///{file}?{how}&uri=true") for how in ways]
    for number, address in enumerate(addresses, 1):
        engine = create_engine(address, connect_args={"check_same_thread": False})
        try:
            _check_file(engine)
            if not is_up_to_date(engine):
                raise StoreError(
                    f"{_name(url)} is read-only and from another version of outplay, so it cannot be updated: "
                    "use a copy that can be written"
                )
            return Store(engine, f"Games are read from {path}.", warning=FIXED, is_read_only=True)
        except (SQLAlchemyError, sqlite3.Error):
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
        _check_file(engine)
        migrate(engine)
        if lease is not None:
            lease.check()
    except BaseException:
        engine.dispose()
        if lease is not None:
            lease.close()
        raise
    return Store(engine, place, warning=warning, lease=lease)


def _check_file(engine: Engine) -> None:
    """Raise SQLite's own error if a page of the file is damaged: SQLite would raise it only on reading that page."""
    with engine.connect() as connection:
        found = damage_of(connection)
    if found is not None:
        raise sqlite3.DatabaseError(f"its file is malformed ({found})")


# What went wrong


def _is_read_only(error: BaseException) -> bool:
    said = _reason(error).lower()
    return "readonly" in said or "read-only" in said or isinstance(error, PermissionError)


def _reason(error: BaseException) -> str:
    said = str(getattr(error, "orig", None) or error).strip().rstrip(".")
    return said.splitlines()[0] if said else type(error).__name__


def _is_newer(error: BaseException) -> bool:
    return "can't locate revision" in _reason(error).lower()


def _advice(error: BaseException, url: URL) -> str:
    """Return advice on what to do about an error of the database."""
    said = _reason(error).lower()
    if _is_newer(error):
        how = "with `outplay restore FILE --replace`" if _is_file(url) else "into a new, empty database"
        return f". A newer version of outplay wrote it: install that version, or restore a backup of this one {how}"
    if is_damage(_reason(error)):
        return (
            ". It is damaged: restore a backup with `outplay restore FILE --replace`; or, to begin with no games, move "
            "it away together with the files beside it that end in -wal and -shm"
        )
    if "locked" in said:
        return ". Another program has locked it: end that program, or name another file with --db"
    if "full" in said or "no space" in said:
        return ". Free some space on the disk"
    if isinstance(error, SQLAlchemyError) and "unable to open" not in said:
        return ""
    return f". Name a file that can be written with --db FILE, or keep games in memory only with --db {MEMORY}"
