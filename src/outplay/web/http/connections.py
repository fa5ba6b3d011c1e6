"""Limits on connections: each must send its next request in time, and one client may hold only a few.

Uvicorn waits for ever for the first request of a connection, and for the rest of a request that has begun to arrive.
Without this, a client that opens silent connections could use up all that the system allows.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from typing import Any, ClassVar

from uvicorn.protocols.http.h11_impl import H11Protocol

from outplay.web.http.limits import network_of
from outplay.web.settings import Limits


def connections(limits: Limits) -> type[H11Protocol]:
    """Return Uvicorn's protocol with these limits. All connections of the returned class are counted together."""

    class Limited(Connection):
        bounds = limits
        opened: ClassVar[Counter[str]] = Counter()

    return Limited


class Connection(H11Protocol):
    """One HTTP connection, until it is closed or becomes a WebSocket (which `Sockets` counts)."""

    bounds: ClassVar[Limits]
    opened: ClassVar[Counter[str]]

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self._network: str | None = None
        self._timer: asyncio.TimerHandle | None = None

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
