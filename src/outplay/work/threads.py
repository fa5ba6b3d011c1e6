"""Run tasks in threads of this process: for one game at a time, as in a terminal."""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Callable
from typing import Any

from outplay.work.pool import ProcessPool
from outplay.work.shelf import Shelf, use_shelf
from outplay.work.supervise import GRACE_MS, Answered, Failed, Inbox, Reported, Started, supervise
from outplay.work.task import AnyTask, Found, Report, Stop, Task, Ticket, closed_error, failure

CLOSE_GRACES = 5
"""How long a closing thread pool waits for its tasks, as a multiple of their grace time."""


class ThreadHost:
    """Runs a task in a thread of this process. A thread that never returns is abandoned."""

    def __init__(self, shelf: Shelf) -> None:
        self.inbox: Inbox = queue.SimpleQueue()
        self._shelf, self._stop = shelf, Stop()

    def begin(self, task: AnyTask) -> None:
        threading.Thread(target=self._run, args=(task,), name=task.name, daemon=True).start()

    def interrupt(self) -> None:
        self._stop.set()

    def abandon(self) -> tuple[str, ...]:
        self._stop.give_up()
        return ()

    def _run(self, task: AnyTask) -> None:
        use_shelf(self._shelf)
        report = Report[Any](lambda found: self.inbox.put(Reported(found)), lambda: self.inbox.put(Started()))
        try:
            self.inbox.put(Answered(task.run(report, self._stop)))
        except BaseException as error:  # report every exception; none may be lost in a thread
            self.inbox.put(Failed(failure(task.name, error)))


class ThreadPool:
    """A pool that starts every task at once in a thread, or in a process if the task needs one."""

    def __init__(self, *, grace_ms: int = GRACE_MS) -> None:
        self._grace_ms = grace_ms
        self._shelf = Shelf()
        self._tickets: dict[Ticket[Any], threading.Thread] = {}
        self._processes: ProcessPool | None = None
        self._lock = threading.Lock()
        self._is_closed = False

    def submit(
        self,
        task: Task[Found],
        *,
        key: str = "",
        report: Callable[[Found], None] | None = None,
        started: Callable[[], None] | None = None,
    ) -> Ticket[Found]:
        with self._lock:
            if self._is_closed:
                raise closed_error()
            if task.needs_process:
                if self._processes is None:
                    self._processes = ProcessPool(2, grace_ms=self._grace_ms)
                return self._processes.submit(task, key=key, report=report, started=started)
            ticket = Ticket(task, key=key, report=report, started=started)
            thread = threading.Thread(target=self._run, args=(ticket,), name=f"watch {task.name}", daemon=True)
            self._tickets[ticket] = thread
            thread.start()
        return ticket

    def close(self) -> None:
        """End all tasks, and wait for them for a while: C++ code that still runs when Python ends would crash."""
        with self._lock:
            self._is_closed = True
            running = dict(self._tickets)
        for ticket in running:
            ticket.cancel()
        ends = time.monotonic() + CLOSE_GRACES * self._grace_ms / 1000
        for thread in running.values():
            if thread is not threading.current_thread():
                thread.join(max(0.0, ends - time.monotonic()))
        if self._processes is not None:
            self._processes.close()

    def _run(self, ticket: Ticket[Any]) -> None:
        supervise(ticket, ThreadHost(self._shelf), grace_ms=self._grace_ms)
        with self._lock:
            del self._tickets[ticket]
