"""`outplay solve --save`: a long solve and its progress."""

from __future__ import annotations

from typing import TYPE_CHECKING

from outplay.cli.progress import Bar

if TYPE_CHECKING:
    from outplay.connect4 import Solution
    from outplay.jobs.long_solve import LongSolve, SolveOrder


def solve_long(order: SolveOrder, table_mib: int, slots: int | None, cluster: str | None) -> Solution:
    """Solve a position by jobs, or continue an earlier solve. After Ctrl-C the message says what is known and saved."""
    from outplay.jobs import long_solve
    from outplay.work import open_workers

    with (
        open_workers(slots, cluster=cluster) as workers,
        long_solve.solving(order, workers, table_mib=table_mib) as solve,
        Bar("solving") as bar,
    ):
        try:
            bar.tell(note=_known(solve))
            for _ in long_solve.run(solve, workers):
                bar.tell(note=_known(solve))
        except KeyboardInterrupt:
            found = solve.solution
            cost = f"in {solve.searches:,} searches and {found.seconds:,.0f} s of all workers"
            raise KeyboardInterrupt(f"{_known(solve)} {cost}; the same command continues from {order.path}") from None
        return solve.solution


def _known(solve: LongSolve) -> str:
    found = solve.solution
    return f"the score is from {found.low} to {found.high}; {found.nodes:,} positions"
