"""The root: where a search becomes a choice.

Inside the tree one number is enough. At the root we want to know more:

* **All equally good moves**, so that a player can choose among them at random and no two games are alike. Alpha-beta
  makes this harder than it looks: once a move worth 5 is known, the others are only tested against 5, and a test that
  fails says "5 or less", not "less than 5". Taking that for equal is a classic mistake: the move may be a blunder. So
  we ask each move whether it is worth *at least* as much: the window begins just below the best score (`5-` is the
  next number below 5):

          window (5, inf)   answers  "at most 5" or a larger score        equal and worse look the same
          window (5-, inf)  answers  "less than 5" or 5 or a larger score    now equal is really equal

* **The score of every move**, for people who want to see what a player thinks of each. That takes a full window for
  each of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import nextafter

from outplay.lab.evaluate import closes_circle
from outplay.lab.score import FORCED, INFINITY, is_forced
from outplay.lab.search import Search
from outplay.rules import Move, Position


@dataclass(frozen=True, slots=True)
class RootMove:
    """A move at the root: its score, whether that is exact or an upper bound, and the expected line."""

    move: Move
    score: float
    is_exact: bool
    line: tuple[Move, ...]


@dataclass(frozen=True, slots=True)
class Ranking:
    """The result of a search to one depth: the moves at the root, best first."""

    depth: int
    moves: tuple[RootMove, ...]

    @property
    def score(self) -> float:
        return self.moves[0].score

    @property
    def line(self) -> tuple[Move, ...]:
        return self.moves[0].line

    def best(self) -> list[RootMove]:
        """Return all moves that are exactly as good as the first."""
        equal = [found for found in self.moves if found.is_exact and found.score == self.score]
        return equal or [self.moves[0]]


class Root:
    """A position in which to choose a move, and the settings of that choice."""

    def __init__(
        self,
        search: Search,
        position: Position,
        *,
        moves: Sequence[Move] | None = None,
        every_score: bool = False,
        history: Sequence[Position] = (),
        shuffle: float = 0,
    ) -> None:
        """`moves` to choose from; default: all legal ones. `shuffle` is the penalty for a move that `closes_circle`."""
        self.search = search
        self.position = position
        self.moves = [move for move in search.ordered(position, None, 0) if moves is None or move in moves]
        self.every_score = every_score
        self.done: list[RootMove] = []
        """The moves searched so far at the current depth, in order: the result if the clock stops the search."""
        past = [*history, position]
        self._costs = {move: shuffle for move in self.moves if shuffle and closes_circle(position.play(move), past)}

    def look(self, depth: int) -> Ranking:
        """Search every move to one depth. After `Stopped`, `so_far` returns what is known."""
        self.done = []
        self.search.begin(0)
        best = -INFINITY
        for move in self.moves:
            found = self._search(move, depth, -INFINITY if self.every_score else best)
            self.done.append(found)
            best = max(best, found.score)
        return _ranked(depth, self.done)

    def _search(self, move: Move, depth: int, best: float) -> RootMove:
        """Return a move with its score if that is at least `best`, otherwise with an upper bound below `best`."""
        cost = self._costs.get(move, 0)
        alpha = nextafter(best if is_forced(best) else best + cost, -INFINITY)
        score = -self.search.node(self.position.play(move), depth - 1, -INFINITY, -alpha, 1)
        charged = score if is_forced(score) else score - cost
        return RootMove(move, charged, score > alpha, (move, *self.search.lines[1]))

    def so_far(self, depth: int, before: Ranking | None) -> Ranking | None:
        """Return the best ranking from an unfinished search, given the complete one before it.

        The moves are searched in the order of the last ranking. So the first one searched is the old favourite, and a
        move that beats it has beaten it at the new depth: that can be trusted. The moves not searched yet follow with
        their old scores. One exception: if every move searched so far loses, a move not searched yet is the better
        choice.
        """
        if not self.done:
            return before
        ranking = _ranked(depth, self.done)
        if before is None or len(self.done) == len(self.moves):
            return ranking
        tried = {found.move for found in self.done}
        rest = [found for found in before.moves if found.move not in tried]
        if ranking.score <= -FORCED:
            return Ranking(before.depth, (*rest, *ranking.moves))
        return Ranking(depth, (*ranking.moves, *(replace(found, is_exact=False) for found in rest)))


def _ranked(depth: int, moves: list[RootMove]) -> Ranking:
    return Ranking(depth, tuple(sorted(moves, key=lambda found: -found.score)))
