"""Quiescence: do not stop to evaluate in the middle of an exchange.

A search of fixed depth sees nothing beyond its horizon. If it counts the pieces right after a jump, it believes that it
has won one, although the reply that takes one back is only one ply further:

        depth 1:  11x18          one piece up!          <- evaluated here, too soon
        depth 2:  11x18  22x15   even                   <- where things are quiet again

So at the horizon we check whether the side to move has a jump. If it does, the search goes on, however deep it is
already; if not, the position is quiet and may be evaluated. Two things make this simpler in checkers than elsewhere:

* jumps are compulsory: where there is one, every legal move is a jump, so nothing is left out by following them all;
* each jump takes a piece off the board, so it cannot go on for ever.

Connect Four has no captures: all its positions are quiet in this sense.

Quiescence changes what a leaf is worth, hence the score of a search: compare it with searches that use it too.
"""

from __future__ import annotations

from outplay.rules import Position, rules_of


def is_quiet(position: Position) -> bool:
    """Return True if there is no capture, so that the position may be evaluated as it is."""
    moves = position.legal_moves()
    return not moves or not rules_of(position).is_capture(moves[0])  # if one move is a jump, all are, by the rules
