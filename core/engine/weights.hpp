// The learned numbers of the evaluation, and their file.
//
//   bytes 0-7    "OUTPLAYW"
//   bytes 8-11   version: 1 for patterns, 2 for a network; 12-15 number of features or of hidden values; little-endian
//   bytes 16-23  checksum of what follows (FNV-1a, 64 bits)
//   version 1    for each feature two 16-bit numbers: its weight on the full board and on the empty one
//   version 2    the network's weights, layer by layer as in network.hpp: 16-bit numbers, biases of the heads 32-bit
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/network.hpp"

namespace outplay::engine {

// A feature counts for `full` with 24 pieces on the board, for `empty` with none, and in between in proportion.
struct Weight {
  std::int16_t full = 0, empty = 0;
  bool operator==(const Weight&) const = default;
};

constexpr int WEIGHT_UNIT = 16;  // a weight of 16 is a hundredth of a man

// Those of the patterns, or a network.
class Weights {
 public:
  explicit Weights(std::shared_ptr<const Network> network) : network_(std::move(network)) {}
  static Weights plain();  // before anything is learned: a man 100, a king 140, a row of advance 2

  static std::optional<Weights> read(std::string_view bytes, std::string& problem);
  std::string write() const;

  const Weight* data() const { return values_.data(); }
  std::vector<Weight>& values() { return values_; }
  const std::vector<Weight>& values() const { return values_; }
  const Network* network() const { return network_.get(); }  // or nothing: then there are patterns
  bool operator==(const Weights& other) const {
    return values_ == other.values_ && (network_ == nullptr) == (other.network_ == nullptr) &&
           (network_ == nullptr || *network_ == *other.network_);
  }

 private:
  Weights();
  std::vector<Weight> values_;  // one for each feature of Layout
  std::shared_ptr<const Network> network_;
};

}  // namespace outplay::engine
