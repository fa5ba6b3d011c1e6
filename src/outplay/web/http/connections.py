"""Limits on connections: each must send its request and read its answer in time, and no client may hold all of them.

Uvicorn sets no time limit: it waits for the first request of a connection, for the rest of a request, and for the end
of its headers. Without these limits a client that opens connections and sends nothing could use up all that the system
allows.

The system also limits the open files of a process, and a connection is one of them. Connections may not use all of
them, because pages, the database and engines need open files too.
"""

from __future__ import annotations

import asyncio
import contextlib
import errno
import logging
import sys
import time
from collections import Counter
from typing import Any, ClassVar

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from outplay.web.http.limits import network_of
from outplay.web.settings import Limits

if sys.platform != "win32":
    import resource

MOST_HEAD_BYTES = 64 * 1024
"""The largest request line with its headers."""
LEAST_READ = 64 * 1024
"""The bytes of a waiting answer that a client must read in each `send_seconds`."""
KEPT_FILES = 64
"""The number of open files that connections may not use; a quarter of the limit if the limit is low."""
QUIET_SECONDS = 600.0
"""The shortest time between two lines in the log about refused connections."""


def raise_file_limit() -> None:
    """Allow as many open files, and so connections, as the system permits: the usual limit is 1024."""
    if sys.platform != "win32":
        _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
        with contextlib.suppress(ValueError, OSError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


class Files:
    """The limit of open files, and the line in the log when the limit is reached."""

    def __init__(self) -> None:
        self._told = -QUIET_SECONDS
        self._most = sys.maxsize
        if sys.platform != "win32" and (limit := resource.getrlimit(resource.RLIMIT_NOFILE)[0]) > 0:
            self._most = limit  # without a limit it is -1

    def has_room(self, number: int) -> bool:
        """Return whether a connection with this file number may stay. A high number means that many files are open."""
        return number < self._most - min(KEPT_FILES, self._most // 4)

    def tell(self) -> None:
        """Log that connections are refused, unless that was logged lately."""
        now = time.monotonic()
        if now - self._told >= QUIET_SECONDS:
            logging.getLogger(__name__).warning(
                "new connections are refused: this process may open only %d files; raise the limit (LimitNOFILE of "
                "systemd, ulimit -n)",
                self._most,
            )
        self._told = now

    def handle(self, loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        """Handle an error in an event loop; if a connection cannot be accepted, log no traceback."""
        error = context.get("exception")
        if isinstance(error, OSError) and error.errno in (errno.EMFILE, errno.ENFILE) and "socket" in context:
            self.tell()
        else:
            loop.default_exception_handler(context)


def connections(limits: Limits, open_files: Files | None = None) -> type[HttpToolsProtocol]:
    """Return a connection class for uvicorn with these limits. It counts the connections of each client."""

    class Limited(Connection):
        bounds = limits
        files = open_files or Files()
        opened: ClassVar[Counter[str]] = Counter()

    return Limited


class Socket(WebSocketsSansIOProtocol):
    """A connection that has become a WebSocket."""

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        self.conn.parser.close()  # a generator that refers to `conn`: else both stay until a full garbage collection


class Connection(HttpToolsProtocol):
    """One HTTP connection, until it is closed or becomes a WebSocket (which `Sockets` counts)."""

    bounds: ClassVar[Limits]
    files: ClassVar[Files]
    opened: ClassVar[Counter[str]]

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self._network: str | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._sending: asyncio.TimerHandle | None = None
        self._head_bytes = 0
        """Bytes of the request whose headers are not complete yet."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._network = network = network_of(self.client[0] if self.client else "")
        self.opened[network] += 1
        most = self.bounds.connections_per_client
        if not self.files.has_room(transport.get_extra_info("socket").fileno()):
            self.files.tell()
            transport.abort()
        elif most is not None and self.opened[network] > most:
            transport.abort()
        else:
            self._wait()

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        if self.transport.get_protocol() is not self:  # it has become a WebSocket
            self._leave()
            self.parser = None  # type: ignore[assignment]  # each knows the other: neither would be freed
        elif self.cycle is None or self.cycle.response_complete:
            self._head_bytes += len(data)
            if self._head_bytes > MOST_HEAD_BYTES:
                self.transport.abort()
            self._wait()
        else:
            self._stop_waiting()

    def pause_writing(self) -> None:
        """Give the client some seconds to read the waiting data, so that no connection stays open for ever."""
        super().pause_writing()
        self._sending = self.loop.call_later(self.bounds.send_seconds, self._check_sending, self._unsent())

    def resume_writing(self) -> None:
        super().resume_writing()
        self._stop_sending()

    def _check_sending(self, before: int) -> None:
        """Drop the connection unless the client has read enough of the waiting data."""
        unsent = self._unsent()
        if before - unsent < LEAST_READ:
            self.transport.abort()
        else:
            self._sending = self.loop.call_later(self.bounds.send_seconds, self._check_sending, unsent)

    def _unsent(self) -> int:
        return self.transport.get_write_buffer_size()

    def _stop_sending(self) -> None:
        if self._sending is not None:
            self._sending.cancel()
            self._sending = None

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        self._leave()

    def _wait(self) -> None:
        """Start waiting for the head of a request, unless we wait already."""
        if self._timer is None:
            self._timer = self.loop.call_later(self.bounds.head_seconds, self.transport.abort)

    def _stop_waiting(self) -> None:
        self._head_bytes = 0
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _leave(self) -> None:
        """Stop counting this connection."""
        self._stop_waiting()
        self._stop_sending()
        network, self._network = self._network, None
        if network is not None:
            self.opened[network] -= 1
            if not self.opened[network]:
                del self.opened[network]
