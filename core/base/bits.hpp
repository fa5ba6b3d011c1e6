// Small operations on words used as sets of squares, for 32, 64 and 128 bits alike.
#pragma once

#include <bit>
#include <cstdint>

namespace outplay {

__extension__ using Word128 = unsigned __int128;  // not in the standard, so -Wpedantic asks for the mark

constexpr int count_bits(std::uint32_t word) { return std::popcount(word); }
constexpr int count_bits(std::uint64_t word) { return std::popcount(word); }
constexpr int count_bits(Word128 word) {
  return std::popcount(static_cast<std::uint64_t>(word)) + std::popcount(static_cast<std::uint64_t>(word >> 64));
}

// The index of the lowest bit; the word must not be empty.
constexpr int lowest_index(std::uint32_t word) { return std::countr_zero(word); }
constexpr int lowest_index(std::uint64_t word) { return std::countr_zero(word); }
constexpr int lowest_index(Word128 word) {
  const auto low = static_cast<std::uint64_t>(word);
  return low != 0 ? std::countr_zero(low) : 64 + std::countr_zero(static_cast<std::uint64_t>(word >> 64));
}

// The first bit becomes the last.
constexpr std::uint64_t reverse_bits(std::uint64_t word) {
  word = (word >> 1 & 0x5555555555555555) | (word & 0x5555555555555555) << 1;
  word = (word >> 2 & 0x3333333333333333) | (word & 0x3333333333333333) << 2;
  word = (word >> 4 & 0x0F0F0F0F0F0F0F0F) | (word & 0x0F0F0F0F0F0F0F0F) << 4;
  return __builtin_bswap64(word);
}
constexpr std::uint32_t reverse_bits(std::uint32_t word) {
  return static_cast<std::uint32_t>(reverse_bits(std::uint64_t{word}) >> 32);
}

template <class Word>
constexpr Word lowest_bit(Word word) {
  return word & (~word + 1);
}

}  // namespace outplay
