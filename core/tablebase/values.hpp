// Values of positions, two bits each, in order of their numbers.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>

#include "base/memory.hpp"
#include "tablebase/material.hpp"

namespace outplay::tablebase {

class ValueArray {
 public:
  ValueArray() = default;
  explicit ValueArray(std::uint64_t size) : words_((size + PER_WORD - 1) / PER_WORD), size_(size) {}

  std::uint64_t size() const { return size_; }
  std::uint64_t bytes() const { return words_.size() * sizeof(std::uint64_t); }

  Value operator[](std::uint64_t at) const {
    // Relaxed: while a table is built, another thread may be filling its own part of the same word.
    const std::uint64_t word = __atomic_load_n(&words_[at / PER_WORD], __ATOMIC_RELAXED);
    return static_cast<Value>(word >> at % PER_WORD * 2 & 3);
  }

  void prefetch(std::uint64_t at) const { __builtin_prefetch(&words_[at / PER_WORD]); }

  // Fills 0 <= i < count with value_of(i). Each place is filled once, by any thread; all are losses before.
  template <class ValueOf>
  void fill(std::uint64_t begin, std::uint64_t count, ValueOf&& value_of) {
    for (std::uint64_t at = begin; at < begin + count;) {
      const std::uint64_t end = std::min(begin + count, (at / PER_WORD + 1) * PER_WORD);
      std::uint64_t word = 0;
      const std::uint64_t place = at / PER_WORD;
      for (; at < end; ++at) word |= static_cast<std::uint64_t>(value_of(at - begin)) << at % PER_WORD * 2;
      __atomic_fetch_or(&words_[place], word, __ATOMIC_RELAXED);
    }
  }

 private:
  static constexpr std::uint64_t PER_WORD = 32;

  BigArray<std::uint64_t> words_;
  std::uint64_t size_ = 0;
};

// How the positions of a table end.
struct Counts {
  std::array<std::uint64_t, 3> by_value{};  // indexed by Value

  std::uint64_t operator[](Value value) const { return by_value[static_cast<std::size_t>(value)]; }
  void add(Value value, std::uint64_t count = 1) { by_value[static_cast<std::size_t>(value)] += count; }
  void add(const Counts& counts) {
    for (std::size_t index = 0; index < by_value.size(); ++index) by_value[index] += counts.by_value[index];
  }
  std::uint64_t positions() const { return by_value[0] + by_value[1] + by_value[2]; }
  bool operator==(const Counts&) const = default;
};

}  // namespace outplay::tablebase
