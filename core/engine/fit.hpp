// Learning the weights: logistic regression over the features, one sample at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "base/stop.hpp"
#include "engine/selfplay.hpp"
#include "engine/weights.hpp"

namespace outplay::engine {

constexpr std::size_t LEAST_SAMPLES = 2000;

struct FitOptions {
  int epochs = 12;
  double rate = 0.1;          // of learning in the first epoch; in the n-th it is an n-th of that
  double prior = 0.3;         // how far from nothing a weight is expected to be, in units of the logistic curve
  double result_share = 0.3;  // of the result in what is to be predicted; the rest is the score of the search
  double scale = 100;         // hundredths of a man to one unit of the logistic curve
  int held_out = 20;          // one sample group in this number is held out for checking
  std::uint64_t seed = 1;
};

struct FitEpoch {
  int number;
  double loss, held_out_loss;  // mean cross entropy
};

using FitReport = std::function<void(const FitEpoch&)>;

// The weights of the epoch that predicts the held-out samples best; nothing if stopped before the first ended.
std::optional<Weights> fit(const std::vector<Sample>& samples, const FitOptions& options, const Stop& stop,
                           const FitReport& report);

}  // namespace outplay::engine
