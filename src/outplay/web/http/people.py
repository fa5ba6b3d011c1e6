"""Tells people apart by a random key: who owns a game, and whose share of the server a request uses.

A browser sends its key in a cookie, a program as a bearer token; a client without a key gets one. Only the hash
of a key is kept: it is the id of the person. The rate of new keys from one address is limited. A request without a key,
or with a new key beyond that rate, uses the share of its address, so inventing keys gains nothing.

A key for which "Forget me" was chosen no longer works. A device that opens a page with this key gets a new one;
commands with this key are refused.
"""

from __future__ import annotations

import hashlib
import re
import secrets
from collections import OrderedDict
from http.cookies import CookieError, SimpleCookie

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from outplay.store.people import mark_of
from outplay.web.http.errors import ForgottenKeyError, error_of, error_response
from outplay.web.http.limits import CLIENT, Buckets, client_of
from outplay.web.settings import Limits
from outplay.work import GROUP_END

COOKIE = "outplay_key"
KEY_BYTES = 18
SECONDS_KEPT = 365 * 24 * 3600
KEPT_PEOPLE = 20_000
"""The most people kept in memory; those who have been away longest are dropped first."""
_KEY = re.compile(r"[A-Za-z0-9_-]{24,64}")
_KEYLESS = re.compile(r"/(assets/.*|health|metrics|api/openapi\.json|.*\.[a-z]+)")
"""Requests for these addresses are given no key: programs send them, or caches keep the answers."""
PERSON = "outplay.person"
KEY = "outplay.key"
"""The names in a request's scope for the id of the person and for the key."""


class People:
    """The people of a server, by the hashes of their keys."""

    def __init__(self, limits: Limits) -> None:
        self._known: OrderedDict[str, None] = OrderedDict()
        self._new = Buckets(limits.new_people)
        self._begun_anew: OrderedDict[str, None] = OrderedDict()
        self.forgotten: set[str] = set()
        """The marks of the keys that were forgotten."""

    def person(self, key: str | None, address: str) -> str | None:
        """Return the person who has this key; None without a key, or if too many new keys came from the address."""
        if key is None or not _KEY.fullmatch(key):
            return None
        person = id_of(key)
        if person not in self._known and not self._new.take(address):
            return None
        self._known[person] = None
        self._known.move_to_end(person)
        if len(self._known) > KEPT_PEOPLE:
            self._known.popitem(last=False)
        return person

    def is_forgotten(self, key: str) -> bool:
        return mark_of(id_of(key)) in self.forgotten

    def begin_anew(self, person: str) -> None:
        """Remember that this person's browser had another key before, which was forgotten."""
        self._begun_anew[person] = None
        if len(self._begun_anew) > KEPT_PEOPLE:
            self._begun_anew.popitem(last=False)

    def has_begun_anew(self, person: str) -> bool:
        """Return True, only once, for a person whose browser had another key before, which was forgotten."""
        return self._begun_anew.pop(person, self) is None


class Persons:
    """Adds to each request its person and the client whose share of the limits it uses; gives browsers their keys."""

    def __init__(self, app: ASGIApp, people: People, root_path: str = "") -> None:
        self._app, self._people, self._root = app, people, root_path

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        key, address = key_of(scope), client_of(scope)
        is_forgotten = key is not None and self._people.is_forgotten(key)
        if is_forgotten:
            if scope["type"] == "http" and scope["path"].startswith("/api/"):
                await _refusal()(scope, receive, send)
                return
            key = None
        person = self._people.person(key, address)
        scope[CLIENT] = address if person is None else f"{address}{GROUP_END}{person}"
        if key is not None or scope["type"] != "http" or _KEYLESS.fullmatch(scope["path"]):
            scope[KEY], scope[PERSON] = key, "" if key is None else id_of(key)
            await self._app(scope, receive, send)
            return
        key = secrets.token_urlsafe(KEY_BYTES)
        cookie = cookie_of(key, self._root or "/", is_secure=scope["scheme"] == "https")
        scope[KEY], scope[PERSON] = key, id_of(key)
        if is_forgotten:
            self._people.begin_anew(id_of(key))

        async def with_key(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                if "set-cookie" not in headers:
                    headers.append("set-cookie", cookie)
            await send(message)

        await self._app(scope, receive, with_key)


def _refusal() -> ASGIApp:
    error = ForgottenKeyError("this key was forgotten on another device: load the page again to begin with a new one")
    return error_response(*error_of(error))


def id_of(key: str) -> str:
    """Return the id of the person who has this key."""
    return hashlib.sha256(key.encode()).hexdigest()[:32]


def public_id(person: str) -> str:
    """Return the id by which pages know a person; empty for an empty id. It gives no access."""
    return hashlib.sha256(f"public {person}".encode()).hexdigest()[:12] if person else ""


def key_of(scope: Scope) -> str | None:
    """Return the key that a request brings, if it looks like one: a bearer token or a cookie."""
    headers = Headers(scope=scope)
    scheme, _, token = headers.get("authorization", "").partition(" ")
    if scheme.lower() == "bearer" and _KEY.fullmatch(token.strip()):
        return token.strip()
    for header in headers.getlist("cookie"):
        try:
            found = SimpleCookie(header).get(COOKIE)
        except CookieError:
            continue
        if found is not None and _KEY.fullmatch(found.value):
            return found.value
    return None


def cookie_of(key: str, path: str, *, is_secure: bool, seconds: int = SECONDS_KEPT) -> str:
    """Return a cookie with a key: no script can read it, and no other site can use it. 0 seconds delete it."""
    parts = [f"{COOKIE}={key}", f"Path={path}", f"Max-Age={seconds}", "HttpOnly"]
    return "; ".join([*parts, "SameSite=Lax", *(["Secure"] if is_secure else [])])
