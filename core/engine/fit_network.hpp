// Learning a network: stochastic gradient descent in small batches (Adam: Kingma and Ba 2014).
#pragma once

#include "engine/fit.hpp"

namespace outplay::engine {

struct NetworkFitOptions {
  int epochs = 12;
  double rate = 0.001;        // of learning at the beginning; it falls to nothing along half a cosine
  double result_share = 0.5;  // of the result in what is to be predicted; the rest is the score of the search
  int batch = 1024;           // at most; fewer where there are few samples
  int held_out = 20;          // one game in this number is held out for checking
  std::uint64_t seed = 1;
};

// The network after the last epoch; nothing if stopped before. A position counts once, in the first game that has it.
std::optional<Weights> fit_network(const std::vector<Sample>& samples, const NetworkFitOptions& options,
                                   const Stop& stop, const FitReport& report);

}  // namespace outplay::engine
