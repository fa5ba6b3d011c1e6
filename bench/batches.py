"""Measure batches of Connect Four: planes for networks, and positions solved on one thread, on two, and one by one."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator

from outplay import connect4
from outplay.connect4 import Positions

COUNT = 1_000_000
SOLVED = 20_000
REPEATS = 5
Row = tuple[str, str, float]


def best_of(work: Callable[[], object], count: int) -> float:
    """Return positions a second in the best of several tries."""
    best = float("inf")
    for _ in range(REPEATS):
        started = time.perf_counter()
        work()
        best = min(best, time.perf_counter() - started)
    return count / best


def one_by_one(positions: list[connect4.Position]) -> None:
    solver = connect4.Solver()
    for position in positions:
        solver.solve(position)


def measure() -> Iterator[Row]:
    batch = Positions.random(COUNT, plies=(8, 24), seed=1)
    reused = batch.planes()
    what = f"Connect Four, int8 planes of {COUNT:,} positions"
    yield what, "outplay", best_of(lambda: batch.planes(), COUNT)
    yield what, "outplay, into an array that is reused", best_of(lambda: batch.planes(out=reused), COUNT)
    positions = Positions.random(SOLVED, seed=1)
    single = list(positions)
    what = f"Connect Four, {SOLVED:,} random positions of all plies solved"
    yield what, "outplay", best_of(lambda: connect4.Solver().solve_many(positions), SOLVED)
    yield what, "outplay, two threads", best_of(lambda: connect4.Solver().solve_many(positions, threads=2), SOLVED)
    yield what, "outplay, one call a position", best_of(lambda: one_by_one(single), SOLVED)
