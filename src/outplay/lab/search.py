"""What all searches of the lab share: what was counted, the expected line, where a leaf is, the clock.

`Minimax` (minimax.py) and `AlphaBeta` (alphabeta.py) are the two ways to look into the tree; both fill in `node`, the
score of one position. Everything in this file is what they would otherwise both have to say.
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
"""A guess how good a position is for the side to move, without looking ahead."""

MAX_DEPTH = 100
"""Deep enough for any board, and far from Python's limit of nested calls."""


@dataclass(frozen=True, slots=True)
class Found:
    """What a search to one depth found: the score, and the moves both sides would choose."""

    depth: int
    score: float
    line: tuple[Move, ...]


class Search(ABC):
    """One search of one position, at work or done."""

    def __init__(self, evaluate: Evaluate, *, quiescence: bool = False, clock: Clock | None = None) -> None:
        self.evaluate = evaluate
        self.quiescence = quiescence
        self.clock = clock if clock is not None else Clock()
        self.nodes = 0
        """Positions looked at so far, the root and the leaves included."""
        self.lines: list[tuple[Move, ...]] = [()] * (MAX_DEPTH + 40)
        """`lines[ply]`: the best line found from the position that is being searched at that ply."""
        self._next_look = 0

    @abstractmethod
    def node(self, position: Position, depth: int, alpha: float, beta: float, ply: int) -> float:
        """The score of a position, `depth` plies deep, for its side to move; `ply` is its distance from the root."""

    def look(self, position: Position, depth: int) -> Found:
        """Search a position to one depth. `Stopped` if the clock ends it; `lines[0]` is then what it had."""
        score = self.node(position, depth, -INFINITY, INFINITY, 0)
        return Found(depth, score, self.lines[0])

    def ordered(self, position: Position, hint: Move | None, ply: int) -> list[Move]:
        """The legal moves, in the order in which they are searched."""
        return position.legal_moves()

    def begin(self, ply: int) -> None:
        """What happens first at every position: it is counted, and now and then the clock is looked at."""
        self.nodes += 1
        self.lines[ply] = ()
        if self.nodes >= self._next_look:
            self._next_look = self.clock.look(self.nodes)

    def is_leaf(self, position: Position, depth: int) -> bool:
        """Whether the search ends here and the evaluation takes over."""
        return depth <= 0 and (not self.quiescence or is_quiet(position))
