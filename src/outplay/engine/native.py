"""Our own searcher and solver as engines: these classes translate the questions and the answers."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from time import perf_counter
from typing import Any, cast

from outplay import checkers, connect4
from outplay.engine.tables import endgames, from_tables, tablebase
from outplay.engine.types import Analysis, Engine, KnownBy, Limit, Line, Report, Score, check_not_over
from outplay.rules import Position, rules_of

DEFAULT_TIME_MS = 1000
"""How long the searcher thinks without a limit."""
MOST_DEPTH = 100
ENDGAMES = "endgames"
"""The name of the endgame tables as a part of the search."""
SOLVER_TIME_MS = 10_000
"""The time limit of the solver if no time and no nodes are given: enough to solve any 7 x 6 position."""
GLANCE_NODES = 2000
"""The nodes that are first spent on each move, to find short wins and losses."""
MOST_FORESEEN = 12
"""The largest number of moves after the first one of a line; short searches prove them."""


class SearcherEngine:
    """An engine that plays checkers with `checkers.Searcher` and the endgame tables: our strongest engine.

    `seed` is accepted as for any engine, but changes nothing, because the searcher makes no random choices. With one
    thread and a limit of depth or nodes it gives the same answers to the same questions.
    """

    name = "searcher"

    def __init__(
        self,
        *,
        threads: int = 1,
        table_mib: int = 64,
        weights: str | None = None,
        without: str = "",
        seed: int | None = None,
    ) -> None:
        """Make the engine. `weights` is a file that `outplay train` has made. Default: the weights that ship.

        `without` names parts of the search to switch off, to measure what they are worth: those of
        `checkers.techniques()`, and `endgames` for the tables; several are joined by +.
        """
        self._settings: dict[str, Any] = {
            "threads": threads,
            "table_mib": table_mib,
            "weights": weights,
            "without": without,
        }
        chosen = None if weights is None else checkers.Weights.from_bytes(Path(weights).read_bytes())
        missing = parts_of_search(without)
        self._has_tables = ENDGAMES not in missing
        self._searcher = checkers.Searcher(
            threads=threads,
            table_mib=table_mib,
            weights=chosen,
            endgames=endgames() if self._has_tables else None,
            without=[part for part in missing if part != ENDGAMES],
        )
        tablebase()  # open the tables before any clock runs

    def __reduce__(self) -> tuple[Any, ...]:
        """Return the settings: a copy begins with an empty hash table."""
        return partial(type(self), **self._settings), ()

    def stop(self) -> None:
        self._searcher.stop()

    def clear(self) -> None:
        """Forget what was found in earlier searches, so that the next answer does not depend on them."""
        self._searcher.clear()

    def analyse(
        self, position: Position, limit: Limit, *, history: Sequence[Position] = (), report: Report | None = None
    ) -> Analysis:
        if not isinstance(position, checkers.Position):
            raise ValueError(f"the searcher plays checkers, not {rules_of(position).title}")
        check_not_over(position)
        known = from_tables(position, limit.lines) if self._has_tables else None
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
            history=cast("list[checkers.Position]", list(history)),
            report=None if report is None else lambda findings: report(_analysis(findings)),
        )
        return _analysis(findings)


def parts_of_search(text: str) -> list[str]:
    """Return the parts of the search named in a string such as `futility+history`; ValueError for an unknown one."""
    known = (*checkers.techniques(), ENDGAMES)
    parts = [part for part in text.split("+") if part]
    for part in parts:
        if part not in known:
            raise ValueError(f"the search has no part {part!r}; it has {', '.join(known)}")
    return parts


def _analysis(findings: checkers.Findings) -> Analysis:
    lines = tuple(Line(line.move, _score(line), line.moves) for line in findings.lines)
    return Analysis(lines, findings.depth, findings.nodes, findings.seconds)


def _score(line: checkers.SearchLine) -> Score:
    return Score(line.score, "search", line.depth, line.plies, "men")


class SolverEngine:
    """An engine that plays Connect Four with `connect4.Solver`: perfectly, if its time is enough for a proof.

    Among moves that are proved equally good it chooses by its seed; with `is_fixed` it plays the most central one.
    When every move loses, it plays the one that holds out longest. A score is `solved` or `book` only if it is exact.
    If the limit ended the search first, a score is known by `search`: it is the possible score nearest to a draw. So a
    score other than 0 still proves who wins. The solver does not search to a depth: it ignores `Limit.depth`, and its
    answers have the depth 0.
    """

    name = "solver"

    def __init__(
        self,
        *,
        threads: int = 1,
        table_mib: int = 64,
        book: connect4.Book | bool = True,
        seed: int | None = None,
        is_fixed: bool = False,
    ) -> None:
        self._settings: dict[str, Any] = {
            "threads": threads,
            "table_mib": table_mib,
            "book": book,
            "seed": seed,
            "is_fixed": is_fixed,
        }
        self._solver = connect4.Solver(threads=threads, table_mib=table_mib, book=book)
        self._solver.is_vector(connect4.Position())  # creates the table of the usual board before any clock runs
        self._random = None if is_fixed else random.Random(seed)
        self._study: _Study | None = None

    def __reduce__(self) -> tuple[Any, ...]:
        """Return the settings: a copy begins with an empty hash table, and its random choices begin again."""
        return partial(type(self), **self._settings), ()

    def stop(self) -> None:
        if (study := self._study) is not None:
            study.stop()

    def analyse(
        self, position: Position, limit: Limit, *, history: Sequence[Position] = (), report: Report | None = None
    ) -> Analysis:
        if not isinstance(position, connect4.Position):
            raise ValueError(f"the solver plays Connect Four, not {rules_of(position).title}")
        check_not_over(position)
        self._study = _Study(self._solver, position, limit, self._random, report)
        try:
            return self._study.run()
        finally:
            self._study = None


@dataclass(slots=True)
class _Finding:
    """What is known of a move: its score, for the side that plays it, is between `low` and `high`."""

    move: int
    low: int
    high: int
    from_centre: float
    lot: float
    """Breaks ties: at random, or the move nearest to the centre first."""
    known_by: KnownBy = "solved"
    looks: int = 0
    """The number of times it was searched."""

    @property
    def is_exact(self) -> bool:
        return self.low == self.high

    @property
    def modest(self) -> int:
        """Return the possible score nearest to a draw."""
        return max(self.low, min(self.high, 0))

    @property
    def rank(self) -> tuple[float, ...]:
        """Return the sort key; larger is better.

        Of equal scores, certain ones are better. Uncertain ones are ordered by `high`, then from the centre.
        """
        return (self.modest, self.is_exact, self.high, 0 if self.is_exact else -self.from_centre, self.lot)

    def score(self, position: connect4.Position) -> Score:
        if not self.is_exact:
            return Score(self.modest, "search", unit="exact")
        return Score(self.low, self.known_by, plies=connect4.plies_to_end(position, self.low), unit="exact")


class _Budget:
    """The rest of the time and nodes of a limit."""

    def __init__(self, limit: Limit) -> None:
        time_ms = limit.move_time_ms()
        if time_ms is None and limit.nodes is None:
            time_ms = SOLVER_TIME_MS
        self.started = perf_counter()
        self.spent = 0
        self._deadline = None if time_ms is None else self.started + time_ms / 1000
        self._nodes = limit.nodes

    @property
    def is_over(self) -> bool:
        is_late = self._deadline is not None and perf_counter() >= self._deadline
        return is_late or (self._nodes is not None and self.spent >= self._nodes)

    def nodes(self, parts: int, most: int | None = None) -> int | None:
        """Return an equal part of the nodes that are left, at most `most`."""
        own = None if self._nodes is None else max(1, (self._nodes - self.spent) // parts)
        return min((count for count in (own, most) if count is not None), default=None)

    def time_ms(self, parts: int) -> int | None:
        """Return an equal part of the time that is left."""
        left = None if self._deadline is None else self._deadline - perf_counter()
        return None if left is None else max(1, round(1000 * left / parts))


class _Study:
    """One question to the solver and its state until it is answered."""

    def __init__(
        self,
        solver: connect4.Solver,
        position: connect4.Position,
        limit: Limit,
        chance: random.Random | None,
        report: Report | None,
    ) -> None:
        self._solver, self._position, self._lines, self._report = solver, position, limit.lines, report
        self._budget = _Budget(limit)
        self._is_stopped = False
        most = position.width * position.height
        self._findings = [
            _Finding(move, -most, most, from_centre, -index if chance is None else chance.random())
            for index, (from_centre, move) in enumerate(_from_centre(position))
        ]

    def stop(self) -> None:
        self._is_stopped = True
        self._solver.stop()

    def run(self) -> Analysis:
        for index, finding in enumerate(self._findings):
            self._look(finding, len(self._findings) - index, GLANCE_NODES)
        self._tell()
        if self._open() and not self._is_over():
            self._look_at_the_whole()
        while (wanted := self._open()) and not self._is_over():
            self._look(wanted[0], len(wanted))
            self._tell()
        return self._analysis(self._foreseen)

    def _is_over(self) -> bool:
        return self._is_stopped or self._budget.is_over

    def _open(self) -> list[_Finding]:
        """Return the moves that may be among the best and are not solved yet, in the order to search them."""
        lows = sorted((finding.low for finding in self._findings), reverse=True)
        least = lows[min(self._lines, len(lows)) - 1]
        found = [finding for finding in self._findings if not finding.is_exact and finding.high >= least]
        return sorted(found, key=lambda finding: (finding.looks, -finding.high, finding.from_centre))

    def _look(self, finding: _Finding, parts: int, most_nodes: int | None = None) -> None:
        """Narrow the score of a move, with a part of the limit that is left."""
        finding.looks += 1
        after = self._position.play(finding.move)
        if after.outcome() is not None:
            finding.low = finding.high = self._solver.move_score(self._position, finding.move)
            self._budget.spent += 1
            return
        found = self._solve(after, parts, most_nodes)
        finding.low, finding.high = max(finding.low, -found.high), min(finding.high, -found.low)
        if found.known_by == "book":
            finding.known_by = "book"

    def _look_at_the_whole(self) -> None:
        """Solve the position itself with half of the limit that is left.

        No move has a higher score than the position, and at least one move has the same score.
        """
        found = self._solve(self._position, 2)
        for finding in self._findings:
            finding.high = min(finding.high, found.high)
        able = [finding for finding in self._findings if finding.high >= found.low]
        if len(able) == 1 and able[0].low < found.low:
            able[0].low = found.low
            if found.known_by == "book":
                able[0].known_by = "book"

    def _solve(self, position: connect4.Position, parts: int, most_nodes: int | None = None) -> connect4.Solution:
        before = self._budget.spent

        def progress(low: int, high: int, nodes: int) -> None:
            self._budget.spent = before + nodes
            if self._is_stopped:  # the stop came between two searches
                self._solver.stop()
            self._tell()

        found = self._solver.solve(
            position,
            nodes=self._budget.nodes(parts, most_nodes),
            time_ms=None if most_nodes else self._budget.time_ms(parts),
            progress=progress,
        )
        self._budget.spent = before + max(1, found.nodes)
        return found

    def _tell(self) -> None:
        if self._report is not None:
            self._report(self._analysis(lambda finding: ()))

    def _analysis(self, foresee: Callable[[_Finding], Sequence[int]]) -> Analysis:
        best = sorted(self._findings, key=lambda finding: finding.rank, reverse=True)[: self._lines]
        lines = tuple(
            Line(each.move, each.score(self._position), (each.move, *(foresee(each) if each.is_exact else ())))
            for each in best
        )
        return Analysis(lines, depth=0, nodes=self._budget.spent, seconds=perf_counter() - self._budget.started)

    def _foreseen(self, finding: _Finding) -> list[int]:
        """Return the best line after a move, as far as short searches prove it."""
        moves: list[int] = []
        position, score = self._position.play(finding.move), -finding.low
        while position.outcome() is None and len(moves) < MOST_FORESEEN and not self._is_over():
            move = next(self._worth(position, score), None)
            if move is None:
                break
            moves.append(move)
            position, score = position.play(move), -score
        return moves

    def _worth(self, position: connect4.Position, score: int) -> Iterator[int]:
        """Yield the moves that a short search proves to keep this score, the most central first."""
        for _, move in _from_centre(position):
            after = position.play(move)
            if after.outcome() is not None:
                if self._solver.move_score(position, move) == score:
                    yield move
                continue
            found = self._solve(after, 1, GLANCE_NODES)
            if found.is_exact and -found.score == score:
                yield move


def _from_centre(position: connect4.Position) -> list[tuple[float, int]]:
    """Return the legal moves with their distance from the centre, nearest first."""
    middle = (position.width - 1) / 2
    return sorted((abs(move - middle), move) for move in position.legal_moves())


NATIVE: dict[str, Callable[..., Engine]] = {"connect4": SolverEngine, "checkers": SearcherEngine}
"""Our own engine of each game, by the game's name."""


def native_engine(game: str, **options: int) -> Engine:
    """Return our own engine for a game, with its options (such as `threads`)."""
    if game not in NATIVE:
        raise ValueError(f"outplay has no engine of its own for {game}; there is one for {', '.join(NATIVE)}")
    return NATIVE[game](**options)


def native_analyst(game: str, **options: int) -> Engine:
    """Return our own engine for a game, for analysis: equal moves come in a fixed order."""
    fixed = {"is_fixed": True} if game == "connect4" else {}  # the searcher makes no random choices
    return native_engine(game, **fixed, **options)
