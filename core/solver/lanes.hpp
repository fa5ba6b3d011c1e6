// Words side by side, one for each move: the same expressions serve one word, four at once and eight at once.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "base/bits.hpp"

#ifdef __AVX2__
#include <immintrin.h>
#endif

namespace outplay::solver {

// How many words of this kind lie side by side.
template <class Word, class Words>
constexpr std::size_t LANES_OF = sizeof(Words) / sizeof(Word);

template <class Word, class Words>
constexpr auto apart(const Words& words) {
  return std::bit_cast<std::array<Word, LANES_OF<Word, Words>>>(words);
}

template <class Words>
constexpr Words lowest(Words words) {
  return words & (~words + 1);
}

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

// A bit for each lane: whether its highest bit is set, as in a negative number.
template <class Word>
constexpr unsigned negative(Word word) {
  return static_cast<unsigned>(word >> (sizeof(Word) * 8 - 1));
}

// The number of bits in two steps: up to thirty tallies may be added before the total is taken.
template <class Word>
constexpr Word tally(Word word) {
  return static_cast<Word>(count_bits(word));
}
template <class Word>
constexpr Word total(Word tallies) {
  return tallies;
}

// A small number times a weight.
template <class Word>
constexpr Word weighed(Word number, int weight) {
  return number * static_cast<Word>(weight);
}

template <class Word>
constexpr Word lesser(Word a, Word b) {
  return a < b ? a : b;
}

// All ones in the lanes whose bit is set.
template <class Words>
constexpr Words spread(unsigned lanes) {
  return ~(static_cast<Words>(lanes & 1) - 1);
}

// Takes the lowest bits out of a word, one for each lane.
template <class Words, class Word>
constexpr Words take_bits(Word& word) {
  const Word bit = lowest(word);
  word &= word - 1;
  return bit;
}

// Of all lanes; no word may have its highest bit set.
template <class Word>
constexpr Word largest(Word word) {
  return word;
}

#ifdef __AVX2__

// --- four words ---

using Words4 = std::uint64_t __attribute__((vector_size(32)));

inline Words4 if_empty(Words4 words) { return reinterpret_cast<Words4>(words == 0); }
inline bool any(Words4 words) {
  const auto all = reinterpret_cast<__m256i>(words);
  return _mm256_testz_si256(all, all) == 0;
}
inline unsigned negative(Words4 words) {
  return static_cast<unsigned>(_mm256_movemask_pd(reinterpret_cast<__m256d>(words)));
}
inline Words4 weighed(Words4 numbers, int weight) {
  return reinterpret_cast<Words4>(_mm256_mul_epi32(reinterpret_cast<__m256i>(numbers), _mm256_set1_epi64x(weight)));
}
inline Words4 lesser(Words4 a, Words4 b) { return a < b ? a : b; }

#if defined(__AVX512VPOPCNTDQ__) && defined(__AVX512VL__)
inline Words4 tally(Words4 words) {
  return reinterpret_cast<Words4>(_mm256_popcnt_epi64(reinterpret_cast<__m256i>(words)));
}
inline Words4 total(Words4 tallies) { return tallies; }
#else
// Bits by half bytes, looked up.
inline Words4 tally(Words4 words) {
  const auto all = reinterpret_cast<__m256i>(words);
  const __m256i nibble = _mm256_set1_epi8(15);
  const __m256i bits = _mm256_setr_epi8(0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4,  //
                                        0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4);
  const __m256i lower = _mm256_shuffle_epi8(bits, _mm256_and_si256(all, nibble));
  const __m256i upper = _mm256_shuffle_epi8(bits, _mm256_and_si256(_mm256_srli_epi16(all, 4), nibble));
  return reinterpret_cast<Words4>(_mm256_add_epi8(lower, upper));
}
// The bytes of each word added.
inline Words4 total(Words4 tallies) {
  return reinterpret_cast<Words4>(_mm256_sad_epu8(reinterpret_cast<__m256i>(tallies), _mm256_setzero_si256()));
}
#endif

template <>
inline Words4 spread<Words4>(unsigned lanes) {
  return ~if_empty((Words4{} + lanes) & Words4{1, 2, 4, 8});
}
template <>
inline Words4 take_bits<Words4>(std::uint64_t& word) {
  Words4 bits{};
  for (int lane = 0; lane < 4; ++lane) bits[lane] = take_bits<std::uint64_t>(word);
  return bits;
}
inline Words4 larger(Words4 a, Words4 b) {
  using Signed = std::int64_t __attribute__((vector_size(32)));
  return reinterpret_cast<Signed>(a) > reinterpret_cast<Signed>(b) ? a : b;
}
inline std::uint64_t largest(Words4 words) {
  words = larger(words, __builtin_shufflevector(words, words, 2, 3, 0, 1));
  return larger(words, __builtin_shufflevector(words, words, 1, 0, 3, 2))[0];
}

// --- eight words: two registers of four; one register of 512 bits was slower (Zen 4) ---

struct Words8 {
  Words4 low, high;

