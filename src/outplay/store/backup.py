"""Backups: write the games of any database to one SQLite file, even while a server runs, and restore them.

The file is complete or absent: it is written under another name in the same folder, and then renamed. A plain copy of
the database file is no backup: the latest changes may still be in the write-ahead log beside it.
"""

from __future__ import annotations

import contextlib
import os
import re
import sqlite3
import time
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from sqlalchemy import Connection, Engine, create_engine, delete, func, insert, select
from sqlalchemy.exc import SQLAlchemyError

from outplay.errors import OutplayError
from outplay.files import sync, sync_folder
from outplay.store.lease import FileLease
from outplay.store.migrate import migrate
from outplay.store.models import Base, GameRow
from outplay.store.open import UnusableError, database_of, files_of, is_in_memory, is_sqlite, name_of, opened_engine

ROWS_AT_ONCE = 500
LEFT_SECONDS = 3600
"""A temporary file that has not changed for this long is left from a backup that was killed."""


class BackupError(OutplayError):
    """A backup cannot be made or restored; the message says why, and nothing was changed."""


@dataclass(frozen=True, slots=True)
class Copied:
    """What a backup holds, or what was restored from one."""

    games: int
    database: str
    """The name of the database in messages."""
    aside: Path | None = None
    """The new path of the old database file, if it could not be opened and was renamed. If only its write-ahead log
    was left, the new path of the log."""


def backup(file: Path, db: str | None = None) -> Copied:
    """Write all games of a database into a file. `db` names the database as `--db` does.

    An older backup in this file is replaced. BackupError if the file exists and is not a backup.
    """
    _refuse_memory(db)
    path = database_of(db)
    _check_target(file, path)
    _remove_leftovers(file)
    beside = file.with_name(f"{file.name}.{os.getpid()}.tmp")
    try:
        if path is None:
            with opened_engine(db) as engine:
                _copy_rows(engine, beside)
        elif path.is_file():
            _copy_file(path, beside)
        else:
            raise BackupError(f"there are no saved games: the file {path} does not exist")
        count = _checked(beside, name_of(db))
        sync(beside)
        beside.replace(file)
        sync_folder(file.absolute().parent)
        return Copied(count, name_of(db))
    except (sqlite3.Error, SQLAlchemyError) as error:
        raise BackupError(f"the backup could not be made: {_reason(error)}") from error
    finally:
        for each in files_of(beside):
            each.unlink(missing_ok=True)


def restore(file: Path, db: str | None = None, *, replace: bool = False) -> Copied:
    """Put the games of a backup into a database, all or none.

    BackupError if the database has games already; with `replace`, the backup takes their place. With `replace`, an
    SQLite file that is damaged, or that a newer version wrote, is renamed and a new file takes its place. No server may
    use the database meanwhile.
    """
    _refuse_memory(db)
    if not file.is_file():
        raise BackupError(f"there is no file {file}")
    with _up_to_date_copy(file) as source:
        try:
            return Copied(_put_into(db, source, replace=replace), name_of(db))
        except UnusableError as error:
            path = database_of(db)
            if path is None:
                raise BackupError(f"{error}. Restore the backup into a new, empty database") from error
            if not replace:
                raise BackupError(f"{error}. --replace renames the file and puts the backup in its place") from error
        count, aside = _put_in_place_of(path, source)
        return Copied(count, name_of(db), aside)


def _refuse_memory(db: str | None) -> None:
    if is_in_memory(db):
        raise BackupError("games that are kept in memory have no backup: name a file or a URL with --db")


# Making a backup


def _check_target(file: Path, path: Path | None) -> None:
    """Raise BackupError unless a backup may be written here. `path` is the file of the database, if it has one."""
    if file.is_symlink() or (file.exists() and not file.is_file()):
        raise BackupError(f"{file} is not an ordinary file: name a new file for the backup")
    is_own = path is not None and (
        file.resolve() in files_of(path.resolve()) or (file.exists() and path.exists() and file.samefile(path))
    )
    if is_own or any(each.exists() for each in files_of(file)[1:]):
        raise BackupError(f"{file} belongs to a database, which would be lost: name another file for the backup")
    if file.exists() and not is_sqlite(file):
        raise BackupError(f"{file} exists already and is not a backup: name another file")


