"""The code of a worker process: it runs one task after the other, stops them on request, and ends with its parent.

Commands arrive as pickles on standard input, answers leave as pickles on standard output. Before any task runs,
both streams are replaced, so that what a task prints goes to standard error.
"""

from __future__ import annotations

import contextlib
import faulthandler
import io
import os
import pickle
import queue
import signal
import sys
import threading
import time
from dataclasses import dataclass
from typing import Any, NoReturn

from outplay.work.supervise import Answered, Failed, Message, Reported, Started
from outplay.work.task import AnyTask, Report, Stop, failure

REPORT_SECONDS = 0.02
"""The shortest time between two reports. Reports that come sooner are dropped, but the last one is always sent."""
END_OF_OUTPUT = b"\0\n"
"""Marks the end of the output before a failure. The parent waits for it, because the output and the answer
arrive through different pipes."""


@dataclass(frozen=True, slots=True)
class RunTask:
    """A command to the child: run this task."""

    name: str
    pickled: bytes
    """The task, pickled separately: if it cannot be read here, only this task fails."""


@dataclass(frozen=True, slots=True)
class StopTask:
    """A command to the child: stop this task."""


class Channel:
    """The channel to the parent. A report may be replaced by a newer one; everything else is always sent."""

    def __init__(self, stream: io.BufferedIOBase) -> None:
        self._stream = stream
        self._lock = threading.Lock()
        self._report: Reported[Any] | None = None
        self._has_report = threading.Event()
        threading.Thread(target=self._send_reports, daemon=True).start()

    def send(self, message: Message) -> None:
        pickled = pickle.dumps(message)
        with self._lock:
            self._report = None
            self._write(pickled)

    def report(self, found: object) -> None:
        with self._lock:
            self._report = Reported(found)
        self._has_report.set()

    def _send_reports(self) -> None:
        while self._has_report.wait():
            self._has_report.clear()
            with self._lock:
                if self._report is not None:
                    self._write(pickle.dumps(self._report))
                    self._report = None
            time.sleep(REPORT_SECONDS)

    def _write(self, pickled: bytes) -> None:
        try:
            self._stream.write(pickled)
            self._stream.flush()
        except BrokenPipeError:
            _end()


class Child:
    """Runs one task after the other on the main thread; a second thread reads the commands."""

    def __init__(self, commands: io.BufferedIOBase, answers: io.BufferedIOBase) -> None:
        self._commands = commands
        self._channel = Channel(answers)
        self._given: queue.SimpleQueue[tuple[RunTask, Stop]] = queue.SimpleQueue()

    def run(self) -> None:
        threading.Thread(target=self._listen, daemon=True).start()
        while True:
            self._answer(*self._given.get())

    def _listen(self) -> None:
        stop = Stop()
        while True:
            try:
                command = pickle.load(self._commands)
            except EOFError:
                _end()
            if isinstance(command, RunTask):
                stop = Stop()
                self._given.put((command, stop))
            else:
                stop.set()

    def _answer(self, command: RunTask, stop: Stop) -> None:
        report = Report[Any](self._channel.report, lambda: self._channel.send(Started()))
        try:
            task: AnyTask = pickle.loads(command.pickled)
            self._channel.send(Answered(task.run(report, stop)))
        except BaseException as error:  # includes sys.exit() in a bot: it is reported like any other failure
            with contextlib.suppress(OSError):
                os.write(2, END_OF_OUTPUT)
            self._channel.send(Failed(failure(command.name, error)))


def _end() -> NoReturn:
    """End this process and all processes that tasks have started, because the parent is gone."""
    if hasattr(os, "killpg") and os.getpgrp() == os.getpid():
        os.killpg(os.getpgrp(), signal.SIGKILL)
    os._exit(0)


def main() -> None:
    """Serve the parent at the other end of standard input and output."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the parent, which then ends this process
    faulthandler.enable()
    commands, answers = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.dup2(2, 1)
    sys.stdin = open(0, closefd=False)  # noqa: SIM115
    Child(commands, answers).run()
