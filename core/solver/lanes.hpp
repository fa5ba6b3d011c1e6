// Words side by side, one per column: the same expressions serve one word and eight at once.
#pragma once

#include <cstdint>

#include "base/bits.hpp"

#if defined(__AVX512F__)
#include <immintrin.h>
#endif

namespace outplay::solver {

using Words8 = std::uint64_t __attribute__((vector_size(64)));

// All ones where the word is empty, nothing elsewhere.
template <class Word>
constexpr Word if_empty(Word word) {
  return word == 0 ? ~Word{0} : Word{0};
}
inline Words8 if_empty(Words8 words) { return reinterpret_cast<Words8>(words == 0); }

template <class Word>
constexpr bool any(Word word) {
  return word != 0;
}
inline bool any(Words8 words) {
#if defined(__AVX512F__)
  const auto all = reinterpret_cast<__m512i>(words);
  return _mm512_test_epi64_mask(all, all) != 0;
#else
  std::uint64_t sum = 0;
  for (int lane = 0; lane < 8; ++lane) sum |= words[lane];
  return sum != 0;
#endif
}

template <class Word>
constexpr Word lowest(Word word) {
  return word & (~word + 1);
}

template <class Word>
constexpr Word counts(Word word) {
  return static_cast<Word>(count_bits(word));
}
inline Words8 counts(Words8 words) {
#if defined(__AVX512VPOPCNTDQ__)
  return reinterpret_cast<Words8>(_mm512_popcnt_epi64(reinterpret_cast<__m512i>(words)));
#else
  const auto all = ~Words8{};
  words -= words >> 1 & all / 3;
  words = (words & all / 15 * 3) + (words >> 2 & all / 15 * 3);
  words = (words + (words >> 4)) & all / 255 * 15;
  words += words >> 8;
  words += words >> 16;
  words += words >> 32;
  return words & 127;
#endif
}

}  // namespace outplay::solver
