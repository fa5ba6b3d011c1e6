// The rules of Connect Four on any board that fits a word.
//
// One bit per cell, columns side by side, each with one empty bit on top that keeps lines from wrapping round:
//
//     .  .  .  .  .  .  .        <- the empty bit of each column (7 x 6: bits 6, 13, ... 48)
//     5 12 19 26 33 40 47
//     4 11 18 25 32 39 46
//     3 10 17 24 31 38 45
//     2  9 16 23 30 37 44
//     1  8 15 22 29 36 43
//     0  7 14 21 28 35 42        <- the lowest row
//
// So bit = column * (height + 1) + row, with columns from the left and rows from the bottom, both from 0.
#pragma once

#include <array>
#include <cassert>
#include <cstdint>
#include <optional>
#include <utility>
#include <variant>
#include <vector>

#include "base/bits.hpp"
#include "base/outcome.hpp"
#include "base/stop.hpp"

namespace outplay::connect4 {

struct Size {
  int width;
  int height;

  static constexpr int SMALLEST = 4;
  constexpr int bits() const { return width * (height + 1); }
  constexpr int cells() const { return width * height; }
  constexpr bool is_possible() const {
    return width >= SMALLEST && height >= SMALLEST && width <= 128 && height <= 128 && bits() <= 128;
  }
  bool operator==(const Size&) const = default;
};

// The constants of one board size.
template <class Word>
struct Geometry {
  Size size;
  int stride;   // from a cell to its neighbour on the right
  Word bottom;  // the lowest cell of every column
  Word board;   // every cell

  explicit constexpr Geometry(Size board_size) : size(board_size), stride(board_size.height + 1), bottom(0), board(0) {
    for (int column = 0; column < size.width; ++column) bottom |= Word{1} << (column * stride);
    for (int row = 0; row < size.height; ++row) board |= bottom << row;
  }
  constexpr Word column(int index) const { return ((Word{1} << size.height) - 1) << (index * stride); }
  constexpr Word bit(int column, int row) const { return Word{1} << (column * stride + row); }
};

// Geometries are made once and shared, so that a position is two words and a pointer.
template <class Word>
const Geometry<Word>& geometry(Size size);

// One four: its lowest-numbered cell and the distance between its cells.
struct Four {
  int start;
  int step;
};

template <class Word>
class BasicPosition {
 public:
  explicit BasicPosition(const Geometry<Word>& board) : board_(&board), own_(0), mask_(0) {}
  BasicPosition(const Geometry<Word>& board, Word own, Word mask) : board_(&board), own_(own), mask_(mask) {}

  const Geometry<Word>& board() const { return *board_; }
  int plies() const { return count_bits(mask_); }
  Side side() const { return plies() % 2 == 0 ? Side::FIRST : Side::SECOND; }
  Word own() const { return own_; }            // discs of the side to move
  Word other() const { return own_ ^ mask_; }  // discs of the side that moved last
  Word mask() const { return mask_; }
  Word discs(Side side) const { return side == this->side() ? own() : other(); }

  // Different for different positions of one size: each column reads as its own discs above a marker.
  Word key() const { return own_ + mask_; }

  bool is_won() const { return has_four(other()); }  // only the side that moved last can have four
  bool is_full() const { return mask_ == board_->board; }
  bool is_open(int column) const {
    return column >= 0 && column < board_->size.width && (mask_ & board_->bit(column, board_->size.height - 1)) == 0;
  }

  // The column must be open and the game not over; the binding checks.
  BasicPosition play(int column) const {
    assert(is_open(column) && !is_won());
    const Word cell = (mask_ + board_->bit(column, 0)) & board_->column(column);
    return {*board_, other(), mask_ | cell};
  }

  std::optional<Outcome> outcome() const {
    if (is_won()) return Outcome{outplay::other(side()), Reason::FOUR_IN_A_ROW};
    if (is_full()) return Outcome{std::nullopt, Reason::BOARD_FULL};
    return std::nullopt;
  }

  BasicPosition mirror() const {
    BasicPosition result(*board_);
    const int last = board_->size.width - 1;
    for (int column = 0; column <= last; ++column) {
      const int from = column * board_->stride, to = (last - column) * board_->stride;
      result.own_ |= ((own_ & board_->column(column)) >> from) << to;
      result.mask_ |= ((mask_ & board_->column(column)) >> from) << to;
    }
    return result;
  }

  bool has_four(Word discs) const {
    for (const int step : steps())
      if (starts(discs, step) != 0) return true;
    return false;
  }
  std::vector<Four> fours(Word discs) const {
    std::vector<Four> result;
    for (const int step : steps())
      for (Word left = starts(discs, step); left != 0; left &= left - 1) result.push_back({lowest_index(left), step});
    return result;
  }

  bool operator==(const BasicPosition&) const = default;

 private:
  // up, up-right, right, down-right
  std::array<int, 4> steps() const { return {1, board_->stride + 1, board_->stride, board_->stride - 1}; }
  static Word starts(Word discs, int step) {
    const Word pairs = discs & (discs >> step);
    return pairs & (pairs >> (2 * step));
  }

  const Geometry<Word>* board_;
  Word own_, mask_;
};

using Position64 = BasicPosition<std::uint64_t>;
using Position128 = BasicPosition<Word128>;

// Any size: 64-bit words where they fit, 128-bit words beyond.
using Position = std::variant<Position64, Position128>;

// The empty board; the size must be possible.
Position start(Size size);

inline Size size_of(const Position& position) {
  return std::visit([](const auto& p) { return p.board().size; }, position);
}

// The number of move sequences of this length; nothing if stopped.
std::optional<std::uint64_t> perft(const Position& position, int depth, const Stop& stop);

// The number of different positions that many plies on; nothing if stopped or if there are more than `most`.
std::optional<std::uint64_t> count_positions(const Position& position, int plies, std::uint64_t most, const Stop& stop);

}  // namespace outplay::connect4
