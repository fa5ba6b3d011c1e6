"""Tells people apart by a random key in a cookie, so that a school behind one address has many shares and not one.

A page gives a browser its key; only the hash of a key is remembered. Whoever brings a key that was not seen before
counts as a new person. Each address may bring only some new people in a time; what comes without a key, or with one
too many, has the share of its address.
"""

from __future__ import annotations

import hashlib
import re
import secrets
from collections import OrderedDict
from http.cookies import CookieError, SimpleCookie

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from outplay.web.http.limits import CLIENT, Buckets, client_of
from outplay.web.settings import Limits

COOKIE = "outplay_key"
KEY_BYTES = 18
SECONDS_KEPT = 365 * 24 * 3600
KEPT_PEOPLE = 20_000
"""People that are remembered; those who were away for longest are forgotten first."""
_KEY = re.compile(r"[A-Za-z0-9_-]{24,64}")
_PAGES = re.compile(r"/(?!api/|assets/|health$|metrics$)[^.]*")
"""Addresses of pages: those give a key to a browser that has none."""


class People:
    """The people of a server, by the hashes of their keys."""

    def __init__(self, limits: Limits) -> None:
        self._known: OrderedDict[str, None] = OrderedDict()
        self._new = Buckets(limits.new_people)

    def person(self, key: str | None, address: str) -> str | None:
        """Return who brings this key; None without a key, or if the address has brought too many new people."""
        if key is None or not _KEY.fullmatch(key):
            return None
        person = hashlib.sha256(key.encode()).hexdigest()[:32]
        if person not in self._known and not self._new.take(address):
            return None
        self._known[person] = None
        self._known.move_to_end(person)
        if len(self._known) > KEPT_PEOPLE:
            self._known.popitem(last=False)
        return person


class Persons:
    """Puts into each request whose share it uses, and gives browsers their keys."""

    def __init__(self, app: ASGIApp, people: People, root_path: str = "") -> None:
        self._app, self._people, self._root = app, people, root_path

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        key, address = key_of(scope), client_of(scope)
        person = self._people.person(key, address)
        scope[CLIENT] = address if person is None else f"person {person}"
        is_page = scope["type"] == "http" and scope["method"] == "GET" and _PAGES.fullmatch(scope["path"])
        if key is not None or not is_page:
            await self._app(scope, receive, send)
            return

        async def with_key(message: Message) -> None:
            if message["type"] == "http.response.start":
                cookie = _cookie(self._root or "/", is_secure=scope["scheme"] == "https")
                MutableHeaders(scope=message).append("set-cookie", cookie)
            await send(message)

        await self._app(scope, receive, with_key)


def key_of(scope: Scope) -> str | None:
    """Return the key that a request brings, if it looks like one."""
    for header in Headers(scope=scope).getlist("cookie"):
        try:
            found = SimpleCookie(header).get(COOKIE)
        except CookieError:
            continue
        if found is not None and _KEY.fullmatch(found.value):
            return found.value
    return None


def _cookie(path: str, *, is_secure: bool) -> str:
    """Return a cookie with a new key: no script can read it, and no other site can use it."""
    parts = [f"{COOKIE}={secrets.token_urlsafe(KEY_BYTES)}", f"Path={path}", f"Max-Age={SECONDS_KEPT}", "HttpOnly"]
    return "; ".join([*parts, "SameSite=Lax", *(["Secure"] if is_secure else [])])
