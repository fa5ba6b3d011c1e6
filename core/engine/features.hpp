// What the evaluation looks at. Search and training walk over the same features: `for_each_feature` is the one list.
//
// Most features are patterns: overlapping regions, each with one weight for everything that can stand in it. Squares
// of two neighbouring columns of the diagram in squares.hpp make a band, and a region is some rows of a band:
//
//   men    4 rows x 2 columns, 3 states a square: empty (or a king), own man, other man         6,561 weights
//   kings  3 rows x 2 columns, 5 states a square; only if there is a king on the board         15,625 weights
//
// The regions listed lie in one half of the board. Every side looks at them from its own home row, and the evaluation
// is what Black sees less what White sees, so that a position and its mirror with sides exchanged are worth the same.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "checkers/moves.hpp"

#ifdef __BMI2__
#include <immintrin.h>
#endif

namespace outplay::engine {

using checkers::Pieces;
using checkers::Squares;

constexpr int MEN_STATES = 6561;    // 3^8
constexpr int KING_STATES = 15625;  // 5^6
constexpr int MOST_DIFFERENCE = 3;  // of men or kings, in the balance
constexpr int MOST_STEPS = 15;      // counted for mobility
constexpr int BALANCE_SIDE = 2 * MOST_DIFFERENCE + 1;

// Where the weights of each kind begin.
struct Layout {
  static constexpr int MEN = 0;
  static constexpr int KINGS = MEN + 8 * MEN_STATES;
  static constexpr int KING_SQUARE = KINGS + 9 * KING_STATES;
  static constexpr int BALANCE = KING_SQUARE + checkers::SQUARE_COUNT;  // men ahead x kings ahead
  static constexpr int MAN = BALANCE + BALANCE_SIDE * BALANCE_SIDE;     // a man's and a king's plain worth
  static constexpr int KING = MAN + 1;
  static constexpr int MEN_STEPS = KING + 1;  // number of plain moves of the men, and of the kings
  static constexpr int KING_STEPS = MEN_STEPS + MOST_STEPS + 1;
  static constexpr int TEMPO = KING_STEPS + MOST_STEPS + 1;                    // how far each man has come, in rows
  static constexpr int THE_MOVE = TEMPO + 1;                                   // by pieces on the board, kings or none
  static constexpr int TURN = THE_MOVE + 2 * (2 * checkers::MOST_PIECES + 1);  // it is a side's turn
  static constexpr int COUNT = TURN + 1;
};

// The squares of columns c and c + 1, row by row, as sixteen bits.
template <int C>
unsigned band(Squares squares) {
  constexpr Squares MASK = Squares{0x33333333} << C;
#ifdef __BMI2__
  return _pext_u32(squares, MASK);
#else
  Squares word = (squares & MASK) >> C;
  word = (word | word >> 2) & 0x0F0F0F0F;
  word = (word | word >> 4) & 0x00FF00FF;
  return (word | word >> 8) & 0xFFFF;
#endif
}

// Bits read as digits of another base.
template <int BASE, int BITS>
constexpr auto DIGITS = [] {
  std::array<std::uint16_t, 1 << BITS> values{};
  for (unsigned bits = 0; bits < values.size(); ++bits)
    for (int place = BITS - 1; place >= 0; --place)
      values[bits] = static_cast<std::uint16_t>(values[bits] * BASE + (bits >> place & 1));
  return values;
}();

// One side's view of the board: its own pieces going down from row 0.
struct View {
  Squares own_men, other_men, own_kings, other_kings;
};

template <int C, int ROWS, class Visit>
void visit_men_band(const View& view, int first, int amount, Visit&& visit) {
  const unsigned own = band<C>(view.own_men), other = band<C>(view.other_men);
  for (int row = 0; row < ROWS; ++row) {
    const int state = DIGITS<3, 8>[own >> 2 * row & 0xFF] + 2 * DIGITS<3, 8>[other >> 2 * row & 0xFF];
    visit(Layout::MEN + (first + row) * MEN_STATES + state, amount);
  }
}

template <int C, class Visit>
void visit_king_band(const View& view, int amount, Visit&& visit) {
  const unsigned own_men = band<C>(view.own_men), other_men = band<C>(view.other_men);
  const unsigned own_kings = band<C>(view.own_kings), other_kings = band<C>(view.other_kings);
  for (int row = 0; row < 3; ++row) {
    const auto digits = [&](unsigned bits) { return int{DIGITS<5, 6>[bits >> 2 * row & 0x3F]}; };
    const int state = digits(own_men) + 2 * digits(other_men) + 3 * digits(own_kings) + 4 * digits(other_kings);
    visit(Layout::KINGS + (3 * C + row) * KING_STATES + state, amount);
  }
}

// Rows 0-3, 1-4 and 2-5 of the bands on the left and in the middle; 0-3 and 1-4 on the right, whose third is the
// left one's seen from the other side.
template <class Visit>
void visit_patterns(const View& view, bool has_kings, int amount, Visit&& visit) {
  visit_men_band<0, 3>(view, 0, amount, visit);
  visit_men_band<1, 3>(view, 3, amount, visit);
  visit_men_band<2, 2>(view, 6, amount, visit);
  if (!has_kings) return;
  visit_king_band<0>(view, amount, visit);
  visit_king_band<1>(view, amount, visit);
  visit_king_band<2>(view, amount, visit);
  for (Squares left = view.own_kings; left != 0; left &= left - 1)
    visit(Layout::KING_SQUARE + lowest_index(left), amount);
}

// How far the men of the side that goes down have come, in rows.
inline int rows_advanced(Squares men) {
  int rows = 0;
  for (int row = 1; row < 8; ++row) rows += row * count_bits(men & Squares{0xF} << 4 * row);
  return rows;
}

template <Side S, class Visit>
void visit_steps(const Pieces& pieces, int amount, Visit&& visit) {
  using namespace checkers;
  constexpr Direction LEFT = FORWARD_LEFT<S>, RIGHT = FORWARD_RIGHT<S>;
  const Squares empty = pieces.empty(), men = pieces.own_men(), kings = pieces.own_kings();
  const int men_steps = count_bits(steppers<LEFT>(men, empty)) + count_bits(steppers<RIGHT>(men, empty));
  visit(Layout::MEN_STEPS + std::min(men_steps, MOST_STEPS), amount);
  if (kings == 0) return;
  const int king_steps = count_bits(steppers<LEFT>(kings, empty)) + count_bits(steppers<RIGHT>(kings, empty)) +
                         count_bits(steppers<opposite(LEFT)>(kings, empty)) +
                         count_bits(steppers<opposite(RIGHT)>(kings, empty));
  visit(Layout::KING_STEPS + std::min(king_steps, MOST_STEPS), amount);
}

inline int balance_index(int men, int kings) {
  const auto place = [](int n) { return std::clamp(n, -MOST_DIFFERENCE, MOST_DIFFERENCE) + MOST_DIFFERENCE; };
  return Layout::BALANCE + place(men) * BALANCE_SIDE + place(kings);
}

// "The move": who will run out of moves last if all goes on step by step. The side to move has it when an odd number
// of pieces stands on the rows that its own home row begins (its first, third, fifth and seventh).
template <Side S>
bool has_the_move(Squares occupied) {
  return count_bits(occupied & (S == Side::FIRST ? checkers::EVEN_ROWS : checkers::ODD_ROWS)) % 2 != 0;
}

// Calls visit(feature, amount) for all that counts, seen from Black; the amount is negative where it speaks for White.
template <Side S, class Visit>
void for_each_feature(const Pieces& pieces, Visit&& visit) {
  constexpr bool IS_BLACK = S == Side::FIRST;
  const Squares black = IS_BLACK ? pieces.own : pieces.other, white = IS_BLACK ? pieces.other : pieces.own;
  const Squares kings = pieces.kings;
  const View ours{black & ~kings, white & ~kings, black & kings, white & kings};
  const View theirs{reverse_bits(ours.other_men), reverse_bits(ours.own_men), reverse_bits(ours.other_kings),
                    reverse_bits(ours.own_kings)};
  visit_patterns(ours, kings != 0, 1, visit);
  visit_patterns(theirs, kings != 0, -1, visit);

  const Pieces from_black{black, white, kings}, from_white{white, black, kings};
  visit_steps<Side::FIRST>(from_black, 1, visit);
  visit_steps<Side::SECOND>(from_white, -1, visit);

  const int men_ahead = count_bits(ours.own_men) - count_bits(ours.other_men);
  const int kings_ahead = count_bits(ours.own_kings) - count_bits(ours.other_kings);
  visit(Layout::MAN, men_ahead);
  visit(Layout::KING, kings_ahead);
  visit(balance_index(men_ahead, kings_ahead), 1);
  visit(balance_index(-men_ahead, -kings_ahead), -1);
  visit(Layout::TEMPO, rows_advanced(ours.own_men) - rows_advanced(theirs.own_men));

  const int turn = IS_BLACK ? 1 : -1, pieces_left = count_bits(black | white);
  visit(Layout::THE_MOVE + 2 * pieces_left + (kings != 0), has_the_move<S>(black | white) ? turn : -turn);
  visit(Layout::TURN, turn);
}

}  // namespace outplay::engine
