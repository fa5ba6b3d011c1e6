"""Our own searcher as an engine: what is asked of it in our words, and its answer in them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path

from outplay import checkers
from outplay.engine.types import Analysis, Engine, Limit, Line, Report, Score, check_not_over
from outplay.rules import Position, rules_of
from outplay.tablebase import Tablebase, Value, Verdict, open_endgames

DEFAULT_TIME_MS = 1000
"""How long the searcher thinks when nothing limits it."""
MOST_DEPTH = 100
WIN = 30_000
"""The value of a win on the spot; a ply more is one less."""


@cache
def _tablebase() -> Tablebase:
    return Tablebase.open()


@cache
def _endgames() -> checkers.Endgames:
    return open_endgames()


class SearcherEngine:
    """Plays checkers with `checkers.Searcher` and the endgame tables: the strongest there is here.

    `seed` is taken like that of any engine and changes nothing: the searcher has no whims. With one thread and a limit
    of depth or nodes it gives the same answers to the same questions.
    """

    name = "searcher"

    def __init__(
        self, *, threads: int = 1, table_mib: int = 64, weights: str | None = None, seed: int | None = None
    ) -> None:
        """`weights` is a file of them, such as `outplay train` makes; without it, those that ship."""
        chosen = None if weights is None else checkers.Weights.from_bytes(Path(weights).read_bytes())
        self._searcher = checkers.Searcher(threads=threads, table_mib=table_mib, weights=chosen, endgames=_endgames())
        _tablebase()  # opened before any clock runs

    def stop(self) -> None:
        self._searcher.stop()

    def analyse(
        self, position: Position, limit: Limit, *, history: Sequence[Position] = (), report: Report | None = None
    ) -> Analysis:
        if not isinstance(position, checkers.Position):
            raise ValueError(f"the searcher plays checkers, not {rules_of(position).title}")
        check_not_over(position)
        known = _from_tables(position, limit.lines)
        if known is None:
            return self._search(position, limit, history, report)
        if report is not None:
            report(known)
        return known

    def _search(
        self, position: checkers.Position, limit: Limit, history: Sequence[Position], report: Report | None
    ) -> Analysis:
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


def _from_tables(position: checkers.Position, lines: int) -> Analysis | None:
    """The answer where the tables know the way: who wins, and in how many plies. A draw is left to the search."""
    verdict = _tablebase().get(position)
    if verdict is None or verdict.distance is None:
        return None
    found = [(move, _tablebase().get(position.play(move))) for move in position.legal_moves()]
    judged = [Line(move, _table_score(after), (move,)) for move, after in found if after is not None]
    judged.sort(key=lambda line: -line.score.value)
    return Analysis(tuple(judged[:lines]), depth=0, nodes=len(judged), seconds=0.0)


def _table_score(after: Verdict) -> Score:
    """What a move is worth by the verdict on the position after it."""
    if after.value == Value.DRAW:
        return Score(0, "table")
    sign = 1 if after.value == Value.LOSS else -1
    plies = None if after.distance is None else after.distance + 1
    return Score(sign * (WIN - (plies or 0)), "table", plies=plies)


NATIVE: dict[str, Callable[..., Engine]] = {"checkers": SearcherEngine}
"""Our own engine of each game, by the game's name."""


def native_engine(game: str, **options: int) -> Engine:
    """Our own engine for a game, with options that it has (such as `threads`)."""
    if game not in NATIVE:
        raise ValueError(f"outplay has no engine of its own for {game}; there is one for {', '.join(NATIVE)}")
    return NATIVE[game](**options)
