"""Holding a task to its time, wherever it runs: one that ignores its limit is told to stop, and then given up."""

from __future__ import annotations

import queue
import time
from dataclasses import dataclass
from typing import Any, Generic, Protocol

from outplay.errors import EngineError
from outplay.work.task import AnyTask, Found, OverrunError, Ticket

GRACE_MS = 1000
"""How far past its time a task may answer before it is given up."""
BUILD_MS = 20_000
"""How long the preparations of a task may take: loading a file, tables, a book."""

# What a host says, in this order: Started, Reported ..., then Answered, Failed or Ended.


@dataclass(frozen=True, slots=True)
class Started:
    """The preparations are over and its time begins."""


@dataclass(frozen=True, slots=True)
class Reported(Generic[Found]):
    found: Found


@dataclass(frozen=True, slots=True)
class Answered(Generic[Found]):
    found: Found


@dataclass(frozen=True, slots=True)
class Failed:
    error: BaseException


@dataclass(frozen=True, slots=True)
class Ended:
    """The process is gone: how ("exit code 1"), and what it printed last."""

    how: str
    output: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class StopAsked:
    ticket: Ticket[Any]


Message = Started | Reported[Any] | Answered[Any] | Failed | Ended | StopAsked
Inbox = queue.SimpleQueue[Message]


class Host(Protocol):
    """Where a task runs. It answers into `inbox`."""

    @property
    def inbox(self) -> Inbox: ...
    def begin(self, task: AnyTask) -> None: ...
    def interrupt(self) -> None:
        """Tell the task to stop; it answers soon after."""

    def abandon(self) -> tuple[str, ...]:
        """End it without an answer, and give what it printed last. The host is of no use after that."""


class Watch:
    """The time of one task: when it must be told to stop, and when it is given up."""

    def __init__(self, time_ms: int | None, grace_ms: int, build_ms: int = BUILD_MS) -> None:
        self._grace = grace_ms / 1000
        self._seconds = float("inf") if time_ms is None else time_ms / 1000
        self._stop_at = self._end_at = time.monotonic() + build_ms / 1000
        self._is_started = self.has_stopped = False

    def start(self) -> None:
        """The task begins. It knows its limit and should keep it by itself."""
        self._is_started = True
        seconds = 0 if self.has_stopped else self._seconds
        self._stop_at = time.monotonic() + seconds + self._grace / 4
        self._end_at = time.monotonic() + seconds + self._grace

    def stop(self) -> None:
        """The task was told to stop."""
        self.has_stopped = True
        if self._is_started:
            self._end_at = min(self._end_at, time.monotonic() + self._grace)

    def wait(self) -> float | None:
        """How long to wait for the next message, in seconds; None for as long as it takes."""
        until = self._end_at if self.has_stopped else self._stop_at
        return None if until == float("inf") else max(0.0, until - time.monotonic())


def supervise(ticket: Ticket[Any], host: Host, *, grace_ms: int = GRACE_MS, build_ms: int = BUILD_MS) -> None:
    """Run the task of a ticket on a host, and finish the ticket."""
    ticket.begin(lambda: host.inbox.put(StopAsked(ticket)))
    watch = Watch(ticket.task.time_ms, grace_ms, build_ms)
    host.begin(ticket.task)
    while True:
        try:
            message = host.inbox.get(timeout=watch.wait())
        except queue.Empty:
            if watch.has_stopped:
                ticket.fail(OverrunError(_overrun(ticket.task), host.abandon()))
                return
            message = StopAsked(ticket)
        match message:
            case Started():
                watch.start()
                ticket.say_started()
            case Reported(found):
                ticket.say_report(found)
            case Answered(found):
                ticket.finish(found)
                return
            case Failed(error):
                ticket.fail(error)
                return
            case Ended(how, output):
                ticket.fail(EngineError(f"{ticket.task.name} ended without an answer ({how})", output))
                return
            case StopAsked(asked) if asked is ticket and not watch.has_stopped:
                watch.stop()
                host.interrupt()
            case StopAsked():
                pass  # of a task that is over


def _overrun(task: AnyTask) -> str:
    had = "" if task.time_ms is None else f": it had {task.time_ms / 1000:g} s"
    return f"{task.name} did not answer{had} and did not stop when it was told to"
