#include "solver/search.hpp"

namespace outplay::solver {

std::unique_ptr<Prober<std::uint64_t>> plain_prober(connect4::Size size, Shared<std::uint64_t>& shared) {
  if (size == connect4::Size{Standard::WIDTH, Standard::HEIGHT})
    return std::make_unique<Search<Standard, false>>(size, shared);
  return std::make_unique<Search<Anysize<std::uint64_t>, false>>(size, shared);
}

std::unique_ptr<Prober<Word128>> plain_prober(connect4::Size size, Shared<Word128>& shared) {
  return std::make_unique<Search<Anysize<Word128>, false>>(size, shared);
}

}  // namespace outplay::solver
