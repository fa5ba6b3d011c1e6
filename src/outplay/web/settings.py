"""The settings of a server: where it listens, which hosts it answers to, and its limits."""

from __future__ import annotations

import ipaddress
import math
import socket
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from ipaddress import IPv4Address, IPv6Address
from pathlib import Path
from typing import TypeGuard

from outplay.web.bots import SeatedBot
from outplay.web.http.logs import LogForm
from outplay.web.library.wire import MAX_IMPORT
from outplay.web.wire import MAX_TIME_MS

DEFAULT_HOST = "127.0.0.1"
DEFAULT_PORT = 8642
WILDCARDS = ("0.0.0.0", "::")
STATIC = Path(__file__).parent / "static"
MAX_BODY = 64 * 1024
"""The most bytes of a request: a pasted position of `MAX_TEXT` characters fits, even if escaped."""


MAX_IMPORT_BODY = 2 * MAX_IMPORT
"""The most bytes of a pasted file of games: some characters take two bytes, and line breaks are escaped."""


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
    saved_games_each: int | None = None
    """The most saved games of one person: made or imported ones and, for a teacher, the games of their classes."""
    added_games: Rate | None = None
    """Games that one address may add, imported ones included."""
    sockets: int = 2_000
    sockets_per_client: int = 2_000
    connections_per_client: int | None = None
    """The most connections of one address besides sockets. A browser opens six, and a school has one address."""
    new_people: Rate | None = None
    """How many new people may come from one address; further ones share the limits of one client."""
    max_time_ms: int = MAX_TIME_MS
    requests: Rate | None = None
    """Requests of one client; those that are costly, such as new games, also count for `new_games`."""
    new_games: Rate | None = None
    messages: Rate | None = None
    """Messages on one socket."""
    idle_seconds: float = 120
    """An idle game that no page watches is unloaded after this time."""
    over_seconds: float = 10
    """A finished game that no page watches is unloaded after this time."""
    head_seconds: float = 20
    """How long a connection may take to send the head of a request."""
    body_seconds: float = 10
    """How long a connection may take to send the body of a request."""
    send_seconds: float = 10
    """How long a client may take to read the next part of an answer, or an event, before it is dropped."""
    tournaments: int = 8
    """The most tournaments that are played or paused, of all people together."""
    tournaments_each: int = 2
    """The most tournaments of one person that are played or paused."""
    tournament_slots: int = 2
    """The number of games of all tournaments that are played at a time, with low priority."""
    tournament_games: int = 2_000
    """The most games of one tournament."""


ALONE = Limits()
"""The limits of a server that only this machine can reach."""
EXPOSED = Limits(
    live_games=2_000,
    saved_games=200_000,
    saved_games_each=50_000,
    added_games=Rate(50_000, 10),
    sockets=2_000,
    sockets_per_client=20,
    connections_per_client=3_000,
    new_people=Rate(600, 5),
    max_time_ms=10_000,
    requests=Rate(100, 20),
    new_games=Rate(20, 0.5),
    messages=Rate(60, 10),
    tournament_slots=1,
)
"""The limits of a server that other machines can reach: enough for 500 people behind one address."""


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
    """If true, a port that is in use is an error; if false, the next free port is used."""
    allowed_hosts: tuple[str, ...] = ()
    """Further host names that the server answers to."""
    proxies: tuple[str, ...] = ()
    """Addresses of reverse proxies; their `X-Forwarded-For` header is trusted."""
    root_path: str = ""
    """The path under which a proxy shows the app, for example `/outplay`; empty for the root."""
    metrics_hosts: tuple[str, ...] = ()
    """Addresses or networks, besides this machine, that may ask for the metrics."""
    log: LogForm = "text"
    slots: int | None = None
    """The number of engines that may think at a time; None for one per core."""
    bots: tuple[SeatedBot, ...] = ()
    """Bots that the server offers to everyone."""
    cluster: str | None = None
    """The address of a Dask scheduler whose workers think, or `local`; None for processes of this machine."""
    lessons: Path | None = None
    """A folder of lessons besides those that come with outplay."""
    static: Path = STATIC
    limits: Limits | None = None
    """The limits; None to choose them by the address that the server listens on."""

    @property
    def is_exposed(self) -> bool:
        """Return True if other machines can reach the server."""
        return bool(self.proxies) or not is_loopback(self.host)

    @property
    def address(self) -> str:
        """Return the address at which other machines reach it; empty if they cannot, or if only a proxy knows it."""
        if self.proxies or is_loopback(self.host):
            return ""
        host = address_of_this_machine() if self.host in WILDCARDS else self.host.strip("[]")
        return f"http://{f'[{host}]' if ':' in host else host}:{self.port}" if host else ""

    @property
    def bounds(self) -> Limits:
        if self.limits is not None:
            return self.limits
        if self.proxies:  # all connections come from the proxy, so a limit per client makes no sense
            return replace(EXPOSED, connections_per_client=None)
        return EXPOSED if self.is_exposed else ALONE


