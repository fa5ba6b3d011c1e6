"""One server holds a database at a time: by a lock file beside an SQLite file, by a session lock in PostgreSQL.

Both locks end with the process that holds them, however it ends. Only servers take these locks: other programs
may write while a server runs, and the revision of each game shows if both have changed it.
"""

from __future__ import annotations

import os
import socket
import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Callable
from pathlib import Path
from typing import IO

from sqlalchemy import Connection, Engine, text

from outplay.errors import OutplayError
from outplay.files import HeldError, take_lock

KEY = 0x6F757470
"""The number of our advisory lock in PostgreSQL: "outp"."""
WAIT_SECONDS = 0.5
"""How often a standby checks whether the database is free, in seconds."""

Say = Callable[[str], None]


class HeldByOtherError(OutplayError):
    """Another server holds the database."""


class Lease(ABC):
    """The right of this server to a database, from `take` until `close`."""

    def take(self, *, standby: bool = False, say: Say = lambda _: None) -> None:
        """Take the lock, or wait for it with `standby`. Raise HeldByOtherError if another server holds it."""
        has_said = False
        while True:
            holder = self._try()
            if holder is None:
                return
            if not standby:
                raise HeldByOtherError(
                    f"another server holds this database: {holder}. End it, name another database with --db, or wait "
                    "for its end with --standby"
                )
            if not has_said:
                say(f"Waiting: {holder} holds the database.")
                has_said = True
            time.sleep(WAIT_SECONDS)

    @abstractmethod
    def _try(self) -> str | None:
        """Take the lock if it is free; otherwise return who holds it."""

    @abstractmethod
    def check(self) -> None:
        """Take the lock again if it was lost with the connection. HeldByOtherError if another server was quicker."""

    @abstractmethod
    def close(self) -> None:
        """Release the lock."""


class FileLease(Lease):
    """For an SQLite file: a lock file beside it."""

    def __init__(self, database: Path) -> None:
        self._path = database.with_name(f"{database.name}.lock")
        self._file: IO[bytes] | None = None

    def _try(self) -> str | None:
        try:
            self._file = take_lock(self._path)
        except HeldError as error:
            return error.holder or "another process"
        return None

    def check(self) -> None:
        """Do nothing: a lock on a file cannot be lost."""

    def close(self) -> None:
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
        """Close the session itself: given back to the pool it would keep its lock."""
        connection, self._connection = self._connection, None
        if connection is not None:
            connection.invalidate()
            connection.close()


_HOLDER = text(
    "SELECT application_name || ', since ' || to_char(backend_start, 'YYYY-MM-DD HH24:MI:SS') "
    "FROM pg_locks JOIN pg_stat_activity USING (pid) "
    "WHERE locktype = 'advisory' AND granted AND classid = 0 AND objid = :key LIMIT 1"
)
