"""Judge Connect Four games by proof: every score is exact, or marked as unknown."""

from __future__ import annotations

from collections.abc import Sequence

from outplay import connect4
from outplay.engine.types import Score
from outplay.explain import Proofs, chance_of, own_moves, verdict_of
from outplay.review.grades import slower_loss
from outplay.review.judge import Judgement, StoppedError
from outplay.rules import Position

NODES = 3_000_000
"""The number of nodes for each question to the solver; any position of the usual board needs fewer."""
SHOWN_LINE = 12


class Connect4Judge:
    """Judges moves with the solver. The last move is judged first, so that the hash table helps with earlier ones."""

    def __init__(self, *, solver: connect4.Solver | None = None, nodes: int | None = None) -> None:
        self._solver = solver or connect4.Solver()
        self._nodes = nodes or NODES
        self._proofs = Proofs(solver=self._solver, solver_nodes=self._nodes)
        self._is_stopped = False

    @property
    def proofs(self) -> Proofs:
        return self._proofs

    def stop(self) -> None:
        self._is_stopped = True
        self._solver.stop()

    def position(self, position: connect4.Position, history: Sequence[Position]) -> Score:
        if self._is_stopped:
            raise StoppedError
        found = self._solver.solve(position, nodes=self._nodes, progress=self._watch)
        if self._is_stopped:
            raise StoppedError
        if found.is_exact:
            return Score(found.score, found.known_by, plies=found.plies, unit="exact")
        return Score(max(found.low, min(found.high, 0)), unit="exact")  # nonzero only if the winner is certain

    def _watch(self, low: int, high: int, nodes: int) -> None:
        if self._is_stopped:  # the stop came between two searches
            self._solver.stop()

    def move(self, position: connect4.Position, move: int, history: Sequence[Position], after: Score) -> Judgement:
        best, played = self.position(position, history), self._turned(position, move, after)
        if verdict_of(best) == "unclear" and verdict_of(played) == "win":
            best = played  # no result is better than a win, but there may be a faster one
            return Judgement(best, played, 0.0, is_best=False, is_exact=True)
        loss = loss_of(best, played)
        if loss is None or loss == 0:
            is_best = loss == 0 and best.is_proof and played.is_proof
            return Judgement(best, played, loss, is_best, is_exact=True)
        line = self._line(position)
        if verdict_of(best) == verdict_of(played):
            return Judgement(best, played, loss, False, better=line[:1], line=line, is_exact=True)
        scores = {other: self._move_score(position, other, best) for other in position.legal_moves()}
        scores[move] = played
        better = tuple(other for other, score in scores.items() if self.keeps(score, best))
        return Judgement(best, played, loss, False, better, line, scores=scores, is_exact=True)

    def keeps(self, score: Score, best: Score) -> bool:
        """Return True if the move keeps the result."""
        return score.is_proof and verdict_of(score) == verdict_of(best)

    def _turned(self, position: connect4.Position, move: int, after: Score) -> Score:
        """Return the score of a move, computed from that of the position after it."""
        if position.play(move).outcome() is not None:
            value = self._solver.move_score(position, move)
            return Score(value, "solved", plies=1, unit="exact")
        plies = None if not after.is_proof else connect4.plies_to_end(position, -round(after.value))
        return Score(-after.value, after.known_by, plies=plies, unit="exact")

    def _move_score(self, position: connect4.Position, move: int, best: Score) -> Score:
        """Return the score of a move. If it changes the result, return only who wins, which is found much faster."""
        after = position.play(move)
        if after.outcome() is not None:
            return self._turned(position, move, Score(0, unit="exact"))
        found = self._solver.solve(after, sign_only=True, nodes=self._nodes, progress=self._watch)
        sign = -max(found.low, min(found.high, 0))
        if sign and not found.is_exact and not self.keeps(Score(sign, "solved", unit="exact"), best):
            return Score(sign, "solved", unit="exact")
        return self._turned(position, move, self.position(after, ()))

    def _line(self, position: connect4.Position) -> tuple[int, ...]:
        """Return the best line from here, as far as it is found."""
        line = self._solver.line(position, most=SHOWN_LINE, nodes=self._nodes)
        if self._is_stopped:
            raise StoppedError
        return tuple(line)


def loss_of(best: Score, played: Score) -> float | None:
    """Return what the played move gave away compared with the best one; None if the result of either is not known."""
    if "unclear" in (verdict_of(best), verdict_of(played)):
        return None
    return _lost(best, played)


def _lost(best: Score, played: Score) -> float:
    lost = chance_of(best) - chance_of(played)
    if lost > 0 or best.plies is None or played.plies is None:
        return max(0.0, lost)
    return slower_loss(abs(own_moves(best.plies) - own_moves(played.plies)))
