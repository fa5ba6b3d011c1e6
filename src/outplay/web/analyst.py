"""Our own engines as analysts, in their workers: what they find, and what the endgame tables know besides."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from outplay import checkers
from outplay.engine.native import native_engine
from outplay.engine.tables import proved, tablebase
from outplay.engine.types import Analysis, Engine, Limit, Report
from outplay.rules import Position
from outplay.tablebase import Verdict
from outplay.web.work import Found, give_way

NICENESS = 5


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
        engine = _Analyst(native_engine(self.game))
        give_way(NICENESS)  # after that: somebody waits for its first word
        return engine


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
