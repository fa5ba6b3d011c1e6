"""Plain minimax, jumps played out, slow and obvious: what the searcher says without any pruning."""

from collections.abc import Callable

from outplay.checkers import Move, Position

Evaluate = Callable[[Position], int]
WIN = 30_000


class Minimax:
    """`evaluate(position)` is seen from the side to move."""

    def __init__(self, evaluate: Evaluate) -> None:
        self._evaluate = evaluate

    def score(self, position: Position, depth: int, ply: int = 0, path: tuple[Position, ...] = ()) -> int:
        """`path` holds the positions before this one since the last move that cannot be taken back."""
        if depth == 0:
            return self._quiesce(position, ply)
        if any(path[-back] == position for back in range(4, len(path) + 1, 2)):
            return 0
        moves = position.legal_moves()
        if not moves:
            return ply - WIN
        return max(
            -self.score(
                position.play(move), depth - 1, ply + 1, (*path, position) if is_reversible(position, move) else ()
            )
            for move in moves
        )

    def _quiesce(self, position: Position, ply: int) -> int:
        moves = position.legal_moves()
        if not moves:
            return ply - WIN
        if not moves[0].is_capture:
            return self._evaluate(position)
        return max(-self._quiesce(position.play(move), ply + 1) for move in moves)


def is_reversible(position: Position, move: Move) -> bool:
    return not move.is_capture and bool(position.kings >> (move.path[0] - 1) & 1)
