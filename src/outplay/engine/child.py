"""The inside of a worker process: builds engines, answers questions, obeys a stop, ends when its parent does.

Commands come as pickles through standard input, answers go as pickles through standard output. Both are put out of
reach before any engine is built: what an engine prints goes to standard error, which the parent keeps.
"""

from __future__ import annotations

import contextlib
import io
import os
import pickle
import queue
import signal
import sys
import threading
import time
from collections import OrderedDict
from dataclasses import dataclass
from typing import NoReturn

from outplay.engine.runner import Answered, Failed, Message, Question, Recipe, Reported, Started, Stopper, failure
from outplay.engine.types import Analysis, Engine

REPORT_SECONDS = 0.02
"""Reports that come faster than this are thinned out; the last one always goes through."""
KEPT_ENGINES = 8
END_OF_OUTPUT = b"\0\n"
"""Follows what was printed before a failure. The parent waits for it, for the two arrive on different ways."""


@dataclass(frozen=True, slots=True)
class Ask:
    pickled: bytes
    """A recipe and a question, pickled by themselves: what cannot be read here is an answer, not the end."""
    name: str
    kept_engines: int = KEPT_ENGINES
    """How many reusable engines stay for later questions, this one's included."""


@dataclass(frozen=True, slots=True)
class Stop:
    pass


class Channel:
    """The way back to the parent. Reports may be dropped in favour of newer ones; nothing else is."""

    def __init__(self, stream: io.BufferedIOBase) -> None:
        self._stream = stream
        self._lock = threading.Lock()
        self._report: Reported | None = None
        self._has_report = threading.Event()
        threading.Thread(target=self._send_reports, daemon=True).start()

    def send(self, message: Message) -> None:
        pickled = pickle.dumps(message)
        with self._lock:
            self._report = None
            self._write(pickled)

    def report(self, analysis: Analysis) -> None:
        with self._lock:
            self._report = Reported(analysis)
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
    """Answers one question after the other, on the main thread; a second thread reads the commands."""

    def __init__(self, commands: io.BufferedIOBase, answers: io.BufferedIOBase) -> None:
        self._commands = commands
        self._channel = Channel(answers)
        self._asked: queue.SimpleQueue[tuple[Ask, Stopper]] = queue.SimpleQueue()
        self._engines: OrderedDict[Recipe, Engine] = OrderedDict()

    def run(self) -> None:
        threading.Thread(target=self._listen, daemon=True).start()
        while True:
            ask, stopper = self._asked.get()
            self._answer(ask, stopper)
            stopper.over()

    def _listen(self) -> None:
        stopper = Stopper()
        while True:
            try:
                command = pickle.load(self._commands)
            except EOFError:
                _end()
            if isinstance(command, Ask):
                stopper = Stopper()
                self._asked.put((command, stopper))
            else:
                stopper.stop()

    def _answer(self, ask: Ask, stopper: Stopper) -> None:
        try:
            recipe, question = pickle.loads(ask.pickled)
            engine = self._engine(recipe, ask.kept_engines)
            self._channel.send(Answered(self._analyse(engine, question, stopper)))
        except BaseException as error:  # sys.exit() in a bot included: it is told like any other failure
            with contextlib.suppress(OSError):
                os.write(2, END_OF_OUTPUT)
            self._channel.send(Failed(failure(ask.name, error)))

    def _analyse(self, engine: Engine, question: Question, stopper: Stopper) -> Analysis:
        stopper.watch(engine)
        self._channel.send(Started())
        return engine.analyse(question.position, question.limit, history=question.history, report=self._channel.report)

    def _engine(self, recipe: Recipe, kept: int) -> Engine:
        if not recipe.is_reusable:
            return recipe()
        if recipe not in self._engines:
            while len(self._engines) >= kept:  # before the new one, for it may be large
                self._engines.popitem(last=False)
            self._engines[recipe] = recipe()
        self._engines.move_to_end(recipe)
        return self._engines[recipe]


def _end() -> NoReturn:
    """The parent is gone: end at once, with whatever the engines have started."""
    if hasattr(os, "killpg") and os.getpgrp() == os.getpid():
        os.killpg(os.getpgrp(), signal.SIGKILL)
    os._exit(0)


def main() -> None:
    """Serve the parent at the other end of standard input and output."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the parent, which then ends this process
    commands, answers = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.dup2(2, 1)
    sys.stdin = open(0, closefd=False)  # noqa: SIM115
    Child(commands, answers).run()
