"""A pool of workers shared by many owners: bounded, fair, and repaired after every crash."""

from __future__ import annotations

import os
import threading
from abc import ABC, abstractmethod
from collections import OrderedDict, deque
from collections.abc import Callable
from typing import Any, Generic, Protocol, TypeVar

from outplay.errors import EngineError
from outplay.work.process import WorkerProcess
from outplay.work.supervise import BUILD_MS, GRACE_MS, Host, supervise
from outplay.work.task import Found, Task, Ticket, WorkerKilledError, closed_error

MOST_STARTS = 3
"""How many times a task is started if its process is killed before the task begins."""
GROUP_END = "|"
"""Ends the name of the group in the key of a task. All people at one address are a group."""
AnyTicket = Ticket[Any]


class FairQueue:
    """The queue of waiting tasks: those that can wait come after all others.

    Each ticket has a key that names its owner. Owners take turns; the tasks of one owner keep their order. A key may
    begin with a group, up to `GROUP_END`: then the groups take turns, and so do the owners within a group.
    """

    def __init__(self) -> None:
        self._soon, self._later = _Turns(_group_of, _owners), _Turns(_group_of, _owners)

    def __len__(self) -> int:
        return len(self._soon) + len(self._later)

    def has_work(self, *, is_reserved: bool) -> bool:
        """Return True if a task waits. A reserved slot takes no task that can wait."""
        return len(self._soon) > 0 or (not is_reserved and len(self._later) > 0)

    def put(self, ticket: AnyTicket) -> None:
        self._of(ticket).put(ticket)

    def take(self) -> AnyTicket:
        """Return the next task. Its owner's other tasks then wait until the other owners have had a turn."""
        return (self._soon if len(self._soon) else self._later).take()

    def remove(self, ticket: AnyTicket) -> None:
        self._of(ticket).remove(ticket)

    def place(self, ticket: AnyTicket) -> int:
        """Return the task's place in the queue, from 1; 0 if it is not waiting."""
        place = self._of(ticket).place(ticket)
        return place + len(self._soon) if place and ticket.task.can_wait else place

    def _of(self, ticket: AnyTicket) -> _Turns:
        return self._later if ticket.task.can_wait else self._soon


class _Line:
    """Tickets of one owner, in their order."""

    def __init__(self) -> None:
        self._tickets: deque[AnyTicket] = deque()

    def __len__(self) -> int:
        return len(self._tickets)

    def put(self, ticket: AnyTicket) -> None:
        self._tickets.append(ticket)

    def take(self) -> AnyTicket:
        return self._tickets.popleft()

    def remove(self, ticket: AnyTicket) -> None:
        if ticket in self._tickets:
            self._tickets.remove(ticket)

    def place(self, ticket: AnyTicket) -> int:
        return self._tickets.index(ticket) + 1 if ticket in self._tickets else 0


class _Turns:
    """Parts of a queue that take turns: `name_of` names the part to which a ticket belongs, `new` makes a part."""

    def __init__(self, name_of: Callable[[AnyTicket], str], new: Callable[[], _Line | _Turns]) -> None:
        self._name_of, self._new = name_of, new
        self._parts: OrderedDict[str, _Line | _Turns] = OrderedDict()

    def __len__(self) -> int:
        return sum(map(len, self._parts.values()))

    def put(self, ticket: AnyTicket) -> None:
        name = self._name_of(ticket)
        if name not in self._parts:
            self._parts[name] = self._new()
        self._parts[name].put(ticket)

    def take(self) -> AnyTicket:
        name, part = self._parts.popitem(last=False)
        ticket = part.take()
        if len(part):
            self._parts[name] = part
        return ticket

    def remove(self, ticket: AnyTicket) -> None:
        name = self._name_of(ticket)
        if (part := self._parts.get(name)) is not None:
            part.remove(ticket)
            if not len(part):
                del self._parts[name]

    def place(self, ticket: AnyTicket) -> int:
        mine = self._parts.get(self._name_of(ticket))
        place = 0 if mine is None else mine.place(ticket)
        if not place:
            return 0
        ahead, is_before = place - 1, True
        for part in self._parts.values():
            if part is mine:
                is_before = False
            else:
                place += min(len(part), ahead + is_before)
        return place


def _group_of(ticket: AnyTicket) -> str:
    return ticket.key.partition(GROUP_END)[0]


def _owners() -> _Turns:
    return _Turns(lambda ticket: ticket.key, _Line)


class PoolHost(Host, Protocol):
    """A place where a pool runs its tasks, one at a time."""

    @property
    def is_alive(self) -> bool:
        """Return True if the host can run another task."""

    def kill(self) -> None:
        """End this host and its task, if it has one. If the host has ended already, do nothing."""


HostType = TypeVar("HostType", bound=PoolHost)


