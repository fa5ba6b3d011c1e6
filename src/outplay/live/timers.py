"""Calls that are due later: one thread for all games, however many wait."""

from __future__ import annotations

import heapq
import itertools
import logging
import threading
import time
from collections.abc import Callable
from typing import Protocol


class Timers(Protocol):
    """The time, and calls that are due later. Tests have one whose time they set."""

    def now(self) -> float:
        """Seconds since some moment; they never go back."""

    def call_later(self, seconds: float, call: Callable[[], None]) -> Callable[[], None]:
        """Call it then, on a thread of the timers. Returns the way to call it off, which may come too late."""


class RealTimers:
    """The time of this machine."""

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
            except Exception:  # one game's trouble must not stop the clocks of all
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
