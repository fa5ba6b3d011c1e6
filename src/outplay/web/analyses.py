"""Positions judged for the analysis board: Connect Four solved, checkers searched, in processes of their own.

Connect Four and checkers have a worker each, so that the exact scores of the columns never wait for somebody's search.
Both stay warm: what was found out about one position helps with the next.
"""

from __future__ import annotations

from dataclasses import replace

from outplay import connect4
from outplay.engine.runner import Question
from outplay.engine.types import Limit
from outplay.rules import RULES, Position, rules_of
from outplay.web.analyst import Analyst
from outplay.web.jobs import Job, Jobs

AT_ONCE_SECONDS = 0.1
"""A request waits so long: most positions of Connect Four are solved by then."""
UNASKED_SECONDS = 5.0
"""An analysis that nobody has asked about for so long is stopped."""
KEPT = 60
MOST_UNFINISHED = 40
MOST_OF_ONE = 4
"""Unfinished analyses of one client: the oldest gives way to the next."""


def _is_proved(job: Job) -> bool:
    """Is the worth of every move proved? What is expected to follow may come later."""
    found = job.found
    return found is not None and bool(found.lines) and all(line.score.is_proof for line in found.lines)


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
        job.wait(AT_ONCE_SECONDS, lambda: _is_proved(job))
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
