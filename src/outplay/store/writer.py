"""The writer thread: saves that arrive together share one transaction, so they wait for the disk only once."""

from __future__ import annotations

import queue
import sqlite3
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import AbstractContextManager

from sqlalchemy import Connection, Engine
from sqlalchemy.exc import DatabaseError, OperationalError

from outplay.errors import OutplayError

Write = Callable[[Connection], object]
_Job = tuple[Write, "Future[object]"]
MOST = 200
"""The most saves in one transaction."""
LOCK_SECONDS = 5
"""How long a write waits while another program has locked the database."""
LOCKED_SECONDS = 0.1
"""How long a write waits if the one before failed because of a lock. It is short: waits delay all other writes."""
RETRY_SECONDS = 0.01
"""How long a write waits before it tries again to get the lock."""


class ClosedStoreError(OutplayError):
    """The store is closed, because the program is ending."""


class Writer:
    """Runs writes one after the other on its own thread; `write` returns when the data is on disk.

    A write that fails must leave nothing changed, because the other writes of its transaction are still committed.
    """

    def __init__(self, engine: Engine, turn: AbstractContextManager[object]) -> None:
        """`turn` is held while a transaction runs: a database in memory has one connection for all threads."""
        self._engine, self._turn = engine, turn
        self._jobs: queue.SimpleQueue[_Job | None] = queue.SimpleQueue()
        self._closing = threading.Lock()
        self._is_closed = False
        self._is_locked = False
        self._hurried = threading.Event()
        self._thread = threading.Thread(target=self._run, name="store", daemon=True)
        self._thread.start()

    def write(self, write: Write) -> object:
        """Run a write and wait until it is on disk. An error in the write is raised to the caller."""
        future: Future[object] = Future()
        with self._closing:
            if self._is_closed:
                raise ClosedStoreError("the store is closed")
            self._jobs.put((write, future))
        return future.result()

    def hurry(self) -> None:
        """Stop waiting for the locks of other programs, because this program is ending."""
        self._hurried.set()

    def close(self) -> None:
        """Finish the queued writes, then stop."""
        with self._closing:
            if self._is_closed:
                return
            self._is_closed = True
            self._jobs.put(None)
        self._thread.join()

    def _run(self) -> None:
        while True:
            job = self._jobs.get()
            if job is None:
                return
            jobs, is_last = [job], False
            while len(jobs) < MOST and not is_last:
                try:
                    more = self._jobs.get_nowait()
                except queue.Empty:
                    break
                if more is None:
                    is_last = True
                else:
                    jobs.append(more)
            self._commit(jobs)
            if is_last:
                return

    def _take_lock(self, connection: Connection) -> None:
        """Begin an SQLite transaction that writes; wait while another program has locked the file.

        SQLite can wait too, but `hurry` could not end such a wait.
        """
        if connection.dialect.name != "sqlite":
            return
        file = connection.connection.driver_connection  # directly: SQLAlchemy would add a third to the cost of a write
        assert isinstance(file, sqlite3.Connection)
        until = time.monotonic() + (LOCKED_SECONDS if self._is_locked else LOCK_SECONDS)
        file.execute("PRAGMA busy_timeout = 0")
        try:
            while not self._begins(file, until):
                pass
        finally:
            file.execute(f"PRAGMA busy_timeout = {LOCK_SECONDS * 1000}")

    def _begins(self, file: sqlite3.Connection, until: float) -> bool:
        """Try to begin the transaction. If the file is locked, return False; raise after `until` or after `hurry`."""
        try:
            file.execute("BEGIN IMMEDIATE")
        except sqlite3.DatabaseError as error:
            is_lock = "locked" in str(error)
            if is_lock and time.monotonic() < until and not self._hurried.wait(RETRY_SECONDS):
                return False
            self._is_locked = is_lock
            kind = OperationalError if isinstance(error, sqlite3.OperationalError) else DatabaseError
            raise kind("BEGIN IMMEDIATE", None, error) from error
        self._is_locked = False
        return True

    def _carry_out(self, write: Write, connection: Connection) -> object:
        if connection.dialect.name == "sqlite":
            return write(connection)
        with connection.begin_nested():  # on other databases one failure would abort the whole transaction
            return write(connection)

    def _commit(self, jobs: list[_Job]) -> None:
        """Run all jobs in one transaction; report success only once it is on disk."""
        done: list[tuple[Future[object], object]] = []
        try:
            with self._turn, self._engine.begin() as connection:
                self._take_lock(connection)
                for write, future in jobs:
                    try:
                        done.append((future, self._carry_out(write, connection)))
                    except Exception as error:
                        future.set_exception(error)
        except Exception as error:  # perhaps before any of them was carried out
            for _, future in jobs:
                if not future.done():
                    future.set_exception(error)
        else:
            for future, result in done:
                future.set_result(result)
