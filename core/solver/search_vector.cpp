// Compiled with the instructions of AVX2 even where the rest is not: nothing here runs before the processor is asked.
#include "solver/search.hpp"

namespace outplay::solver {

#ifdef __AVX2__
static bool can_run() { return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2"); }
#endif

std::unique_ptr<Prober<std::uint64_t>> vector_prober([[maybe_unused]] connect4::Size size,
                                                     [[maybe_unused]] Shared<std::uint64_t>& shared) {
#ifdef __AVX2__
  if (!can_run()) return nullptr;
  if (size == connect4::Size{Standard::WIDTH, Standard::HEIGHT})
    return std::make_unique<Search<Standard, true>>(size, shared);
  if (size.width <= 8) return std::make_unique<Search<Anysize<std::uint64_t, 8>, true>>(size, shared);
  return std::make_unique<Search<Anysize<std::uint64_t>, true>>(size, shared);
#else
  return nullptr;
#endif
}

std::unique_ptr<Prober<Word128>> vector_prober([[maybe_unused]] connect4::Size size,
                                               [[maybe_unused]] Shared<Word128>& shared) {
#ifdef __AVX2__
  if (!can_run()) return nullptr;
  if (size.width <= 8) return std::make_unique<Search<Anysize<Word128, 8>, true>>(size, shared);
  return std::make_unique<Search<Anysize<Word128>, true>>(size, shared);
#else
  return nullptr;
#endif
}

}  // namespace outplay::solver
