"""The simplest engine: it plays a random legal move."""

from __future__ import annotations

import random
import time
from collections.abc import Sequence

from outplay.engine.types import Analysis, Limit, Line, Report, Score, check_not_over
from outplay.rules import Position


class RandomEngine:
    """An engine that plays random legal moves; a seed makes its choices repeatable."""

    name = "random"

    def __init__(self, seed: int | None = None) -> None:
        self._random = random.Random(seed)

    def analyse(
        self, position: Position, limit: Limit, *, history: Sequence[Position] = (), report: Report | None = None
    ) -> Analysis:
        check_not_over(position)
        started = time.perf_counter()
        moves = position.legal_moves()
        self._random.shuffle(moves)
        lines = tuple(Line(move, Score(0, depth=0), (move,)) for move in moves[: limit.lines])
        analysis = Analysis(lines, depth=0, nodes=1, seconds=time.perf_counter() - started)
        if report is not None:
            report(analysis)
        return analysis

    def stop(self) -> None:
        """Do nothing: this engine is always quick."""