class QueuedPool(ABC, Generic[HostType]):
    """A pool that runs at most `slots` tasks at a time, each on a host of its own; the others wait their turn.

    A host that crashes or has to be killed is replaced; only its own task fails. If there are several slots, one is
    reserved for tasks that cannot wait.
    """

    def __init__(self, slots: int, *, grace_ms: int = GRACE_MS, build_ms: int = BUILD_MS) -> None:
        self.slots = slots
        self._grace_ms, self._build_ms = grace_ms, build_ms
        self._queue = FairQueue()
        self._running: set[AnyTicket] = set()
        self._hosts: dict[int, HostType] = {}
        self._changed = threading.Condition()
        self._is_closed = False
        self._threads: dict[int, threading.Thread] = {}
        self._start_threads()

    @abstractmethod
    def _new_host(self) -> HostType:
        """Return a host for a slot that has none."""

    @property
    def waiting(self) -> int:
        """Number of tasks that wait."""
        with self._changed:
            return len(self._queue)

    @property
    def running(self) -> int:
        with self._changed:
            return len(self._running)

    @property
    def is_warm(self) -> bool:
        """Return True if a host has run a task, so that the next one begins at once."""
        with self._changed:
            return bool(self._hosts)

    def resize(self, slots: int) -> None:
        """Change the number of slots. A task that runs in a removed slot is still finished."""
        with self._changed:
            if slots == self.slots or self._is_closed:
                return
            self.slots = slots
            self._changed.notify_all()
        self._start_threads()

    def rest(self, *, is_forced: bool = False) -> None:
        """End all hosts if there is nothing to do; the next task starts new ones.

        With `is_forced`, end them even if tasks run on them.
        """
        with self._changed:
            if not is_forced and (self._running or len(self._queue)):
                return
            hosts = list(self._hosts.values())
            self._hosts.clear()
        for host in hosts:
            host.kill()

    def submit(
        self,
        task: Task[Found],
        *,
        key: str = "",
        report: Callable[[Found], None] | None = None,
        started: Callable[[], None] | None = None,
    ) -> Ticket[Found]:
        ticket = Ticket(task, key=key, report=report, started=started)
        ticket.line = self
        with self._changed:
            if self._is_closed:
                raise closed_error()
            self._queue.put(ticket)
            self._changed.notify_all()  # all threads: a single one may serve the reserved slot
        return ticket

    def close(self) -> None:
        """Fail all waiting tasks, and end all running ones and every host."""
        with self._changed:
            self._is_closed = True
            waiting = [self._queue.take() for _ in range(len(self._queue))]
            running = list(self._running)
            threads = list(self._threads.values())
            self._changed.notify_all()
        for ticket in waiting:
            ticket.fail(closed_error())
        for ticket in running:
            ticket.cancel()
        for host in list(self._hosts.values()):
            host.kill()
        for thread in threads:
            thread.join()

    def _start_threads(self) -> None:
        with self._changed:
            new = [slot for slot in range(self.slots) if slot not in self._threads]
            for slot in new:
                self._threads[slot] = threading.Thread(
                    target=self._serve, args=(slot,), name=f"slot {slot}", daemon=True
                )
                self._threads[slot].start()

    def place(self, ticket: AnyTicket) -> int:
        """Return the place of a ticket in the queue, from 1; 0 if it is not waiting."""
        with self._changed:
            return self._queue.place(ticket)

    def leave(self, ticket: AnyTicket) -> None:
        """Remove a ticket from the queue if it is still waiting."""
        with self._changed:
            self._queue.remove(ticket)

    def _serve(self, slot: int) -> None:
        while (ticket := self._next(slot)) is not None:
            try:
                self._run(ticket, slot)
            except OSError as error:
                ticket.fail(EngineError(f"no process could be started for {ticket.task.name}: {error}"))
            with self._changed:
                self._running.discard(ticket)
            del ticket  # otherwise the ticket and its game would stay in memory until the next task
        last = self._hosts.get(slot)
        if last is not None:
            last.kill()

    def _run(self, ticket: AnyTicket, slot: int) -> None:
        """Run a task on the host of a slot. If the host was killed while idle, this may be noticed only now."""
        for _ in range(MOST_STARTS):
            if self._is_closed or ticket.future.cancelled():
                return
            host = self._host(slot)
            if supervise(ticket, host, grace_ms=self._grace_ms, build_ms=self._build_ms, is_replaceable=True):
                return
        ticket.fail(WorkerKilledError(f"{ticket.task.name} could not begin: its process was killed each time"))

    def _has_work(self, slot: int) -> bool:
        """Return True if a task waits for this slot. The first of several slots is kept for tasks that cannot wait."""
        return self._queue.has_work(is_reserved=slot == 0 and self.slots > 1)

    def _next(self, slot: int) -> AnyTicket | None:
        """Wait for the next task; None when the pool is closed or the slot was removed."""
        with self._changed:
            self._changed.wait_for(lambda: self._is_closed or slot >= self.slots or self._has_work(slot))
            if self._is_closed:
                return None
            if slot >= self.slots:
                del self._threads[slot]
                if (host := self._hosts.pop(slot, None)) is not None:
                    host.kill()
                return None
            ticket = self._queue.take()
            self._running.add(ticket)
            return ticket

    def _host(self, slot: int) -> HostType:
        """Return the host of a slot; if that host has ended, start a new one."""
        host = self._hosts.get(slot)
        if host is None or not host.is_alive:
            if host is not None:
                host.kill()
            host = self._new_host()
            with self._changed:
                self._hosts[slot] = host
        return host


class ProcessPool(QueuedPool[WorkerProcess]):
    """A pool whose tasks run in processes of this machine, by default one per core."""

    def __init__(self, slots: int | None = None, *, grace_ms: int = GRACE_MS, build_ms: int = BUILD_MS) -> None:
        slots = slots if slots is not None else max(1, os.cpu_count() or 1)
        super().__init__(slots, grace_ms=grace_ms, build_ms=build_ms)

    def processes(self) -> list[int]:
        """Return the ids of the running worker processes."""
        with self._changed:
            return [process.pid for process in self._hosts.values() if process.is_alive]

    @property
    def is_warm(self) -> bool:
        return bool(self.processes()) or self.running > 0

    def __enter__(self) -> ProcessPool:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def _new_host(self) -> WorkerProcess:
        return WorkerProcess()
