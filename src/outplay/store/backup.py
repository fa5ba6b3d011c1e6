"""Backups: the games of any database as one SQLite file, made while a server runs, and put back later.

The file is complete or absent: it is written beside its name and renamed. Copying a database file by hand is no backup:
what was saved last is still in the write-ahead log beside it.
"""

from __future__ import annotations

import contextlib
import os
import sqlite3
from collections.abc import Iterator
from pathlib import Path

from sqlalchemy import Connection, Engine, create_engine, delete, func, insert, select
from sqlalchemy.exc import SQLAlchemyError

from outplay.errors import OutplayError
from outplay.files import sync
from outplay.store.migrate import migrate
from outplay.store.models import Base, GameRow
from outplay.store.open import database_of, opened_engine

ROWS_AT_ONCE = 500


class BackupError(OutplayError):
    """A backup cannot be made or put back; the message says why, and nothing was changed."""


def backup(file: Path, db: str | None = None) -> int:
    """Write all games of a database (as `--db` names it) into a file, and return their number."""
    beside = file.with_name(f"{file.name}.{os.getpid()}.tmp")
    beside.unlink(missing_ok=True)
    try:
        path = database_of(db)
        if path is None:
            with opened_engine(db) as engine:
                _copy_rows(engine, beside)
        elif path.is_file():
            _copy_file(path, beside)
        else:
            raise BackupError(f"there are no saved games: the file {path} does not exist")
        count = _checked(beside)
        sync(beside)
        beside.replace(file)
        return count
    except (sqlite3.Error, SQLAlchemyError) as error:
        raise BackupError(f"the backup could not be made: {_reason(error)}") from error
    finally:
        beside.unlink(missing_ok=True)


def restore(file: Path, db: str | None = None, *, replace: bool = False) -> int:
    """Put the games of a backup into a database, all or none, and return their number.

    Games that are there already are refused, or replaced with `replace`. No server may hold the database meanwhile.
    """
    if not file.is_file():
        raise BackupError(f"there is no file {file}")
    with _up_to_date_copy(file) as source, opened_engine(db, hold="now") as engine:
        try:
            with engine.begin() as into:
                there = into.execute(select(func.count()).select_from(GameRow)).scalar_one()
                if there and not replace:
                    raise BackupError(
                        f"the database has {there} games already; --replace puts those of the backup in their place"
                    )
                return _put_rows(source, into)
        except SQLAlchemyError as error:
            raise BackupError(f"the backup could not be put back: {_reason(error)}") from error


# Making


def _copy_file(path: Path, to: Path) -> None:
    """Copy an SQLite database, its write-ahead log included, while others write to it."""
    source = sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)
    target = sqlite3.connect(to)
    with contextlib.closing(source), contextlib.closing(target):
        source.backup(target)
        target.execute("PRAGMA journal_mode = DELETE")  # one file, with nothing beside it


def _copy_rows(engine: Engine, to: Path) -> None:
    """Copy the tables of another kind of database as they are at one moment."""
    target = create_engine(f"sqlite:///{to}")
    try:
        migrate(target)
        snapshot = engine.connect().execution_options(isolation_level="REPEATABLE READ")
        with snapshot as source, target.begin() as into:
            _put_rows(source, into)
    finally:
        target.dispose()


def _checked(file: Path) -> int:
    """Return the number of games in a backup, after a look through all of it."""
    with contextlib.closing(sqlite3.connect(f"{file.absolute().as_uri()}?mode=ro", uri=True)) as connection:
        (found,) = connection.execute("PRAGMA integrity_check(1)").fetchone()
        if found != "ok":
            raise BackupError(f"{file.name} is damaged: {found}")
        count: int = connection.execute("SELECT count(*) FROM games WHERE deleted IS NULL").fetchone()[0]
        return count


# Putting back


@contextlib.contextmanager
def _up_to_date_copy(file: Path) -> Iterator[Connection]:
    """Open a copy of a backup in memory, its tables brought up to date; the file itself stays as it is."""
    engine = create_engine("sqlite://")
    try:
        with engine.connect() as connection:
            memory = connection.connection.driver_connection
            assert isinstance(memory, sqlite3.Connection)
            with contextlib.closing(sqlite3.connect(f"{file.absolute().as_uri()}?mode=ro", uri=True)) as source:
                _checked(file)
                source.backup(memory)
        migrate(engine)
        with engine.connect() as connection:
            yield connection
    except BackupError:
        raise
    except (sqlite3.Error, SQLAlchemyError) as error:
        raise BackupError(f"{file} is not a backup of outplay: {_reason(error)}") from error
    finally:
        engine.dispose()


def _put_rows(source: Connection, into: Connection) -> int:
    """Replace all rows of `into` by those of `source`, table by table, and return the number of games."""
    count = 0
    for table in Base.metadata.sorted_tables:
        into.execute(delete(table))
        rows = source.execution_options(stream_results=True).execute(select(table))
        for part in rows.partitions(ROWS_AT_ONCE):
            into.execute(insert(table), [dict(row._mapping) for row in part])
            if table.name == GameRow.__tablename__:
                count += sum(row.deleted is None for row in part)
    return count


def _reason(error: BaseException) -> str:
    return str(getattr(error, "orig", None) or error).strip().splitlines()[0]
