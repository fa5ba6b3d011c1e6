"""Base class for objects that threads change and others observe: a lock, two counters, ordered events."""

from __future__ import annotations

import contextlib
import logging
import threading
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable, Iterator

from outplay.errors import OutplayError
from outplay.live.state import Event, LiveState, StateChanged

Subscriber = Callable[[Event], None]


class StaleError(OutplayError, ValueError):
    """The game has changed since the caller last saw it; its version is now `.version`."""

    def __init__(self, version: int) -> None:
        super().__init__(version)
        self.version = version

    def __str__(self) -> str:
        return f"the game has changed meanwhile: it is at version {self.version} now"


class NotNowError(OutplayError, ValueError):
    """The command is not possible at this moment; the message says why."""


class Guarded(ABC):
    """An object that only one thread at a time can change.

    After each change, the clock or the search of the side to move starts, and subscribers get the events.
    """

    def __init__(self) -> None:
        self._lock = threading.RLock()
        self._happened = threading.Condition(self._lock)
        self._outbox = Outbox()
        self._acting = 0
        """Nesting depth of `_alone` in the thread that holds the lock."""
        self._version = self._revision = 0
        self._notice = ""
        self._is_changed = self._is_closed = False

    @property
    def version(self) -> int:
        with self._lock:
            return self._version

    def subscribe(self, subscriber: Subscriber) -> Callable[[], None]:
        """Call `subscriber` with every event from now on, and return a function that unsubscribes it.

        Calls may come on any thread, but only one at a time and in order.
        """
        return self._outbox.subscribe(subscriber)

    def wait(self, until: Callable[[LiveState], bool] | None = None, timeout: float | None = None) -> LiveState:
        """Wait until `until` returns True or the game is closed, at most `timeout` seconds; return the state.

        Default: until no engine thinks.
        """
        holds = until or (lambda state: state.status != "thinking")
        with self._happened:
            self._happened.wait_for(lambda: self._is_closed or holds(self.state()), timeout)
            return self.state()

    @abstractmethod
    def state(self) -> LiveState:
        """Return the state at this moment."""

    @abstractmethod
    def _go_on(self) -> None:
        """Start the clock of the human to move, or the search of the engine to move, if it does not run yet."""

    @contextlib.contextmanager
    def _alone(self) -> Iterator[None]:
        """Hold the lock for a block, complete any change made in it, then release the lock and deliver the events."""
        is_outermost = False
        try:
            with self._lock:
                is_outermost = self._acting == 0
                self._acting += 1
                try:
                    yield
                finally:
                    try:
                        if is_outermost:
                            self._settle()
                    finally:
                        self._acting -= 1
        finally:
            if is_outermost:
                self._outbox.deliver()

    @contextlib.contextmanager
    def _command(self, version: int | None) -> Iterator[None]:
        """Hold the lock for a command. NotNowError if the game is closed, StaleError if the version is old."""
        with self._alone():
            if self._is_closed:
                raise NotNowError("the game is closed")
            if version is not None and version != self._version:
                raise StaleError(self._version)
            yield

    def _settle(self) -> None:
        if not self._is_changed:
            return
        while self._is_changed:
            self._is_changed = False
            self._go_on()
        self._emit(StateChanged(self._version, self._revision, self.state()))
        self._happened.notify_all()

    def _touch(self, notice: str = "", *, changes_game: bool = False) -> None:
        """Note a change. Pass `changes_game=True` if moves, seats or the outcome changed."""
        self._revision += 1
        self._version += changes_game
        self._notice = notice
        self._is_changed = True

    def _emit(self, event: Event) -> None:
        self._outbox.put(event)


class Outbox:
    """A queue that delivers events in order. One thread delivers at a time, including events added meanwhile."""

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
        """Remove all subscribers."""
        with self._changed:
            self._subscribers = ()

    def deliver(self) -> None:
        """Deliver all waiting events. A call from inside a subscriber returns at once."""
        with self._changed:
            if self._deliverer == threading.get_ident():
                return  # this thread is already delivering, further up the stack
            last = self._put
            self._changed.wait_for(lambda: self._deliverer is None or self._delivered >= last)
            if self._delivered >= last:
                return
            self._deliverer = threading.get_ident()
        while (event := self._next()) is not None:
            for subscriber in self._subscribers:
                try:
                    subscriber(event)
                except Exception:  # an error in a subscriber must not stop the game
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
