// Distances, packed: the plies to the end from lost positions without a capture, in order of their numbers.
//
// The others follow by one ply of search: a won position is one ply further than the soonest of the lost ones it leads
// to, and a capture leads to a smaller table. A loss takes an even number of plies, so half of it is stored: seven bits
// from the highest on, each range coded by the odds of the bits before it and of the half before this one.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "tablebase/range_coder.hpp"
#include "tablebase/unpacked.hpp"

namespace outplay::tablebase {

class DistanceModel {
 public:
  void write(int distance, RangeEncoder& encoder) {
    const unsigned half = static_cast<unsigned>(distance) / 2;
    for (unsigned node = 1, bit = BITS; bit-- > 0;) {
      const unsigned digit = half >> bit & 1;
      encoder.write(digit != 0, odds_[before_][node]);
      node = node * 2 + digit;
    }
    before_ = half;
  }
  int read(RangeDecoder& decoder) {
    unsigned node = 1;
    for (unsigned bit = 0; bit < BITS; ++bit) node = node * 2 + (decoder.read(odds_[before_][node]) ? 1 : 0);
    before_ = node - (1u << BITS);
    return static_cast<int>(before_) * 2;
  }

 private:
  static constexpr unsigned BITS = 7;
  std::vector<std::array<Odds, 1 << BITS>> odds_ = std::vector<std::array<Odds, 1 << BITS>>(1 << BITS);
  unsigned before_ = 0;
};

// Of the positions with this side to move.
std::vector<std::uint8_t> pack_distances(const Unpacked& table, Side side);

}  // namespace outplay::tablebase
