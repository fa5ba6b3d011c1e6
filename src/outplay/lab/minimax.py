"""Minimax: I choose the best move, knowing that you will then choose the best one for you.

                    me            I take the larger:  4
                   /  \\
                you    you        you leave me the smaller:  left 4, right 2
               / \\      / \\
              4   9    2   8      guesses of the evaluation, as I see them

The right-hand move could give 8, but you would answer with 2. The left-hand one is worth 4 whatever you do: that is
the best I can be sure of.

Here both sides are one function. What is good for you is bad for me by as much, so a position's score for its side to
move is the largest of *minus* the scores of the positions it can move to. (The literature calls this "negamax".)

With seven moves in every position there are 7 * 7 * 7 * 7 = 2,401 lines of four plies, and seven times as many with
each further ply. Nearly all other techniques look at fewer of them and still give the same answer.
"""

from __future__ import annotations

from outplay.lab.score import INFINITY, ended
from outplay.lab.search import Search
from outplay.rules import Position


class Minimax(Search):
    """A search of every line to the full depth."""

    def node(self, position: Position, depth: int, alpha: float, beta: float, ply: int) -> float:
        """Return the score for the side to move. (`alpha` and `beta` are for alphabeta.py; minimax ignores them.)"""
        self.begin(ply)
        outcome = position.outcome()
        if outcome is not None:
            return ended(outcome, position.side, ply)
        if self.is_leaf(position, depth):
            return self.evaluate(position)

        best = -INFINITY
        for move in position.legal_moves():
            score = -self.node(position.play(move), depth - 1, alpha, beta, ply + 1)
            if score > best:
                best = score
                self.lines[ply] = (move, *self.lines[ply + 1])
        return best
