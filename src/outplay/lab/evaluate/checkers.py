"""Evaluations of checkers: who has more material, and who stands better. "Own" is the side to move.

Row 0 of the board has squares 1 to 4: Black's home row, where white men are crowned. Bit 0 of a bitboard is square 1,
so row r has the bits 4 * r to 4 * r + 3.
"""

from __future__ import annotations

from dataclasses import dataclass

from outplay.checkers import Position
from outplay.lab.evaluate.types import CIRCLE, Weights, evaluation_of
from outplay.outcome import Side

SHUFFLE = 1000
"""The penalty for moves that undo each other (see `closes_circle`)."""

# material: count the pieces


@dataclass(frozen=True, slots=True)
class MaterialWeights:
    """Weights of men and kings, and a bonus for each piece by which one side leads."""

    man: int = 1
    king: int = 3
    piece: int = 10
    shuffle: int = SHUFFLE

    def score(self, position: Position) -> int:
        own, other, kings = position.own, position.other, position.kings
        own_pieces, other_pieces = own.bit_count(), other.bit_count()
        own_kings, other_kings = (own & kings).bit_count(), (other & kings).bit_count()
        pieces = own_pieces - other_pieces
        return (self.man + self.piece) * pieces + (self.king - self.man) * (own_kings - other_kings)

    def table(self) -> Weights:
        return (
            ("man, own minus other's", self.man),
            ("king, own minus other's", self.king),
            ("piece, own minus other's (a king counts as one piece)", self.piece),
            (CIRCLE, self.shuffle),
        )


MATERIAL = evaluation_of(
    MaterialWeights(), "material", "checkers", "pieces, and no moving back and forth", shuffle=SHUFFLE
)


# formation: our own

_ROWS = [0xF << 4 * row for row in range(8)]
_ROW_DIGITS = [(1 << digit, sum(_ROWS[row] for row in range(8) if row >> digit & 1)) for digit in range(3)]
_CENTRE = 0x00666600  # 10 11, 14 15, 18 19, 22 23
_BLACK_GUARD = 1 << 0 | 1 << 2  # 1 and 3: the bridge keeps the home row shut with two men
_WHITE_GUARD = 1 << 31 | 1 << 29
_EDGES = sum(1 << square - 1 for square in (4, 5, 12, 13, 20, 21, 28, 29))


@dataclass(frozen=True, slots=True)
class FormationWeights:
    """Weights of pieces, advanced men, the centre, a guarded home row, and trades when ahead."""

    man: int = 100
    king: int = 135
    row: int = 2
    centre: int = 4
    guard: int = 8
    edge_king: int = -12
    trade: int = 240

    def score(self, position: Position) -> int:
        black = self._one_side(position.black, position.kings, _BLACK_GUARD, position.white)
        white = self._one_side(position.white, position.kings, _WHITE_GUARD, position.black)
        black_men, white_men = position.black & ~position.kings, position.white & ~position.kings
        rows = _rows(black_men) - (7 * white_men.bit_count() - _rows(white_men))
        ahead = position.black.bit_count() - position.white.bit_count()
        trade = round(self.trade * ahead / (position.black | position.white).bit_count())
        score = black - white + self.row * rows + trade
        return score if position.side == Side.FIRST else -score

    def _one_side(self, pieces: int, kings: int, guard: int, enemies: int) -> int:
        own_kings = pieces & kings
        men = pieces & ~kings
        score = self.man * men.bit_count() + self.king * own_kings.bit_count()
        score += self.centre * (pieces & _CENTRE).bit_count() + self.edge_king * (own_kings & _EDGES).bit_count()
        if enemies & ~kings:  # the home row needs guards only while the other side has men
            score += self.guard * (men & guard).bit_count()
        return score

    def table(self) -> Weights:
        return (
            ("man, own minus other's (as in all rows below)", self.man),
            ("king", self.king),
            ("each row that a man has advanced", self.row),
            ("piece in the centre: 10, 11, 14, 15, 18, 19, 22, 23", self.centre),
            ("man on 1 or 3 (Black), 32 or 30 (White), while the other side has men", self.guard),
            ("king on the left or right edge", self.edge_king),
            ("lead in pieces, divided by all pieces on the board: exchange when ahead", self.trade),
        )


def _rows(men: int) -> int:
    """Return the sum of the rows of all men. A row number has three binary digits; each digit has a mask."""
    return sum(worth * (men & mask).bit_count() for worth, mask in _ROW_DIGITS)


FORMATION = evaluation_of(
    FormationWeights(),
    "formation",
    "checkers",
    "our own: pieces, advanced men, the centre, a guarded home row, trades when ahead",
    shuffle=SHUFFLE,
)
