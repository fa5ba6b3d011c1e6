#include "tablebase/arrangements.hpp"

namespace outplay::tablebase {
namespace {

constexpr int SQUARES_IN_A_ROW = 4, LAST_ROW = 7, MOST_ROWS = 6;  // a man goes from row 0 to row 6 at most

int rows_gone(const Men& men) {
  int rows = 0;
  for (Squares left = men[0]; left != 0; left &= left - 1) rows += lowest_index(left) / SQUARES_IN_A_ROW;
  for (Squares left = men[1]; left != 0; left &= left - 1) rows += LAST_ROW - lowest_index(left) / SQUARES_IN_A_ROW;
  return rows;
}

}  // namespace

std::vector<std::vector<std::uint32_t>> layers_of(const Index& index) {
  const int most = MOST_ROWS * index.material().all_men();
  std::vector<std::vector<std::uint32_t>> layers(static_cast<std::size_t>(most) + 1);
  for (std::uint64_t arrangement = 0; arrangement < index.arrangements(); ++arrangement) {
    const auto layer = static_cast<std::size_t>(most - rows_gone(index.men_of(arrangement)));
    layers[layer].push_back(static_cast<std::uint32_t>(arrangement));
  }
  return layers;
}

}  // namespace outplay::tablebase
