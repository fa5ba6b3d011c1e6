"""The technique ladder: one position, one depth, and one more technique on each rung.

Every rung finds the score of plain minimax; what changes is the number of positions searched. An optimisation that
changes the answer is a bug, so a ladder should show whether the rungs disagree: see `Row.score`. (They may
disagree if the mirror is on and the evaluation prefers the left or the right half of the board.)
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial

from outplay.engine.types import check_not_over
from outplay.lab.clock import Clock, Stopped
from outplay.lab.deepening import BY_TWO, deepen, useful_depth
from outplay.lab.ordering import find_order
from outplay.lab.score import in_words
from outplay.lab.search import Evaluate, Search, SearchResult
from outplay.lab.techniques import Techniques, make_search
from outplay.rules import Position, rules_of

RUNGS = {
    "connect4": ("alphabeta", "table", "mirror", "deepening", "ordering", "killers"),
    "checkers": ("alphabeta", "table", "ordering", "killers"),
}
"""The order in which the ladder of each game adds its techniques.

The mirror has a rung only if the position is its own mirror image; elsewhere it rarely finds anything. Deepening has
no rung in checkers: at a fixed depth of a few plies it costs about as much as it saves. Its purpose is to stop on time.
"""

TITLES = {
    "minimax": "minimax",
    "alphabeta": "alpha-beta",
    "ordering": "move ordering",
    "killers": "killer moves",
    "table": "table",
    "mirror": "mirror images",
    "deepening": "deepening",
    "quiescence": "quiescence",
}


@dataclass(frozen=True, slots=True)
class Row:
    """One rung: the techniques in use, from `minimax` to the one added last, and the result of the search."""

    techniques: tuple[str, ...]
    nodes: int
    seconds: float
    """Processor time; for a quick search, the shortest of several runs."""
    move: str | None
    """The best move. If the rung was given up, move and score are None, and `nodes` counts the positions until then."""
    score: float | None

    @property
    def title(self) -> str:
        name = TITLES[self.techniques[-1]]
        return {"minimax": name, "quiescence": f"minimax, {name}"}.get(self.techniques[-1], f"+ {name}")


QUICK, RUNS = 0.05, 3
"""A rung that takes less than QUICK seconds is run RUNS times, and the best time counts."""
TOLD_EVERY = 4096
"""The number of positions between two progress reports."""

Progress = Callable[[tuple[str, ...], int], None]
"""A function called regularly during a rung with its techniques and the number of positions searched."""


def rungs(position: Position) -> tuple[str, ...]:
    """Return the techniques that the ladder adds one by one in this position."""
    names = RUNGS[rules_of(position).name]
    mirror = rules_of(position).mirror
    is_symmetric = mirror is not None and position == mirror(position)
    return names if is_symmetric else tuple(name for name in names if name != "mirror")


def ladder(
    position: Position,
    depth: int,
    evaluate: Evaluate,
    *,
    techniques: Sequence[str] | None = None,
    quiescence: bool = False,
    order: str | None = None,
    progress: Progress | None = None,
    rung_ms: int | None = None,
    clock: Clock | None = None,
) -> Iterator[Row]:
    """Yield the rows of the ladder, each as soon as it is done. GameOverError if there is nothing to search.

    A rung that takes longer than `rung_ms` is given up. `clock` ends the whole ladder with `Stopped`.

    `techniques` are added in the given order. Default: those of `rungs`. With `quiescence` every rung uses it, minimax
    too, because it changes the worth of leaves. `order` is one of ORDERS for the game.
    """
    check_not_over(position)
    find_order(position, order)  # raises for a wrong name before the long work begins
    depth = useful_depth(position, depth)
    steps = list(rungs(position) if techniques is None else techniques)
    names = ["minimax", "quiescence"] if quiescence or "quiescence" in steps else ["minimax"]
    for name in (None, *(step for step in steps if step != "quiescence")):
        if name is not None:
            names.append(name)
        in_use = Techniques.of(",".join(names))
        watch = _Watch(tuple(names), progress, rung_ms, clock)
        search = make_search(in_use, position, evaluate, order=order, clock=watch)
        began = time.thread_time()
        try:
            found = run(search, position, depth, deepening=in_use.deepening)
        except Stopped:
            if watch.is_whole_ladder_over:
                raise
            yield Row(tuple(names), search.nodes, time.thread_time() - began, None, None)
        else:
            seconds = time.thread_time() - began
            if seconds < QUICK:
                again = partial(make_search, in_use, position, evaluate, order=order)
                seconds = min(seconds, *(_timed(again(), position, depth, in_use) for _ in range(RUNS - 1)))
            yield Row(tuple(names), search.nodes, seconds, position.format(found.line[0]), found.score)


def _timed(search: Search, position: Position, depth: int, techniques: Techniques) -> float:
    """Return the processor time of one search."""
    began = time.thread_time()
    run(search, position, depth, deepening=techniques.deepening)
    return time.thread_time() - began


def agreement(rows: Sequence[Row]) -> str:
    """Return a text such as `all find 12`, or one that names the rungs with another score.

    Rungs that were given up do not count.
    """
    found = [(row.title, row.score) for row in rows if row.score is not None]
    if not found:
        return "no rung was finished"
    told = [f"{title} finds {in_words(score)}" for title, score in found if score != found[0][1]]
    first, score = found[0]
    return "; ".join([f"{first} finds {in_words(score)}", *told]) if told else f"all find {in_words(score)}"


def fewer(row: Row, first: Row) -> str:
    """Compare a rung with minimax: "12 times fewer". If minimax was given up, the text begins with "more than"."""
    if row is first or row.score is None:
        return ""
    times = first.nodes / max(1, row.nodes)
    more = "more than " if first.score is None else ""
    return f"{more}{times:,.0f} times fewer" if times >= 10 else f"{more}{times:,.1f} times fewer"


def run(search: Search, position: Position, depth: int, *, deepening: bool) -> SearchResult:
    """Search to a depth, directly or by deepening."""
    if not deepening:
        return search.look(position, depth)
    return list(deepen(search, position, lambda step: search.look(position, step), depth, step=BY_TWO))[-1]


class _Watch(Clock):
    """The clock of one rung: it reports progress, and also checks the clock of the ladder."""

    def __init__(
        self, techniques: tuple[str, ...], progress: Progress | None, rung_ms: int | None, ladder: Clock | None
    ) -> None:
        super().__init__(rung_ms)
        self._techniques = techniques
        self._progress = progress
        self._ladder = ladder
        self._told = 0
        self._is_bounded = rung_ms is not None or ladder is not None
        self.is_whole_ladder_over = False

    def look(self, nodes: int) -> int:
        if self._progress is not None and nodes >= self._told:
            self._progress(self._techniques, nodes)
            self._told = nodes + TOLD_EVERY
        if self._ladder is not None:
            self.is_whole_ladder_over = True  # unless this returns
            self._ladder.look(0)
            self.is_whole_ladder_over = False
        return super().look(nodes) if self._is_bounded else nodes + TOLD_EVERY
