"""A worker process: a fresh interpreter that runs tasks, streamed, stopped, killed; a crash stays there and is told.

It is not a fork, so it may be started from a threaded program, and its parent's main module is not imported again.
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
    """Runs one task at a time. What becomes of it goes to `tell`, or into `inbox` by default (see `supervise.Host`).

    What the task prints is kept, to be told with a failure; with `keeps_output=False` it goes where ours goes.
    """

    def __init__(self, tell: Callable[[Message], None] | None = None, *, keeps_output: bool = True) -> None:
        self.inbox: Inbox = queue.SimpleQueue()
        self._tell = tell or self.inbox.put
        self._output: deque[str] = deque(maxlen=KEPT_LINES)
        self._is_output_read = threading.Event()
        """Set when all that was printed before a failure has been read."""
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
        except Exception as error:  # pickle raises what it likes
            self._tell(Failed(failure(task.name, error)))
            return
        self.send(task.name, pickled)

    def send(self, name: str, pickled: bytes) -> None:
        """Begin a task that is pickled already."""
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
        """End the process and whatever it started. Harmless if it has ended."""
        self._signal_all()
        self._process.wait()
        for thread in self._reading:
            thread.join(1)  # longer only if something it started still holds its output
        with contextlib.suppress(OSError):
            self._commands.close()

    def _signal_all(self) -> None:
        """Kill the process, even if only what it started is left of it."""
        if hasattr(os, "killpg") and self._process.returncode is None:  # not waited for: the number is still its own
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self.pid, signal.SIGKILL)
        self._process.kill()

    def _command(self, command: RunTask | StopTask) -> None:
        with contextlib.suppress(OSError, ValueError):  # it has ended: the reading thread says so
            pickle.dump(command, self._commands)
            self._commands.flush()

    def _read_answers(self, stream: IO[bytes]) -> None:
        with stream:
            while True:
                try:
                    message = pickle.load(stream)
                except EOFError:
                    break
                except Exception as error:  # an answer that cannot be read: who sent it is of no use any more
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
        self._tell(Ended(_ending(code), tuple(self._output)))

    def _read_output(self, stream: IO[bytes]) -> None:
        with stream:
            while line := stream.readline(KEPT_LINE_LENGTH):
                if text := line.removesuffix(END_OF_OUTPUT):
                    self._output.append(text.decode(errors="replace").rstrip("\n"))
                if line.endswith(END_OF_OUTPUT):
                    self._is_output_read.set()
        self._is_output_read.set()


def _with_output(error: EngineError, output: Sequence[str]) -> EngineError:
    """The error with what the task printed put before what it raised."""
    return type(error)(error.message, (*output, *error.transcript))


def _ending(code: int) -> str:
    """In words: "exit code 1", "signal 9, killed"."""
    if code >= 0:
        return f"exit code {code}"
    return f"signal {-code}, {(signal.strsignal(-code) or 'unknown').lower()}"
