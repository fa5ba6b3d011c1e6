"""The strength ladder: eight named opponents for each game, from one that a child can beat to the strongest there is.

A level is weak in two ways, as people are. It looks only a few plies ahead, and it picks at random among the moves
whose scores are close to the best. It never plays a move whose score is far from the best. Every level except the first
looks at least two plies ahead, so it takes an immediate win and blocks an immediate loss.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, replace

from outplay.engine.native import SOLVER_TIME_MS, native_engine
from outplay.engine.types import Analysis, Engine, Limit, Line, Report, Unit
from outplay.errors import NotationError
from outplay.lab.engine import LabEngine
from outplay.lab.evaluate import OURS
from outplay.lab.score import FORCED
from outplay.lab.search import MAX_DEPTH
from outplay.lab.techniques import Techniques
from outplay.rules import Position, rules_of

EVERY_LINE = 100
"""The number of lines to ask for if every move is wanted: no position has as many moves."""


@dataclass(frozen=True, slots=True)
class Level:
    """One level: its name, a sentence on its weakness, its search depth and its margin for near-equal moves."""

    number: int
    name: str
    misses: str
    depth: int
    slack: float
    """The level may play a move that scores up to this much less than the best one."""
    is_native: bool = False
    """True if the level plays with the game's native engine instead of a lab search."""
    is_blind: bool = False
    """A blind level treats a win or a loss that it sees as just another good or bad score."""

    @property
    def sees(self) -> str:
        if self.depth == MAX_DEPTH:
            return "looks as far as its time allows"
        return f"looks {self.depth} {'move' if self.depth == 1 else 'moves'} ahead"


LEVELS: dict[str, tuple[Level, ...]] = {
    "connect4": (
        Level(1, "Sprout", "Drops where it likes, overlooks wins and forgets to block.", 1, 60, is_blind=True),
        Level(2, "Blocker", "Takes a win and stops yours, but sees no trap coming.", 2, 60),
        Level(3, "Planner", "Plans a little ahead and is careless about small things.", 3, 25),
        Level(4, "Weaver", "Weaves threats together, but not yet on the right rows.", 4, 12),
        Level(5, "Trapper", "Sets short traps; longer ones surprise it.", 6, 6),
        Level(6, "Tactician", "Seldom falls for a trap, but loses its way in the endgame.", 8, 2),
        Level(7, "Strategist", "Counts far ahead; only a long plan beats it.", 10, 0),
        Level(8, "Champion", "Plays perfectly wherever its time allows a proof.", MAX_DEPTH, 0, is_native=True),
    ),
    "checkers": (
        Level(1, "Sprout", "Moves what it likes and often gives a piece away.", 1, 150, is_blind=True),
        Level(2, "Trader", "Takes what it can get, but does not see what it costs.", 2, 60),
        Level(3, "Keeper", "Keeps its pieces together and overlooks longer shots.", 3, 30),
        Level(4, "Hunter", "Finds two-for-one shots, but drifts when nothing happens.", 4, 20),
        Level(5, "Shepherd", "Guides its men to the king row; deep shots surprise it.", 5, 8),
        Level(6, "Captain", "Sees most shots, but not who will run out of moves.", 6, 4),
        Level(7, "Strategist", "Counts far ahead; only a long plan beats it.", 8, 0),
        Level(
            8, "Champion", "The strongest there is: it sees shots that no person sees.", MAX_DEPTH, 0, is_native=True
        ),
    ),
}
"""The levels of each game, weakest first."""
UNITS: dict[str, Unit] = {"connect4": "points", "checkers": "men"}
"""The unit of the scores of the lab evaluation that most levels search with."""


def level(game: str, number: int) -> Level:
    """Return a level of a game by its number, from 1."""
    levels = LEVELS[game]
    if not 1 <= number <= len(levels):
        raise NotationError(f"level:{number}", f"there are levels 1 to {len(levels)}")
    return levels[number - 1]


