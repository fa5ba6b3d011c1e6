// Compiled with the instructions of AVX2 even where the rest is not: nothing here runs before the processor is asked.
#include "solver/search.hpp"

namespace outplay::solver {

std::unique_ptr<Prober<std::uint64_t>> vector_prober([[maybe_unused]] connect4::Size size,
                                                     [[maybe_unused]] Shared<std::uint64_t>& shared) {
#ifdef __AVX2__
  if (size.width > 8 || !__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("bmi2")) return nullptr;
  if (size == connect4::Size{Standard::WIDTH, Standard::HEIGHT})
    return std::make_unique<Search<Standard, true>>(size, shared);
  return std::make_unique<Search<Anysize<std::uint64_t, 8>, true>>(size, shared);
#else
  return nullptr;
#endif
}

}  // namespace outplay::solver
