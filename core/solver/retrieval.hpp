// A function from a set of keys to small numbers, in hardly more bits than the numbers have: the keys are not kept.
// Every key of the set gets its number back; any other key gets some number.
//
// This is bumped ribbon retrieval (Dillinger, Hübschle-Schneider, Sanders, Walzer: "Fast Succinct Retrieval and
// Approximate Membership using Ribbon", 2022). A key is hashed to a column where its ribbon starts and to 64 bits:
//
//     columns       0  1  2  3  4  5  6  7  8  9 ...
//     a key         .  .  1  0  1  1  ...  0  .  .     its ribbon: 64 columns, the first bit is 1
//     bit plane 0   0  1  1  0  0  1  0  1  1  0 ...   one plane for each bit of the numbers
//     bit plane 1   1  0  0  1  1  1  0  0  1  1 ...
//
// A bit of its number is the parity of ribbon & plane. So each key is a linear equation for the planes, and equations
// in the order of their columns are solved in one pass. There are fewer columns than keys: the 255 columns of a bucket
// have a threshold, and keys that start to the left of it are left to the next layer, which is a tenth as large or
// less.
//
// The bytes, in words of 64 bits with the lowest byte first: the number of keys | the bits of a number | layers |
// columns of each layer, a multiple of 64 | then each layer: for every 64 columns one word of each plane, the lowest
// bit the first column; and one byte for every bucket, its threshold, filled up with zeros to a word.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace outplay::solver {

class Retrieval {
 public:
  static constexpr int MOST_BITS = 8;

  // The bytes for these keys, all different, and their numbers of that many bits.
  static std::string build(std::span<const std::uint64_t> keys, std::span<const std::uint8_t> numbers, int bits);

  // Reads bytes where they lie, without copying; nothing if they do not have the form that `build` gives them.
  static std::optional<Retrieval> over(std::span<const std::uint8_t> bytes);

  int find(std::uint64_t key) const;  // one of the set
  std::uint64_t count() const { return count_; }

 private:
  struct Layer {
    std::uint64_t columns;
    const std::uint8_t *planes, *thresholds;
  };

  std::uint64_t count_ = 0, bits_ = 0;
  std::vector<Layer> layers_;
};

}  // namespace outplay::solver