def _remove_leftovers(file: Path) -> None:
    """Remove what earlier backups into the same file left when they were killed."""
    leftover = re.compile(rf"{re.escape(file.name)}\.\d+\.tmp(-\w+)?")
    for found in file.absolute().parent.iterdir():
        if leftover.fullmatch(found.name) and time.time() - found.stat().st_mtime > LEFT_SECONDS:
            found.unlink(missing_ok=True)


def _copy_file(path: Path, to: Path) -> None:
    """Copy an SQLite database with its write-ahead log; other programs may write to it meanwhile."""
    source = sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)
    target = sqlite3.connect(to)
    with contextlib.closing(source), contextlib.closing(target):
        source.backup(target)
        target.execute("PRAGMA journal_mode = DELETE")  # one file, with nothing beside it


def _copy_rows(engine: Engine, to: Path) -> None:
    """Copy the tables of a database that is not SQLite, all in the state of one moment."""
    target = create_engine(f"sqlite:///{to}")
    try:
        migrate(target)
        snapshot = engine.connect().execution_options(isolation_level="REPEATABLE READ")
        with snapshot as source, target.begin() as into:
            _put_rows(source, into)
    finally:
        target.dispose()


def _checked(file: Path, name: str) -> int:
    """Check the whole file of a backup, and return its number of games. `name` is its name in messages."""
    with contextlib.closing(sqlite3.connect(f"{file.absolute().as_uri()}?mode=ro", uri=True)) as connection:
        (found,) = connection.execute("PRAGMA integrity_check(1)").fetchone()
        if found != "ok":
            raise BackupError(f"{name} is damaged: {' '.join(found.split())}")
        count: int = connection.execute("SELECT count(*) FROM games WHERE deleted IS NULL").fetchone()[0]
        return count


# Restoring a backup


@contextlib.contextmanager
def _up_to_date_copy(file: Path) -> Iterator[Connection]:
    """Open a copy of a backup in memory, its tables brought up to date; the file itself stays as it is."""
    engine = create_engine("sqlite://")
    try:
        with engine.connect() as connection:
            memory = connection.connection.driver_connection
            assert isinstance(memory, sqlite3.Connection)
            with contextlib.closing(sqlite3.connect(f"{file.absolute().as_uri()}?mode=ro", uri=True)) as source:
                _checked(file, str(file))
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


def _put_into(db: str | None, source: Connection, *, replace: bool) -> int:
    """Put the rows of a backup into a database that can be opened; return the number of games."""
    with opened_engine(db, hold="now") as engine:
        try:
            with engine.begin() as into:
                there = into.execute(select(func.count()).select_from(GameRow)).scalar_one()
                if there and not replace:
                    raise BackupError(
                        f"{name_of(db)} has {there} games already; --replace puts the backup in their place"
                    )
                return _put_rows(source, into)
        except SQLAlchemyError as error:
            raise BackupError(f"the backup could not be restored: {_reason(error)}") from error


def _put_in_place_of(path: Path, source: Connection) -> tuple[int, Path]:
    """Replace a database file by the rows of a backup; return the number of games and the new path of the old file.

    The old file is renamed only when the new one is complete.
    """
    path = path.resolve()  # a link stays a link
    beside, lease = path.with_name(f"{path.name}.{os.getpid()}.tmp"), FileLease(path)
    aside = path.with_name(f"{path.name}.{datetime.now():%Y%m%d-%H%M%S}.old")
    lease.take()
    try:
        count = _put_into(str(beside), source, replace=False)
        sync(beside)
        for end in ("-wal", "-shm", ""):  # the first may hold the latest changes
            with contextlib.suppress(FileNotFoundError):
                path.with_name(path.name + end).rename(aside.with_name(aside.name + end))
        beside.rename(path)
        sync_folder(path.parent)
        return count, aside if aside.exists() else aside.with_name(f"{aside.name}-wal")
    finally:
        for each in files_of(beside):
            each.unlink(missing_ok=True)
        lease.close()


def _put_rows(source: Connection, into: Connection) -> int:
    """Replace all rows of `into` with those of `source`, table by table, and return the number of games."""
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
