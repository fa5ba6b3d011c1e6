"""Codes that copy a key to another device. They are kept only in memory, work once, and expire after a few minutes."""

from __future__ import annotations

import secrets
import threading
import time
from collections import OrderedDict

from outplay.store.games import LETTERS
from outplay.web.http.errors import UnknownCodeError

SECONDS = 600
MOST = 10_000
_HALF = 4


class Codes:
    """The codes of a server. Any thread may call any method."""

    def __init__(self) -> None:
        self._keys: OrderedDict[str, tuple[float, str]] = OrderedDict()
        self._lock = threading.Lock()

    def new(self, key: str) -> str:
        """Return a code for a key; an older code of the same key stops working."""
        code = "-".join("".join(secrets.choice(LETTERS) for _ in range(_HALF)) for _ in range(2))
        with self._lock:
            self._drop(key)
            self._keys[code] = (time.monotonic() + SECONDS, key)
            if len(self._keys) > MOST:
                self._keys.popitem(last=False)
        return code

    def drop(self, key: str) -> None:
        """Forget the code of a key."""
        with self._lock:
            self._drop(key)

    def _drop(self, key: str) -> None:
        for code in [code for code, (_, other) in self._keys.items() if other == key]:
            del self._keys[code]

    def key(self, code: str) -> str:
        """Return the key of a code; the code then stops working. UnknownCodeError if the code is wrong or too old."""
        letters = "".join(letter for letter in code.lower() if letter.isalnum())
        with self._lock:
            until, key = self._keys.pop(f"{letters[:_HALF]}-{letters[_HALF:]}", (0.0, ""))
        if until < time.monotonic():
            raise UnknownCodeError("this code is wrong or too old: let the other device show a new one")
        return key
