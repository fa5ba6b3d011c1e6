"""The events waiting to be sent on one socket: the newest of each kind, so that a slow reader cannot make it grow.

Events come from any thread; one task of the event loop sends them.
"""

from __future__ import annotations

import asyncio
import contextlib
import threading
import time
from collections.abc import Callable
from typing import Literal

Kind = Literal["error", "state", "people", "said", "tiles", "clock", "thinking"]
Message = Callable[[], str]
"""A function that makes the text when it is sent: most `thinking` events are replaced before that."""

ORDER: tuple[Kind, ...] = ("error", "state", "people", "said", "tiles", "clock", "thinking")
GAPS: dict[Kind, float] = {
    "error": 0.0,
    "state": 0.03,
    "people": 0.25,
    "said": 0.03,
    "tiles": 0.1,
    "clock": 0.25,
    "thinking": 0.25,
}
"""The least time in seconds between two events of a kind. A state holds the whole game, so nothing is lost."""


class Mailbox:
    """A mailbox: put from any thread, get in the event loop."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self._lock = threading.Lock()
        self._waiting: dict[Kind, Message] = {}
        self._due = dict.fromkeys(ORDER, 0.0)
        self._revision = -1
        self._came = asyncio.Event()
        self.is_over = False
        """True after `get` has returned an error, which is the last event."""

    def put(self, kind: Kind, message: Message, *, revision: int | None = None) -> None:
        """Add an event, unless a newer state was added before it: threads may overtake each other."""
        with self._lock:
            if revision is not None and revision < self._revision:
                return
            if kind == "state":
                self._revision = self._revision if revision is None else revision
                self._waiting.pop("thinking", None)  # it belongs to the state before
                self._waiting.pop("clock", None)
            self._waiting[kind] = message
        with contextlib.suppress(RuntimeError):  # the event loop has ended
            self._loop.call_soon_threadsafe(self._came.set)

    async def get(self) -> Message:
        """Wait for the next event that may be sent, and return it: a function that makes its text."""
        while True:
            self._came.clear()
            message, wait = self._take()
            if message is not None:
                return message
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(wait):
                    await self._came.wait()

    def _take(self) -> tuple[Message | None, float | None]:
        """Return the next message that is due, or how long to wait for one."""
        now = time.monotonic()
        with self._lock:
            for kind in ORDER:
                if kind in self._waiting and self._due[kind] <= now:
                    self._due[kind] = now + GAPS[kind]
                    self.is_over = self.is_over or kind == "error"
                    return self._waiting.pop(kind), None
            waits = [self._due[kind] - now for kind in self._waiting]
        return None, min(waits, default=None)
