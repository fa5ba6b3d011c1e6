"""Measure `scores()` by ply, with the books that ship, beside bitbully with its 12-ply book.

`python -m bench.scores`: both solve the same random positions in one run, with an empty hash table each time. Times
are processor time.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Sequence
from statistics import median

from outplay.connect4 import Position, Positions, Solver

Scores = list[int | None]
Ask = Callable[[Position], tuple[Scores, float]]
"""A function that returns the score of each column (None for a full one) and the milliseconds it took."""


def ask_outplay() -> Ask:
    solver = Solver()

    def ask(position: Position) -> tuple[Scores, float]:
        solver.clear()
        started = time.process_time()
        scores = solver.scores(position)
        return scores, 1000 * (time.process_time() - started)

    solver.scores(Position())  # makes the table
    return ask


def ask_bitbully() -> Ask | None:
    """Return None if it is not installed."""
    try:
        import bitbully_databases
        from bitbully import bitbully_core
    except ImportError:
        return None
    path = bitbully_databases.BitBullyDatabases.get_database_path("12-ply-dist")
    solver = bitbully_core.BitBullyCore(path)
    assert solver.isBookLoaded()

    def ask(position: Position) -> tuple[Scores, float]:
        board = bitbully_core.BoardCore()
        assert board.setBoard([list(column) for column in zip(*position.rows()[::-1], strict=True)])
        solver.resetTranspositionTable()
        started = time.process_time()
        scores = solver.scoreMoves(board)
        taken = 1000 * (time.process_time() - started)
        legal = position.legal_moves()
        return [score if column in legal else None for column, score in enumerate(scores)], taken

    return ask


def cells(times: Sequence[float]) -> str:
    """Return the median, the 99th percentile and the worst as cells of a table."""
    ordered = sorted(times)
    most_of = ordered[(len(ordered) * 99 + 99) // 100 - 1]  # the least that 99 % of all do not exceed
    return " | ".join(f"{each:.3g}" for each in (median(ordered), most_of, ordered[-1]))


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.scores", description=__doc__)
    parser.add_argument("--positions", type=int, default=100, help="positions of each ply; default: 100")
    parser.add_argument("--plies", type=int, nargs="+", default=range(42), help="default: 0 to 41")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args(arguments)
    ours, theirs = ask_outplay(), ask_bitbully()
    print("Milliseconds: median, 99 %, worst" + ("" if theirs else "; bitbully is not installed"))
    print("| plies | outplay | | | bitbully | | | times |\n|---|---|---|---|---|---|---|---|")
    for plies in options.plies:
        positions = Positions.random(options.positions, plies=plies, seed=options.seed * 100 + plies)
        own = [ours(position) for position in positions]
        other = [theirs(position) for position in positions] if theirs else []
        assert not other or [scores for scores, _ in own] == [scores for scores, _ in other]
        row = f"| {plies} | {cells([taken for _, taken in own])} |"
        if other:
            ratio = median(taken for _, taken in other) / median(taken for _, taken in own)
            row += f" {cells([taken for _, taken in other])} | {ratio:.3g} |"
        print(row, flush=True)


if __name__ == "__main__":
    main()
