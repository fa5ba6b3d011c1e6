// What a quiet position is worth, by the learned weights.
#pragma once

#include "engine/features.hpp"
#include "engine/score.hpp"
#include "engine/weights.hpp"

namespace outplay::engine {

// Seen from side S, who is to move.
template <Side S>
Score evaluate(const Weights& weights, const Pieces& pieces) {
  if (const auto* const network = weights.network()) return network->evaluate(ActiveInputs::of<S>(pieces));
  constexpr int MOST = 2 * checkers::MOST_PIECES;
  const Weight* const table = weights.data();
  int full = 0, empty = 0;
  for_each_feature<S>(pieces, [&](int feature, int amount) {
    full += amount * table[feature].full;
    empty += amount * table[feature].empty;
  });
  const int count = count_bits(pieces.own | pieces.other);
  const Score score = (full * count + empty * (MOST - count)) / (MOST * WEIGHT_UNIT);
  return clamp_evaluation(S == Side::FIRST ? score : -score);
}

}  // namespace outplay::engine
