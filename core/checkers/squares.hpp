// The thirty-two dark squares as a word, and steps between them.
//
// One bit per dark square, bit 0 = square 1, in the order the rule book prints them; Black starts on 1-12, White on
// 21-32. `down` is Black's way forward, `up` is White's.
//
//        1   2   3   4     row 0: Black's home row, where white men are crowned
//      5   6   7   8       row 1
//        9  10  11  12
//     13  14  15  16
//       17  18  19  20
//     21  22  23  24
//       25  26  27  28
//     29  30  31  32       row 7: White's home row, where black men are crowned
#pragma once

#include <array>
#include <cstdint>

#include "base/outcome.hpp"

namespace outplay::checkers {

using Squares = std::uint32_t;  // a set of squares

constexpr int SQUARE_COUNT = 32;
constexpr int MOST_PIECES = 12;  // of a side

constexpr Squares EVEN_ROWS = 0x0F0F0F0F;    // rows 0, 2, 4, 6: shifted half a step to the right
constexpr Squares ODD_ROWS = 0xF0F0F0F0;     // rows 1, 3, 5, 7
constexpr Squares RIGHT_EDGE = 0x08080808;   // squares 4, 12, 20, 28
constexpr Squares LEFT_EDGE = 0x10101010;    // squares 5, 13, 21, 29
constexpr Squares BLACK_START = 0x00000FFF;  // squares 1-12
constexpr Squares WHITE_START = 0xFFF00000;  // squares 21-32

constexpr Squares square_bit(int index) { return Squares{1} << index; }

enum class Direction : std::uint8_t { DOWN_LEFT, DOWN_RIGHT, UP_LEFT, UP_RIGHT };
constexpr std::array DIRECTIONS{Direction::DOWN_LEFT, Direction::DOWN_RIGHT, Direction::UP_LEFT, Direction::UP_RIGHT};

constexpr Direction opposite(Direction direction) { return static_cast<Direction>(3 - static_cast<int>(direction)); }

// Every square one step further; those that would leave the board drop out.
template <Direction D>
constexpr Squares step(Squares from) {
  if constexpr (D == Direction::DOWN_LEFT) return (from & EVEN_ROWS) << 4 | (from & ODD_ROWS & ~LEFT_EDGE) << 3;
  if constexpr (D == Direction::DOWN_RIGHT) return (from & EVEN_ROWS & ~RIGHT_EDGE) << 5 | (from & ODD_ROWS) << 4;
  if constexpr (D == Direction::UP_LEFT) return (from & EVEN_ROWS) >> 4 | (from & ODD_ROWS & ~LEFT_EDGE) >> 5;
  if constexpr (D == Direction::UP_RIGHT) return (from & EVEN_ROWS & ~RIGHT_EDGE) >> 3 | (from & ODD_ROWS) >> 4;
}

constexpr Squares step(Squares from, Direction direction) {
  switch (direction) {
    case Direction::DOWN_LEFT: return step<Direction::DOWN_LEFT>(from);
    case Direction::DOWN_RIGHT: return step<Direction::DOWN_RIGHT>(from);
    case Direction::UP_LEFT: return step<Direction::UP_LEFT>(from);
    default: return step<Direction::UP_RIGHT>(from);
  }
}

// The row on which a side's men are crowned.
constexpr Squares crowning_row(Side side) { return side == Side::FIRST ? 0xF0000000 : 0x0000000F; }

// The way a side's men go: Black (who moves first) down the diagram, White up.
constexpr bool is_forward(Direction direction, Side side) {
  const bool is_down = direction == Direction::DOWN_LEFT || direction == Direction::DOWN_RIGHT;
  return is_down == (side == Side::FIRST);
}

// The square between two that lie a jump apart; empty if they do not.
constexpr Squares between(int from, int to) {
  for (const auto direction : DIRECTIONS) {
    const Squares middle = step(square_bit(from), direction);
    if (step(middle, direction) == square_bit(to)) return middle;
  }
  return 0;
}

}  // namespace outplay::checkers
