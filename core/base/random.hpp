// Random numbers that are the same on every machine for the same seed (splitmix64, Steele, Lea and Flood 2014).
#pragma once

#include <cstdint>

namespace outplay {

class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}
  // One of many for the same seed, so that the members of a sample do not depend on each other.
  static Random stream(std::uint64_t seed, std::uint64_t number) {
    return Random(Random(seed ^ number * 0xD1342543DE82EF95).next());
  }

  std::uint64_t next() {
    std::uint64_t word = state_ += 0x9E3779B97F4A7C15;
    word = (word ^ word >> 30) * 0xBF58476D1CE4E5B9;
    word = (word ^ word >> 27) * 0x94D049BB133111EB;
    return word ^ word >> 31;
  }
  // From 0 to limit - 1; the tiny preference for some of them does not matter here.
  std::uint64_t below(std::uint64_t limit) { return next() % limit; }

 private:
  std::uint64_t state_;
};

}  // namespace outplay
