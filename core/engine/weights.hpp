// The learned numbers of the evaluation, and their file.
//
//   bytes 0-7    "OUTPLAYW"
//   bytes 8-11   version of the features, 12-15 their number, both little-endian
//   bytes 16-23  checksum of what follows (FNV-1a, 64 bits)
//   then         for each feature two 16-bit numbers: its weight on the full board and on the empty one
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace outplay::engine {

// A feature counts for `full` with 24 pieces on the board, for `empty` with none, and in between in proportion.
struct Weight {
  std::int16_t full = 0, empty = 0;
  bool operator==(const Weight&) const = default;
};

constexpr int WEIGHT_UNIT = 16;  // a weight of 16 is a hundredth of a man

class Weights {
 public:
  static Weights plain();  // before anything is learned: a man 100, a king 140, a row of advance 2

  static std::optional<Weights> read(std::string_view bytes, std::string& problem);
  std::string write() const;

  const Weight* data() const { return values_.data(); }
  std::vector<Weight>& values() { return values_; }
  const std::vector<Weight>& values() const { return values_; }
  bool operator==(const Weights&) const = default;

 private:
  Weights();
  std::vector<Weight> values_;  // one for each feature of Layout
};

}  // namespace outplay::engine
