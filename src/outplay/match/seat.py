"""Where a player sits, game after game: a process of its own, so that whatever it does stays there.

The process is kept from game to game, the engine is not: each game is begun by a new one, with a table that is empty
and a seed that belongs to the game.
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
"""How long a move may take whose limit is no time. The player is then told to stop, and given up if it does not."""
BUILD_MS = 60_000
"""How long a player may take to be built: no clock runs meanwhile, and a match keeps its machine busy."""


@dataclass(frozen=True, slots=True)
class GameRecipe:
    """The engine of one game: built with its first question, kept until the game is over."""

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
    """Builds the engine, and has another answer: to see that it can be built at all."""

    def __call__(self) -> Engine:
        self.recipe()
        return RandomEngine()


class Seat:
    """Asks the engine of the game; after a failure, or the first time, in a new process."""

    def __init__(self) -> None:
        self._process: WorkerProcess | None = None
        self._shelf = Shelf()

    def ask(self, question: Ask, *, margin_ms: int) -> tuple[Analysis, float]:
        """The answer, and how many seconds it took. EngineError (OverrunError if it was late) if there is none."""
        began = [time.monotonic()]
        ticket = Ticket(replace(question, kept=1), started=lambda: began.append(time.monotonic()))
        with _patience(ticket):
            supervise(ticket, self._host(question), grace_ms=margin_ms, build_ms=BUILD_MS)
        return ticket.result(), time.monotonic() - began[-1]

    def _host(self, question: Ask) -> Host:
        """A process of its own; a thread for a player that no other process knows."""
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
        pickle.dumps(question.recipe)
    except Exception:  # pickle raises what it likes
        return False
    return True


@contextmanager
def _patience(ticket: Ticket[Analysis]) -> Iterator[None]:
    """Tell a player to stop that has no time limit and takes for ever."""
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
