// Words side by side, one for each move: the same expressions serve one word and eight at once.
#pragma once

#include <cstdint>

#include "base/bits.hpp"

#ifdef __AVX2__
#include <immintrin.h>
#endif

namespace outplay::solver {

// --- one word ---

// All ones where the word is empty, nothing elsewhere.
template <class Word>
constexpr Word if_empty(Word word) {
  return word == 0 ? ~Word{0} : Word{0};
}

template <class Word>
constexpr bool any(Word word) {
  return word != 0;
}

template <class Word>
constexpr Word counts(Word word) {
  return static_cast<Word>(count_bits(word));
}

// A small number times a weight.
template <class Word>
constexpr Word weighed(Word number, int weight) {
  return number * static_cast<Word>(weight);
}

template <class Words>
constexpr Words lowest(Words words) {
  return words & (~words + 1);
}

// --- eight words ---

#ifdef __AVX512F__

using Words8 = std::uint64_t __attribute__((vector_size(64)));

inline Words8 if_empty(Words8 words) { return reinterpret_cast<Words8>(words == 0); }
inline bool any(Words8 words) {
  const auto all = reinterpret_cast<__m512i>(words);
  return _mm512_test_epi64_mask(all, all) != 0;
}
inline Words8 weighed(Words8 numbers, int weight) { return numbers * static_cast<std::uint64_t>(weight); }
inline Words8 counts(Words8 words) {
#ifdef __AVX512VPOPCNTDQ__
  return reinterpret_cast<Words8>(_mm512_popcnt_epi64(reinterpret_cast<__m512i>(words)));
#else
  constexpr std::uint64_t ALL = ~std::uint64_t{0};
  words -= words >> 1 & ALL / 3;
  words = (words & ALL / 5) + (words >> 2 & ALL / 5);
  words = (words + (words >> 4)) & ALL / 17;
  words += words >> 8;
  words += words >> 16;
  words += words >> 32;
  return words & 127;
#endif
}

#elif defined(__AVX2__)

using Words4 = std::uint64_t __attribute__((vector_size(32)));

// Two registers: left to itself, the compiler would take eight words apart.
struct Words8 {
  Words4 low, high;

  friend Words8 operator~(Words8 a) { return {~a.low, ~a.high}; }
  friend Words8 operator&(Words8 a, Words8 b) { return {a.low & b.low, a.high & b.high}; }
  friend Words8 operator|(Words8 a, Words8 b) { return {a.low | b.low, a.high | b.high}; }
  friend Words8 operator^(Words8 a, Words8 b) { return {a.low ^ b.low, a.high ^ b.high}; }
  friend Words8 operator+(Words8 a, Words8 b) { return {a.low + b.low, a.high + b.high}; }
  friend Words8 operator-(Words8 a, Words8 b) { return {a.low - b.low, a.high - b.high}; }
  friend Words8 operator&(Words8 a, std::uint64_t b) { return {a.low & b, a.high & b}; }
  friend Words8 operator|(Words8 a, std::uint64_t b) { return {a.low | b, a.high | b}; }
  friend Words8 operator+(Words8 a, std::uint64_t b) { return {a.low + b, a.high + b}; }
  friend Words8 operator-(Words8 a, std::uint64_t b) { return {a.low - b, a.high - b}; }
  friend Words8 operator<<(Words8 a, int b) { return {a.low << b, a.high << b}; }
  friend Words8 operator>>(Words8 a, int b) { return {a.low >> b, a.high >> b}; }
  Words8& operator&=(Words8 b) { return *this = *this & b; }
  Words8& operator|=(Words8 b) { return *this = *this | b; }
  Words8& operator+=(Words8 b) { return *this = *this + b; }
};

inline Words8 if_empty(Words8 words) {
  return {reinterpret_cast<Words4>(words.low == 0), reinterpret_cast<Words4>(words.high == 0)};
}
inline bool any(Words8 words) {
  const auto either = reinterpret_cast<__m256i>(words.low | words.high);
  return _mm256_testz_si256(either, either) == 0;
}
inline Words8 weighed(Words8 numbers, int weight) {
  const auto times = [factor = _mm256_set1_epi64x(weight)](Words4 words) {
    return reinterpret_cast<Words4>(_mm256_mul_epu32(reinterpret_cast<__m256i>(words), factor));
  };
  return {times(numbers.low), times(numbers.high)};
}

// Bits by half bytes, looked up, and the bytes of each word added.
inline Words8 counts(Words8 words) {
  const __m256i nibble = _mm256_set1_epi8(15);
  const __m256i bits = _mm256_setr_epi8(0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4,  //
                                        0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4);
  const auto count = [&](Words4 half) {
    const auto all = reinterpret_cast<__m256i>(half);
    const __m256i lower = _mm256_shuffle_epi8(bits, _mm256_and_si256(all, nibble));
    const __m256i upper = _mm256_shuffle_epi8(bits, _mm256_and_si256(_mm256_srli_epi16(all, 4), nibble));
    return reinterpret_cast<Words4>(_mm256_sad_epu8(_mm256_add_epi8(lower, upper), _mm256_setzero_si256()));
  };
  return {count(words.low), count(words.high)};
}

#else

struct Words8 {};  // there is no vector path

#endif

}  // namespace outplay::solver
