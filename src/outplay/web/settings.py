"""The settings of a server: where it listens, which hosts it answers to, and its limits."""

from __future__ import annotations

import ipaddress
from dataclasses import dataclass, replace
from pathlib import Path

from outplay.web.http.logs import LogForm
from outplay.web.library.wire import MAX_IMPORT
from outplay.web.wire import MAX_TIME_MS

DEFAULT_HOST = "127.0.0.1"
DEFAULT_PORT = 8642
STATIC = Path(__file__).parent / "static"
MAX_BODY = 64 * 1024
"""The most bytes of a request: a pasted position of `MAX_TEXT` characters fits, even if escaped."""


MAX_IMPORT_BODY = 2 * MAX_IMPORT
"""The most bytes of a pasted file of games: some characters take two, and line breaks are escaped."""


@dataclass(frozen=True, slots=True)
class Rate:
    """A rate: a burst, and a number per second in the long run."""

    burst: int
    per_second: float


@dataclass(frozen=True, slots=True)
class Limits:
    """The limits of a server."""

    live_games: int = 2_000
    """The most games in memory; idle ones are unloaded first, and stay in the store."""
    saved_games: int | None = None
    sockets: int = 2_000
    sockets_per_client: int = 2_000
    connections_per_client: int | None = None
    """The most connections of one client besides sockets. Browsers open six, and some that wait."""
    max_time_ms: int = MAX_TIME_MS
    requests: Rate | None = None
    """Requests of one client, like the next two."""
    new_games: Rate | None = None
    messages: Rate | None = None
    """Messages on one socket."""
    idle_seconds: float = 120
    """An idle game that no page watches is unloaded after this time."""
    over_seconds: float = 10
    """The same for a finished game, in which nothing can happen meanwhile."""
    head_seconds: float = 20
    """How long a connection may take to send the head of a request."""
    body_seconds: float = 10
    """How long it may take to send the rest."""
    send_seconds: float = 10
    """How long a socket may take to accept an event before it is dropped."""


ALONE = Limits()
"""The limits of a server that only this machine can reach."""
EXPOSED = Limits(
    live_games=500,
    saved_games=200_000,
    sockets=500,
    sockets_per_client=20,
    connections_per_client=100,
    max_time_ms=10_000,
    requests=Rate(100, 20),
    new_games=Rate(20, 0.5),
    messages=Rate(60, 10),
)
"""The limits of a server that other machines can reach."""


@dataclass(frozen=True, slots=True)
class Settings:
    """The settings of a server."""

    host: str = DEFAULT_HOST
    port: int = DEFAULT_PORT
    db: str | None = None
    """A database URL, the path of an SQLite file, or `memory`; None for a file in the user's data folder."""
    standby: bool = False
    """Wait until no other server holds the database."""
    is_port_fixed: bool = False
    """A port that is taken is an error; otherwise the next free one is used."""
    allowed_hosts: tuple[str, ...] = ()
    """Further host names that it answers to."""
    proxies: tuple[str, ...] = ()
    """Addresses of reverse proxies; their `X-Forwarded-For` header is trusted."""
    metrics_hosts: tuple[str, ...] = ()
    """Addresses or networks, besides this machine, that may ask for the metrics."""
    log: LogForm = "text"
    slots: int | None = None
    """The number of engines that may think at a time; None for one per core."""
    static: Path = STATIC
    limits: Limits | None = None
    """The limits; None to choose them by the address it listens on."""

    @property
    def is_exposed(self) -> bool:
        """Return True if other machines can reach it."""
        return bool(self.proxies) or not is_loopback(self.host)

    @property
    def bounds(self) -> Limits:
        if self.limits is not None:
            return self.limits
        if self.proxies:  # all connections come from the proxy, so a limit per client makes no sense
            return replace(EXPOSED, connections_per_client=None)
        return EXPOSED if self.is_exposed else ALONE


def is_loopback(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