  friend Words8 operator~(Words8 a) { return {~a.low, ~a.high}; }
  friend Words8 operator&(Words8 a, Words8 b) { return {a.low & b.low, a.high & b.high}; }
  friend Words8 operator|(Words8 a, Words8 b) { return {a.low | b.low, a.high | b.high}; }
  friend Words8 operator^(Words8 a, std::uint64_t b) { return {a.low ^ b, a.high ^ b}; }
  friend Words8 operator^(Words8 a, Words8 b) { return {a.low ^ b.low, a.high ^ b.high}; }
  friend Words8 operator+(Words8 a, Words8 b) { return {a.low + b.low, a.high + b.high}; }
  friend Words8 operator-(Words8 a, Words8 b) { return {a.low - b.low, a.high - b.high}; }
  friend Words8 operator&(Words8 a, std::uint64_t b) { return {a.low & b, a.high & b}; }
  friend Words8 operator|(Words8 a, std::uint64_t b) { return {a.low | b, a.high | b}; }
  friend Words8 operator+(Words8 a, std::uint64_t b) { return {a.low + b, a.high + b}; }
  friend Words8 operator-(Words8 a, std::uint64_t b) { return {a.low - b, a.high - b}; }
  friend Words8 operator-(std::uint64_t a, Words8 b) { return {a - b.low, a - b.high}; }
  friend Words8 operator*(Words8 a, std::uint64_t b) { return {a.low * b, a.high * b}; }
  friend Words8 operator<<(Words8 a, int b) { return {a.low << b, a.high << b}; }
  friend Words8 operator>>(Words8 a, int b) { return {a.low >> b, a.high >> b}; }
  Words8& operator&=(Words8 b) { return *this = *this & b; }
  Words8& operator|=(Words8 b) { return *this = *this | b; }
  Words8& operator^=(Words8 b) { return *this = *this ^ b; }
  Words8& operator+=(Words8 b) { return *this = *this + b; }
};

inline Words8 if_empty(Words8 words) { return {if_empty(words.low), if_empty(words.high)}; }
inline bool any(Words8 words) { return any(words.low | words.high); }
inline unsigned negative(Words8 words) { return negative(words.low) | negative(words.high) << 4; }
inline Words8 weighed(Words8 numbers, int weight) {
  return {weighed(numbers.low, weight), weighed(numbers.high, weight)};
}
inline Words8 lesser(Words8 a, Words8 b) { return {lesser(a.low, b.low), lesser(a.high, b.high)}; }
inline Words8 tally(Words8 words) { return {tally(words.low), tally(words.high)}; }
inline Words8 total(Words8 tallies) { return {total(tallies.low), total(tallies.high)}; }
template <>
inline Words8 spread<Words8>(unsigned lanes) {
  return {spread<Words4>(lanes), spread<Words4>(lanes >> 4)};
}
template <>
inline Words8 take_bits<Words8>(std::uint64_t& word) {
  const auto low = take_bits<Words4>(word);
  return {low, take_bits<Words4>(word)};
}
inline std::uint64_t largest(Words8 words) { return largest(larger(words.low, words.high)); }

// Other code may be slow, or wait, while the upper halves of vectors are in use.
inline void leave_vectors() { _mm256_zeroupper(); }

#else

inline void leave_vectors() {}
struct Words4 {};  // there is no vector path
struct Words8 {};

#endif

// The number of bits.
template <class Words>
constexpr Words counts(Words words) {
  return total(tally(words));
}

}  // namespace outplay::solver
