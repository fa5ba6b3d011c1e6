"""Check who may call: the `Host` header, the `Origin` of the calling page, and what our pages may load.

A page of another site can make a person's browser send requests here. It cannot forge `Host` or `Origin`. The check of
`Host` stops DNS rebinding, in which the name of that site suddenly leads to this machine. The check of `Origin` stops
requests and WebSockets across sites. Programs other than browsers send no Origin and are allowed.
"""

from __future__ import annotations

import ipaddress
import socket
from collections.abc import MutableMapping
from typing import Any
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from outplay.web.http.errors import simple_error
from outplay.web.settings import WILDCARDS, Settings

LOCAL_NAMES = ("127.0.0.1", "localhost", "::1")
FOREIGN = "requests from pages of other sites are refused"

SECURITY_HEADERS = {
    "content-security-policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
    "connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
}


class Hosts:
    """The host names that the server answers to."""

    def __init__(self, settings: Settings) -> None:
        self._port = settings.port
        names = {*LOCAL_NAMES, _bare(settings.host)}
        self._takes_addresses = settings.host in WILDCARDS
        if self._takes_addresses:
            names.add(socket.gethostname().lower())
        self._names = names
        self._extra = {name.lower() for name in settings.allowed_hosts}

    def allow(self, host: str) -> bool:
        """Return True if this `Host` (a name or an address, with or without a port) is one of ours."""
        try:
            parts = urlsplit(f"//{host.lower()}")
            name, port = parts.hostname, parts.port
        except ValueError:
            return False
        if not name or set(host) & set("/?#@"):
            return False
        if host.lower() in self._extra or name in self._extra:
            return True
        return (port or 80) == self._port and (name in self._names or self._is_address(name))

    def allow_origin(self, origin: str, host: str) -> bool:
        """Return True if the calling page comes from this server or from an allowed host."""
        scheme, _, origin_host = origin.lower().partition("://")
        if scheme not in ("http", "https"):
            return False
        return origin_host == host.lower() or origin_host in self._extra

    def _is_address(self, name: str) -> bool:
        """Return True for any IP address if the server listens on all; unlike names, addresses cannot be rebound."""
        try:
            ipaddress.ip_address(name)
        except ValueError:
            return False
        return self._takes_addresses


def _bare(host: str) -> str:
    return host.lower().strip("[]")


class Guard:
    """Refuses requests for a wrong host or from another site, and adds security headers to answers."""

    def __init__(self, app: ASGIApp, hosts: Hosts) -> None:
        self._app, self._hosts = app, hosts

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return

        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                _add_headers(message)
            await send(message)

        refused = self._refused(Headers(scope=scope), scope.get("method", "GET"))
        if refused is None:
            await self._app(scope, receive, with_headers)
        elif scope["type"] == "http":
            await simple_error(403, refused)(scope, receive, with_headers)
        else:
            await receive()
            await send({"type": "websocket.close", "code": 1008, "reason": refused})

    def _refused(self, headers: Headers, method: str) -> str | None:
        hosts, origins = headers.getlist("host"), headers.getlist("origin")
        if len(hosts) != 1 or not self._hosts.allow(hosts[0]):
            return "this server does not answer to that host name; see outplay serve --allow-host"
        if not all(self._hosts.allow_origin(origin, hosts[0]) for origin in origins):
            return FOREIGN
        is_link = method in ("GET", "HEAD") and headers.get("sec-fetch-mode") == "navigate"
        return FOREIGN if headers.get("sec-fetch-site") == "cross-site" and not is_link else None


def _add_headers(message: MutableMapping[str, Any]) -> None:
    headers = MutableHeaders(scope=message)
    for name, value in SECURITY_HEADERS.items():
        headers[name] = value
    headers.setdefault("cache-control", "no-store")
