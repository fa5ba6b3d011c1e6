// The layers of a network, for the files that compile them: Path is a type of their own, with their way through the
// second layer. The others are written so that the compiler finds vector instructions.
#pragma once

#include <algorithm>
#include <cstring>

#include "engine/network.hpp"

namespace outplay::engine {

using Hidden = std::array<std::int16_t, Network::HIDDEN>;
using Inner = std::array<std::int32_t, Network::INNER>;

template <class Path>
class Layers {
 public:
  static Score evaluate(const Network& network, const ActiveInputs& inputs) {
    alignas(64) Hidden hidden;
    alignas(64) Inner inner;
    const auto& head = network.heads[static_cast<std::size_t>(inputs.head())];
    first(network, inputs, hidden);
    Path::second(head, hidden, inner);
    const std::int64_t answer = third(head, inner);
    return clamp_evaluation(static_cast<Score>(answer * SCORE_UNIT / (Network::ONE * Network::WEIGHT_ONE)));
  }

 private:
  typedef std::int16_t Lanes __attribute__((vector_size(64), may_alias));
  static constexpr std::size_t LANES = sizeof(Lanes) / sizeof(std::int16_t), BLOCK = 4;

  // A block of sums stays in registers while all inputs are added.
  static void first(const Network& network, const ActiveInputs& inputs, Hidden& hidden) {
    static_assert(Network::HIDDEN % (BLOCK * LANES) == 0);
    for (std::size_t begin = 0; begin < hidden.size(); begin += BLOCK * LANES) {
      const auto lanes_of = [begin](const Hidden& row) { return reinterpret_cast<const Lanes*>(row.data() + begin); };
      Lanes sums[BLOCK];
      for (std::size_t lane = 0; lane < BLOCK; ++lane) sums[lane] = lanes_of(network.first_bias)[lane];
      for (int index = 0; index < inputs.size(); ++index) {
        const Lanes* const row = lanes_of(network.first[static_cast<std::size_t>(inputs[index])]);
        for (std::size_t lane = 0; lane < BLOCK; ++lane) sums[lane] += row[lane];
      }
      const Lanes none{}, one = none + static_cast<std::int16_t>(Network::ONE);
      for (std::size_t lane = 0; lane < BLOCK; ++lane) {
        Lanes sum = sums[lane];
        sum = sum > none ? sum : none;
        sum = sum < one ? sum : one;
        std::memcpy(hidden.data() + begin + lane * LANES, &sum, sizeof sum);
      }
    }
  }

  static std::int32_t third(const Network::Head& head, const Inner& inner) {
    std::int32_t sum = head.outer_bias;
    for (std::size_t unit = 0; unit < inner.size(); ++unit)
      sum += std::clamp(inner[unit] / Network::WEIGHT_ONE, 0, Network::ONE) * head.outer[unit];
    return sum;
  }
};

}  // namespace outplay::engine
