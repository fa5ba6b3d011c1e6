"""Experiments of the lab, each in a process of its own: bounded in depth, positions, time and memory, and stoppable.

An experiment is an engine like any other, so the workers that serve games can run it; its analysis carries what was
found besides. There is one worker for all of them, and it gives way to the engines that people play against.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

from outplay.engine.runner import Question
from outplay.engine.types import Engine, Limit, Report, check_not_over
from outplay.errors import NotationError
from outplay.lab.clock import Clock, Stopped
from outplay.lab.compare import TITLES, Row, ladder, rungs
from outplay.lab.evaluate import EVALUATIONS, Evaluation
from outplay.lab.ordering import find_order
from outplay.lab.techniques import Techniques
from outplay.lab.trace import Trace, trace
from outplay.rules import RULES, Position, rules_of
from outplay.web import wire
from outplay.web.jobs import Job, Jobs
from outplay.web.work import Found, give_way

TIME_MS = 20_000
RUNG_MS = 6_000
"""A rung of the ladder that takes longer is given up, or the quick ones would never be seen."""
MOST_NODES = 3_000_000
NICENESS = 10
TOLD_EVERY = 4096
KEPT_RUNS = 30
MOST_UNFINISHED = 20
MOST_OF_ONE = 6
"""Unfinished experiments of one client."""


@dataclass(frozen=True, slots=True)
class Finding(Found):
    """How far an experiment has come."""

    trace: Trace | None = None
    rows: tuple[Row, ...] = ()
    now: str = ""
    """The rung that is being searched."""


@dataclass(frozen=True, slots=True)
class Experiment:
    """What is tried: a recipe for an engine (see `engine.runner.Recipe`)."""

    kind: Literal["trace", "ladder"]
    depth: int
    techniques: tuple[str, ...]
    evaluation: str | None = None
    weights: tuple[int, ...] | None = None
    order: str | None = None
    name: str = "the experiment"
    is_reusable: bool = False
    needs_process: bool = True

    def __call__(self) -> Engine:
        give_way(NICENESS)
        return _Laboratory(self)

    def found_evaluation(self, game: str) -> Evaluation:
        """One of the lab's own by its name: no file is ever loaded for a page."""
        known = EVALUATIONS[game]
        name = self.evaluation or next(iter(known))
        if name not in known:
            raise NotationError(name, f"the evaluations of {game} are {', '.join(known)}")
        return known[name] if self.weights is None else known[name].reweighed(self.weights)

    def check(self, position: Position) -> None:
        """Refuse what cannot be tried here before anybody waits for it."""
        check_not_over(position)
        find_order(position, self.order)
        self.found_evaluation(rules_of(position).name)


class _TellingClock(Clock):
    """A clock that tells now and then how many positions have been looked at."""

    def __init__(self, limit: Limit, tell: Callable[[int], None]) -> None:
        super().__init__(limit.move_time_ms(), limit.nodes)
        self._tell, self._next = tell, 0

    def look(self, nodes: int) -> int:
        if nodes >= self._next:
            self._next = nodes + TOLD_EVERY
            self._tell(nodes)
        return super().look(nodes)


class _Laboratory:
    """The engine: runs one experiment."""

    name = "the experiment"

    def __init__(self, experiment: Experiment) -> None:
        self._experiment = experiment
        self._clock = Clock()

    def stop(self) -> None:
        self._clock.stop()

    def analyse(
        self, position: Position, limit: Limit, *, history: Sequence[Position] = (), report: Report | None = None
    ) -> Finding:
        run = self._trace if self._experiment.kind == "trace" else self._ladder
        return run(position, limit, report or (lambda _: None))

    def _trace(self, position: Position, limit: Limit, report: Report) -> Finding:
        what = self._experiment
        clock = self._clock = _TellingClock(limit, lambda nodes: report(Finding((), 0, nodes, clock.seconds)))
        found = trace(
            position,
            what.depth,
            Techniques.of(",".join(what.techniques)),
            what.found_evaluation(rules_of(position).name),
            order=what.order,
            limit=wire.MAX_VISITS,
            clock=clock,
        )
        is_complete = found.score is not None
        return Finding((), found.depth, found.visited, clock.seconds, trace=found, is_complete=is_complete)

    def _ladder(self, position: Position, limit: Limit, report: Report) -> Finding:
        what = self._experiment
        clock = self._clock = Clock(limit.move_time_ms())
        rows: list[Row] = []

        def finding(nodes: int = 0, now: str = "", *, is_complete: bool = False) -> Finding:
            seen = nodes + sum(row.nodes for row in rows)
            return Finding((), what.depth, seen, clock.seconds, rows=tuple(rows), now=now, is_complete=is_complete)

        chosen = [name for name in what.techniques if name != "quiescence"]
        steps = ladder(
            position,
            what.depth,
            what.found_evaluation(rules_of(position).name).score,
            techniques=[*chosen, *(name for name in rungs(position) if name not in chosen)],
            quiescence="quiescence" in what.techniques,
            order=what.order,
            progress=lambda names, nodes: report(finding(nodes, TITLES[names[-1]])),
            rung_ms=RUNG_MS,
            clock=clock,
        )
        try:
            for row in steps:
                rows.append(row)
                report(finding())
        except Stopped:
            return finding()
        return finding(is_complete=True)


class Lab:
    """The experiments of a server. Every method may be called from any thread."""

    def __init__(self) -> None:
        self._jobs = Jobs("experiment", kept=KEPT_RUNS, most=MOST_UNFINISHED)

    def begin(self, experiment: Experiment, position: Position, client: str) -> Job:
        """Start an experiment, or let it wait for its turn. BusyError if there are too many already."""
        experiment.check(position)
        question = Question(position, Limit(time_ms=TIME_MS, nodes=MOST_NODES))
        return self._jobs.begin(experiment, question, client, most_of_one=MOST_OF_ONE)

    def wake(self) -> None:
        """Start the worker, if it does not run: somebody is about to need it."""
        question = Question(RULES["connect4"].start(), Limit(time_ms=TIME_MS))
        self._jobs.wake(Experiment("trace", 1, ()), question)

    def run(self, run_id: str) -> Job:
        return self._jobs.job(run_id)

    def close(self) -> None:
        self._jobs.close()
