"""An experiment as a task: a recorded search or a ladder, bounded in depth, positions, time and memory."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar, Literal

from outplay.engine.types import check_not_over
from outplay.errors import NotationError
from outplay.lab.clock import Clock, Stopped
from outplay.lab.compare import TITLES, Row, ladder, rungs
from outplay.lab.evaluate import EVALUATIONS, Evaluation
from outplay.lab.ordering import find_order
from outplay.lab.techniques import Techniques
from outplay.lab.trace import Trace, trace
from outplay.rules import Position, rules_of
from outplay.work.task import Report, Stop, Task, give_way

TIME_MS = 20_000
RUNG_MS = 6_000
"""The time limit of one rung. A slower rung is given up, so that the fast ones are still shown."""
MOST_NODES = 3_000_000
MOST_VISITS = 1_200
"""The greatest number of positions that a recorded search keeps; the others are only counted."""
NICENESS = 10
TOLD_EVERY = 4096


@dataclass(frozen=True, slots=True)
class Finding:
    """The progress of an experiment."""

    nodes: int
    seconds: float
    trace: Trace | None = None
    rows: tuple[Row, ...] = ()
    now: str = ""
    """The rung that is being searched."""
    is_complete: bool = False
    """False while it runs, and if it was stopped early."""


@dataclass(frozen=True, slots=True)
class Experiment(Task[Finding]):
    """A task: a recorded search or a ladder of one position."""

    name: ClassVar[str] = "the experiment"
    needs_process: ClassVar[bool] = True
    kind: Literal["trace", "ladder"]
    position: Position
    depth: int
    techniques: tuple[str, ...]
    evaluation: str | None = None
    weights: tuple[int, ...] | None = None
    order: str | None = None
    most_ms: int = TIME_MS

    @property
    def time_ms(self) -> int:
        return self.most_ms

    def found_evaluation(self) -> Evaluation:
        """Return the evaluation of this experiment: always one of the lab's own, because a page never loads a file."""
        game = rules_of(self.position).name
        known = EVALUATIONS[game]
        name = self.evaluation or next(iter(known))
        if name not in known:
            raise NotationError(name, f"the evaluations of {game} are {', '.join(known)}")
        return known[name] if self.weights is None else known[name].reweighed(self.weights)

    def check(self) -> None:
        """Raise an error for an impossible experiment before it is queued."""
        check_not_over(self.position)
        find_order(self.position, self.order)
        self.found_evaluation()

    def run(self, report: Report[Finding], stop: Stop) -> Finding:
        give_way(NICENESS)
        report.begin()
        return self._trace(report, stop) if self.kind == "trace" else self._ladder(report, stop)

    def _trace(self, report: Report[Finding], stop: Stop) -> Finding:
        clock = _TellingClock(self.most_ms, lambda nodes: report(Finding(nodes, clock.seconds)))
        with stop.calling(clock.stop):
            found = trace(
                self.position,
                self.depth,
                Techniques.of(",".join(self.techniques)),
                self.found_evaluation(),
                order=self.order,
                limit=MOST_VISITS,
                clock=clock,
            )
        return Finding(found.visited, clock.seconds, trace=found, is_complete=found.score is not None)

    def _ladder(self, report: Report[Finding], stop: Stop) -> Finding:
        clock, rows = Clock(self.most_ms), list[Row]()

        def finding(nodes: int = 0, now: str = "", *, is_complete: bool = False) -> Finding:
            seen = nodes + sum(row.nodes for row in rows)
            return Finding(seen, clock.seconds, rows=tuple(rows), now=now, is_complete=is_complete)

        chosen = [name for name in self.techniques if name != "quiescence"]
        steps = ladder(
            self.position,
            self.depth,
            self.found_evaluation().score,
            techniques=[*chosen, *(name for name in rungs(self.position) if name not in chosen)],
            quiescence="quiescence" in self.techniques,
            order=self.order,
            progress=lambda names, nodes: report(finding(nodes, TITLES[names[-1]])),
            rung_ms=RUNG_MS,
            clock=clock,
        )
        try:
            with stop.calling(clock.stop):
                for row in steps:
                    rows.append(row)
                    report(finding())
        except Stopped:
            return finding()
        return finding(is_complete=True)


class _TellingClock(Clock):
    """A clock that regularly reports the number of positions searched."""

    def __init__(self, time_ms: int, tell: Callable[[int], None]) -> None:
        super().__init__(time_ms, MOST_NODES)
        self._tell, self._next = tell, 0

    def look(self, nodes: int) -> int:
        if nodes >= self._next:
            self._next = nodes + TOLD_EVERY
            self._tell(nodes)
        return super().look(nodes)
