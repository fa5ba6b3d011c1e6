"""What a task leaves where it ran for the next one: engines that are warm, solvers that remember."""

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
    """Things by their keys. One that is lent is not on the shelf: nobody else uses it at the same time."""

    def __init__(self) -> None:
        self._things: OrderedDict[Hashable, object] = OrderedDict()
        self._lock = threading.Lock()

    @contextmanager
    def lend(self, key: Hashable, make: Callable[[], Thing], *, most: int = MOST) -> Iterator[Thing]:
        """The thing of this key, made if there is none, and put back after use unless that failed.

        At most so many are kept, those used last: older ones go before a new one is made, because it may be large.
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
    """The shelf of the place where this task runs: of its process, or of the pool of threads it belongs to."""
    return _SHELF.get()


def use_shelf(own: Shelf) -> None:
    """Let tasks of this thread use another shelf than that of the process."""
    _SHELF.set(own)
