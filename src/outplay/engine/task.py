"""A task that asks an engine: a recipe to build the engine where it runs, and the question."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from outplay.engine.types import Analysis, Engine, Limit
from outplay.rules import Position
from outplay.work.process import WorkerProcess
from outplay.work.shelf import MOST, shelf
from outplay.work.supervise import GRACE_MS, supervise
from outplay.work.task import Report, Stop, Task, Ticket


class Recipe(Protocol):
    """A recipe to build an engine where it will run: hashable and picklable."""

    @property
    def name(self) -> str:
        """Return the engine's name for messages."""

    @property
    def is_reusable(self) -> bool:
        """Return True if one engine may answer several questions.

        False if each question needs a new engine: otherwise the answers could not be repeated.
        """

    @property
    def needs_process(self) -> bool:
        """Return True for code that may never return: it must not run in a thread of this process."""

    def __call__(self) -> Engine: ...
    def __hash__(self) -> int: ...


@dataclass(frozen=True, slots=True)
class Ask(Task[Analysis]):
    """A question to an engine; see `Engine.analyse`."""

    recipe: Recipe
    position: Position
    limit: Limit
    history: tuple[Position, ...] = ()
    kept: int = MOST
    """The largest number of reusable engines that the process keeps, this one included."""
    can_wait: bool = False

    @property
    def name(self) -> str:
        return self.recipe.name

    @property
    def time_ms(self) -> int | None:
        return self.limit.move_time_ms()

    @property
    def needs_process(self) -> bool:
        return self.recipe.needs_process

    def run(self, report: Report[Analysis], stop: Stop) -> Analysis:
        if not self.recipe.is_reusable:
            return self._ask(self.recipe(), report, stop)
        with shelf().lend(self.recipe, self.recipe, most=self.kept) as engine:
            return self._ask(engine, report, stop)

    def _ask(self, engine: Engine, report: Report[Analysis], stop: Stop) -> Analysis:
        with stop.calling(engine.stop):
            report.begin()
            return engine.analyse(self.position, self.limit, history=self.history, report=report)


class EngineProcess:
    """An engine in a process of its own. The process starts with the first question, and again after a failure.

    `close()` ends it, and so does leaving a `with` block.
    """

    def __init__(self, recipe: Recipe, *, grace_ms: int = GRACE_MS) -> None:
        self._recipe, self._grace_ms = recipe, grace_ms
        self._process: WorkerProcess | None = None
        self._ticket: Ticket[Analysis] | None = None

    @property
    def name(self) -> str:
        return self._recipe.name

    def analyse(
        self,
        position: Position,
        limit: Limit,
        *,
        history: Sequence[Position] = (),
        report: Callable[[Analysis], None] | None = None,
    ) -> Analysis:
        if self._process is None or not self._process.is_alive:
            self.close()
            self._process = WorkerProcess()
        ticket = Ticket(Ask(self._recipe, position, limit, tuple(history)), report=report)
        self._ticket = ticket
        try:
            supervise(ticket, self._process, grace_ms=self._grace_ms)
        finally:
            self._ticket = None
        return ticket.result()

    def stop(self) -> None:
        ticket = self._ticket
        if ticket is not None:
            ticket.stop()

    def close(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process = None

    def __enter__(self) -> EngineProcess:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()
