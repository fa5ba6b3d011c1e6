// A number for every placement of a material, without gaps, and back.
//
// The men come first, the kings second: number = arrangement of the men * king placements + placement of the kings.
// Men never go back, so every move leads into the same arrangement (a king's), or into one that is further on: the
// arrangements can be solved one after the other, each with all its kings in a stretch of memory that fits the cache.
//
// A set of k squares among n is ranked by the combinatorial number system: sum of C(square_i, i), i from 1, squares
// ascending from 0, which is the order of the sets read as binary numbers. Squares that are taken are skipped.
#pragma once

#ifdef __BMI2__
#include <immintrin.h>
#endif

#include <algorithm>
#include <array>
#include <cstdint>

#include "base/bits.hpp"
#include "tablebase/material.hpp"

namespace outplay::tablebase {

// C(n, k) for n to 32 and k to 8.
constexpr auto CHOOSE = [] {
  std::array<std::array<std::uint32_t, checkers::SQUARE_COUNT + 1>, MOST_PIECES + 1> choose{};
  for (std::size_t n = 0; n <= checkers::SQUARE_COUNT; ++n) {
    choose[0][n] = 1;
    for (std::size_t k = 1; k <= MOST_PIECES && n > 0; ++k) choose[k][n] = choose[k][n - 1] + choose[k - 1][n - 1];
  }
  return choose;
}();

constexpr std::uint64_t choose(int n, int k) {
  return CHOOSE[static_cast<std::size_t>(k)][static_cast<std::size_t>(n)];
}

// The rank of a set among the sets of its size, over the squares that are not taken.
inline std::uint32_t rank_of(Squares set, Squares taken) {
  std::uint32_t rank = 0;
#ifdef __BMI2__  // all squares that are taken drop out in one instruction
  set = _pext_u32(set, ~taken);
  for (std::size_t k = 1; set != 0; ++k, set &= set - 1) rank += CHOOSE[k][static_cast<std::size_t>(lowest_index(set))];
#else
  for (std::size_t k = 1; set != 0; ++k, set &= set - 1) {
    const Squares below = lowest_bit(set) - 1;
    rank += CHOOSE[k][static_cast<std::size_t>(count_bits(below & ~taken))];
  }
#endif
  return rank;
}

// The set of `size` squares of `free` with this rank.
Squares set_of(std::uint64_t rank, int size, Squares free);

inline Squares lowest_of(Squares free, int size) {
  Squares set = 0;
  for (; size > 0; --size, free &= free - 1) set |= lowest_bit(free);
  return set;
}

// The set that follows among those of its size, all subsets of `free`; anything after the last.
inline Squares next_of(Squares set, Squares free) {
  if (set == 0) return 0;
  const Squares carried = ((set | ~free) + lowest_bit(set)) & free;
  return carried | lowest_of(free, count_bits(set) - count_bits(carried));
}

// Where the men of both sides stand.
using Men = std::array<Squares, 2>;

class Index {
 public:
  explicit Index(const Material& material);

  const Material& material() const { return material_; }
  std::uint64_t size() const { return arrangements_ * kings_; }
  std::uint64_t arrangements() const { return arrangements_; }
  std::uint32_t king_placements() const { return kings_; }

  std::uint64_t operator()(const Placement& placement) const {
    return arrangement(placement.men) * kings_ + kings(placement.all_men(), placement.kings);
  }

  // Men of FIRST stand on rows 0 to 6, those of SECOND on rows 1 to 7. How many squares are left for the latter
  // depends on how many of the former stand on row 0, so that number comes first.
  std::uint64_t arrangement(const Men& men) const {
    const Squares home = men[0] & HOME, rest = men[0] & ~HOME;
    const auto at_home = static_cast<std::size_t>(count_bits(home));
    const Part& part = parts_[at_home];
    const std::uint64_t first = rank_of(home, 0) * part.rests + rank_of(rest, HOME);
    return part.begin + first * part.others + rank_of(men[1], HOME | rest);
  }
  Men men_of(std::uint64_t arrangement) const;

  std::uint32_t kings(Squares men, const std::array<Squares, 2>& kings) const {
    return rank_of(kings[0], men) * others_ + rank_of(kings[1], men | kings[0]);
  }

  // Calls visit(number, kings) for the king placements begin <= number < end of an arrangement, in order.
  template <class Visit>
  void for_each_kings(Squares men, std::uint32_t begin, std::uint32_t end, Visit&& visit) const {
    if (begin >= end) return;
    std::uint32_t rank = begin / others_, other_rank = begin % others_, number = begin;
    for (Squares own = set_of(rank, material_.kings, ~men);; own = next_of(own, ~men), other_rank = 0) {
      const Squares free = ~(men | own);
      Squares other = set_of(other_rank, material_.other_kings, free);
      for (; other_rank < others_; ++other_rank, other = next_of(other, free)) {
        visit(number, std::array<Squares, 2>{own, other});
        if (++number == end) return;
      }
    }
  }

 private:
  static constexpr Squares HOME = 0x0000000F;  // row 0

  struct Part {  // arrangements with the same number of men of FIRST on row 0
    std::uint64_t begin = 0, rests = 0, others = 0;
  };

  Material material_;
  std::array<Part, 5> parts_{};
  std::uint64_t arrangements_ = 0;
  std::uint32_t kings_, others_;  // placements of all kings, and of SECOND's alone
};

// Calls visit(number, placement) for begin <= number < end, in order.
template <class Visit>
void for_each_placement(const Index& index, std::uint64_t begin, std::uint64_t end, Visit&& visit) {
  const std::uint64_t size = index.king_placements();
  for (std::uint64_t arrangement = begin / size; arrangement * size < end; ++arrangement) {
    const std::uint64_t first = arrangement * size;
    const Men men = index.men_of(arrangement);
    const auto from = static_cast<std::uint32_t>(std::max(begin, first) - first);
    const auto to = static_cast<std::uint32_t>(std::min(end - first, size));
    index.for_each_kings(men[0] | men[1], from, to, [&](std::uint32_t kings, const std::array<Squares, 2>& squares) {
      visit(first + kings, Placement{men, squares});
    });
  }
}

}  // namespace outplay::tablebase
