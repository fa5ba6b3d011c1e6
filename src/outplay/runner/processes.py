"""Worker processes of this machine. One that is killed is replaced, and costs only the job that it was doing.

Each is a fresh interpreter, not a fork, in a session of its own: it may be started from a threaded program, and Ctrl-C
in the terminal reaches only the parent.
"""

from __future__ import annotations

import contextlib
import json
import os
import pickle
import queue
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterable
from typing import IO, Any

from outplay.runner.job import Event, Job, Lost, Work
from outplay.runner.plan import Plan

_BOOT = "import json, sys; sys.path[:] = json.loads(sys.argv.pop()); from outplay.runner.child import main; main()"


class Process:
    """A worker process. What becomes of its job goes into `inbox`; when it has ended, so does that."""

    def __init__(self, inbox: Inbox) -> None:
        self.job: Job | None = None
        self._inbox = inbox
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-c", _BOOT, json.dumps(sys.path)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            start_new_session=True,
        )
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._works = self._process.stdin
        self._reading = threading.Thread(target=self._read, args=(self._process.stdout,), daemon=True)
        self._reading.start()

    @property
    def pid(self) -> int:
        return self._process.pid

    @property
    def ending(self) -> str:
        code = self._process.wait()
        return f"exit code {code}" if code >= 0 else f"signal {-code}"

    def begin(self, job: Job) -> None:
        self.job = job
        work = Work.of(job)
        with contextlib.suppress(OSError):  # it has ended: the reading thread says so
            pickle.dump(work, self._works)
            self._works.flush()

    def kill(self) -> None:
        """End the process and whatever it started. Harmless if it has ended."""
        self._signal_all()
        self._process.wait()
        self._reading.join(1)  # longer only if something it started still holds its output
        with contextlib.suppress(OSError):
            self._works.close()

    def _read(self, stream: IO[bytes]) -> None:
        with stream, contextlib.suppress(Exception):  # half an answer: it was killed while it wrote
            while True:
                self._inbox.put((self, pickle.load(stream)))
        self._signal_all()
        self._process.wait()
        self._inbox.put((self, None))

    def _signal_all(self) -> None:
        """Kill the process, even if only what it started is left of it."""
        if hasattr(os, "killpg") and self._process.returncode is None:  # not waited for: the number is still its own
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self.pid, signal.SIGKILL)
        self._process.kill()


Inbox = queue.SimpleQueue[tuple[Process | None, Event | None]]
"""What became of a process's job; without an event, the process has ended; without either, a wake-up."""


class ProcessCrew:
    """At most `workers` processes, started as they are needed and kept for the next job."""

    def __init__(self, workers: int) -> None:
        self.workers = workers
        self._inbox: Inbox = queue.SimpleQueue()
        self._idle: list[Process] = []
        self._busy: set[Process] = set()
        self._is_closed = False

    def fill(self, plan: Plan) -> None:
        while len(self._busy) < self.workers and (job := plan.take()) is not None:
            process = self._idle.pop() if self._idle else Process(self._inbox)
            self._busy.add(process)
            process.begin(job)

    def wait(self) -> Iterable[Event]:
        process, event = self._inbox.get()
        if process is None:  # woken up
            return []
        if process not in self._busy:  # it ended while it had nothing to do, or was given up
            self._forget(process)
            return []
        assert process.job is not None
        key, process.job = process.job.key, None
        self._busy.remove(process)
        if event is not None:
            self._idle.append(process)
            return [event]
        process.kill()
        return [Lost(key, f"its worker ended by itself ({process.ending})")]

    def survey(self, call: Callable[[], Any]) -> list[Any]:
        return [call()] * self.workers  # this machine is theirs

    def wake(self) -> None:
        self._inbox.put((None, None))

    def abandon(self) -> None:
        for process in [*self._busy, *(self._idle if self._is_closed else ())]:
            process.kill()
        self._busy.clear()

    def close(self) -> None:
        self._is_closed = True
        self.abandon()

    def pids(self) -> list[int]:
        """The processes that live."""
        return [process.pid for process in (*self._busy, *self._idle)]

    def _forget(self, process: Process) -> None:
        if process in self._idle:
            self._idle.remove(process)
        process.kill()
