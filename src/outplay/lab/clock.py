"""The time limit: a clock that the search checks every few positions.

A search is a deep recursion, and the quickest way out of it is an exception: `Stopped` passes through all levels to the
one place that can use an unfinished search (see deepening.py). Reading the clock takes about a tenth as long as
searching a position, so the search reads it only once in sixteen positions. Sixteen positions usually take less than a
millisecond, even in pure Python.
"""

from __future__ import annotations

import time

EVERY = 16
"""The number of positions between two checks of the clock."""

_MARGIN = 0.98, 0.001
"""Stop at 98 % of the time, less a millisecond: unwinding and answering take time too."""


class Stopped(Exception):  # noqa: N818  (not an error: the way out of a recursion)
    """The search has to end now."""


class Clock:
    """The limits that end a search: a time, a number of positions, or `stop()` from another thread."""

    def __init__(self, time_ms: float | None = None, nodes: int | None = None) -> None:
        self.started = time.perf_counter()
        self._deadline = None
        if time_ms is not None:
            share, less = _MARGIN
            self._deadline = self.started + max(0.0, share * time_ms / 1000 - less)
        self._nodes = nodes
        self._is_stopped = False

    @property
    def seconds(self) -> float:
        """Return the seconds since the start."""
        return time.perf_counter() - self.started

    def stop(self) -> None:
        """Make the next check raise `Stopped`."""
        self._is_stopped = True

    def look(self, nodes: int) -> int:
        """Raise `Stopped` if a limit is reached; otherwise return the number of positions at which to check again."""
        if self._is_stopped or (self._deadline is not None and time.perf_counter() >= self._deadline):
            raise Stopped
        if self._nodes is None:
            return nodes + EVERY
        if nodes > self._nodes:
            raise Stopped
        return min(nodes + EVERY, self._nodes + 1)
