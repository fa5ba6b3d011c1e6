"""The five-phase player: two simple checks, then a full search.

  1. **Win now.** A move that ends the game in our favour needs no further thought.
  2. **Block.** Ignore moves that let the other side win at once; if only one move is left, play it.
  3. **Deepen.** Otherwise search to depth 1, 2, 3, ... and stop when a forced win (or loss) is found.
  4. **Remember.** All these searches share one table of positions, with the depth and the kind of bound of each.
  5. **Watch the clock.** When the time is up, take the answer of the last complete depth, or of the finished
     part of the next one.

A search of depth 2 would find the same moves as phases 1 and 2. They are here because they are cheap, and because an
opponent that overlooks a four in a row is no fun to play against, however little time it has.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from outplay.engine.types import Limit
from outplay.lab.engine import LabEngine
from outplay.lab.evaluate import OURS
from outplay.lab.root import Ranking, Root
from outplay.lab.search import Search
from outplay.lab.techniques import Techniques
from outplay.rules import Move, Position

TIME_MS = 2500
"""The default time for a move."""

TECHNIQUES = Techniques(
    alphabeta=True, ordering=True, killers=True, table=True, mirror=True, deepening=True, quiescence=True
)


class FivePhase(LabEngine):
    """An engine with five phases: win now, block, deepen, remember, watch the clock. Default evaluation: `ours`."""

    def __init__(
        self,
        name: str = "five-phase",
        *,
        techniques: Techniques = TECHNIQUES,
        depth: int | None = None,
        time_ms: int | None = None,
        evaluate: str | None = OURS,
        order: str | None = None,
        seed: int | None = None,
    ) -> None:
        super().__init__(
            name,
            techniques=techniques,
            depth=depth,
            time_ms=TIME_MS if depth is None and time_ms is None else time_ms,
            evaluate=evaluate,
            order=order,
            deeper_counts=True,
            seed=seed,
        )

    def candidates(self, position: Position, limit: Limit) -> Sequence[Move] | None:
        """Run phases 1 and 2, unless several lines are wanted: then the search scores every move."""
        if limit.lines > 1:
            return None
        return winning_moves(position) or safe_moves(position) or None

    def rankings(self, search: Search, root: Root, depth: int) -> Iterator[Ranking]:
        """Run phases 3 to 5; skip them if only one move is left."""
        return super().rankings(search, root, 1 if len(root.moves) == 1 else depth)


def winning_moves(position: Position) -> list[Move]:
    """Return the moves that win immediately."""
    return [move for move in position.legal_moves() if _wins(position, move)]


def safe_moves(position: Position) -> list[Move]:
    """Return the moves after which the other side cannot win immediately."""
    return [move for move in position.legal_moves() if not winning_moves(position.play(move))]


def _wins(position: Position, move: Move) -> bool:
    outcome = position.play(move).outcome()
    return outcome is not None and outcome.winner == position.side
