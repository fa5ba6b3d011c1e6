// Material: how many men and kings each side has. It names a table.
#pragma once

#include <algorithm>
#include <array>
#include <compare>
#include <cstdint>

#include "base/bits.hpp"
#include "base/outcome.hpp"
#include "checkers/position.hpp"

namespace outplay::tablebase {

using checkers::Squares;

constexpr int MOST_PIECES = 8;  // on the board, both sides together

// How a position ends with best play, for the side to move.
enum class Value : std::uint8_t { LOSS, DRAW, WIN };

constexpr Value opposite(Value value) { return static_cast<Value>(2 - static_cast<int>(value)); }

constexpr int number(Side side) { return static_cast<int>(side); }

// The piece counts by side. Read as a row of four digits (men and kings of FIRST, men and kings of SECOND) it is the
// name of a table.
struct Material {
  std::uint8_t men = 0, kings = 0, other_men = 0, other_kings = 0;

  auto operator<=>(const Material&) const = default;

  constexpr int pieces() const { return men + kings + other_men + other_kings; }
  constexpr int all_men() const { return men + other_men; }
  constexpr int men_of(Side side) const { return side == Side::FIRST ? men : other_men; }
  constexpr int kings_of(Side side) const { return side == Side::FIRST ? kings : other_kings; }
  constexpr Material other() const { return {other_men, other_kings, men, kings}; }
  constexpr Material table() const { return std::max(*this, other()); }  // the one that names the file of both
  constexpr bool is_symmetric() const { return *this == other(); }
  constexpr bool is_valid() const { return men + kings > 0 && other_men + other_kings > 0 && pieces() <= MOST_PIECES; }

  // A small number for arrays of tables; counts up to MOST_PIECES.
  constexpr std::size_t key() const { return ((men * 9u + kings) * 9u + other_men) * 9u + other_kings; }
  static constexpr std::size_t KEYS = 9 * 9 * 9 * 9;
};

using BothSides = std::array<Squares, 2>;

// The board from the other seat: the squares are turned round, and the sides change names. One reversal does both.
constexpr BothSides turn_round(const BothSides& squares) {
  const std::uint64_t turned = reverse_bits(squares[0] | std::uint64_t{squares[1]} << 32);
  return {static_cast<Squares>(turned), static_cast<Squares>(turned >> 32)};
}

// The men and kings of both sides. FIRST goes down the board, SECOND up, as in checkers::Position.
//
// Pass it by value and name the sides by constants where speed counts: then it stays in registers. Written to memory by
// halves and read back as a whole, it waits until all reads before it have come back, which may be a long way.
struct Placement {
  BothSides men{}, kings{};

  Squares all_men() const { return men[0] | men[1]; }
  Squares own(Side side) const { return side == Side::FIRST ? men[0] | kings[0] : men[1] | kings[1]; }

  Placement flip() const { return {turn_round(men), turn_round(kings)}; }
  Material material() const {
    const auto count = [](Squares squares) { return static_cast<std::uint8_t>(count_bits(squares)); };
    return {count(men[0]), count(kings[0]), count(men[1]), count(kings[1])};
  }
  static Placement of(const checkers::Position& position) {
    const Squares kings = position.kings();
    return {{position.black() & ~kings, position.white() & ~kings},
            {position.black() & kings, position.white() & kings}};
  }
};

// A placement as its table sees it: turned round, if need be, so that the table's FIRST has the larger material.
struct Seating {
  Placement placement;
  Side side;  // to move, after turning
};

inline Seating seat(const Placement& placement, const Material& material, Side side) {
  const auto order = material <=> material.other();
  if (order < 0 || (order == 0 && side == Side::SECOND)) return {placement.flip(), other(side)};
  return {placement, side};
}

}  // namespace outplay::tablebase
