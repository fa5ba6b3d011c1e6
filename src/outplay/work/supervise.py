"""Enforce the time limit of a task: one that exceeds it is asked to stop, and then abandoned."""

from __future__ import annotations

import queue
import time
from dataclasses import dataclass
from typing import Any, Generic, Protocol

from outplay.errors import EngineError
from outplay.work.task import AnyTask, Found, OverrunError, Ticket, WorkerKilledError

GRACE_MS = 1000
"""The time after its limit that a task still has before it is abandoned."""
BUILD_MS = 20_000
"""How long the preparation of a task may take: loading a file, tables, a book."""

# The messages of a host, in this order: Started, Reported ..., then Answered, Failed or Ended. On a cluster, Waiting
# and Taken come first; they come again if the worker is lost and another one takes the task.


@dataclass(frozen=True, slots=True)
class Waiting:
    """The task waits for a worker of a cluster; meanwhile no time counts."""


@dataclass(frozen=True, slots=True)
class Taken:
    """A worker of a cluster has taken the task and prepares it."""

    address: str


@dataclass(frozen=True, slots=True)
class Started:
    """The preparation is finished, and the task's time starts."""


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
    """The process has ended: `how` says how ("exit code 1"), `output` has the last lines that it printed."""

    how: str
    output: tuple[str, ...] = ()
    was_killed: bool = False
    """True if something else killed the process: the system when it was short of memory, or a person."""


@dataclass(frozen=True, slots=True)
class StopAsked:
    watch: Watch
    """The watch of the task. It is not the ticket, which would keep a game in memory until the host's next task."""


Message = Waiting | Taken | Started | Reported[Any] | Answered[Any] | Failed | Ended | StopAsked
Inbox = queue.SimpleQueue[Message]


class Host(Protocol):
    """A place where a task runs. Its messages go to `inbox`."""

    @property
    def inbox(self) -> Inbox: ...
    def begin(self, task: AnyTask) -> None: ...
    def interrupt(self) -> None:
        """Ask the task to stop; its answer follows soon."""

    def abandon(self) -> tuple[str, ...]:
        """End the task without an answer, and return what it printed last. The host cannot be used again."""


class Watch:
    """The time of one task: when to ask it to stop, and when to abandon it."""

    def __init__(self, time_ms: int | None, grace_ms: int, build_ms: int = BUILD_MS) -> None:
        self._grace, self._build = grace_ms / 1000, build_ms / 1000
        self._seconds = float("inf") if time_ms is None else time_ms / 1000
        self._is_started = self.has_stopped = False
        self.prepare()

    def pause(self) -> None:
        """Stop the clock while the task waits for a worker."""
        self._is_started = False
        self._stop_at = self._end_at = float("inf")

    @property
    def is_paused(self) -> bool:
        return not self._is_started and self._end_at == float("inf")

    def prepare(self) -> None:
        """Start the time for the preparation."""
        self._stop_at = self._end_at = time.monotonic() + self._build

    def start(self) -> None:
        """Start the clock.

        A task should end by itself at its limit. If not, it is asked to stop a quarter of the grace time later.
        """
        self._is_started = True
        seconds = 0 if self.has_stopped else self._seconds
        self._stop_at = time.monotonic() + seconds + self._grace / 4
        self._end_at = time.monotonic() + seconds + self._grace

    def stop(self) -> None:
        """Note that the task was asked to stop."""
        self.has_stopped = True
        if self._is_started:
            self._end_at = min(self._end_at, time.monotonic() + self._grace)

    def wait(self) -> float | None:
        """Return the seconds to wait for the next message; None for no limit."""
        until = self._end_at if self.has_stopped else self._stop_at
        return None if until == float("inf") else max(0.0, until - time.monotonic())


def supervise(
    ticket: Ticket[Any],
    host: Host,
    *,
    grace_ms: int = GRACE_MS,
    build_ms: int = BUILD_MS,
    is_replaceable: bool = False,
) -> bool:
    """Run the task of a ticket on a host, and finish the ticket.

    With `is_replaceable`, return False if the host was killed before the task began: the ticket is not finished then,
    and another host can take it.
    """
    watch = Watch(ticket.task.time_ms, grace_ms, build_ms)
    ticket.begin(lambda: host.inbox.put(StopAsked(watch)))
    host.begin(ticket.task)
    has_begun = False
    while True:
        try:
            message = host.inbox.get(timeout=watch.wait())
        except queue.Empty:
            if watch.has_stopped:
                ticket.fail(OverrunError(_overrun(ticket.task), host.abandon()))
                return True
            message = StopAsked(watch)
        match message:
            case Waiting():
                watch.pause()
            case Taken():
                watch.prepare()
                if watch.has_stopped:
                    host.interrupt()
            case Started():
                has_begun = True
                watch.start()
                ticket.say_started()
            case Reported(found):
                ticket.say_report(found)
            case Answered(found):
                ticket.finish(found)
                return True
            case Failed(error):
                ticket.fail(error)
                return True
            case Ended(was_killed=True) if is_replaceable and not has_begun:
                return False
            case Ended(how, output, was_killed):
                kind = WorkerKilledError if was_killed else EngineError
                ticket.fail(kind(f"{ticket.task.name} ended without an answer ({how})", output))
                return True
            case StopAsked(asked) if asked is watch and not watch.has_stopped:
                watch.stop()
                host.interrupt()
            case StopAsked():
                pass  # a late message of a task that is over
        if watch.is_paused and ticket.future.cancelled():
            host.abandon()
            return True


def _overrun(task: AnyTask) -> str:
    within = "" if task.time_ms is None else f" within {task.time_ms / 1000:g} s"
    return f"{task.name} did not answer{within}, and did not stop when it was asked to"