def limits_from(values: Mapping[str, object], limits: Limits) -> Limits:
    """Return limits with some of them changed, by name; a rate is a list: how many at once, how many a second.

    Raise ValueError for an unknown name or an impossible value.
    """
    known = {field.name: str(field.type) for field in fields(Limits)}
    changed: dict[str, object] = {}
    for name, value in values.items():
        if name not in known:
            raise ValueError(f"no limit is called {name!r}; the limits are {', '.join(known)}")
        kind = known[name]
        if kind.startswith("Rate"):
            changed[name] = _rate(name, value)
        elif kind == "float":
            changed[name] = _seconds(name, value)
        else:
            changed[name] = _whole(name, value, least=1 if name in _AT_LEAST_ONE else 0)
    return replace(limits, **changed)  # type: ignore[arg-type]


_AT_LEAST_ONE = ("live_games", "max_time_ms", "tournament_slots")
"""Limits that may not be 0: nothing would work, or other code divides by them."""


def _whole(name: str, value: object, *, least: int) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or value < least:
        raise ValueError(f"{name} must be a whole number of at least {least}, not {value!r}")
    return value


def _seconds(name: str, value: object) -> float:
    if not _is_number(value) or value <= 0:
        raise ValueError(f"{name} must be a number of seconds above 0, not {value!r}")
    return float(value)


def _rate(name: str, value: object) -> Rate:
    if isinstance(value, list) and len(value) == 2:
        burst, per_second = value
        is_burst = _is_number(burst) and isinstance(burst, int) and burst >= 0
        if is_burst and _is_number(per_second) and per_second >= 0:
            return Rate(burst, float(per_second))
    raise ValueError(
        f"{name} must be two numbers of at least 0: how many at once (a whole number), and how many a second, "
        f"not {value!r}"
    )


def _is_number(value: object) -> TypeGuard[int | float]:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)


def address_of_this_machine() -> str:
    """Return the address of this machine in its network; empty without a network. Nothing is sent."""
    for family, elsewhere in ((socket.AF_INET, "192.0.2.1"), (socket.AF_INET6, "2001:db8::1")):  # for documentation
        try:
            with socket.socket(family, socket.SOCK_DGRAM) as asking:
                asking.connect((elsewhere, 9))
                found: str = asking.getsockname()[0]
        except OSError:
            continue
        return found
    return ""


def is_loopback(host: str) -> bool:
    address = ip_address(host)
    return host == "localhost" or (address is not None and address.is_loopback)


def ip_address(text: str) -> IPv4Address | IPv6Address | None:
    """Return the address in a string, None if there is none. An IPv4 address in IPv6 form (::ffff:...) becomes IPv4."""
    try:
        found = ipaddress.ip_address(text)
    except ValueError:
        return None
    return getattr(found, "ipv4_mapped", None) or found
