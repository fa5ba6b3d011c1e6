// Compiled with the instructions of AVX2 even where the rest is not: nothing here runs before the processor is asked.
#include "engine/network_layers.hpp"

#ifdef __AVX2__
#include <immintrin.h>

namespace outplay::engine {
namespace {

struct Vector {
  static void second(const Network::Head& head, const Hidden& hidden, Inner& inner) {
    constexpr int LANES = Network::INNER / 8;
    __m256i sums[LANES];
    for (int lane = 0; lane < LANES; ++lane)
      sums[lane] = _mm256_load_si256(reinterpret_cast<const __m256i*>(head.inner_bias.data()) + lane);
    for (std::size_t pair = 0; pair < head.inner.size(); ++pair) {
      std::int32_t both;
      std::memcpy(&both, hidden.data() + 2 * pair, sizeof both);
      const __m256i values = _mm256_set1_epi32(both);
      const auto* const weights = reinterpret_cast<const __m256i*>(head.inner[pair].data());
      for (int lane = 0; lane < LANES; ++lane)
        sums[lane] = _mm256_add_epi32(sums[lane], _mm256_madd_epi16(values, _mm256_load_si256(weights + lane)));
    }
    for (int lane = 0; lane < LANES; ++lane)
      _mm256_store_si256(reinterpret_cast<__m256i*>(inner.data()) + lane, sums[lane]);
  }
};

}  // namespace

bool has_vector_path() { return __builtin_cpu_supports("avx2"); }

Score evaluate_with_vectors(const Network& network, const ActiveInputs& inputs) {
  return Layers<Vector>::evaluate(network, inputs);
}

}  // namespace outplay::engine

#else

namespace outplay::engine {

bool has_vector_path() { return false; }

Score evaluate_with_vectors(const Network& network, const ActiveInputs& inputs) {
  return network.evaluate_plainly(inputs);
}

}  // namespace outplay::engine

#endif
