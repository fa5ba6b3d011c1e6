"""Every checkers ending of a few pieces, solved by brute force.

All positions of up to so many pieces are written down in one big graph, with no thought of tables, materials or
captures; then the ends are worked back through it, one ply at a time. White to move is Black to move on the board
turned round, so only positions with Black to move are kept.
"""

from collections import defaultdict
from collections.abc import Iterator
from itertools import combinations, product
from typing import NamedTuple

from tests.oracle import FIRST, SECOND
from tests.oracle.checkers import (
    Pieces,
    Position,
    after,
    cell_of,
    flip,
    is_crowning_row,
    legal_moves,
    owner,
    square_of,
)

Key = str
"""A position with Black to move: its pieces by square, as in "B4 w18"."""


class Ending(NamedTuple):
    """How the game ends for the side to move (1 win, -1 loss), and in how many plies."""

    value: int
    plies: int


DRAW = Ending(0, 0)


class Endgames:
    """Every position of up to so many pieces, and how it ends."""

    def __init__(self, most_pieces: int) -> None:
        self.endings: dict[Key, Ending] = {}
        self.positions: dict[Key, Position] = {}
        self._solve(most_pieces)

    def ending(self, position: Position) -> Ending:
        return self.endings.get(key_of(position), DRAW)

    def counts(self) -> dict[str, tuple[int, int, int]]:
        """Wins, draws and losses of the side to move by material: its men and kings, the other side's men and kings."""
        counts: dict[str, list[int]] = defaultdict(lambda: [0, 0, 0])
        for key, position in self.positions.items():
            counts[material_of(position)][1 - self.endings.get(key, DRAW).value] += 1
        return {material: (wins, draws, losses) for material, (wins, draws, losses) in counts.items()}

    def _solve(self, most_pieces: int) -> None:
        parents: dict[Key, list[Key]] = defaultdict(list)
        undecided: dict[Key, int] = {}
        lost: list[Key] = []
        for position in all_positions(most_pieces):
            key = key_of(position)
            self.positions[key] = position
            children = {key_of(after(position, move)) for move in legal_moves(position)}
            undecided[key] = len(children)
            if not children:
                lost.append(key)
            for child in children:
                parents[child].append(key)
        lost += [key for key in parents if key not in self.positions]  # a side has no piece left: the one to move
        self._work_back(lost, parents, undecided)

    def _work_back(self, lost: list[Key], parents: dict[Key, list[Key]], undecided: dict[Key, int]) -> None:
        for key in lost:
            self.endings[key] = Ending(-1, 0)
        last, plies = lost, 0
        while last:
            plies += 1
            reached = [parent for key in last for parent in parents[key] if parent not in self.endings]
            is_win = self.endings[last[0]].value < 0
            last = []
            for parent in reached:
                if parent in self.endings:
                    continue
                undecided[parent] -= 1
                if is_win or undecided[parent] == 0:
                    self.endings[parent] = Ending(1 if is_win else -1, plies)
                    last.append(parent)


def all_positions(most_pieces: int) -> Iterator[Position]:
    """Every legal placement of up to so many pieces, both sides having one, with Black to move."""
    squares = [cell_of(square) for square in range(1, 33)]
    for count in range(2, most_pieces + 1):
        for cells in combinations(squares, count):
            for kinds in product("bBwW", repeat=count):
                pieces: Pieces = dict(zip(cells, kinds, strict=True))
                if is_legal(pieces):
                    yield Position(FIRST, pieces)


def is_legal(pieces: Pieces) -> bool:
    has_both = {owner(piece) for piece in pieces.values()} == {FIRST, SECOND}
    return has_both and not any(piece in "bw" and is_crowning_row(piece, cell) for cell, piece in pieces.items())


def key_of(position: Position) -> Key:
    """The pieces of a position, turned round if White is to move."""
    seen = position if position.side == FIRST else flip(position)
    return " ".join(f"{piece}{square_of(cell)}" for cell, piece in sorted(seen.pieces.items()))


def material_of(position: Position) -> str:
    """Men and kings of Black, men and kings of White."""
    kinds = list(position.pieces.values())
    assert position.side == FIRST
    return "".join(str(kinds.count(kind)) for kind in "bBwW")
