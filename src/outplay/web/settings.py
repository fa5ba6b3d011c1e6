"""How a server is set up: where it listens, whom it serves, and how much of everything it allows."""

from __future__ import annotations

import ipaddress
from dataclasses import dataclass, replace
from pathlib import Path

from outplay.web.library.wire import MAX_IMPORT
from outplay.web.wire import MAX_TIME_MS

DEFAULT_HOST = "127.0.0.1"
DEFAULT_PORT = 8642
STATIC = Path(__file__).parent / "static"
MAX_BODY = 64 * 1024
"""Bytes of a request: a pasted position of `MAX_TEXT` characters fits, however it is escaped."""


MAX_IMPORT_BODY = 2 * MAX_IMPORT
"""Bytes of a file of games that is pasted: some characters take two, and line breaks are escaped."""


@dataclass(frozen=True, slots=True)
class Rate:
    """So many at once, and so many a second in the long run."""

    burst: int
    per_second: float


@dataclass(frozen=True, slots=True)
class Limits:
    """How much of everything."""

    live_games: int = 2_000
    """In memory; those that nobody looks at go first, and lose nothing: they are in the store."""
    saved_games: int | None = None
    sockets: int = 2_000
    sockets_per_client: int = 2_000
    connections_per_client: int | None = None
    """Besides sockets. Browsers open six, and some that wait."""
    max_time_ms: int = MAX_TIME_MS
    requests: Rate | None = None
    """Of one client, as are the next two."""
    new_games: Rate | None = None
    messages: Rate | None = None
    """On one socket."""
    idle_seconds: float = 120
    """A game that nobody has asked for and nobody watches is put away after this time."""
    over_seconds: float = 10
    """The same for one that is over: nothing can happen in it meanwhile."""
    head_seconds: float = 20
    """How long a connection may take to bring the head of a request."""
    body_seconds: float = 10
    """How long the rest of it may take."""
    send_seconds: float = 10
    """How long a socket may take to accept an event before it is dropped."""


ALONE = Limits()
"""For a server that only this machine can reach."""
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
"""For a server that others can reach."""


@dataclass(frozen=True, slots=True)
class Settings:
    """Everything a server needs to know."""

    host: str = DEFAULT_HOST
    port: int = DEFAULT_PORT
    db: str | None = None
    """A database URL, the path of an SQLite file, or `memory`; None for a file in the user's data folder."""
    standby: bool = False
    """Wait until no other server holds the database."""
    is_port_fixed: bool = False
    """A port that is taken is an error; otherwise the next free one is used."""
    allowed_hosts: tuple[str, ...] = ()
    """Further names under which it may be called."""
    proxies: tuple[str, ...] = ()
    """Addresses of reverse proxies: they are believed when they say for whom they ask (`X-Forwarded-For`)."""
    slots: int | None = None
    """How many engines may think at a time; None for one per core."""
    static: Path = STATIC
    limits: Limits | None = None
    """None: by the address it listens on."""

    @property
    def is_exposed(self) -> bool:
        """Can others reach it?"""
        return bool(self.proxies) or not is_loopback(self.host)

    @property
    def bounds(self) -> Limits:
        if self.limits is not None:
            return self.limits
        if self.proxies:  # all connections are theirs: that is no reason to refuse one
            return replace(EXPOSED, connections_per_client=None)
        return EXPOSED if self.is_exposed else ALONE


def is_loopback(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
