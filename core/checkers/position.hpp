// A position of checkers (English draughts): the pieces and the side to move.
#pragma once

#include <array>
#include <cassert>
#include <cstdint>
#include <optional>
#include <vector>

#include "base/bits.hpp"
#include "base/outcome.hpp"
#include "checkers/squares.hpp"

namespace outplay::checkers {

// One whole turn: every square the piece touches, and the set of pieces it takes. Two captures may share first and
// last square and still differ, so a move is its whole path.
class Move {
 public:
  static constexpr int LONGEST = MOST_PIECES + 1;  // each jump takes a piece

  Move(int from, int to) : path_{static_cast<std::uint8_t>(from), static_cast<std::uint8_t>(to)}, length_(2) {}
  explicit Move(int from) : path_{static_cast<std::uint8_t>(from)}, length_(1) {}  // to be jumped on

  void push_jump(int to, Squares captured) {
    path_[length_++] = static_cast<std::uint8_t>(to);
    captures_ |= captured;
  }
  void pop_jump(Squares captured) {
    path_[--length_] = 0;
    captures_ ^= captured;
  }

  int from() const { return path_[0]; }
  int to() const { return path_[length_ - 1]; }
  int length() const { return length_; }                                          // squares touched, the first included
  int square(int index) const { return path_[static_cast<std::size_t>(index)]; }  // from 0
  Squares captures() const { return captures_; }
  bool is_capture() const { return captures_ != 0; }

  bool operator==(const Move&) const = default;

 private:
  std::array<std::uint8_t, LONGEST> path_{};
  std::uint8_t length_;
  Squares captures_ = 0;
};

using MoveList = std::vector<Move>;

class Position {
 public:
  Position() : Position(BLACK_START, WHITE_START, 0, Side::FIRST) {}  // Black moves first
  Position(Squares black, Squares white, Squares kings, Side side)
      : black_(black), white_(white), kings_(kings), side_(side) {
    assert((black & white) == 0 && (kings & ~(black | white)) == 0);
  }

  Side side() const { return side_; }
  Squares black() const { return black_; }
  Squares white() const { return white_; }
  Squares kings() const { return kings_; }
  Squares own() const { return side_ == Side::FIRST ? black_ : white_; }
  Squares other() const { return side_ == Side::FIRST ? white_ : black_; }
  Squares empty() const { return ~(black_ | white_); }

  // Different for different positions.
  Word128 key() const {
    return Word128{black_} | Word128{white_} << 32 | Word128{kings_} << 64 | static_cast<Word128>(side_) << 96;
  }

  MoveList legal_moves() const;            // jumps only, if there is a jump
  bool is_legal(const Move& move) const;   // one of legal_moves(), found without making them all
  Position play(const Move& move) const;   // one of legal_moves(); the binding checks
  std::optional<Outcome> outcome() const;  // no piece or no move
  Position flip() const;                   // the board turned round, sides exchanged

  bool operator==(const Position&) const = default;

 private:
  Squares black_, white_, kings_;  // kings_ is a subset of black_ | white_
  Side side_;
};
static_assert(sizeof(Position) == 16);

}  // namespace outplay::checkers
