"""The transposition table: a position that was searched before need not be searched again.

Different orders of the same moves lead to one position; they "transpose" into it:

        1. 4  2. 3  3. 5   and   1. 5  2. 3  3. 4        the same three discs on the board

Without a table, the search looks at what follows once for each of these orders; with a table, only once. An entry holds

* the **score**, and its kind. After a cut-off we only know that the position is worth *at least* this score (a lower
  bound); if no move reached alpha, *at most* this score (an upper bound); otherwise it is exact;
* the **depth** it was searched to. In the lab every exact technique must give minimax's own score, so only an entry of
  the same depth is used. For a stronger player, `deeper_counts` allows entries of greater depth too;
* the **best move**, useful even where the score is not: it is tried first (ordering.py).

Wins are counted in plies from the root, but the same position can be met at different plies. So in the table they are
counted from the position itself: `_from_here` on the way into the table, `_from_root` on the way out.

**Mirror.** The rules of Connect Four do not distinguish left and right. With `mirror`, a position and its
mirror image share an entry (the move is mirrored with it), which saves almost half near the start.
"""

from __future__ import annotations

from typing import NamedTuple

from outplay.lab.score import FORCED
from outplay.rules import Move, Position, rules_of

EXACT, LOWER, UPPER = "exact", "at least", "at most"


class TableEntry(NamedTuple):
    """What is known about one position."""

    depth: int
    score: float
    bound: str
    move: Move | None

    def settles(self, alpha: float, beta: float) -> bool:
        """Return True if the score is all that a search with this window needs."""
        return (
            self.bound == EXACT
            or (self.bound == LOWER and self.score >= beta)
            or (self.bound == UPPER and self.score <= alpha)
        )


class Table:
    """Entries by position. When there are `size` entries, the table is emptied: this is simple and happens rarely."""

    def __init__(self, *, mirror: bool = False, deeper_counts: bool = False, size: int = 400_000) -> None:
        self.mirror = mirror
        self.deeper_counts = deeper_counts
        self.size = size
        self._entries: dict[int, tuple[int, float, str, Move | None]] = {}

    def __len__(self) -> int:
        return len(self._entries)

    def find(self, position: Position, ply: int) -> TableEntry | None:
        """Return the entry of a position that is `ply` plies from the root."""
        key, is_mirrored = self._key(position)
        found = self._entries.get(key)
        if found is None:
            return None
        depth, score, bound, move = found
        return TableEntry(depth, _from_root(score, ply), bound, _turned(position, move, is_mirrored))

    def is_deep_enough(self, entry: TableEntry, depth: int) -> bool:
        return entry.depth == depth or (self.deeper_counts and entry.depth > depth)

    def store(self, position: Position, ply: int, depth: int, score: float, bound: str, move: Move | None) -> None:
        """Store a position, and replace an earlier entry."""
        if len(self._entries) >= self.size:
            self._entries.clear()
        key, is_mirrored = self._key(position)
        self._entries[key] = depth, _from_here(score, ply), bound, _turned(position, move, is_mirrored)

    def _key(self, position: Position) -> tuple[int, bool]:
        """Return the key of the position or of its mirror image, whichever is smaller.

        The second value is True if it is the key of the mirror image.
        """
        key = position.key
        mirror = rules_of(position).mirror
        if self.mirror and mirror is not None:
            other = mirror(position).key
            if other < key:
                return other, True
        return key, False


def _turned(position: Position, move: Move | None, is_mirrored: bool) -> Move | None:
    if not is_mirrored or move is None:
        return move
    return rules_of(position).size(position)[0] - 1 - move


def _from_here(score: float, ply: int) -> float:
    """Return a score with its plies counted from the position, given one that counts from the root."""
    if score >= FORCED:
        return score + ply
    return score - ply if score <= -FORCED else score


def _from_root(score: float, ply: int) -> float:
    """Return a score with its plies counted from the root, given one that counts from the position."""
    if score >= FORCED:
        return score - ply
    return score + ply if score <= -FORCED else score
