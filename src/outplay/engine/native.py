"""Our own searcher as an engine: what is asked of it in our words, and its answer in them."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from outplay import checkers
from outplay.engine.types import Analysis, Engine, Limit, Line, Report, Score, check_not_over
from outplay.rules import Position, rules_of

DEFAULT_TIME_MS = 1000
"""How long the searcher thinks when nothing limits it."""
MOST_DEPTH = 100


class SearcherEngine:
    """Plays checkers with `checkers.Searcher`: the strongest there is here.

    `seed` is taken like that of any engine and changes nothing: the searcher has no whims. With one thread and a limit
    of depth or nodes it gives the same answers to the same questions.
    """

    name = "searcher"

    def __init__(self, *, threads: int = 1, table_mib: int = 64, seed: int | None = None) -> None:
        self._searcher = checkers.Searcher(threads=threads, table_mib=table_mib)

    def stop(self) -> None:
        self._searcher.stop()

    def analyse(
        self, position: Position, limit: Limit, *, history: Sequence[Position] = (), report: Report | None = None
    ) -> Analysis:
        if not isinstance(position, checkers.Position):
            raise ValueError(f"the searcher plays checkers, not {rules_of(position).title}")
        check_not_over(position)
        is_limited = any(value is not None for value in (limit.depth, limit.nodes, limit.time_ms, limit.clock_ms))
        findings = self._searcher.analyse(
            position,
            depth=None if limit.depth is None else min(limit.depth, MOST_DEPTH),
            nodes=limit.nodes,
            time_ms=limit.time_ms if is_limited else DEFAULT_TIME_MS,
            clock_ms=limit.clock_ms,
            increment_ms=limit.increment_ms,
            lines=limit.lines,
            history=[before for before in history if isinstance(before, checkers.Position)],
            report=None if report is None else lambda findings: report(_analysis(findings)),
        )
        return _analysis(findings)


def _analysis(findings: checkers.Findings) -> Analysis:
    lines = tuple(Line(line.move, _score(line), line.moves) for line in findings.lines)
    return Analysis(lines, findings.depth, findings.nodes, findings.seconds)


def _score(line: checkers.SearchLine) -> Score:
    return Score(line.score, "search", line.depth, line.plies)


NATIVE: dict[str, Callable[..., Engine]] = {"checkers": SearcherEngine}
"""Our own engine of each game, by the game's name."""


def native_engine(game: str, **options: int) -> Engine:
    """Our own engine for a game, with options that it has (such as `threads`)."""
    return NATIVE[game](**options)
