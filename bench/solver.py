"""Measure the Connect Four solver beside bitbully's, on the same positions in one run: `python -m bench.solver`.

The table is cleared before each position. Times are processor time, because machines are shared; both solvers are
called from Python, so the cost of a call is included.
"""

from __future__ import annotations

import argparse
import os
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from statistics import mean, median
from typing import NamedTuple

from outplay.connect4 import Position, Positions, Solver

SETS = ("L3_R1", "L2_R1", "L2_R2", "L1_R1", "L1_R2", "L1_R3")
"""Pascal Pons's six sets, easiest first."""

POSITIONS = 20
"""The default number of positions of each set: a minute or two with bitbully."""

LISTED = (
    ("7463366374", 7, 6), ("7357466645", 7, 6), ("7756551574", 7, 6), ("761655273443", 7, 6), ("372467113611", 7, 6),
    ("553551247427", 7, 6), ("75761632343312", 7, 6), ("73713155342715", 7, 6), ("25735567575253", 7, 6),
    ("74533673453577", 7, 6), ("3663632665617337", 7, 6), ("7655246566514362", 7, 6), ("27547726627764721621", 7, 6),
    ("22373633727677354176", 7, 6), ("21652571455322472113344547352666", 7, 6), ("163112", 6, 5), ("614265", 6, 5),
    ("", 5, 5), ("4143", 7, 4), ("555485383867338146745827384266871", 8, 7),
    ("86532326886488174168541331227366558233414786", 8, 8), ("74367677129126622329883238677551", 9, 6),
    ("32134213422144321424431142334422121332242444422331", 4, 20),
)  # fmt: skip
"""The positions of the signature: moves, width, height."""

PLY_BANDS = ((0, 8), (9, 12), (13, 16), (17, 20), (21, 28), (29, 41))
"""First and last ply of the rows that `scores` prints."""


class Effort(NamedTuple):
    """The effort for one position."""

    score: int
    nodes: int
    seconds: float


Ask = Callable[[str], Effort]
"""A function that solves the position after these moves."""


def signature() -> int:
    """Return the node count of a fixed list of positions: it changes when the search changes, and only then."""
    solver = Solver(table_mib=8, book=False)
    for moves, width, height in LISTED:
        solver.clear()
        solver.solve(Position.from_moves(moves, width, height))
    return solver.nodes


# Us and bitbully


def ask_outplay(table_mib: int, threads: int) -> Ask:
    solver = Solver(table_mib=table_mib, threads=threads, book=False)

    def ask(moves: str) -> Effort:
        position = Position.from_moves(moves)
        solver.clear()
        started = time.process_time()
        solution = solver.solve(position)
        return Effort(solution.score, solution.nodes, time.process_time() - started)

    solver.is_vector(Position())  # makes the table, as the first question would
    return ask


def ask_bitbully() -> Ask | None:
    """Return a function that asks bitbully; None if it is not installed."""
    try:
        from bitbully import bitbully_core
    except ImportError:
        return None
    solver = bitbully_core.BitBullyCore()

    def ask(moves: str) -> Effort:
        board = bitbully_core.BoardCore()
        for column in moves:
            board.play(int(column) - 1)
        solver.resetTranspositionTable()
        solver.resetNodeCounter()
        started = time.process_time()
        score = solver.mtdf(board, 0)
        return Effort(score, solver.getNodeCounter(), time.process_time() - started)

    return ask


def read_set(name: str, count: int) -> list[tuple[str, int]]:
    """Return the moves and scores of the first positions of a set."""
    lines = (Path(os.environ["OUTPLAY_CORPORA"]) / "connect4" / f"Test_{name}").read_text(encoding="ascii").splitlines()
    return [(moves, int(score)) for moves, score in (line.rsplit(" ", 1) for line in lines[:count])]


def ask_all(ask: Ask, positions: Sequence[tuple[str, int]]) -> list[Effort]:
    """Return the effort for each position; AssertionError for a wrong score."""
    efforts = [ask(moves) for moves, _ in positions]
    for (moves, score), effort in zip(positions, efforts, strict=True):
        assert effort.score == score, f"{moves} is {score}, not {effort.score}"
    return efforts


