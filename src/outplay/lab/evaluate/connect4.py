"""Evaluations of Connect Four: four ways to estimate which side stands better.

"Own" is the side to move, "other" its opponent. A window is four cells in a row that hold discs of one side only (the
rest is empty): what may still become a four. windows.py counts them.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from outplay.connect4 import Position
from outplay.lab.evaluate.types import Weights, evaluation_of
from outplay.lab.evaluate.windows import board, count, winning_cells
from outplay.outcome import Side


@dataclass(frozen=True, slots=True)
class WindowWeights:
    """The weight of each kind of window, and of each own disc in the centre column."""

    four: int
    three: int
    two: int
    other_three: int
    other_two: int = 0
    centre: int = 0

    def score(self, position: Position) -> int:
        masks = board(position.width, position.height)
        own, other = position.own, position.other
        empty = masks.cells & ~(own | other)
        mine = count(own, empty, masks.steps)
        theirs = count(other, empty, masks.steps)
        return (
            self.four * mine.fours
            + self.three * mine.threes
            + self.two * mine.twos
            + self.other_three * theirs.threes
            + self.other_two * theirs.twos
            + self.centre * (own & masks.centre).bit_count()
        )

    def table(self) -> Weights:
        return (
            ("own four", self.four),
            ("own three and an empty cell", self.three),
            ("own two and two empty cells", self.two),
            ("other's three and an empty cell", self.other_three),
            ("other's two and two empty cells", self.other_two),
            ("own disc in the centre column", self.centre),
        )


# classic: small weights; our own threes count a little more than the other side's

_classic = WindowWeights(four=100, three=5, two=2, other_three=-4, centre=3)
CLASSIC = evaluation_of(_classic, "classic", "connect4", "windows of four, with small weights")


# big: the same windows, but one threat of the other side outweighs everything of ours

_big = WindowWeights(four=100_000_000, three=10_000, two=500, other_three=-800_000, other_two=-10_000, centre=200)
BIG = evaluation_of(_big, "big", "connect4", "windows of four, with large penalties for the other side's")


# scan: the centre column is read from the bottom up, and free cells in it count


@dataclass(frozen=True, slots=True)
class ScanWeights:
    """The windows of `classic`, with a scan of the centre column instead of its centre discs."""

    four: int = 100
    three: int = 5
    two: int = 2
    other_three: int = -4
    cell: int = 1

    def score(self, position: Position) -> int:
        windows = WindowWeights(self.four, self.three, self.two, self.other_three)
        column_bits = (1 << position.height) - 1
        score = windows.score(position)
        for column in board(position.width, position.height).middle:
            other = position.other >> column * (position.height + 1) & column_bits
            score += self.cell * scan_column(other, position.height)
        return score

    def table(self) -> Weights:
        windows = WindowWeights(self.four, self.three, self.two, self.other_three).table()
        return (*windows[:4], ("cell of the centre column not taken by the other side", self.cell))


@lru_cache
def scan_column(other: int, height: int) -> int:
    """Return the score of a column: +1 for each cell that is empty or ours.

    The cells are read from the bottom up. At a disc of the other side, the sum so far is multiplied by 4 if at least
    four cells directly below the disc are empty or ours; if not, the sum is set to 0.
    """
    total = run = 0
    for row in range(height):
        if other >> row & 1:
            total = total * 4 if run >= 4 else 0
            run = 0
        else:
            total += 1
            run += 1
    return total


SCAN = evaluation_of(ScanWeights(), "scan", "connect4", "windows of four, and a scan of the centre column")


# threats: our own. Connect Four is decided by the row on which a threat lies, not by the number of threes


@dataclass(frozen=True, slots=True)
class ThreatWeights:
    """Weights for both sides: winning cells, those on a good row, twos, the centre; and immediate fours."""

    four_next: int = 5000
    cannot_stop: int = -4000
    threat: int = 30
    good_row: int = 30
    two: int = 4
    centre: int = 5

    def score(self, position: Position) -> int:
        masks = board(position.width, position.height)
        own, other = position.own, position.other
        empty = masks.cells & ~(own | other)
        mine = winning_cells(own, empty, masks.steps)
        theirs = winning_cells(other, empty, masks.steps)
        if mine or theirs:
            playable = masks.playable(own | other)
            if mine & playable:
                return self.four_next
            at_once = theirs & playable
            if at_once & (at_once - 1) or (at_once and theirs & at_once << 1):
                return self.cannot_stop  # two fours to stop, or one on top of the other
        first, second = (mine, theirs) if position.side == Side.FIRST else (theirs, mine)
        good = (first & masks.odd_rows).bit_count() - (second & ~masks.odd_rows).bit_count()
        return (
            self.threat * (mine.bit_count() - theirs.bit_count())
            + self.good_row * (good if position.side == Side.FIRST else -good)
            + self.two * (count(own, empty, masks.steps).twos - count(other, empty, masks.steps).twos)
            + self.centre * ((own & masks.centre).bit_count() - (other & masks.centre).bit_count())
        )

    def table(self) -> Weights:
        return (
            ("own four with the next disc (nothing else counts)", self.four_next),
            ("other side threatens two fours that one disc cannot stop (nothing else counts)", self.cannot_stop),
            ("each cell that wins, own minus other's", self.threat),
            ("each of them on an odd row for the first side, on an even row for the second", self.good_row),
            ("two and two empty cells, own minus other's", self.two),
            ("disc in the centre column, own minus other's", self.centre),
        )


THREATS = evaluation_of(
    ThreatWeights(),
    "threats",
    "connect4",
    "our own: cells that win, and whether they lie on the row that zugzwang favours",
)
