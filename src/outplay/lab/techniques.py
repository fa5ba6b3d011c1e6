"""The techniques by name, and the search that uses those that are switched on.

A new technique needs a file of its own, a field here, a rung in compare.py (`RUNGS`, `TITLES`), a line for the page in
web/lab (`words.py`, and `TechniqueName` in `wire.py`) and a page in docs/lab.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Self

from outplay.errors import NotationError
from outplay.lab.alphabeta import AlphaBeta
from outplay.lab.clock import Clock
from outplay.lab.minimax import Minimax
from outplay.lab.ordering import Killers, find_order
from outplay.lab.search import Evaluate, Search
from outplay.lab.table import Table
from outplay.rules import Position


@dataclass(frozen=True, slots=True)
class Techniques:
    """Which techniques a search uses; without any it is plain minimax."""

    alphabeta: bool = False
    """Skip moves that cannot change the answer."""
    ordering: bool = False
    """Try good-looking moves first: the centre in Connect Four, captures and advances in checkers."""
    killers: bool = False
    """First try moves that refuted a sibling position."""
    table: bool = False
    """Remember positions, because many move orders lead to the same one."""
    mirror: bool = False
    """Let a Connect Four position and its mirror image share one table entry."""
    deepening: bool = False
    """Depth 1, then 2, then 3: each search shows the next one which line to try first."""
    quiescence: bool = False
    """Do not evaluate in the middle of an exchange. The only technique that changes the score."""

    @classmethod
    def of(cls, text: str) -> Self:
        """Read names joined by commas or plus signs: `alphabeta,table`; also `all`, and `none` or an empty string."""
        names = [name.strip() for name in text.replace("+", ",").split(",") if name.strip()]
        if names == ["all"]:
            names = list(TECHNIQUES)
        for name in names:
            if name not in TECHNIQUES and name not in ("minimax", "none"):
                raise NotationError(name, f"the techniques are {', '.join(TECHNIQUES)}")
        return cls(**{name: True for name in names if name in TECHNIQUES})

    def names(self) -> tuple[str, ...]:
        """Return the names of the techniques that are on."""
        return tuple(name for name in TECHNIQUES if getattr(self, name))

    def __str__(self) -> str:
        return ",".join(self.names()) or "none"


TECHNIQUES = tuple(field.name for field in fields(Techniques))


def make_search(
    techniques: Techniques,
    position: Position,
    evaluate: Evaluate,
    *,
    order: str | None = None,
    deeper_counts: bool = False,
    clock: Clock | None = None,
) -> Search:
    """Return a search with these techniques for a position. (Deepening is done by its caller: deepening.py.)

    `order` is one of ORDERS for the position's game; `deeper_counts` is for the table (table.py).
    """
    if not set(techniques.names()) - {"quiescence", "deepening"}:
        return Minimax(evaluate, quiescence=techniques.quiescence, clock=clock)
    has_table = techniques.table or techniques.mirror
    return AlphaBeta(
        evaluate,
        prune=techniques.alphabeta,
        arrange=find_order(position, order) if techniques.ordering else None,
        killers=Killers() if techniques.killers else None,
        table=Table(mirror=techniques.mirror, deeper_counts=deeper_counts) if has_table else None,
        quiescence=techniques.quiescence,
        clock=clock,
    )
