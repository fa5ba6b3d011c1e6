"""A worker process: a new interpreter that runs tasks and reports. If it crashes, only this process ends.

It can be stopped or killed. It is not forked, so that a program with threads may start it. The parent's main module is
not imported again.
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
from collections import deque
from collections.abc import Callable, Sequence
from typing import IO

from outplay.errors import EngineError
from outplay.work.child import END_OF_OUTPUT, RunTask, StopTask
from outplay.work.supervise import Ended, Failed, Inbox, Message
from outplay.work.task import AnyTask, failure

KEPT_LINES = 100
KEPT_LINE_LENGTH = 500
_BOOT = "import json, sys; sys.path[:] = json.loads(sys.argv.pop()); from outplay.work.child import main; main()"


class WorkerProcess:
    """Runs one task at a time. The messages of the task go to `tell`, by default into `inbox` (see `supervise.Host`).

    What the task prints is kept, to be shown with a failure; with `keeps_output=False` it goes to our own output.
    """

    def __init__(self, tell: Callable[[Message], None] | None = None, *, keeps_output: bool = True) -> None:
        self.inbox: Inbox = queue.SimpleQueue()
        self._tell = tell or self.inbox.put
        self._output: deque[str] = deque(maxlen=KEPT_LINES)
        self._is_output_read = threading.Event()
        """Set when all output before a failure has been read."""
        self._name = "the task"
        self._process = subprocess.Popen(
            [sys.executable, "-u", "-P", "-c", _BOOT, json.dumps(sys.path)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE if keeps_output else None,
            start_new_session=True,  # Ctrl-C in the terminal reaches only the parent
        )
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._commands = self._process.stdin
        self._reading = [threading.Thread(target=self._read_answers, args=(self._process.stdout,), daemon=True)]
        if self._process.stderr is not None:
            self._reading.insert(
                0, threading.Thread(target=self._read_output, args=(self._process.stderr,), daemon=True)
            )
        for thread in self._reading:
            thread.start()

    @property
    def pid(self) -> int:
        return self._process.pid

    @property
    def is_alive(self) -> bool:
        return self._process.poll() is None

    def begin(self, task: AnyTask) -> None:
        try:
            pickled = pickle.dumps(task)
        except Exception as error:  # pickle may raise any exception
            self._tell(Failed(failure(task.name, error)))
            return
        self.send(task.name, pickled)

    def send(self, name: str, pickled: bytes) -> None:
        """Start a task that is already pickled."""
        self._name = name
        self._output.clear()
        self._is_output_read.clear()
        self._command(RunTask(name, pickled))

    def interrupt(self) -> None:
        self._command(StopTask())

    def abandon(self) -> tuple[str, ...]:
        self.kill()
        return tuple(self._output)

    def kill(self) -> None:
        """End the process and all processes that it started. If the process has ended already, do nothing."""
        self._signal_all()
        self._process.wait()
        for thread in self._reading:
            thread.join(1)  # longer only if a process that the task started still holds the output
        with contextlib.suppress(OSError):
            self._commands.close()

    def _signal_all(self) -> None:
        """Kill the process and its children, even if only the children are left."""
        if hasattr(os, "killpg") and self._process.returncode is None:  # not reaped: no other process has this id
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self.pid, signal.SIGKILL)
        self._process.kill()

    def _command(self, command: RunTask | StopTask) -> None:
        with contextlib.suppress(OSError, ValueError):  # the process has ended, and the reading thread reports it
            pickle.dump(command, self._commands)
            self._commands.flush()

    def _read_answers(self, stream: IO[bytes]) -> None:
        with stream:
            while True:
                try:
                    message = pickle.load(stream)
                except EOFError:
                    break
                except Exception as error:  # the answer cannot be read, so the process is useless
                    message = Failed(failure(self._name, error))
                    self._process.kill()
                if isinstance(message, Failed) and isinstance(message.error, EngineError):
                    self._is_output_read.wait(1 if self._process.stderr is not None else 0)
                    message = Failed(_with_output(message.error, self._output))
                self._tell(message)
        self._signal_all()
        code = self._process.wait()
        if self._process.stderr is not None:
            self._reading[0].join(1)
        was_killed = code in (-signal.SIGKILL, -signal.SIGTERM)
        self._tell(Ended(_ending(code), tuple(self._output), was_killed))

    def _read_output(self, stream: IO[bytes]) -> None:
        with stream:
            while line := stream.readline(KEPT_LINE_LENGTH):
                if text := line.removesuffix(END_OF_OUTPUT):
                    self._output.append(text.decode(errors="replace").rstrip("\n"))
                if line.endswith(END_OF_OUTPUT):
                    self._is_output_read.set()
        self._is_output_read.set()


def _with_output(error: EngineError, output: Sequence[str]) -> EngineError:
    """Return the error with the task's output before its traceback."""
    return type(error)(error.message, (*output, *error.transcript))


def _ending(code: int) -> str:
    """Return how a process ended: "exit code 1", "signal 9, killed"."""
    if code >= 0:
        return f"exit code {code}"
    return f"signal {-code}, {(signal.strsignal(-code) or 'unknown').lower()}"
