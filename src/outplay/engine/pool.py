"""A few worker processes shared by many games: bounded, fair, and whole again after every crash."""

from __future__ import annotations

import os
import threading
from collections import OrderedDict, deque
from collections.abc import Callable

from outplay.engine.runner import BUILD_MS, GRACE_MS, Question, Recipe, Search, closed_error, supervise
from outplay.engine.types import Report
from outplay.engine.worker import WorkerProcess
from outplay.errors import EngineError


class FairQueue:
    """Searches that wait. Keys take turns; within a key, first come, first served."""

    def __init__(self) -> None:
        self._waiting: OrderedDict[str, deque[Search]] = OrderedDict()

    def __len__(self) -> int:
        return sum(map(len, self._waiting.values()))

    def put(self, search: Search) -> None:
        self._waiting.setdefault(search.key, deque()).append(search)

    def take(self) -> Search:
        """The next one; its key goes to the back."""
        key, searches = self._waiting.popitem(last=False)
        search = searches.popleft()
        if searches:
            self._waiting[key] = searches
        return search

    def remove(self, search: Search) -> None:
        searches = self._waiting.get(search.key, deque())
        if search in searches:
            searches.remove(search)
            if not searches:
                del self._waiting[search.key]

    def place(self, search: Search) -> int:
        """How many are taken up to this one, it included; 0 if it does not wait."""
        searches = self._waiting.get(search.key, deque())
        if search not in searches:
            return 0
        ahead = searches.index(search)
        place, is_before = 1, True
        for key, others in self._waiting.items():
            if key == search.key:
                place, is_before = place + ahead, False
            else:
                place += min(len(others), ahead + is_before)
        return place


class WorkerPool:
    """At most `slots` searches at a time, each in a process of its own; the others wait their turn.

    A process that crashes or has to be killed is replaced; nobody but its own search notices.
    """

    def __init__(self, slots: int | None = None, *, grace_ms: int = GRACE_MS, build_ms: int = BUILD_MS) -> None:
        self.slots = slots if slots is not None else max(1, os.cpu_count() or 1)
        self._grace_ms, self._build_ms = grace_ms, build_ms
        self._queue = FairQueue()
        self._running: set[Search] = set()
        self._processes: dict[int, WorkerProcess] = {}
        self._changed = threading.Condition()
        self._is_closed = False
        self._threads = [
            threading.Thread(target=self._serve, args=(slot,), name=f"slot {slot}", daemon=True)
            for slot in range(self.slots)
        ]
        for thread in self._threads:
            thread.start()

    @property
    def waiting(self) -> int:
        """How many searches wait."""
        with self._changed:
            return len(self._queue)

    @property
    def running(self) -> int:
        with self._changed:
            return len(self._running)

    def processes(self) -> list[int]:
        """The ids of the worker processes that live."""
        with self._changed:
            return [process.pid for process in self._processes.values() if process.is_alive]

    def submit(
        self,
        recipe: Recipe,
        question: Question,
        *,
        key: str = "",
        report: Report | None = None,
        started: Callable[[], None] | None = None,
    ) -> Search:
        search = Search(recipe, question, key=key, report=report, started=started)
        search.place_in_queue = lambda: self._place(search)
        search.future.add_done_callback(lambda _: self._forget(search))
        with self._changed:
            if self._is_closed:
                raise closed_error()
            self._queue.put(search)
            self._changed.notify()
        return search

    def close(self) -> None:
        """Fail what waits, end what runs and every process."""
        with self._changed:
            self._is_closed = True
            waiting = [self._queue.take() for _ in range(len(self._queue))]
            running = list(self._running)
            self._changed.notify_all()
        for search in waiting:
            search.finish(closed_error())
        for search in running:
            search.cancel()
        for process in list(self._processes.values()):
            process.kill()
        for thread in self._threads:
            thread.join()

    def __enter__(self) -> WorkerPool:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def _place(self, search: Search) -> int:
        with self._changed:
            return self._queue.place(search)

    def _forget(self, search: Search) -> None:
        """A search that was cancelled while it waited leaves the queue."""
        with self._changed:
            self._queue.remove(search)

    def _serve(self, slot: int) -> None:
        while (search := self._next()) is not None:
            try:
                process = self._process(slot)
            except OSError as error:
                search.finish(EngineError(f"no process could be started for {search.recipe.name}: {error}"))
            else:
                supervise(search, process, grace_ms=self._grace_ms, build_ms=self._build_ms)
            with self._changed:
                self._running.discard(search)
        last = self._processes.get(slot)
        if last is not None:
            last.kill()

    def _next(self) -> Search | None:
        """Wait for the next search; None when the pool is closed."""
        with self._changed:
            self._changed.wait_for(lambda: self._is_closed or len(self._queue) > 0)
            if self._is_closed:
                return None
            search = self._queue.take()
            self._running.add(search)
            return search

    def _process(self, slot: int) -> WorkerProcess:
        """The process of a slot; a new one in the place of one that has ended."""
        process = self._processes.get(slot)
        if process is None or not process.is_alive:
            if process is not None:
                process.kill()
            process = WorkerProcess()
            with self._changed:
                self._processes[slot] = process
        return process
