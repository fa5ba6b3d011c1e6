// Fours and what is missing to them, for one set of discs or one per lane.
#pragma once

#include "solver/board.hpp"
#include "solver/lanes.hpp"

namespace outplay::solver {

// Empty cells that would complete a four of these discs, playable or not.
template <class Cells, class Board>
inline Cells winning_cells(const Board& board, Cells discs, Cells mask) {
  Cells cells = (discs << 1) & (discs << 2) & (discs << 3);
  for (int slope = -1; slope <= 1; ++slope) {
    const int step = board.stride() + slope;
    const Cells right = discs << step, left = discs >> step;
    const Cells rights = right & (discs << (2 * step)), lefts = left & (discs >> (2 * step));
    cells |= rights & ((discs << (3 * step)) | left);
    cells |= lefts & ((discs >> (3 * step)) | right);
  }
  return cells & ~mask & board.board();
}

// The leftmost (or lowest) cells of all fours in this direction.
template <class Cells>
inline Cells fours(Cells discs, int step) {
  const Cells pairs = discs & (discs >> step);
  return pairs & (pairs >> (2 * step));
}

template <class Cells, class Board>
inline Cells all_fours(const Board& board, Cells discs) {
  const int stride = board.stride();
  return fours(discs, 1) | fours(discs, stride) | fours(discs, stride + 1) | fours(discs, stride - 1);
}

// These cells and every cell above them: from its lowest bit on, a number or its negative has each bit. So it is column
// by column, for nothing is ever borrowed from beyond the lid.
template <class Cells, class Board>
inline Cells upwards(const Board& board, Cells cells) {
  return (cells | (board.lid() - cells)) & board.board();
}

// The whole column of which these are the uppermost cells, from some cell up.
template <class Cells, class Board>
inline Cells column_of(const Board& board, Cells uppermost) {
  const Cells top = uppermost & board.top();
  return (top << 1) - (top >> (board.height() - 1));
}

}  // namespace outplay::solver
