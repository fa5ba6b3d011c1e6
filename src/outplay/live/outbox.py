"""Events on their way to those who listen: in order, and never while the game is locked."""

from __future__ import annotations

import logging
import threading
from collections import deque
from collections.abc import Callable

from outplay.live.state import Event

Subscriber = Callable[[Event], None]


class Outbox:
    """Keeps events in order. One thread at a time delivers; what others add meanwhile, it delivers too."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._events: deque[Event] = deque()
        self._subscribers: tuple[Subscriber, ...] = ()
        self._put = self._delivered = 0
        self._deliverer: int | None = None
        """The thread that delivers."""

    def subscribe(self, subscriber: Subscriber) -> Callable[[], None]:
        with self._changed:
            self._subscribers += (subscriber,)
        return lambda: self._unsubscribe(subscriber)

    def _unsubscribe(self, subscriber: Subscriber) -> None:
        with self._changed:
            self._subscribers = tuple(other for other in self._subscribers if other is not subscriber)

    def put(self, event: Event) -> None:
        with self._changed:
            self._events.append(event)
            self._put += 1

    def clear(self) -> None:
        """Forget everybody."""
        with self._changed:
            self._subscribers = ()

    def deliver(self) -> None:
        """Return when every event that waits has been heard by all, but for a subscriber that acts itself."""
        with self._changed:
            if self._deliverer == threading.get_ident():
                return  # further up, this very thread delivers
            last = self._put
            self._changed.wait_for(lambda: self._deliverer is None or self._delivered >= last)
            if self._delivered >= last:
                return
            self._deliverer = threading.get_ident()
        while (event := self._next()) is not None:
            for subscriber in self._subscribers:
                try:
                    subscriber(event)
                except Exception:  # a listener's mistake is not the game's
                    logging.getLogger(__name__).exception("a subscriber failed on %s", event.kind)
            with self._changed:
                self._delivered += 1
                self._changed.notify_all()

    def _next(self) -> Event | None:
        with self._changed:
            if self._events:
                return self._events.popleft()
            self._deliverer = None
            self._changed.notify_all()
            return None
