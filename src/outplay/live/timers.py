"""Delayed calls: one thread serves all games."""

from __future__ import annotations

import heapq
import itertools
import logging
import threading
import time
from collections.abc import Callable
from typing import Protocol


def ignore(*_: object) -> None:
    """Do nothing, in place of a callback that is no longer wanted."""


class Timers(Protocol):
    """A clock and delayed calls. Tests use a clock that they set themselves."""

    def now(self) -> float:
        """Return the seconds since a fixed moment; the number never decreases."""

    def call_later(self, seconds: float, call: Callable[[], None]) -> Callable[[], None]:
        """Call `call` after `seconds` on a timer thread. Return a function that cancels it, if it is not too late."""


class RealTimers:
    """The timers of this machine."""

    def __init__(self) -> None:
        self._due: list[tuple[float, int]] = []
        self._calls: dict[int, Callable[[], None]] = {}
        self._count = itertools.count()
        self._changed = threading.Condition()
        self._thread: threading.Thread | None = None

    def now(self) -> float:
        return time.monotonic()

    def call_later(self, seconds: float, call: Callable[[], None]) -> Callable[[], None]:
        with self._changed:
            number = next(self._count)
            self._calls[number] = call
            heapq.heappush(self._due, (self.now() + seconds, number))
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="timers", daemon=True)
                self._thread.start()
            self._changed.notify()
        return lambda: self._call_off(number)

    def _call_off(self, number: int) -> None:
        with self._changed:
            self._calls.pop(number, None)

    def _run(self) -> None:
        while True:
            call = self._next()
            try:
                call()
            except Exception:  # an error in one game must not stop the clocks of the others
                logging.getLogger(__name__).exception("a timer's call failed")

    def _next(self) -> Callable[[], None]:
        with self._changed:
            while True:
                while self._due and (self._due[0][1] not in self._calls or self._due[0][0] <= self.now()):
                    call = self._calls.pop(heapq.heappop(self._due)[1], None)
                    if call is not None:
                        return call
                self._changed.wait(self._due[0][0] - self.now() if self._due else None)


REAL_TIMERS = RealTimers()
