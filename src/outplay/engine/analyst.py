"""Judge a position as a task, with our own engine and the endgame tables."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from outplay.engine.native import native_analyst
from outplay.engine.tables import proved, tablebase
from outplay.engine.types import Analysis, Engine, Limit
from outplay.rules import Position, rules_of
from outplay.tablebase import Verdict
from outplay.work.shelf import shelf
from outplay.work.task import Report, Stop, Task, give_way

NICENESS = 5


@dataclass(frozen=True, slots=True)
class Judged:
    """What is known about a position so far."""

    analysis: Analysis
    verdict: Verdict | None
    """The verdict of the endgame tables."""
    is_complete: bool
    """False if the search was stopped early."""


@dataclass(frozen=True, slots=True)
class AnalyseTask(Task[Judged]):
    """A task that judges a position. Its engine keeps its hash table for the next position."""

    name: ClassVar[str] = "the analysis"
    needs_process: ClassVar[bool] = True
    position: Position
    limit: Limit
    history: tuple[Position, ...] = ()

    @property
    def time_ms(self) -> int | None:
        return self.limit.move_time_ms()

    def run(self, report: Report[Judged], stop: Stop) -> Judged:
        game = rules_of(self.position).name
        with shelf().lend(f"analyst of {game}", lambda: native_analyst(game)) as engine:
            give_way(NICENESS)  # only now, because a page waits for the first report
            report.begin()
            return self._judge(engine, report, stop)

    def _judge(self, engine: Engine, report: Report[Judged], stop: Stop) -> Judged:
        position: Any = self.position
        has_tables = rules_of(position).name == "checkers"
        verdict = tablebase().get(position) if has_tables else None

        def judged(found: Analysis) -> Judged:
            told = proved(position, found) if has_tables else found
            return Judged(told, verdict, is_complete=not stop.is_set())

        with stop.calling(engine.stop):
            return judged(
                engine.analyse(position, self.limit, history=self.history, report=lambda found: report(judged(found)))
            )
