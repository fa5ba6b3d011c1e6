"""A database that fails for a while: reported once when it begins and once when it ends, not for every request."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy.exc import InterfaceError, OperationalError
from sqlalchemy.exc import TimeoutError as PoolTimeoutError

from outplay.errors import OutplayError

_FAILURES = (OperationalError, InterfaceError, PoolTimeoutError)


class UnavailableError(OutplayError):
    """The database does not work at the moment: it is gone, locked, or its disk is full. Nothing was saved."""


class Outage:
    """Whether a database works. Every method may be called from any thread."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._since: float | None = None
        self._failures = 0

    @property
    def is_over(self) -> bool:
        return self._since is None

    @contextmanager
    def watched(self) -> Iterator[None]:
        """Raise UnavailableError where the database fails in the block."""
        try:
            yield
        except _FAILURES as error:
            reason = str(getattr(error, "orig", None) or error).strip().splitlines()[0]
            self._failed(reason)
            raise UnavailableError(f"the database does not work at the moment: {reason}") from error
        if self._since is not None:
            self._works()

    def _failed(self, reason: str) -> None:
        with self._lock:
            self._failures += 1
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
