"""The base class of the lab's searches: counting, the expected line, leaves, the clock.

`Minimax` (minimax.py) and `AlphaBeta` (alphabeta.py) are two ways to search the tree; each defines `node`, the score of
one position. This file holds what both share.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass

from outplay.lab.clock import Clock
from outplay.lab.quiescence import is_quiet
from outplay.lab.score import INFINITY
from outplay.rules import Move, Position

Evaluate = Callable[[Position], float]
"""A function that estimates how good a position is for the side to move, without looking ahead."""

MAX_DEPTH = 100
"""Deep enough for any board, and far from Python's recursion limit."""


@dataclass(frozen=True, slots=True)
class SearchResult:
    """The result of a search to one depth: the score, and the moves both sides would choose."""

    depth: int
    score: float
    line: tuple[Move, ...]


class Search(ABC):
    """One search of one position, running or finished."""

    def __init__(self, evaluate: Evaluate, *, quiescence: bool = False, clock: Clock | None = None) -> None:
        self.evaluate = evaluate
        self.quiescence = quiescence
        self.clock = clock if clock is not None else Clock()
        self.nodes = 0
        """The number of positions searched so far, including the root and the leaves."""
        self.lines: list[tuple[Move, ...]] = [()] * (MAX_DEPTH + 40)
        """`lines[ply]`: the best line from the position that is being searched at that ply."""
        self._next_look = 0

    @abstractmethod
    def node(self, position: Position, depth: int, alpha: float, beta: float, ply: int) -> float:
        """Return the score of a position for its side to move.

        `depth` is the plies left to search, `ply` the distance from the root.
        """

    def look(self, position: Position, depth: int) -> SearchResult:
        """Search a position to one depth. Raise `Stopped` if time is up; then `lines[0]` is the best line yet."""
        score = self.node(position, depth, -INFINITY, INFINITY, 0)
        return SearchResult(depth, score, self.lines[0])

    def ordered(self, position: Position, hint: Move | None, ply: int) -> list[Move]:
        """Return the legal moves, in the order in which they are searched."""
        return position.legal_moves()

    def begin(self, ply: int) -> None:
        """Count a position, and check the clock from time to time. Called first at every position."""
        self.nodes += 1
        self.lines[ply] = ()
        if self.nodes >= self._next_look:
            self._next_look = self.clock.look(self.nodes)

    def is_leaf(self, position: Position, depth: int) -> bool:
        """Return True if the search ends here and the position is evaluated."""
        return depth <= 0 and (not self.quiescence or is_quiet(position))
