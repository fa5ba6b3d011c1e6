// Two static bounds, proved: what a player secures by answering every move of the other in the same column.
//
// The LEADER is to move, the FOLLOWER answers. W x H board, n discs on it, rows from 1 at the bottom. R is a set of
// empty cells that reaches, in each column, from the lowest empty cell upwards. Split each column's part of R from the
// top down into vertical dominoes; a part of odd length leaves its lowest cell, a playable one, as a single.
//
//     R of four columns, H = 6:      u . . u      u  upper cell of a domino: the follower's, surely
//                                    l . s l      l  lower cell
//                                    u . # u      s  single
//                                    l u # l      #  a disc (or what lies under R: here nothing does)
//                                    # l # s
//                                    # # # #
//
// If the number of singles is even, pair them. The follower answers a single with its partner, the lower cell of a
// domino with its upper cell. Before each move of the leader every touched pair is then complete, so the lowest cell
// left in a column is a single or the lower cell of an untouched domino: the answer is always playable, and within R
// the leader only ever gets singles and lower cells. Call those and his discs his REACH. The follower gets every upper
// cell of R that is filled at all: those and his discs are SURE.
//
// EVENS BOUND. The number of empty cells, W*H - n, is even; R = all of them. Each domino has two cells, so the number
// of singles is even. A reach without a four: the leader never wins, his score is at most 0. If moreover the sure cells
// hold a four whose highest empty cell is in row r, then the follower has it, at the latest, when only the H - r cells
// above are left in that column: with disc number W*H - H + r. His score is at least (H - r + 2) / 2, rounded down.
//
// ODD-THREAT BOUND. W*H - n is odd. The follower has a winning cell T = (c, r), empty, not playable, with H - r odd (H
// even: r odd, whence the name). U is the cell under T; R = all empty cells but those of column c from U upwards. These
// are H - r
// + 2, an odd number, so |R| is even and so is the number of singles. When R is used up the leader must play U, and the
// follower wins at T. The leader's reach is as above, and U. Without a four in it he loses, at the latest to disc
// number W*H - H + r.
//
// Neither needs an even height, only the parity of what is empty: both hold for every width and height.
//
// Which cells are these? Upper cells lie in the rows H, H - 2, ... (the PAIRED rows), except below U in column c, where
// U is in a paired row and the dominoes begin under it: there they lie in the other rows. A playable cell is never an
// upper cell: it is a single, a lower cell or U. So, with E the empty cells and P the playable ones:
//     evens:       reach = discs + P + (E not paired),                                   sure = discs + (E paired) - P
//     odd threat:  reach = discs + P + (E not paired, not in c) + (E in c below T, paired), sure likewise with the rest
//
// Two refinements. KILL: a threat of the follower on a sure cell y ends the game when y is filled, so cells above y are
// out of the leader's reach. DOMINANCE: a four of the leader, each cell of which lies above a cell of one and the same
// four of sure cells, comes too late: the cells below are filled first, and then the game is over.
//
// tests/test_solver_bounds.py checks both against brute force on every position of small boards, and at random on
// others.
#pragma once

#include "solver/lines.hpp"

namespace outplay::solver {

// The position after a move, seen by the follower who made it.
template <class Cells>
struct Followed {
  Cells follower, leader, mask;  // discs of the one, of the other, of both
  Cells playable, threats;       // threats: winning cells of the follower
  Cells replies;                 // moves of the leader that do not lose at once
};

// The fours of the leader that do not come too late. `sure` holds the follower's sure cells and discs.
template <class Cells, class Board>
inline Cells timely_fours(const Board& board, Cells reach, Cells sure) {
  const int stride = board.stride();
  const Cells level = fours(reach, stride), rising = fours(reach, stride + 1), falling = fours(reach, stride - 1);
  const Cells upright = fours(reach, 1);
  if (!any(level | rising | falling | upright)) return upright;

  // A four that begins above the beginning of a sure one, and is nowhere below it further to the right. Where the sure
  // one climbs faster, it must begin three rows higher still.
  const Cells sure_level = fours(sure, stride), sure_rising = fours(sure, stride + 1);
  const Cells sure_falling = fours(sure, stride - 1);
  const auto low = board.rows_below(board.height() - 4), below_top = board.board() & ~board.top();
  const Cells late_rising = upwards(board, ((sure_level | sure_rising | sure_falling) & below_top) << 1);
  const Cells late_level = upwards(board, ((sure_level | sure_falling) & below_top) << 1 | (sure_rising & low) << 4);
  const Cells late_falling = upwards(board, (sure_falling & below_top) << 1 | (sure_level & low) << 4);
  return upright | (level & ~late_level) | (rising & ~late_rising) | (falling & ~late_falling);
}

// All ones where the follower secures at least this score (from 0 up) by the evens bound.
template <class Cells, class Board>
inline Cells secured_by_evens(const Board& board, const Followed<Cells>& p, int score) {
  const Cells empty = ~p.mask & board.board();
  const Cells upper = empty & board.paired() & ~p.playable;
  Cells wins_soon = ~Cells{};
  if (score > 0) {
    const int row = board.height() + 2 - 2 * score;  // (H - r + 2) / 2 >= score for all rows up to this one
    if (row <= 0) return Cells{};
    wins_soon = ~if_empty(all_fours(board, Cells(p.follower | (upper & board.rows_below(row)))));
    if (!any(wins_soon)) return wins_soon;
  }
  Cells reach = p.leader | p.playable | (empty & ~board.paired());
  reach &= ~(upwards(board, p.threats & upper) << 1);
  return if_empty(timely_fours(board, reach, Cells(p.follower | upper))) & wins_soon;
}

// All ones where the follower secures at least this score (from 1 up) by a threat of the right parity.
template <class Cells, class Board>
inline Cells secured_by_threat(const Board& board, const Followed<Cells>& p, int score) {
  const int row = board.height() + 2 - 2 * score;
  Cells result{};
  if (row <= 0) return result;
  const Cells empty = ~p.mask & board.board();
  Cells threats = p.threats & ~board.paired() & ~p.playable & board.rows_below(row);
  while (any(threats)) {
    const Cells cell = lowest(threats);
    const Cells above = upwards(board, cell), column = column_of(board, above);
    const Cells below = empty & column & ~above;
    const Cells upper = ((empty & ~column & board.paired()) | (below & ~board.paired())) & ~p.playable;
    Cells reach = p.leader | p.playable | (empty & ~column & ~board.paired()) | (below & board.paired());
    reach &= ~(upwards(board, p.threats & upper) << 1);
    result |= if_empty(timely_fours(board, reach, Cells(p.follower | upper))) & ~if_empty(cell);
    threats &= ~column;
  }
  return result;
}

}  // namespace outplay::solver
