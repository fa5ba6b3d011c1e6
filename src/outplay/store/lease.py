"""Let only one server at a time use a database, with a lock file beside an SQLite file or a lock in PostgreSQL.

Both locks end with the process that holds them, even if it is killed. Only servers take these locks: other programs
may write while a server runs, and the revision of a game shows if two programs have changed it.
"""

from __future__ import annotations

import contextlib
import os
import socket
import sqlite3
import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Callable
from pathlib import Path
from typing import IO

from sqlalchemy import Connection, Engine, text
from sqlalchemy.exc import DBAPIError

from outplay.errors import OutplayError
from outplay.files import HeldError, take_lock

KEY = 0x6F757470
"""The number of our advisory lock in PostgreSQL: the bytes of "outp"."""
WAIT_SECONDS = 0.5
"""The seconds between two checks by a waiting server whether the database is free."""

Say = Callable[[str], None]


class HeldByOtherError(OutplayError):
    """Another server holds the database."""


class MovedError(OutplayError):
    """The file of the database was moved. `.path` is its old path, which the message does not name."""

    def __init__(self, reason: str, path: Path) -> None:
        super().__init__(reason)
        self.path = path


class Lease(ABC):
    """The right of this server to use a database, from `take` until `close`."""

    def take(self, *, standby: bool = False, say: Say = lambda _: None) -> None:
        """Take the lock, or wait for it with `standby`. Raise HeldByOtherError if another server holds it.

        A waiting server keeps waiting if the database is stopped or restarted meanwhile.
        """
        holder = self._try()
        if holder is None:
            return
        if not standby:
            raise HeldByOtherError(
                f"another server holds this database: {holder}. End it, name another database with --db, or use "
                "--standby to wait until it ends"
            )
        say(f"Waiting: {holder} holds the database.")
        while holder is not None:
            time.sleep(WAIT_SECONDS)
            holder = self._try_again()

    @abstractmethod
    def _try(self) -> str | None:
        """Take the lock if it is free; otherwise return who holds it."""

    def _try_again(self) -> str | None:
        return self._try()

    @abstractmethod
    def check(self) -> None:
        """Take the lock again if it was lost with the connection. HeldByOtherError if another server has it now.

        MovedError if the database file was moved: what is saved from now on would be lost.
        """

    @abstractmethod
    def close(self) -> None:
        """Release the lock."""


class FileLease(Lease):
    """For an SQLite file: a lock file beside it."""

    def __init__(self, database: Path) -> None:
        """Links to the same file share one lock."""
        real = database.resolve()
        self._database, self._path = database, real.with_name(f"{real.name}.lock")
        self._file: IO[bytes] | None = None
        self._seen: tuple[int, int] | None = None
        self._opened: sqlite3.Connection | None = None
        """A connection that keeps the file open from the first check on, wherever the file is moved."""

    def _try(self) -> str | None:
        try:
            self._file = take_lock(self._path)
        except HeldError as error:
            return error.holder or "another process"
        return None

    def check(self) -> None:
        """Raise MovedError if the database was moved away; a lock on a file cannot be lost."""
        if self._opened is None:
            self._opened = sqlite3.connect(
                f"{self._database.absolute().as_uri()}?mode=rw", uri=True, check_same_thread=False, timeout=0
            )
            self._opened.execute("SELECT 1 FROM sqlite_master LIMIT 1").fetchall()
        try:
            found = self._database.stat()
        except FileNotFoundError:
            self._fold()
            raise MovedError("the file of the database was moved or deleted", self._database) from None
        self._seen = self._seen or (found.st_dev, found.st_ino)
        if self._seen != (found.st_dev, found.st_ino):
            self._fold()
            raise MovedError("another file was put in the place of the database", self._database)

    def _fold(self) -> None:
        """Write the write-ahead log into the file that was moved: the log has stayed behind in the old place.

        There, SQLite would delete it, or apply it to the next file of that name.
        """
        assert self._opened is not None
        with contextlib.suppress(sqlite3.Error):  # while another connection reads: the next check tries again
            self._opened.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()

    def close(self) -> None:
        if self._opened is not None:
            self._opened.close()
        if self._file is not None:
            self._file.close()


class SessionLease(Lease):
    """For PostgreSQL: an advisory lock of a session that is kept open."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._connection: Connection | None = None
        self._lock = threading.Lock()
        self._is_closed = False

    def _try(self) -> str | None:
        connection = self._connection or self._engine.connect().execution_options(isolation_level="AUTOCOMMIT")
        self._connection = connection
        name = f"outplay serve, process {os.getpid()} on {socket.gethostname()}"
        connection.execute(text("SELECT set_config('application_name', :name, false)"), {"name": name[:63]})
        if connection.execute(text("SELECT pg_try_advisory_lock(:key)"), {"key": KEY}).scalar_one():
            return None
        return connection.execute(_HOLDER, {"key": KEY}).scalar() or "another server"

    def _try_again(self) -> str | None:
        try:
            return self._try()
        except DBAPIError:  # PostgreSQL stops, or is not back yet
            self._drop()
            return "a database that does not answer"

    def check(self) -> None:
        with self._lock:
            if self._is_closed:
                return
            try:
                assert self._connection is not None
                self._connection.execute(text("SELECT 1"))
            except Exception:
                self._drop()
                self.take()

    def close(self) -> None:
        with self._lock:
            self._is_closed = True
            self._drop()

    def _drop(self) -> None:
        """Close the session itself: if it went back to the pool, it would keep its lock."""
        connection, self._connection = self._connection, None
        if connection is not None:
            connection.invalidate()
            connection.close()


_HOLDER = text(
    "SELECT application_name || ', since ' || to_char(backend_start, 'YYYY-MM-DD HH24:MI:SS') "
    "FROM pg_locks JOIN pg_stat_activity USING (pid) "
    "WHERE locktype = 'advisory' AND granted AND classid = 0 AND objid = :key LIMIT 1"
)
