"""Lanes for costly work: a few at a time, so that moves never wait behind exports and imports."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TypeVar

import anyio
from anyio.to_thread import run_sync

from outplay.web.http.errors import BusyError, TooManyRunsError

Answer = TypeVar("Answer")


class Lane:
    """One kind of costly work, in threads of its own: `width` at a time, the others wait in line."""

    def __init__(self, what: str, *, width: int = 1, most: int = 64, most_of_one: int = 4) -> None:
        """`what` names one piece of work in messages. At most `most` are in line, `most_of_one` of one client."""
        self._what, self._width = what, width
        self._most, self._most_of_one = most, most_of_one
        self._in_line: Counter[str] = Counter()
        self._limiter: anyio.CapacityLimiter | None = None

    async def run(self, client: str, work: Callable[[], Answer]) -> Answer:
        """Do a piece of work of a client when its turn comes. Raise BusyError or TooManyRunsError, as `check` does."""
        self.check(client)
        with self.place(client):
            return await self.step(work)

    def check(self, client: str) -> None:
        """Raise BusyError or TooManyRunsError if the line is too long for one more."""
        if self._in_line[client] >= self._most_of_one:
            raise TooManyRunsError(f"you have {self._most_of_one} {self._what}s in progress; wait for one of them")
        if self._in_line.total() >= self._most:
            raise BusyError(f"the server is busy with other {self._what}s; try again in a minute")

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
        """Do a step of the work. Between two steps it is the turn of others."""
        if self._limiter is None:  # it belongs to the event loop that runs now
            self._limiter = anyio.CapacityLimiter(self._width)
        return await run_sync(work, limiter=self._limiter, abandon_on_cancel=True)


class Lanes:
    """The lanes of a server."""

    def __init__(self) -> None:
        self.exports, self.imports = Lane("export"), Lane("import")
