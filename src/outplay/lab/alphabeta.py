"""Alpha-beta: stop looking at a move as soon as it is known to be worse than another one.

                    me            the left move is worth 4, so alpha = 4: I have that for sure
                   /  \\
                 you   you        right: you have a reply that leaves me 2. Whatever the other
                 / \\   / \\        reply is worth, you leave me 2 or less: I will not go right.
                4   9  2  X       X is never looked at.

Two numbers go down the tree with the search:

* `alpha`: what the side to move is already sure of elsewhere. A score of alpha or less does not help it.
* `beta`: what the *other* side is already sure of. If we reach beta, the other side avoids this position: we may stop
  (a cut-off), and what we return is only a lower bound ("at least this much"), which is enough here.

One ply down the roles change: my alpha, with the opposite sign, is your beta. The answer at the root is exactly that of
minimax. If the best move comes first at every position, the search looks at only about the *square root* of all lines,
so it gets twice as deep in the same time. If the worst move comes first, nothing is saved. So read ordering.py next.

This file also calls the other techniques, one line each: the order of moves (ordering.py) and the table (table.py).
"""

from __future__ import annotations

from outplay.lab.clock import Clock
from outplay.lab.ordering import Arrange, Killers, to_front
from outplay.lab.score import INFINITY, ended
from outplay.lab.search import Evaluate, Search
from outplay.lab.table import EXACT, LOWER, UPPER, Table
from outplay.rules import Move, Position


class AlphaBeta(Search):
    """Minimax that skips moves which cannot change the answer; with `prune=False` it skips none."""

    def __init__(
        self,
        evaluate: Evaluate,
        *,
        prune: bool = True,
        arrange: Arrange | None = None,
        killers: Killers | None = None,
        table: Table | None = None,
        quiescence: bool = False,
        clock: Clock | None = None,
    ) -> None:
        super().__init__(evaluate, quiescence=quiescence, clock=clock)
        self.prune = prune
        self.arrange = arrange
        self.killers = killers
        self.table = table
        self.principal: dict[int, Move] = {}
        """The expected line of the last search: its moves by the keys of their positions (deepening.py fills it)."""

    def node(self, position: Position, depth: int, alpha: float, beta: float, ply: int) -> float:
        """Return the score for the side to move if it is between alpha and beta, otherwise a bound on it."""
        self.begin(ply)
        outcome = position.outcome()
        if outcome is not None:
            return ended(outcome, position.side, ply)
        if self.is_leaf(position, depth):
            return self.evaluate(position)

        hint = self.principal.get(position.key) if self.principal else None
        if self.table is not None:
            entry = self.table.find(position, ply)
            if entry is not None:
                if self.table.is_deep_enough(entry, depth) and entry.settles(alpha, beta):
                    return entry.score
                hint = entry.move

        best, best_move, sure = -INFINITY, None, alpha
        for move in self.ordered(position, hint, ply):
            score = -self.node(position.play(move), depth - 1, -beta, -sure, ply + 1)
            if score > best:
                best, best_move = score, move
                self.lines[ply] = (move, *self.lines[ply + 1])
                if self.prune and best > sure:
                    sure = best
                if best >= beta:
                    if self.killers is not None:
                        self.killers.add(ply, move)
                    break

        if self.table is not None:
            bound = LOWER if best >= beta else EXACT if best > alpha else UPPER
            self.table.store(position, ply, depth, best, bound, best_move)
        return best

    def ordered(self, position: Position, hint: Move | None, ply: int) -> list[Move]:
        """Return the legal moves, the most promising first."""
        moves = position.legal_moves()
        if self.arrange is not None:
            moves = self.arrange(position, moves)
        if self.killers is not None:
            moves = to_front(moves, self.killers.at(ply))
        return moves if hint is None else to_front(moves, (hint,))
