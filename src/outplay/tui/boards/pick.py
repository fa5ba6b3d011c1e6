"""Choose a move by its first and last squares; squares between them are needed only if two paths share both ends."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from outplay.rules import Move, Position, rules_of


@dataclass(frozen=True, slots=True)
class Pick:
    """The squares chosen so far, and the legal moves by their paths."""

    moves: tuple[tuple[tuple[int, ...], Move], ...]
    path: tuple[int, ...] = ()
    """The squares of the path so far, in order."""
    end: int | None = None
    """The last square of the move, if it is already chosen but several paths lead to it."""

    @classmethod
    def of(cls, position: Position) -> Pick:
        path = rules_of(position).path
        return cls(tuple((path(position, move), move) for move in position.legal_moves()))

    @property
    def origins(self) -> tuple[int, ...]:
        """The squares of the pieces that can move."""
        return _unique([path[0] for path, _ in self.moves])

    @property
    def squares(self) -> tuple[int, ...]:
        """The squares that are chosen so far, `end` included."""
        return self.path if self.end is None else (*self.path, self.end)

    @property
    def targets(self) -> tuple[int, ...]:
        """The squares that may be chosen next."""
        if not self.path:
            return ()
        open_paths = [path for path, _ in self._open()]
        if self.end is None:
            return _unique([path[-1] for path in open_paths])
        return _unique([path[_parting(open_paths)] for path in open_paths])

    def tap(self, square: int) -> Pick | Move | None:
        """Return the move that this square completes, or the new pick; None if no move goes there."""
        if not self.path:
            return replace(self, path=(square,)) if square in self.origins else None
        if square == self.path[0]:
            return replace(self, path=(), end=None)
        open_moves = self._open()
        ending = [move for path, move in open_moves if self.end is None and path[-1] == square]
        if len(ending) == 1:
            return ending[0]
        if ending:
            return replace(self, end=square)
        at = len(self.path) if self.end is None else _parting([path for path, _ in open_moves])
        passing = [(path, move) for path, move in open_moves if len(path) > at and path[at] == square]
        if not passing:
            return replace(self, path=(square,), end=None) if square in self.origins else None
        if self.end is not None and len(passing) == 1:
            return passing[0][1]
        return replace(self, path=passing[0][0][: at + 1])

    def _open(self) -> list[tuple[tuple[int, ...], Move]]:
        """Return the moves that fit the squares chosen so far."""
        begun = len(self.path)
        return [
            (path, move)
            for path, move in self.moves
            if path[:begun] == self.path and (self.end is None or path[-1] == self.end)
        ]


def _parting(paths: Sequence[tuple[int, ...]]) -> int:
    """Return the first index at which the paths differ."""
    at = 0
    while all(at < len(path) - 1 and path[at] == paths[0][at] for path in paths):
        at += 1
    return at


def _unique(squares: Sequence[int]) -> tuple[int, ...]:
    return tuple(dict.fromkeys(squares))
