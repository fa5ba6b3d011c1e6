"""Experiments of the lab, each in a process of its own: bounded in depth, positions, time and memory, and stoppable.

An experiment is an engine like any other, so the workers that serve games can run it; its analysis carries what was
found besides. There is one worker for all of them, and it gives way to the engines that people play against.
"""

from __future__ import annotations

import contextlib
import os
import secrets
import sys
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Sequence
from concurrent.futures import CancelledError
from dataclasses import dataclass
from typing import Literal

from outplay.engine.pool import WorkerPool
from outplay.engine.runner import Question, Search
from outplay.engine.types import Analysis, Engine, Limit, Report, check_not_over
from outplay.errors import NotationError, OutplayError
from outplay.lab.clock import Clock, Stopped
from outplay.lab.compare import TITLES, Row, ladder, rungs
from outplay.lab.evaluate import EVALUATIONS, Evaluation
from outplay.lab.ordering import find_order
from outplay.lab.techniques import Techniques
from outplay.lab.trace import Trace, trace
from outplay.rules import RULES, Position, rules_of
from outplay.web import wire
from outplay.web.games import BusyError

TIME_MS = 20_000
RUNG_MS = 6_000
"""A rung of the ladder that takes longer is given up, or the quick ones would never be seen."""
MOST_NODES = 3_000_000
MEMORY = 1024 * 1024 * 1024
NICENESS = 10
TOLD_EVERY = 4096
KEPT_RUNS = 30
MOST_UNFINISHED = 20
MOST_OF_ONE = 6
"""Unfinished experiments of one client."""


class UnknownRunError(OutplayError, LookupError):
    """There is no such experiment, or it was long ago."""


class TooManyRunsError(OutplayError):
    """One client has as many experiments going on as it may have."""


@dataclass(frozen=True, slots=True)
class Finding(Analysis):
    """How far an experiment has come."""

    trace: Trace | None = None
    rows: tuple[Row, ...] = ()
    now: str = ""
    """The rung that is being searched."""
    is_complete: bool = True


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
        _give_way()
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


def _give_way() -> None:
    """In the worker: less urgent than the engines, and no more memory than its share."""
    if sys.platform == "win32":
        return
    import resource

    with contextlib.suppress(OSError, ValueError):
        os.setpriority(os.PRIO_PROCESS, 0, NICENESS)
        resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, MEMORY))


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


class Run:
    """An experiment under way, or over."""

    def __init__(self, run_id: str, experiment: Experiment, position: Position, search: Search, client: str) -> None:
        self.id, self.experiment, self.position, self.client = run_id, experiment, position, client
        self._search = search
        self._is_stopped = False
        self.began = time.monotonic()

    @property
    def is_over(self) -> bool:
        return self._search.future.done()

    @property
    def place(self) -> int:
        return self._search.place

    @property
    def error(self) -> BaseException | None:
        if not self.is_over:
            return None
        try:
            return self._search.future.exception()
        except CancelledError as error:
            return error

    @property
    def finding(self) -> Finding | None:
        """What is known by now."""
        found = self._search.result() if self.is_over and self.error is None else self._search.latest
        return found if isinstance(found, Finding) else None

    @property
    def status(self) -> Literal["waiting", "running", "done", "stopped", "failed"]:
        if not self.is_over:
            return "waiting" if self.place else "running"
        if self.error is not None:
            return "stopped" if self._is_stopped else "failed"
        finding = self.finding
        return "done" if finding is not None and finding.is_complete else "stopped"

    @property
    def was_stopped_by_hand(self) -> bool:
        return self._is_stopped

    def stop(self) -> None:
        self._is_stopped = True
        if self.place:
            self._search.cancel()
        else:
            self._search.stop()


class Lab:
    """The experiments of a server. Every method may be called from any thread."""

    def __init__(self) -> None:
        self._pool = WorkerPool(1)
        self._runs: OrderedDict[str, Run] = OrderedDict()
        self._lock = threading.Lock()

    def begin(self, experiment: Experiment, position: Position, client: str) -> Run:
        """Start an experiment, or let it wait for its turn. BusyError if there are too many already."""
        experiment.check(position)
        with self._lock:
            unfinished = [run for run in self._runs.values() if not run.is_over]
            if len(unfinished) >= MOST_UNFINISHED:
                raise BusyError("the lab has as many experiments as it can take; try again later")
            if sum(run.client == client for run in unfinished) >= MOST_OF_ONE:
                raise TooManyRunsError("you have too many experiments going on; stop one of them")
            question = Question(position, Limit(time_ms=TIME_MS, nodes=MOST_NODES))
            search = self._pool.submit(experiment, question, key=client)
            run = Run(secrets.token_hex(6), experiment, position, search, client)
            self._runs[run.id] = run
            self._forget_old()
            return run

    def wake(self) -> None:
        """Start the worker, if it does not run: somebody is about to need it."""
        if not self._pool.processes() and not self._pool.running:
            what = Experiment("trace", 1, ())
            self._pool.submit(what, Question(RULES["connect4"].start(), Limit(time_ms=TIME_MS)))

    def run(self, run_id: str) -> Run:
        with self._lock:
            if run_id not in self._runs:
                raise UnknownRunError("there is no such experiment any more; run it again")
            return self._runs[run_id]

    def close(self) -> None:
        self._pool.close()

    def _forget_old(self) -> None:
        over = [run_id for run_id, run in self._runs.items() if run.is_over]
        for run_id in over[: max(0, len(self._runs) - KEPT_RUNS)]:
            del self._runs[run_id]
