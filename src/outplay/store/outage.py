"""A database that fails for a while: reported once when it begins and once when it ends, not for every request."""

from __future__ import annotations

import logging
import sqlite3
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy.exc import DatabaseError, InterfaceError, OperationalError
from sqlalchemy.exc import TimeoutError as PoolTimeoutError

from outplay.errors import OutplayError
from outplay.store.damage import is_damage

_FAILURES = (DatabaseError, InterfaceError, PoolTimeoutError)
_REASONS = {"55P03": "another program has locked it", "53100": "its disk is full"}
"""What PostgreSQL's own codes mean to people."""


class UnavailableError(OutplayError):
    """The database does not work: it is gone, locked or damaged, or its disk is full. Nothing was saved."""


class Outage:
    """Track whether a database works. An outage ends when it works again; after damage, only a restart ends it.

    Every method may be called from any thread.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._since: float | None = None
        self._failures = 0
        self._is_of_writes = False
        self._end = ""

    @property
    def is_over(self) -> bool:
        return self._since is None and not self._end

    def check_usable(self) -> None:
        """Raise UnavailableError after `give_up`: what is saved now would be lost."""
        if self._end:
            raise UnavailableError(self._end)

    def give_up(self, reason: str, details: str | None = None) -> None:
        """Refuse to save anything until the program is started again. Only the log gets the details."""
        with self._lock:
            if not self._end:
                self._end = f"nothing more can be saved: {reason}"
                logging.getLogger(__name__).critical(
                    "nothing more can be saved: %s. Stop the server, then restore a backup or put the right file in "
                    "its place",
                    details or reason,
                )

    @contextmanager
    def watched(self, *, writes: bool = False) -> Iterator[None]:
        """Raise UnavailableError if the database fails in the block.

        If the last failure was that of a write (a lock, a full disk), only a successful write ends the outage.
        """
        try:
            yield
        except _FAILURES as error:
            if isinstance(error, DatabaseError) and type(error) not in (DatabaseError, OperationalError):
                raise  # the request was wrong; the database works
            reason = str(getattr(error, "orig", None) or error).strip().splitlines()[0]
            if is_damage(reason):
                self.give_up(f"the database is damaged: {reason}")
                self.check_usable()
            self._failed(reason, writes=writes)
            raise UnavailableError(f"the database does not work at the moment: {_told(error)}") from error
        if self._since is not None and (writes or not self._is_of_writes):
            self._works()

    def _failed(self, reason: str, *, writes: bool) -> None:
        with self._lock:
            self._failures += 1
            self._is_of_writes = writes
            if self._since is None:
                self._since = time.monotonic()
                logging.getLogger(__name__).error("the database fails: %s", reason)

    def _works(self) -> None:
        with self._lock:
            if self._since is not None:
                seconds, self._since = time.monotonic() - self._since, None
                words = "the database works again after %.1f s; %d requests failed meanwhile"
                logging.getLogger(__name__).warning(words, seconds, self._failures)
                self._failures = 0


def _told(error: Exception) -> str:
    """Return the reason that clients are told: it names no file, address or account of the server."""
    cause = getattr(error, "orig", None)
    if isinstance(cause, sqlite3.Error):  # SQLite's own reasons name none
        return str(cause)
    return _REASONS.get(getattr(cause, "sqlstate", None) or "", "it does not answer")
