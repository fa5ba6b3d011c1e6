"""Positions judged for the analysis board: Connect Four solved, checkers searched, in processes of their own.

Connect Four and checkers have a worker each, so that the exact scores of the columns never wait for somebody's search.
Both stay warm: what was found out about one position helps with the next.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from outplay import checkers, connect4
from outplay.engine.native import native_engine
from outplay.engine.runner import Question
from outplay.engine.tables import proved, tablebase
from outplay.engine.types import Analysis, Engine, Limit, Report
from outplay.rules import RULES, Position, rules_of
from outplay.tablebase import Verdict
from outplay.web.jobs import Found, Job, Jobs, give_way

NICENESS = 5
MEMORY = 1024 * 1024 * 1024
AT_ONCE_SECONDS = 0.1
"""A request waits so long: most positions of Connect Four are solved by then."""
UNASKED_SECONDS = 5.0
"""An analysis that nobody has asked about for so long is stopped."""
KEPT = 60
MOST_UNFINISHED = 40
MOST_OF_ONE = 4
"""Unfinished analyses of one client: the oldest gives way to the next."""


@dataclass(frozen=True, slots=True)
class Judgement(Found):
    """What is known about a position."""

    verdict: Verdict | None = None
    """What the endgame tables say."""


@dataclass(frozen=True, slots=True)
class Analyst:
    """Our own engine of a game, as a recipe for a worker."""

    game: str
    name: str = "the analysis"
    is_reusable: bool = True
    needs_process: bool = True

    def __call__(self) -> Engine:
        give_way(NICENESS, MEMORY)
        return _Analyst(native_engine(self.game))


class _Analyst:
    """The engine in its worker: it adds what the endgame tables know."""

    name = "the analysis"

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._is_stopped = False

    def stop(self) -> None:
        self._is_stopped = True
        self._engine.stop()

    def analyse(
        self, position: Position, limit: Limit, *, history: Sequence[Position] = (), report: Report | None = None
    ) -> Judgement:
        self._is_stopped = False
        verdict = tablebase().get(position) if isinstance(position, checkers.Position) else None

        def judged(found: Analysis) -> Judgement:
            if isinstance(position, checkers.Position):
                found = proved(position, found)
            return Judgement(
                found.lines, found.depth, found.nodes, found.seconds, is_complete=not self._is_stopped, verdict=verdict
            )

        told = None if report is None else lambda found: report(judged(found))
        return judged(self._engine.analyse(position, limit, history=history, report=told))


class Analyses:
    """The analyses of a server. Every method may be called from any thread."""

    def __init__(self) -> None:
        self._jobs = {game: Jobs("analysis", kept=KEPT, most=MOST_UNFINISHED) for game in RULES}

    def begin(self, position: Position, history: tuple[Position, ...], limit: Limit, client: str) -> Job:
        """Start to judge a position, and wait a moment for the answer. BusyError if there are too many already."""
        jobs = self._jobs[rules_of(position).name]
        for job in jobs.unfinished(client)[: 1 - MOST_OF_ONE]:
            job.stop()
        if isinstance(position, connect4.Position):
            limit = replace(limit, lines=position.width)
        job = jobs.begin(Analyst(rules_of(position).name), Question(position, limit, history), client)
        job.wait(AT_ONCE_SECONDS)
        return job

    def wake(self, game: str) -> None:
        """Start the worker of a game: somebody has opened the analysis board."""
        self._jobs[game].wake(Analyst(game), Question(RULES[game].start(), Limit(depth=1, nodes=1)))

    def job(self, job_id: str) -> Job:
        """The analysis of that id; UnknownRunError if there is none any more."""
        first, *others = self._jobs.values()
        found = next(filter(None, (jobs.get(job_id) for jobs in others)), None)
        return found or first.job(job_id)

    def sweep(self) -> None:
        """Stop what nobody asks about any more."""
        for jobs in self._jobs.values():
            jobs.stop_unasked(UNASKED_SECONDS)

    def close(self) -> None:
        for jobs in self._jobs.values():
            jobs.close()