class LevelEngine:
    """An engine that plays at a given level, in either game."""

    def __init__(self, number: int, *, seed: int | None = None) -> None:
        if not 1 <= number <= max(map(len, LEVELS.values())):
            raise NotationError(f"level:{number}", f"there are levels 1 to {max(map(len, LEVELS.values()))}")
        self.number = number
        self._random = random.Random(seed)
        self._search: Engine = LabEngine()
        self._native: dict[str, Engine] = {}
        self._is_stopped = False

    @property
    def name(self) -> str:
        return f"level {self.number}"

    def stop(self) -> None:
        self._is_stopped = True
        self._search.stop()

    def analyse(
        self, position: Position, limit: Limit, *, history: Sequence[Position] = (), report: Report | None = None
    ) -> Analysis:
        self._is_stopped = False
        game = rules_of(position).name
        rung = level(game, self.number)
        if not rung.is_native:
            return self._look_ahead(rung, position, limit, history, report)
        if game == "connect4":
            return self._solve(rung, position, limit, history, report)
        return self._ask_native(game, position, limit, history, report)

    def _ask_native(
        self, game: str, position: Position, limit: Limit, history: Sequence[Position], report: Report | None
    ) -> Analysis:
        if game not in self._native:
            self._native[game] = native_engine(game, seed=self._random.randrange(2**32))
        self._search = self._native[game]
        return self._search.analyse(position, limit, history=history, report=report)

    def _solve(
        self, rung: Level, position: Position, limit: Limit, history: Sequence[Position], report: Report | None
    ) -> Analysis:
        """Ask the solver with half of the limit. Unless its answer is exact or a win, search with the other half."""
        solved = self._ask_native("connect4", position, _half(limit), history, report)
        best = solved.lines[0].score
        if best.is_proof or best.value > 0 or self._is_stopped:
            return solved
        return self._look_ahead(rung, position, _half(limit), history, report)

    def _look_ahead(
        self, rung: Level, position: Position, limit: Limit, history: Sequence[Position], report: Report | None
    ) -> Analysis:
        self._search = LabEngine(
            self.name,
            techniques=Techniques.of("all"),
            depth=rung.depth,
            evaluate=OURS,
            seed=self._random.randrange(2**32),
        )
        lines = limit.lines if rung.slack == 0 else EVERY_LINE
        unit: Unit = UNITS[rules_of(position).name]
        told = None if report is None else lambda found: report(_counted(found, unit))
        found = self._search.analyse(position, replace(limit, lines=lines), history=history, report=told)
        analysis = _counted(found, unit)
        if rung.slack > 0:
            chosen = self._choose(analysis.lines, rung)
            others = [line for line in analysis.lines if line is not chosen]
            analysis = replace(analysis, lines=(chosen, *others)[: limit.lines])
        return analysis

    def _choose(self, lines: Sequence[Line], rung: Level) -> Line:
        """Choose one of the moves near the best at random; a better move is more likely."""
        return self._random.choices(lines, chances(lines, rung))[0]


def chances(lines: Sequence[Line], rung: Level) -> list[float]:
    """Return the weights with which a level chooses among these moves: only moves near the best have any chance."""
    scores = [line.score.value for line in lines]
    if rung.is_blind:
        scores = [max(-rung.slack, min(rung.slack, score)) for score in scores]
    best = max(scores)
    if abs(best) >= FORCED:  # play the fastest win, or the longest defence
        first = scores.index(best)
        return [float(place == first) for place in range(len(lines))]
    return [max(0.0, 1 - (best - score) / (rung.slack + 1)) for score in scores]


def _counted(analysis: Analysis, unit: Unit) -> Analysis:
    """Return the analysis with the unit of its scores set."""
    lines = tuple(replace(line, score=replace(line.score, unit=unit)) for line in analysis.lines)
    return replace(analysis, lines=lines)


def _half(limit: Limit) -> Limit:
    """Return the limit with half of its time and nodes; a clock becomes a time for this move.

    If the limit has neither time nor nodes, the time is half of the default, so that the search always ends.
    """
    time_ms = limit.move_time_ms()
    if time_ms is None and limit.nodes is None:
        time_ms = SOLVER_TIME_MS
    return replace(
        limit,
        time_ms=None if time_ms is None else max(1, time_ms // 2),
        nodes=None if limit.nodes is None else max(1, limit.nodes // 2),
        clock_ms=None,
        increment_ms=0,
    )
