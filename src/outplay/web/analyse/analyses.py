"""Analyses of positions for the analysis board: Connect Four is solved, checkers searched, in separate processes.

Connect Four and checkers have a worker each, so that the exact scores of the columns never wait for a search.
"""

from __future__ import annotations

from dataclasses import replace

from outplay.engine.analyst import AnalyseTask, Judged
from outplay.engine.types import Limit
from outplay.rules import RULES, Position, rules_of
from outplay.web.runs import Run, Runs, worker_pool
from outplay.work import Pools

AT_ONCE_SECONDS = 0.1
"""How long a request waits for an answer: most Connect Four positions are solved by then."""
UNASKED_SECONDS = 5.0
"""An analysis is stopped if no page has asked about it for this long."""
KEPT = 60
MOST_UNFINISHED = 40
MOST_OF_ONE = 4
"""The most unfinished analyses of one client: a further one stops the oldest."""

AnalysisRun = Run[AnalyseTask, Judged]


def _is_proved(run: AnalysisRun) -> bool:
    """Return True if the worth of every move is proved. The expected continuations may still be missing."""
    lines = () if run.found is None else run.found.analysis.lines
    return bool(lines) and all(line.score.is_proof for line in lines)


class Analyses:
    """The analyses of a server. Any thread may call any method."""

    def __init__(self, pools: Pools) -> None:
        self._pools = {game: worker_pool(pools, f"analysis of {game}") for game in RULES}
        self._runs = {
            game: Runs[AnalyseTask, Judged]("analysis", pool, kept=KEPT, most=MOST_UNFINISHED)
            for game, pool in self._pools.items()
        }

    def begin(self, position: Position, history: tuple[Position, ...], limit: Limit, client: str) -> AnalysisRun:
        """Start to analyse a position, and wait a moment for the answer. BusyError if too many are running."""
        runs = self._runs[rules_of(position).name]
        for run in runs.unfinished(client)[: 1 - MOST_OF_ONE]:
            run.stop()
        if rules_of(position).name == "connect4":  # every column gets a score
            limit = replace(limit, lines=len(position.legal_moves()))
        run = runs.begin(AnalyseTask(position, limit, history), client)
        run.wait(AT_ONCE_SECONDS, lambda: _is_proved(run))
        return run

    def wake(self, game: str) -> None:
        """Start the worker of a game, because a page has opened the analysis board."""
        self._runs[game].wake(AnalyseTask(RULES[game].start(), Limit(depth=1, nodes=1)))

    def run(self, run_id: str) -> AnalysisRun:
        """Return the analysis of that id; UnknownRunError if it is no longer kept."""
        first, *others = self._runs.values()
        return next(filter(None, (runs.get(run_id) for runs in others)), None) or first.run(run_id)

    def sweep(self) -> None:
        """Stop the analyses that no page asks about any more."""
        for runs in self._runs.values():
            runs.stop_unasked(UNASKED_SECONDS)

    def close(self) -> None:
        for pool in self._pools.values():
            pool.close()
