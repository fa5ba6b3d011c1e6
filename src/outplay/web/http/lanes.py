"""Lanes for costly work (exports, imports, studies, reviews, answers): a few at a time, so that no move waits."""

from __future__ import annotations

import asyncio
import threading
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, TypeVar

import anyio
from anyio.to_thread import run_sync

from outplay.web.http.errors import BusyError, TooManyRunsError
from outplay.web.http.limits import address_of, most_of_address

Answer = TypeVar("Answer")
Receive = Callable[[], Awaitable[Mapping[str, Any]]]
Check = Callable[[], None]


class GoneError(BusyError):
    """The client has gone, so the answer is not needed."""


class Presence:
    """Whether the client of a request is still there. `check` may be called by any thread."""

    def __init__(self) -> None:
        self._is_gone = threading.Event()

    async def watch(self, receive: Receive) -> None:
        """Wait until the client has gone."""
        while (await receive())["type"] != "http.disconnect":
            pass
        self._is_gone.set()

    def check(self) -> None:
        """Raise GoneError if the client has gone."""
        if self._is_gone.is_set():
            raise GoneError("the client has gone")


class Lane:
    """One kind of costly work, in threads of its own: `width` requests at a time; the others wait in line."""

    def __init__(self, what: str, *, width: int = 1, most: int = 64, most_of_one: int = 4) -> None:
        """Make a lane for at most `most` requests, `most_of_one` per client. Messages call the work `what`."""
        self.what, self._width = what, width
        self._most, self._most_of_one = most, most_of_one
        self._in_line: Counter[str] = Counter()
        self._limiter: anyio.CapacityLimiter | None = None
        self.is_closed = False
        """Set when the server ends: no work begins any more, and streams end."""

    @property
    def in_line(self) -> int:
        """The number of requests that are in line or in progress."""
        return self._in_line.total()

    async def run(self, client: str, receive: Receive, work: Callable[[Check], Answer]) -> Answer:
        """Do a piece of work of a client when its turn comes. Raise BusyError or TooManyRunsError, as `check` does.

        `receive` belongs to the request. `work` gets a function that it must call often: that function raises GoneError
        as soon as the client has gone, and BusyError when the server ends.
        """
        self.check(client)
        presence = Presence()
        watching = asyncio.create_task(presence.watch(receive))

        def check() -> None:
            presence.check()
            self._check_open()

        def do() -> Answer:
            check()
            return work(check)

        try:
            with self.place(client):
                return await self.step(do)
        finally:
            watching.cancel()

    def check(self, client: str) -> None:
        """Raise BusyError or TooManyRunsError if there is no place in line for one more request of this client."""
        self._check_open()
        if self._in_line[client] >= self._most_of_one:
            raise TooManyRunsError(f"you have {self._most_of_one} {self.what}s in progress; wait for one of them")
        address = address_of(client)
        of_address = sum(count for other, count in self._in_line.items() if address_of(other) == address)
        if self._in_line.total() >= self._most or of_address >= most_of_address(self._most):
            raise BusyError(f"the server is busy with other {self.what}s; try again in a minute")

    def _check_open(self) -> None:
        if self.is_closed:
            raise BusyError("the server is shutting down")

    @contextmanager
    def place(self, client: str) -> Iterator[None]:
        """Hold a place in line: for work that is done in steps."""
        self._in_line[client] += 1
        try:
            yield
        finally:
            self._in_line[client] -= 1
            if not self._in_line[client]:
                del self._in_line[client]

    async def step(self, work: Callable[[], Answer]) -> Answer:
        """Do a step of the work. Between two steps, other requests have their turn."""
        if self._limiter is None:  # it belongs to the event loop that runs now
            self._limiter = anyio.CapacityLimiter(self._width)
        return await run_sync(work, limiter=self._limiter, abandon_on_cancel=True)


class Lanes:
    """The lanes of a server."""

    def __init__(self) -> None:
        self.exports, self.imports = Lane("export"), Lane("import")
        self.studies = Lane("study request", width=2, most=256, most_of_one=8)
        self.reviews = Lane("review request", width=2, most=256, most_of_one=8)
        self.answers = Lane("answer", width=2, most=256, most_of_one=8)
        """Answers to puzzles and lessons, which are proved."""

    def all(self) -> list[Lane]:
        return [self.exports, self.imports, self.studies, self.reviews, self.answers]

    def close(self) -> None:
        """End all work soon, because the server ends."""
        for lane in self.all():
            lane.is_closed = True
