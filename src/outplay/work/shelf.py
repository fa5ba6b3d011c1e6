"""Objects that a task leaves for the next task in the same place: warm engines, solvers with full hash tables."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TypeVar

Thing = TypeVar("Thing")
MOST = 8


class Shelf:
    """Objects by key. A lent object is off the shelf, so that no other task uses it at the same time."""

    def __init__(self) -> None:
        self._things: OrderedDict[Hashable, object] = OrderedDict()
        self._lock = threading.Lock()

    @contextmanager
    def lend(self, key: Hashable, make: Callable[[], Thing], *, most: int = MOST) -> Iterator[Thing]:
        """Lend the object of this key; make it if there is none, and put it back unless the block raised.

        At most `most` objects are kept: before a new one is made, the least recently used ones are dropped, because
        objects may be large. Lent objects do not count, so several threads may have a few more for a short time.
        """
        with self._lock:
            found = self._things.pop(key, None)
            while found is None and len(self._things) >= most:
                self._things.popitem(last=False)
        thing: Thing = make() if found is None else found  # type: ignore[assignment]
        yield thing
        with self._lock:
            self._things[key] = thing


_SHELF: ContextVar[Shelf] = ContextVar("shelf", default=Shelf())  # noqa: B039 - one for the whole process is meant


def shelf() -> Shelf:
    """Return the shelf for this task: that of its process, or of its thread pool."""
    return _SHELF.get()


def use_shelf(own: Shelf) -> None:
    """Let tasks of this thread use `own` instead of the shelf of the process."""
    _SHELF.set(own)
