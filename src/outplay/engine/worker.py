"""Any engine in a process of its own: streamed, stopped, killed; a crash stays there and is told.

`WorkerEngine` is such an engine for one's own use. `engine.pool.WorkerPool` shares a few processes among many games.
A worker is a fresh interpreter, not a fork, so it may be started from a threaded program, and its parent's main module
is not imported again.
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
from collections.abc import Sequence
from typing import IO

from outplay.engine.child import END_OF_OUTPUT, KEPT_ENGINES, Ask, Stop
from outplay.engine.runner import GRACE_MS, Failed, Inbox, Question, Recipe, Search, failure, supervise
from outplay.engine.types import Analysis, Limit, Report
from outplay.errors import EngineError
from outplay.rules import Position

KEPT_LINES = 100
KEPT_LINE_LENGTH = 500
_BOOT = "import json, sys; sys.path[:] = json.loads(sys.argv.pop()); from outplay.engine.child import main; main()"


class WorkerProcess:
    """A process that answers one question at a time into `inbox` (see `runner.Host`).

    Of the engines that may be asked again it keeps those that were asked last.
    """

    def __init__(self, *, kept_engines: int = KEPT_ENGINES) -> None:
        self.inbox: Inbox = queue.SimpleQueue()
        self._output: deque[str] = deque(maxlen=KEPT_LINES)
        self._is_output_read = threading.Event()
        """All that was printed before a failure."""
        self._name = "the engine"
        self._kept_engines = kept_engines
        self._process = subprocess.Popen(
            [sys.executable, "-u", "-c", _BOOT, json.dumps(sys.path)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,  # Ctrl-C in the terminal reaches only the parent
        )
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        assert self._process.stderr is not None
        self._commands = self._process.stdin
        self._reading = [
            threading.Thread(target=self._read_output, args=(self._process.stderr,), daemon=True),
            threading.Thread(target=self._read_answers, args=(self._process.stdout,), daemon=True),
        ]
        for thread in self._reading:
            thread.start()

    @property
    def pid(self) -> int:
        return self._process.pid

    @property
    def is_alive(self) -> bool:
        return self._process.poll() is None

    def ask(self, recipe: Recipe, question: Question) -> None:
        self._name = recipe.name
        self._output.clear()
        self._is_output_read.clear()
        try:
            pickled = pickle.dumps((recipe, question))
        except Exception as error:  # pickle raises what it likes
            self.inbox.put(Failed(failure(recipe.name, error)))
            return
        self._send(Ask(pickled, recipe.name, self._kept_engines))

    def interrupt(self) -> None:
        self._send(Stop())

    def abandon(self) -> tuple[str, ...]:
        self.kill()
        return tuple(self._output)

    def kill(self) -> None:
        """End the process, whatever it is doing. Harmless if it has ended."""
        self._signal_all()
        self._process.wait()
        for thread in self._reading:
            thread.join(1)  # longer only if something it started still holds its output
        with contextlib.suppress(OSError):
            self._commands.close()

    def _signal_all(self) -> None:
        """Kill the process and whatever it started."""
        if hasattr(os, "killpg") and self.is_alive:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self.pid, signal.SIGKILL)
        self._process.kill()

    def _send(self, command: Ask | Stop) -> None:
        with contextlib.suppress(BrokenPipeError, ValueError):  # it has ended: the reading thread says so
            pickle.dump(command, self._commands)
            self._commands.flush()

    def _read_answers(self, stream: IO[bytes]) -> None:
        with stream:
            while True:
                try:
                    message = pickle.load(stream)
                except EOFError:
                    break
                except Exception as error:  # an answer that cannot be read: whoever sent it is of no use any more
                    message = Failed(failure(self._name, error))
                    self._process.kill()
                if isinstance(message, Failed) and isinstance(message.error, EngineError):
                    self._is_output_read.wait(1)
                    message = Failed(_with_output(message.error, self._output))
                self.inbox.put(message)
        code = self._process.wait()
        self._reading[0].join(1)
        said = f"{self._name} ended without an answer ({_ending(code)})"
        self.inbox.put(Failed(EngineError(said, tuple(self._output))))

    def _read_output(self, stream: IO[bytes]) -> None:
        with stream:
            while line := stream.readline(KEPT_LINE_LENGTH):
                if text := line.removesuffix(END_OF_OUTPUT):
                    self._output.append(text.decode(errors="replace").rstrip("\n"))
                if line.endswith(END_OF_OUTPUT):
                    self._is_output_read.set()
        self._is_output_read.set()


def _with_output(error: EngineError, output: Sequence[str]) -> EngineError:
    """The error with what the engine printed put before what it raised."""
    return type(error)(error.message, (*output, *error.transcript))


def _ending(code: int) -> str:
    """In words: "exit code 1", "signal 9, killed"."""
    if code >= 0:
        return f"exit code {code}"
    return f"signal {-code}, {(signal.strsignal(-code) or 'unknown').lower()}"


class WorkerEngine:
    """An engine in a process of its own. The process starts with the first question; after a failure, anew.

    `close()` ends it; a `with` block does so by itself.
    """

    def __init__(self, recipe: Recipe, *, grace_ms: int = GRACE_MS) -> None:
        self._recipe, self._grace_ms = recipe, grace_ms
        self._process: WorkerProcess | None = None
        self._search: Search | None = None

    @property
    def name(self) -> str:
        return self._recipe.name

    def analyse(
        self, position: Position, limit: Limit, *, history: Sequence[Position] = (), report: Report | None = None
    ) -> Analysis:
        if self._process is None or not self._process.is_alive:
            self.close()
            self._process = WorkerProcess()
        search = Search(self._recipe, Question(position, limit, tuple(history)), report=report)
        self._search = search
        try:
            supervise(search, self._process, grace_ms=self._grace_ms)
        finally:
            self._search = None
        return search.result()

    def stop(self) -> None:
        search = self._search
        if search is not None:
            search.stop()

    def close(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process = None

    def __enter__(self) -> WorkerEngine:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()
