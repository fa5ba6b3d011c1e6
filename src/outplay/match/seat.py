"""The seat of a player: a process of its own, so that a crash cannot harm the match.

The process is kept from game to game, the engine is not: each game starts with a new engine, an empty hash table and
the game's own seed.
"""

from __future__ import annotations

import pickle
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace

from outplay.engine.random import RandomEngine
from outplay.engine.task import Ask, Recipe
from outplay.engine.types import Analysis, Engine
from outplay.work.process import WorkerProcess
from outplay.work.shelf import Shelf
from outplay.work.supervise import Host, supervise
from outplay.work.task import Ticket
from outplay.work.threads import ThreadHost

PATIENCE_SECONDS = 600.0
"""How long a move without a time limit may take. Then the player is stopped, and killed if it does not stop."""
BUILD_MS = 60_000
"""How long a player may take to be built. It is long because no clock runs meanwhile and the machine is busy."""


@dataclass(frozen=True, slots=True)
class GameRecipe:
    """The recipe of the engine of one game. The engine is built at its first question and kept until the game ends."""

    recipe: Recipe
    round: str
    is_reusable: bool = True
    needs_process: bool = True

    @property
    def name(self) -> str:
        return self.recipe.name

    def __call__(self) -> Engine:
        return self.recipe()


@dataclass(frozen=True, slots=True)
class TrialRecipe(GameRecipe):
    """A recipe that only tries whether the engine can be built; a random player then answers in its place."""

    def __call__(self) -> Engine:
        self.recipe()
        return RandomEngine()


class Seat:
    """Asks the engine of a game; starts a new process the first time and after a failure."""

    def __init__(self) -> None:
        self._process: WorkerProcess | None = None
        self._shelf = Shelf()

    def ask(self, question: Ask, *, margin_ms: int) -> tuple[Analysis, float]:
        """Return the answer and the seconds it took. EngineError if there is none (OverrunError if it was late)."""
        began = [time.monotonic()]
        ticket = Ticket(replace(question, kept=1), started=lambda: began.append(time.monotonic()))
        with _patience(ticket):
            supervise(ticket, self._host(question), grace_ms=margin_ms, build_ms=BUILD_MS)
        return ticket.result(), time.monotonic() - began[-1]

    def _host(self, question: Ask) -> Host:
        """Return a process for the question, or a thread for a player that other processes cannot import."""
        if not _travels(question):
            return ThreadHost(self._shelf)
        if self._process is None or not self._process.is_alive:
            self.close()
            self._process = WorkerProcess()
        return self._process

    def close(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process = None


def _travels(question: Ask) -> bool:
    try:
        return b"__main__" not in pickle.dumps(question.recipe)  # a script's own functions are not in a worker's
    except Exception:  # pickle may raise any exception
        return False


@contextmanager
def _patience(ticket: Ticket[Analysis]) -> Iterator[None]:
    """Stop a player that has no time limit and thinks for too long."""
    if ticket.task.time_ms is not None:
        yield
        return
    timer = threading.Timer(PATIENCE_SECONDS, ticket.stop)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
