"""Connect Four solved by brute force: every way to play on is tried, and nothing is cut off.

A score is seen from the side to move: 0 is a draw; who drops the winning disc on a board with n discs has
(cells + 1 - n) / 2, rounded down, and the other side the negative.

Cells are numbers from the bottom of the leftmost column upwards, then the next column; a set of cells is an
integer with those bits.

    3  7 11 15
    2  6 10 14
    1  5  9 13
    0  4  8 12
"""

from collections.abc import Iterator

from tests.oracle import FIRST, SECOND, connect4


class Scores:
    """The scores of one board size; what was found once is remembered."""

    def __init__(self, width: int, height: int) -> None:
        self.cells = width * height
        self.columns = [range(column * height, (column + 1) * height) for column in range(width)]
        self.fours_through = [
            [
                sum(1 << (c * height + height - 1 - r) for r, c in four if (c, height - 1 - r) != (column, row))
                for four in connect4.all_fours(width, height)
                if (height - 1 - row, column) in four
            ]
            for column in range(width)
            for row in range(height)
        ]
        """By cell: the other three cells of each four it belongs to."""
        self.known: dict[int, int] = {}

    def of(self, rows: connect4.Rows) -> int:
        """The score of a position that is not over."""
        return self.score(*self.sides(rows))

    def sides(self, rows: connect4.Rows) -> tuple[int, int]:
        """The cells of the side to move, and those of the other."""
        first, second = (
            sum(1 << self.columns[c][len(rows) - 1 - r] for r, c in connect4.cells_of(rows, side))
            for side in (FIRST, SECOND)
        )
        return (first, second) if connect4.side_to_move(rows) == FIRST else (second, first)

    def score(self, own: int, other: int) -> int:
        """The same, by `sides`."""
        key = own << self.cells | other
        if key not in self.known:
            discs = (own | other).bit_count()
            best = -self.cells
            for cell in self.playable(own | other):
                if self.is_win(own, cell):
                    score = (self.cells + 1 - discs) // 2
                elif discs + 1 == self.cells:
                    score = 0
                else:
                    score = -self.score(other, own | 1 << cell)
                best = max(best, score)
            self.known[key] = best
        return self.known[key]

    def playable(self, filled: int) -> Iterator[int]:
        """The lowest empty cell of each column that has one."""
        for column in self.columns:
            for cell in column:
                if not filled >> cell & 1:
                    yield cell
                    break

    def is_win(self, discs: int, cell: int) -> bool:
        """Whether a disc in the cell completes a four."""
        return any(discs & three == three for three in self.fours_through[cell])
