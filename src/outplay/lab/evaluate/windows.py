"""Counting windows of four in Connect Four, for the whole board at once.

A window is four cells in a row, in any of four directions; a 7 x 6 board has 69 of them. Reading their 276 cells one by
one is slow in Python. Bits are faster. A board is one integer: a bit for each cell, and on top of each column
one more bit that stays 0, so that nothing runs over from one column into the next:

         .  .  .  .  .  .  .
         5 12 19 26 33 40 47        a step up    is 1 bit,
         4 11 18 25 32 39 46        to the right    height + 1,
         3 10 17 24 31 38 45        down right      height,
         2  9 16 23 30 37 44        up right        height + 2
         1  8 15 22 29 36 43
         0  7 14 21 28 35 42

`own & own >> step` has a bit wherever a cell and its neighbour in that direction are both ours: all pairs of the board
by two operations. A window of four is a pair and the pair two steps on. A pair may be full (two of ours), half (one of
ours and an empty cell) or empty:

         three of ours and an empty cell  =  a full pair and a half pair, in either order
         two of ours and two empty cells  =  two half pairs, or a full pair and an empty pair, in either order
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple


class Windows(NamedTuple):
    """The number of windows with four, three or two discs of one side and otherwise empty cells."""

    fours: int
    threes: int
    twos: int


class BoardMasks(NamedTuple):
    """The masks of one board size."""

    cells: int
    """Every cell."""
    steps: tuple[int, int, int, int]
    """The number of bits of a step: up, right, down right, up right."""
    centre: int
    """The cells of the middle column; of both middle columns if the width is even."""
    middle: tuple[int, ...]
    """The middle columns."""
    bottom: int
    """The lowest cell of each column."""
    odd_rows: int
    """The first row from the bottom, the third, the fifth, ..."""

    def playable(self, discs: int) -> int:
        """Return the cells where the next disc can land: adding 1 at the bottom of a column carries up to that cell."""
        return discs + self.bottom & self.cells


@lru_cache
def board(width: int, height: int) -> BoardMasks:
    """Return the masks of a board of that size."""
    column = (1 << height) - 1
    cells = sum(column << x * (height + 1) for x in range(width))
    middle = tuple(sorted({(width - 1) // 2, width // 2}))
    centre = sum(column << x * (height + 1) for x in middle)
    bottom = sum(1 << x * (height + 1) for x in range(width))
    odd_rows = sum(bottom << row for row in range(0, height, 2))
    return BoardMasks(cells, (1, height + 1, height, height + 2), centre, middle, bottom, odd_rows)


def count(discs: int, empty: int, steps: tuple[int, ...]) -> Windows:
    """Count the windows of one side, given its discs and the empty cells."""
    fours = threes = twos = 0
    for step in steps:
        discs_next, empty_next = discs >> step, empty >> step
        full = discs & discs_next
        half = discs & empty_next | empty & discs_next
        none = empty & empty_next
        on = 2 * step
        full_on, half_on = full >> on, half >> on
        fours += (full & full_on).bit_count()
        threes += (full & half_on | half & full_on).bit_count()
        twos += (half & half_on | full & none >> on | none & full_on).bit_count()
    return Windows(fours, threes, twos)


def winning_cells(discs: int, empty: int, steps: tuple[int, ...]) -> int:
    """Return as bits the empty cells that would complete a four for the side with these discs."""
    cells = 0
    for step in steps:
        pairs = discs & discs >> step
        triples = pairs & discs >> 2 * step  # the lowest cell of three in a row
        cells |= triples << 3 * step | triples >> step
        gap = pairs & discs >> 3 * step  # X X . X
        cells |= gap << 2 * step
        gap = discs & pairs >> 2 * step  # X . X X
        cells |= gap << step
    return cells & empty
