"""Measure the checkers engine: `python -m bench.engine`.

Speed is positions per second of processor time, because machines are shared; the time to stop is measured by the
clock and by processor time.
"""

from __future__ import annotations

import threading
import time
from pathlib import Path

from outplay.checkers import Findings, Move, Position, Searcher
from outplay.engine.native import SearcherEngine
from outplay.engine.types import Limit
from tests.support.problems import is_proved_to_win

NODES = 20_000_000
STOPS = 30
DATA = Path(__file__).parent.parent / "tests" / "data"
PROBLEMS = {"published": "problems_published.tsv", "of our own games": "problems_checkers.tsv"}
PROBLEM_MS = 2000


def speed(nodes: int = NODES) -> tuple[Findings, float]:
    """Search from the start position; return the findings and the processor time."""
    searcher = Searcher()
    started = time.process_time()
    return searcher.analyse(Position.start(), nodes=nodes), time.process_time() - started


def stop_times(count: int = STOPS) -> tuple[list[float], list[float]]:
    """Return the milliseconds from stop() to the answer, in rising order: by the clock, and of processor time."""
    searcher, by_clock, of_processor = Searcher(), list[float](), list[float]()
    for _ in range(count):
        thread = threading.Thread(target=lambda: searcher.analyse(Position.start(), time_ms=60_000))
        thread.start()
        time.sleep(0.05)
        asked, used = time.perf_counter(), time.process_time()
        searcher.stop()
        thread.join()
        by_clock.append(1000 * (time.perf_counter() - asked))
        of_processor.append(1000 * (time.process_time() - used))
    return sorted(by_clock), sorted(of_processor)


def solved(name: str) -> tuple[int, int]:
    """Return how many problems are solved in two seconds each, and their number."""
    rows = [row.split("\t") for row in (DATA / name).read_text(encoding="utf-8").splitlines() if row and row[0] != "#"]
    engine = SearcherEngine()
    right = 0
    for fen, move, _ in rows:
        position = Position.from_fen(fen)
        found = engine.analyse(position, Limit(time_ms=PROBLEM_MS)).move
        assert isinstance(found, Move)
        right += str(found) == move or is_proved_to_win(position, found)
    return right, len(rows)


def main() -> None:
    findings, seconds = speed()
    print(f"from the start, one thread: {findings.nodes / seconds / 1e6:.2f} million positions a second of", end=" ")
    print(f"processor time, depth {findings.depth} with {findings.nodes:,}")
    for how, times in zip(("by the clock", "of processor time"), stop_times(), strict=True):
        median, worst = times[len(times) // 2], times[-1]
        print(f"stops within {median:.2f} ms {how} (median), {worst:.2f} ms (worst of {len(times)})")
    for kind, name in PROBLEMS.items():
        right, count = solved(name)
        print(f"problems ({kind}) solved within {PROBLEM_MS / 1000:g} s: {right} of {count}")


if __name__ == "__main__":
    main()
