"""Iterative deepening: depth 1, then depth 2, then depth 3, until the time is up.

Why search to depth 1 when depth 6 is wanted?

* **The clock.** We do not know how long depth 6 will take. If we go step by step, there is an answer at any moment:
  that of the last finished depth.
* **The order.** Each search hands its expected line to the next one, which tries it first (ordering.py), and the
  table (table.py) remembers the best move of every position it has seen. The tree grows several times larger with
  each ply. So all the shallow searches together cost less than the better order saves in the last one:

          depth         2     4       6
          positions    39   203   1,514       searched at each depth, from 4453, with all techniques

  That is 1,756 in all. A search directly to depth 6 needs 2,053.

**By one or by two?** An evaluation tends to overrate the side to move, so scores swing between odd and even depths, and
the search two plies shallower is a better guide than the search one ply shallower. A player with a clock deepens by one
ply, to have the newest answer at any moment. Where the depth is given (compare.py, trace.py), we deepen by two.

An unfinished search is useful too, with care: see `Root.so_far`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TypeVar

from outplay.lab.alphabeta import AlphaBeta
from outplay.lab.clock import Stopped
from outplay.lab.root import Ranking, Root
from outplay.lab.score import plies_to_end
from outplay.lab.search import MAX_DEPTH, Search, SearchResult
from outplay.rules import Move, Position, rules_of

BY_TWO = 2
"""The step from one depth to the next, if the depth to reach is given."""

Answer = TypeVar("Answer", SearchResult, Ranking)


def deepen(
    search: Search, position: Position, look: Callable[[int], Answer], depth: int, *, step: int = 1
) -> Iterator[Answer]:
    """Yield the answers of `look` for growing depths up to `depth`; stop early at a forced end, which will not change.

    `Stopped` is passed on to the caller.
    """
    depth = useful_depth(position, depth)
    for now in range((depth - 1) % step + 1, depth + 1, step):
        answer = look(now)
        yield answer
        plies = plies_to_end(answer.score)
        if plies is not None and plies <= now:  # quiescence sees farther, but not everything
            return
        remember(search, position, answer.line)


def choose(search: Search, root: Root, depth: int) -> Iterator[Ranking]:
    """Deepen at a root until the clock stops it; the last answer may come from an unfinished depth, if it is useful."""
    before: Ranking | None = None
    try:
        for ranking in deepen(search, root.position, root.look, depth):
            before = ranking
            root.moves = [found.move for found in ranking.moves]  # best moves first in the next round
            yield ranking
    except Stopped:
        last = root.so_far(1 if before is None else before.depth + 1, before)
        if last is not None and last is not before:
            yield last


def remember(search: Search, position: Position, line: tuple[Move, ...]) -> None:
    """Let the next search try this line first."""
    if isinstance(search, AlphaBeta):
        search.principal.clear()
        for move in line:
            search.principal[position.key] = move
            position = position.play(move)


def useful_depth(position: Position, depth: int) -> int:
    """Return `depth`, or less: at most MAX_DEPTH and, in Connect Four, the number of empty cells."""
    left = rules_of(position).plies_left(position)
    return min(depth, MAX_DEPTH) if left is None else min(depth, left, MAX_DEPTH)
