"""Limits for one client: the size, time and rate of its requests, and the number of its sockets."""

from __future__ import annotations

import asyncio
import contextlib
import ipaddress
import time
from collections import Counter, OrderedDict
from collections.abc import Iterator

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from outplay.web.http.errors import BusyError, simple_error
from outplay.web.settings import MAX_BODY, MAX_IMPORT_BODY, Limits, Rate
from outplay.work import GROUP_END

KEPT_CLIENTS = 10_000
MOST_READ_AWAY = 2 * MAX_IMPORT_BODY
READ_AWAY_SECONDS = 2.0
"""After a request that is too large, at most `MOST_READ_AWAY` more bytes are read, for at most this time."""
KEPT_PART = 4
"""An address with many places cannot take the last quarter: otherwise it could take all by inventing keys."""
NETWORK_BITS = 64
"""The prefix length of the smallest IPv6 network that a household gets."""


class Bucket:
    """A rate limit: `rate.burst` at once, then `rate.per_second`."""

    def __init__(self, rate: Rate) -> None:
        self._rate = rate
        self._left, self._at = float(rate.burst), time.monotonic()

    def take(self, count: int = 1) -> bool:
        now = time.monotonic()
        self._left = min(float(self._rate.burst), self._left + (now - self._at) * self._rate.per_second)
        self._at = now
        if self._left < count:
            return False
        self._left -= count
        return True


class Buckets:
    """A bucket for each client; without a rate, nothing is limited."""

    def __init__(self, rate: Rate | None) -> None:
        self._rate = rate
        self._buckets: OrderedDict[str, Bucket] = OrderedDict()

    def take(self, client: str, count: int = 1) -> bool:
        if self._rate is None:
            return True
        bucket = self._buckets.setdefault(client, Bucket(self._rate))
        self._buckets.move_to_end(client)
        if len(self._buckets) > KEPT_CLIENTS:
            self._buckets.popitem(last=False)
        return bucket.take(count)


class Sockets:
    """The number of open sockets, in all and per client.

    The last quarter of all sockets is only for addresses that have fewer than one client may have. So no address can
    take all sockets by inventing keys.
    """

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._open: Counter[str] = Counter()
        self._of_address: Counter[str] = Counter()

    @property
    def count(self) -> int:
        """Number of open sockets."""
        return self._open.total()

    @contextlib.contextmanager
    def one(self, client: str) -> Iterator[None]:
        """Count one more socket while the block runs; BusyError if there are too many."""
        address, total = address_of(client), self._open.total()
        each, most = self._limits.sockets_per_client, self._limits.sockets
        is_kept = total >= most_of_address(most) and self._of_address[address] >= each
        if self._open[client] >= each or total >= most or is_kept:
            raise BusyError("too many pages of this server are open; close one of yours, or try again later")
        with _counted(self._open, client), _counted(self._of_address, address):
            yield


@contextlib.contextmanager
def _counted(counter: Counter[str], name: str) -> Iterator[None]:
    counter[name] += 1
    try:
        yield
    finally:
        counter[name] -= 1
        if not counter[name]:
            del counter[name]


CLIENT = "outplay.client"
"""The name in a request's scope for the client whose share of the limits it uses."""


def client_of(scope: Scope) -> str:
    """Return the client whose share of the limits a request uses: a person at an address, or only the address."""
    found: str | None = scope.get(CLIENT)
    return found or network_of(scope["client"][0] if scope.get("client") else "")


def most_of_address(most: int) -> int:
    """Return how many of `most` places one address may have."""
    return most - most // KEPT_PART


def address_of(client: str) -> str:
    """Return the address of a client."""
    return client.partition(GROUP_END)[0]


def network_of(address: str) -> str:
    """Return what the limits count as one client: an IPv4 address, or the network of an IPv6 address."""
    if ":" not in address:
        return address
    try:
        found = ipaddress.IPv6Address(address)
    except ValueError:
        return address
    return str(found.ipv4_mapped or ipaddress.IPv6Network((int(found), NETWORK_BITS), strict=False))


class Bounds:
    """Reads each request completely before passing it on, within limits of size, time and rate."""

    def __init__(self, app: ASGIApp, limits: Limits) -> None:
        self._app, self._limits = app, limits
        self._requests, self._new_games = Buckets(limits.requests), Buckets(limits.new_games)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "websocket" and not self._requests.take(client_of(scope)):
            await receive()
            await send({"type": "websocket.close", "code": 1013})
            return
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        if not self._may_ask(scope):
            await simple_error(429, "too many requests; wait a moment", {"retry-after": "2"})(scope, receive, send)
            return
        try:
            async with asyncio.timeout(self._limits.body_seconds):
                body = await _body(scope, receive)
        except TimeoutError:
            await simple_error(408, "the request took too long to arrive", _CLOSE)(scope, receive, send)
            return
        if body is None:
            said = f"this request is too large: it may have at most {most_bytes(scope):,} bytes"
            await simple_error(413, said, _CLOSE)(scope, receive, send)
            return
        await self._app(scope, _replay(body, receive), send)

    def _may_ask(self, scope: Scope) -> bool:
        client = client_of(scope)
        if not self._requests.take(client):
            return False
        is_new_game = scope["method"] == "POST" and scope["path"].rstrip("/").endswith(_COSTLY)
        return not is_new_game or self._new_games.take(client)


_CLOSE = {"connection": "close"}
_COSTLY = ("/games", "/rematch", "/library/import", "/lab/runs", "/studies", "/puzzles")
"""Requests that also count for the rate `new_games`."""


def most_bytes(scope: Scope) -> int:
    """Return the largest size allowed for this request; it is larger for files of games."""
    return MAX_IMPORT_BODY if scope["path"] == "/api/library/import" else MAX_BODY


async def _body(scope: Scope, receive: Receive) -> bytes | None:
    """Return the body of a request; None if it is too large."""
    headers, most = Headers(scope=scope), most_bytes(scope)
    length = headers.get("content-length", "0").lstrip("0") or "0"
    if not length.isdecimal() or len(length) > len(str(most)) or int(length) > most:
        if "expect" not in headers:  # a client that asks first has not sent anything yet
            await _read_away(receive)
        return None
    parts, size, has_more = [], 0, True
    while has_more:
        message = await receive()
        if message["type"] == "http.disconnect":
            break
        parts.append(message.get("body", b""))
        size += len(parts[-1])
        has_more = message.get("more_body", False)
        if size > most:
            if has_more:
                await _read_away(receive)
            return None
    return b"".join(parts)


async def _read_away(receive: Receive) -> None:
    """Read and discard the rest of a request that is too large.

    A client (or nginx) that is cut off while it is still sending would not see our answer.
    """
    size, has_more = 0, True
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(READ_AWAY_SECONDS):
            while has_more and size < MOST_READ_AWAY:
                message = await receive()
                size += len(message.get("body", b""))
                has_more = message.get("more_body", False)


def _replay(body: bytes, receive: Receive) -> Receive:
    """Return a receive function that yields the body that was read, then what follows."""
    is_given = False

    async def replayed() -> Message:
        nonlocal is_given
        if is_given:
            return await receive()
        is_given = True
        return {"type": "http.request", "body": body, "more_body": False}

    return replayed