def compare(what: str, positions: Sequence[tuple[str, int]], ours: Ask, other: Ask | None) -> Iterator[str]:
    """Yield the rows of the table: means over the positions."""
    efforts = ask_all(ours, positions)
    own_seconds = mean(effort.seconds for effort in efforts)
    yield row(what, "outplay", efforts, "")
    if other is not None:
        theirs = ask_all(other, positions)
        ratio = mean(effort.seconds for effort in theirs) / own_seconds
        yield row(what, "bitbully", theirs, f"{ratio:,.1f} x as fast")


def row(what: str, who: str, efforts: Sequence[Effort], ratio: str) -> str:
    nodes, seconds = mean(effort.nodes for effort in efforts), mean(effort.seconds for effort in efforts)
    return f"| {what} | {who} | {len(efforts)} | {nodes:,.0f} | {1000 * seconds:,.4g} | {ratio} |"


def print_comparison(options: argparse.Namespace) -> None:
    ours, other = ask_outplay(options.table_mib, options.threads), ask_bitbully()
    if other is None:
        print("bitbully is not installed: `make bench` installs it.\n")
    print("| positions | who | how many | nodes each | ms each | outplay is |\n|---|---|---|---|---|---|")
    if "OUTPLAY_CORPORA" in os.environ:
        for name in options.sets:
            for line in compare(name, read_set(name, options.positions), ours, other):
                print(line, flush=True)
    for line in compare("empty board", [("", 1)], ours, other if options.bitbully_empty else None):
        print(line, flush=True)
    if "OUTPLAY_CORPORA" not in os.environ:
        print("\nOUTPLAY_CORPORA does not name the folder that holds connect4/Test_*: the six sets are left out.")


# scores() from Python


def times_by_ply(count: int, solver: Solver) -> dict[int, list[float]]:
    """Return the milliseconds that `scores` takes, by ply, over `count` random positions."""
    times: dict[int, list[float]] = {plies: [] for plies in range(42)}
    for plies, found in times.items():
        for position in Positions.random(len(range(plies, count, 42)), plies=plies, seed=plies):
            solver.clear()
            started = time.process_time()
            solver.scores(position)
            found.append(1000 * (time.process_time() - started))
    return times


def print_times(count: int, solver: Solver) -> None:
    times = times_by_ply(count, solver)
    print(f"\n`scores` of {count:,} random positions, in milliseconds:\n")
    print("| plies | positions | median | mean | worst |\n|---|---|---|---|---|")
    for first, last in (*PLY_BANDS, (0, 41)):
        found = [time for plies in range(first, last + 1) for time in times.get(plies, [])]
        if found:
            numbers = " | ".join(f"{number(found):.3g}" for number in (median, mean, max))
            print(f"| {first}-{last} | {len(found)} | {numbers} |", flush=True)


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.solver", description=__doc__)
    parser.add_argument("--positions", type=int, default=POSITIONS, help="of each set, at most 1000 (%(default)s)")
    parser.add_argument("--sets", nargs="+", choices=SETS, default=SETS, help="default: all six")
    parser.add_argument("--table-mib", type=int, default=64)
    parser.add_argument("--threads", type=int, default=1, help="threads of our solver; bitbully has one; default: 1")
    parser.add_argument("--bitbully-empty", action="store_true", help="bitbully solves the empty board too: minutes")
    parser.add_argument("--scores", type=int, default=1000, help="random positions to time scores(); default: 1000")
    parser.add_argument("--no-book", action="store_true", help="time scores() without the book")
    parser.add_argument("--signature", action="store_true", help="print only the node count of fixed positions")
    options = parser.parse_args(arguments)
    if options.signature:
        print(f"Bench: {signature()}")
        return
    if options.positions:
        print_comparison(options)
    if options.scores:
        print_times(options.scores, Solver(table_mib=options.table_mib, book=not options.no_book))


if __name__ == "__main__":
    main()
