"""What pages share: the workers, and the store of games, which is opened once the first board has been drawn."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TYPE_CHECKING

from outplay.errors import OutplayError
from outplay.work import ProcessPool

if TYPE_CHECKING:
    from outplay.store import Store

SLOTS = 2
"""The number of processes for games: one for the engine to move, one for the advisor."""
GRACE_MS, BUILD_MS = 10_000, 60_000
"""How late an analysis, a review or an experiment may answer, and how long its preparation may take."""


class Services:
    """The store and the pools of one app. Any thread may call any method."""

    def __init__(self, db: str | None = None) -> None:
        self._db = db
        self._lock = threading.Lock()
        self._opening: Future[Store] | None = None
        self._opener = ThreadPoolExecutor(1, "store")
        self._pools: dict[str, ProcessPool] = {}
        self._is_closed = False

    def begin(self, opened: Callable[[], object] = lambda: None) -> None:
        """Begin to open the store. `opened` is called when the store is open, or cannot be opened."""
        with self._lock:
            if self._opening is None and not self._is_closed:
                self._opening = self._opener.submit(self._open)
            opening = self._opening
        if opening is not None:
            opening.add_done_callback(lambda _: opened())

    def _open(self) -> Store:
        from outplay.store import open_store

        return open_store(self._db)

    def store(self) -> Store:
        """Return the store; wait until it is open. Raise its error if it cannot be opened."""
        self.begin()
        if self._opening is None:
            raise OutplayError("the app is closed")
        return self._opening.result()

    @property
    def is_open(self) -> bool:
        """Whether `store` answers at once."""
        return self._opening is not None and self._opening.done()

    def pool(self, kind: str) -> ProcessPool:
        """Return the workers for one kind of task; they keep their engines. Processes start with the first task."""
        with self._lock:
            if kind not in self._pools:
                is_game = kind == "games"
                self._pools[kind] = (
                    ProcessPool(SLOTS) if is_game else ProcessPool(1, grace_ms=GRACE_MS, build_ms=BUILD_MS)
                )
            return self._pools[kind]

    def rest(self) -> None:
        """End the processes of all workers and with them their searches; the next search starts new processes."""
        with self._lock:
            pools = list(self._pools.values())
        for pool in pools:
            pool.rest(is_forced=True)

    def close(self) -> None:
        """End all workers. Everything is saved already."""
        with self._lock:
            self._is_closed = True
            pools, opening = list(self._pools.values()), self._opening
        for pool in pools:
            pool.close()
        self._opener.shutdown(wait=True)
        if opening is not None and opening.exception() is None:
            opening.result().close()
