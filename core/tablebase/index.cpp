#include "tablebase/index.hpp"

namespace outplay::tablebase {
namespace {

constexpr int HOME_SQUARES = 4, REST_SQUARES = 24, OTHER_SQUARES = 28;

}  // namespace

Squares set_of(std::uint64_t rank, int size, Squares free) {
  Squares set = 0;
  int square = count_bits(free);
  for (int k = size; k > 0; --k) {
    do --square;
    while (choose(square, k) > rank);
    rank -= choose(square, k);
    Squares left = free;
    for (int skipped = 0; skipped < square; ++skipped) left &= left - 1;
    set |= lowest_bit(left);
  }
  return set;
}

Index::Index(const Material& material) : material_(material) {
  for (int at_home = 0; at_home <= std::min<int>(HOME_SQUARES, material.men); ++at_home) {
    const int rest = material.men - at_home;
    Part& part = parts_[static_cast<std::size_t>(at_home)];
    part = {arrangements_, choose(REST_SQUARES, rest), choose(OTHER_SQUARES - rest, material.other_men)};
    arrangements_ += choose(HOME_SQUARES, at_home) * part.rests * part.others;
  }
  const int free = checkers::SQUARE_COUNT - material.all_men();
  others_ = static_cast<std::uint32_t>(choose(free - material.kings, material.other_kings));
  kings_ = static_cast<std::uint32_t>(choose(free, material.kings)) * others_;
}

Men Index::men_of(std::uint64_t arrangement) const {
  std::size_t at_home = 0;
  while (at_home + 1 < parts_.size() && parts_[at_home + 1].others != 0 && arrangement >= parts_[at_home + 1].begin)
    ++at_home;
  const Part& part = parts_[at_home];
  const std::uint64_t first = (arrangement - part.begin) / part.others;
  const Squares home = set_of(first / part.rests, static_cast<int>(at_home), HOME);
  const Squares rest = set_of(first % part.rests, material_.men - static_cast<int>(at_home), 0x0FFFFFF0);
  const Squares others = set_of((arrangement - part.begin) % part.others, material_.other_men, ~(HOME | rest));
  return {home | rest, others};
}

}  // namespace outplay::tablebase
