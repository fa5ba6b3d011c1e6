"""The writer thread: saves that arrive together share one transaction, and so one wait for the disk."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import AbstractContextManager

from sqlalchemy import Connection, Engine

from outplay.errors import OutplayError

Write = Callable[[Connection], object]
_Job = tuple[Write, "Future[object]"]
MOST = 200
"""The most saves in one transaction."""


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
        self._thread = threading.Thread(target=self._run, name="store", daemon=True)
        self._thread.start()

    def write(self, write: Write) -> object:
        """Run a write and wait until it is on disk; raise what it raised."""
        future: Future[object] = Future()
        with self._closing:
            if self._is_closed:
                raise ClosedStoreError("the store is closed")
            self._jobs.put((write, future))
        return future.result()

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
