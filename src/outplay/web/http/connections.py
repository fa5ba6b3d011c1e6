"""Limits on connections: each must send its next request in time, and one client may hold only a share of them.

Uvicorn waits without end for the first request of a connection, for the rest of one that has begun to arrive, and for
the end of its headers. Without these limits a client that opens connections and sends nothing could use up all that the
system allows.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from typing import Any, ClassVar

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from outplay.web.http.limits import network_of
from outplay.web.settings import Limits

MOST_HEAD_BYTES = 64 * 1024
"""The largest request line with its headers."""


def connections(limits: Limits) -> type[HttpToolsProtocol]:
    """Return a connection class for uvicorn with these limits. All its connections are counted together."""

    class Limited(Connection):
        bounds = limits
        opened: ClassVar[Counter[str]] = Counter()

    return Limited


class Connection(HttpToolsProtocol):
    """One HTTP connection, until it is closed or becomes a WebSocket (which `Sockets` counts)."""

    bounds: ClassVar[Limits]
    opened: ClassVar[Counter[str]]

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self._network: str | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._head_bytes = 0
        """Bytes of the request whose headers are not complete yet."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._network = network = network_of(self.client[0] if self.client else "")
        self.opened[network] += 1
        most = self.bounds.connections_per_client
        if most is not None and self.opened[network] > most:
            transport.abort()
        else:
            self._wait()

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        if self.transport.get_protocol() is not self:
            self._leave()
        elif self.cycle is None or self.cycle.response_complete:
            self._head_bytes += len(data)
            if self._head_bytes > MOST_HEAD_BYTES:
                self.transport.abort()
            self._wait()
        else:
            self._stop_waiting()

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
        network, self._network = self._network, None
        if network is not None:
            self.opened[network] -= 1
            if not self.opened[network]:
                del self.opened[network]
