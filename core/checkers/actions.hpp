// Checkers one step or one jump at a time, for programs that learn: a turn of several jumps is several actions in a row
// by the same side, and what it took is lifted at its end.
//
// An action is a direction and the square the piece leaves: 32 * direction + square, both from 0, so there are 128.
// Everything is seen from the side to move, as if it were Black, whose men go down: for White the board is turned by
// half a turn. White's action on the board as it lies is then 127 less the action, since squares and directions turn,
// too.
#pragma once

#include <array>
#include <cstdint>
#include <cstring>

#include "base/bits.hpp"
#include "base/random.hpp"
#include "checkers/moves.hpp"
#include "checkers/position.hpp"
#include "checkers/squares.hpp"

namespace outplay::checkers {

constexpr int ACTION_COUNT = 128;

constexpr int action_of(Direction direction, int square) { return 32 * static_cast<int>(direction) + square; }
constexpr Direction direction_of(int action) { return static_cast<Direction>(action / 32); }
constexpr int square_of(int action) { return action % 32; }
constexpr int turned_action(int action) { return ACTION_COUNT - 1 - action; }  // on the board turned by half a turn

// Actions as the squares that pieces may leave in each direction.
struct Actions {
  std::array<Squares, 4> from{};

  bool is_empty() const { return (from[0] | from[1] | from[2] | from[3]) == 0; }
  int count() const { return count_bits(from[0]) + count_bits(from[1]) + count_bits(from[2]) + count_bits(from[3]); }
  bool contains(int action) const { return (from[static_cast<std::size_t>(action / 32)] >> action % 32 & 1) != 0; }

  int pick(Random& random) const {  // there is one
    auto skip = static_cast<int>((random.next() >> 32) * static_cast<std::uint64_t>(count()) >> 32);
    std::size_t direction = 0;
    for (; skip >= count_bits(from[direction]); ++direction) skip -= count_bits(from[direction]);
    Squares left = from[direction];
    for (; skip != 0; --skip) left &= left - 1;
    return action_of(static_cast<Direction>(direction), lowest_index(left));
  }
};

// A position, or the middle of a jump, turned so that the side to move goes down.
struct Stage {
  Squares own = BLACK_START, other = WHITE_START, kings = 0;
  Squares jumping = 0;  // the piece that must jump on, already on the square it has reached
  Squares jumped = 0;   // what it took so far: still on the board, and in the way

  static Stage of(const Position& position) {
    const Position seen = position.side() == Side::FIRST ? position : position.flip();
    return {seen.black(), seen.white(), seen.kings()};
  }
  Position position(Side side) const {  // no piece is jumping
    const Position seen(own, other, kings, Side::FIRST);
    return side == Side::FIRST ? seen : seen.flip();
  }
  Stage turned() const {
    return {reverse_bits(other), reverse_bits(own), reverse_bits(kings), reverse_bits(jumping), reverse_bits(jumped)};
  }
  bool operator==(const Stage&) const = default;

  Actions legal_actions() const;
  bool play(int action);  // a legal one; true if the turn is over: the board is then turned for the other side
};

namespace detail {

inline Actions jumps(Squares movers, Squares kings, Squares enemies, Squares empty) {
  using enum Direction;
  const Squares royal = movers & kings;
  return {{jumpers<DOWN_LEFT>(movers, enemies, empty), jumpers<DOWN_RIGHT>(movers, enemies, empty),
           jumpers<UP_LEFT>(royal, enemies, empty), jumpers<UP_RIGHT>(royal, enemies, empty)}};
}

}  // namespace detail

// None if the game is over.
inline Actions Stage::legal_actions() const {
  using enum Direction;
  const Squares empty = ~(own | other);
  if (jumping != 0) return detail::jumps(jumping, kings, other & ~jumped, empty);
  if (other == 0) return {};
  const Actions captures = detail::jumps(own, kings, other, empty);
  if (!captures.is_empty()) return captures;
  const Squares royal = own & kings;
  return {{steppers<DOWN_LEFT>(own, empty), steppers<DOWN_RIGHT>(own, empty), steppers<UP_LEFT>(royal, empty),
           steppers<UP_RIGHT>(royal, empty)}};
}

inline bool Stage::play(int action) {
  const Squares from = square_bit(square_of(action));
  const Direction direction = direction_of(action);
  const bool is_king = (kings & from) != 0;
  Squares to = step(from, direction);
  const Squares over = to & other;
  if (over != 0) to = step(over, direction);
  own = (own ^ from) | to;
  if (is_king) kings = (kings ^ from) | to;
  jumping = 0;
  const bool is_crowned = !is_king && (to & crowning_row(Side::FIRST)) != 0;
  if (over != 0) {
    jumped |= over;
    if (!is_crowned && !detail::jumps(to, kings, other & ~jumped, ~(own | other)).is_empty()) {
      jumping = to;
      return false;
    }
  }
  if (is_crowned) kings |= to;
  const Stage next{reverse_bits(other & ~jumped), reverse_bits(own), reverse_bits(kings & ~jumped)};
  *this = next;
  return true;
}

// --- planes: 8 x 8 cells as in Position's rows, or the 128 actions, as bytes of 0 and 1 ---

constexpr int PLANE_COUNT = 6, PLANE_CELLS = 64;

namespace detail {

// Four squares as the eight cells of a row, which begins with a light cell (rows 0, 2, ...) or a dark one.
inline constexpr auto ROW_BYTES = [] {
  std::array<std::array<std::uint64_t, 16>, 2> words{};
  for (std::size_t bits = 0; bits < 16; ++bits)
    for (std::size_t index = 0; index < 4; ++index) {
      words[0][bits] |= std::uint64_t{bits >> index & 1} << (16 * index + 8);
      words[1][bits] |= std::uint64_t{bits >> index & 1} << (16 * index);
    }
  return words;
}();

// Eight bits as eight bytes.
inline constexpr auto BYTES = [] {
  std::array<std::uint64_t, 256> words{};
  for (std::size_t bits = 0; bits < words.size(); ++bits)
    for (std::size_t index = 0; index < 8; ++index) words[bits] |= std::uint64_t{bits >> index & 1} << (8 * index);
  return words;
}();

}  // namespace detail

inline void write_plane(Squares squares, std::int8_t* out) {
  for (int row = 0; row < 8; ++row)
    std::memcpy(out + 8 * row, &detail::ROW_BYTES[static_cast<std::size_t>(row % 2)][squares >> 4 * row & 15], 8);
}

// Own men, own kings, the other side's men and kings, the piece that must jump on, what it took so far.
inline void write_planes(const Stage& stage, std::int8_t* out) {
  const std::array planes{stage.own & ~stage.kings,  stage.own & stage.kings, stage.other & ~stage.kings,
                          stage.other & stage.kings, stage.jumping,           stage.jumped};
  for (const Squares squares : planes) {
    write_plane(squares, out);
    out += PLANE_CELLS;
  }
}

inline void write_mask(const Actions& actions, std::uint8_t* out) {
  for (const Squares squares : actions.from)
    for (int part = 0; part < 4; ++part, out += 8) std::memcpy(out, &detail::BYTES[squares >> 8 * part & 255], 8);
}

}  // namespace outplay::checkers
