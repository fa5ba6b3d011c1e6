// Words side by side, one for each move: the same expressions serve one word, four at once and eight at once.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <type_traits>

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
  if constexpr (requires { words.apart(); })
    return words.apart();
  else
    return std::bit_cast<std::array<Word, LANES_OF<Word, Words>>>(words);
}

// And side by side again.
template <class Words, class Parts>
constexpr Words join(const Parts& parts) {
  if constexpr (requires { Words::join(parts); })
    return Words::join(parts);
  else
    return std::bit_cast<Words>(parts);
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

// --- four words of 128 bits: their low and their high halves, each in one register ---

struct Wide4 {
  Words4 low, high;

  static Wide4 all(Word128 word) {
    return {Words4{} + static_cast<std::uint64_t>(word), Words4{} + static_cast<std::uint64_t>(word >> 64)};
  }
  static Wide4 join(const std::array<Word128, 4>& parts) {
    Wide4 words{};
    for (int lane = 0; lane < 4; ++lane) {
      words.low[lane] = static_cast<std::uint64_t>(parts[static_cast<std::size_t>(lane)]);
      words.high[lane] = static_cast<std::uint64_t>(parts[static_cast<std::size_t>(lane)] >> 64);
    }
    return words;
  }
  std::array<Word128, 4> apart() const { return {at(0), at(1), at(2), at(3)}; }
  Word128 at(std::size_t lane) const { return Word128{high[lane]} << 64 | low[lane]; }

  friend Wide4 operator~(Wide4 a) { return {~a.low, ~a.high}; }
  friend Wide4 operator&(Wide4 a, Wide4 b) { return {a.low & b.low, a.high & b.high}; }
  friend Wide4 operator|(Wide4 a, Wide4 b) { return {a.low | b.low, a.high | b.high}; }
  friend Wide4 operator^(Wide4 a, Wide4 b) { return {a.low ^ b.low, a.high ^ b.high}; }
  friend Wide4 operator+(Wide4 a, Wide4 b) {  // a carry is all ones: -1
    const Words4 sum = a.low + b.low;
    return {sum, a.high + b.high - reinterpret_cast<Words4>(sum < a.low)};
  }
  friend Wide4 operator-(Wide4 a, Wide4 b) {
    return {a.low - b.low, a.high - b.high + reinterpret_cast<Words4>(a.low < b.low)};
  }
  friend Wide4 operator&(Wide4 a, Word128 b) { return a & all(b); }
  friend Wide4 operator|(Wide4 a, Word128 b) { return a | all(b); }
  friend Wide4 operator^(Wide4 a, Word128 b) { return a ^ all(b); }
  friend Wide4 operator+(Wide4 a, Word128 b) { return a + all(b); }
  friend Wide4 operator-(Wide4 a, Word128 b) { return a - all(b); }
  friend Wide4 operator-(Word128 a, Wide4 b) { return all(a) - b; }
  friend Wide4 operator*(Wide4 a, Word128 b) {
    auto parts = a.apart();
    for (Word128& part : parts) part *= b;
    return join(parts);
  }
  friend Wide4 operator<<(Wide4 a, int b) {
    if (b >= 64) return {Words4{}, left(a.low, b - 64)};
    return {left(a.low, b), left(a.high, b) | right(a.low, 64 - b)};
  }
  friend Wide4 operator>>(Wide4 a, int b) {
    if (b >= 64) return {right(a.high, b - 64), Words4{}};
    return {right(a.low, b) | left(a.high, 64 - b), right(a.high, b)};
  }
  Wide4& operator&=(Wide4 b) { return *this = *this & b; }
  Wide4& operator|=(Wide4 b) { return *this = *this | b; }
  Wide4& operator^=(Wide4 b) { return *this = *this ^ b; }
  Wide4& operator+=(Wide4 b) { return *this = *this + b; }

 private:
  // By 64 nothing is left, unlike with the operators.
  static Words4 left(Words4 words, int by) {
    return reinterpret_cast<Words4>(_mm256_sll_epi64(reinterpret_cast<__m256i>(words), _mm_cvtsi32_si128(by)));
  }
  static Words4 right(Words4 words, int by) {
    return reinterpret_cast<Words4>(_mm256_srl_epi64(reinterpret_cast<__m256i>(words), _mm_cvtsi32_si128(by)));
  }
};

inline Wide4 if_empty(Wide4 words) {
  const Words4 empty = if_empty(words.low | words.high);
  return {empty, empty};
}
inline bool any(Wide4 words) { return any(words.low | words.high); }
inline unsigned negative(Wide4 words) { return negative(words.high); }
inline Wide4 weighed(Wide4 numbers, int weight) {
  const Words4 low = weighed(numbers.low, weight);
  using Signed = std::int64_t __attribute__((vector_size(32)));
  return {low, reinterpret_cast<Words4>(reinterpret_cast<Signed>(low) < 0)};
}
inline Wide4 lesser(Wide4 a, Wide4 b) {
  const auto is_less = reinterpret_cast<Words4>(a.high < b.high) |
                       (reinterpret_cast<Words4>(a.high == b.high) & reinterpret_cast<Words4>(a.low < b.low));
  return {(a.low & is_less) | (b.low & ~is_less), (a.high & is_less) | (b.high & ~is_less)};
}
inline Wide4 tally(Wide4 words) { return {tally(words.low) + tally(words.high), Words4{}}; }
inline Wide4 total(Wide4 tallies) { return {total(tallies.low), Words4{}}; }
template <>
inline Wide4 spread<Wide4>(unsigned lanes) {
  const auto all = spread<Words4>(lanes);
  return {all, all};
}
template <>
inline Wide4 take_bits<Wide4>(Word128& word) {
  std::array<Word128, 4> bits;
  for (Word128& bit : bits) bit = take_bits<Word128>(word);
  return Wide4::join(bits);
}
inline Wide4 larger(Wide4 a, Wide4 b) { return {larger(a.low, b.low), Words4{}}; }  // of numbers below 2^63
inline Word128 largest(Wide4 words) { return largest(words.low); }                  // likewise

// --- eight words: two halves of four; one register of 512 bits was slower (Zen 4) ---

template <class Half, class Word>
struct Twice {
  Half low, high;

  static Twice join(const std::array<Word, 8>& parts)
    requires requires(Half half) { half.apart(); }
  {
    return {Half::join({parts[0], parts[1], parts[2], parts[3]}), Half::join({parts[4], parts[5], parts[6], parts[7]})};
  }
  std::array<Word, 8> apart() const
    requires requires(Half half) { half.apart(); }
  {
    return {low.at(0), low.at(1), low.at(2), low.at(3), high.at(0), high.at(1), high.at(2), high.at(3)};
  }
  Word at(std::size_t lane) const
    requires requires(Half half) { half.apart(); }
  {
    return lane < 4 ? low.at(lane) : high.at(lane - 4);
  }

  friend Twice operator~(Twice a) { return {~a.low, ~a.high}; }
  friend Twice operator&(Twice a, Twice b) { return {a.low & b.low, a.high & b.high}; }
  friend Twice operator|(Twice a, Twice b) { return {a.low | b.low, a.high | b.high}; }
  friend Twice operator^(Twice a, Word b) { return {a.low ^ b, a.high ^ b}; }
  friend Twice operator^(Twice a, Twice b) { return {a.low ^ b.low, a.high ^ b.high}; }
  friend Twice operator+(Twice a, Twice b) { return {a.low + b.low, a.high + b.high}; }
  friend Twice operator-(Twice a, Twice b) { return {a.low - b.low, a.high - b.high}; }
  friend Twice operator&(Twice a, Word b) { return {a.low & b, a.high & b}; }
  friend Twice operator|(Twice a, Word b) { return {a.low | b, a.high | b}; }
  friend Twice operator+(Twice a, Word b) { return {a.low + b, a.high + b}; }
  friend Twice operator-(Twice a, Word b) { return {a.low - b, a.high - b}; }
  friend Twice operator-(Word a, Twice b) { return {a - b.low, a - b.high}; }
  friend Twice operator*(Twice a, Word b) { return {a.low * b, a.high * b}; }
  friend Twice operator<<(Twice a, int b) { return {a.low << b, a.high << b}; }
  friend Twice operator>>(Twice a, int b) { return {a.low >> b, a.high >> b}; }
  Twice& operator&=(Twice b) { return *this = *this & b; }
  Twice& operator|=(Twice b) { return *this = *this | b; }
  Twice& operator^=(Twice b) { return *this = *this ^ b; }
  Twice& operator+=(Twice b) { return *this = *this + b; }
};

using Words8 = Twice<Words4, std::uint64_t>;
using Wide8 = Twice<Wide4, Word128>;

template <class Half, class Word>
inline Twice<Half, Word> if_empty(Twice<Half, Word> words) {
  return {if_empty(words.low), if_empty(words.high)};
}
template <class Half, class Word>
inline bool any(Twice<Half, Word> words) {
  return any(words.low | words.high);
}
template <class Half, class Word>
inline unsigned negative(Twice<Half, Word> words) {
  return negative(words.low) | negative(words.high) << 4;
}
template <class Half, class Word>
inline Twice<Half, Word> weighed(Twice<Half, Word> numbers, int weight) {
  return {weighed(numbers.low, weight), weighed(numbers.high, weight)};
}
template <class Half, class Word>
inline Twice<Half, Word> lesser(Twice<Half, Word> a, Twice<Half, Word> b) {
  return {lesser(a.low, b.low), lesser(a.high, b.high)};
}
template <class Half, class Word>
inline Twice<Half, Word> tally(Twice<Half, Word> words) {
  return {tally(words.low), tally(words.high)};
}
template <class Half, class Word>
inline Twice<Half, Word> total(Twice<Half, Word> tallies) {
  return {total(tallies.low), total(tallies.high)};
}
template <>
inline Words8 spread<Words8>(unsigned lanes) {
  return {spread<Words4>(lanes), spread<Words4>(lanes >> 4)};
}
template <>
inline Wide8 spread<Wide8>(unsigned lanes) {
  return {spread<Wide4>(lanes), spread<Wide4>(lanes >> 4)};
}
template <>
inline Words8 take_bits<Words8>(std::uint64_t& word) {
  const auto low = take_bits<Words4>(word);
  return {low, take_bits<Words4>(word)};
}
template <>
inline Wide8 take_bits<Wide8>(Word128& word) {
  const auto low = take_bits<Wide4>(word);
  return {low, take_bits<Wide4>(word)};
}
template <class Half, class Word>
inline Word largest(Twice<Half, Word> words) {
  return largest(larger(words.low, words.high));
}

// Other code may be slow, or wait, while the upper halves of vectors are in use.
inline void leave_vectors() { _mm256_zeroupper(); }

#else

inline void leave_vectors() {}
struct Words4 {};  // there is no vector path
struct Words8 {};
struct Wide4 {};
struct Wide8 {};

#endif

// Four and eight words side by side.
template <class Word>
using FourOf = std::conditional_t<sizeof(Word) == 8, Words4, Wide4>;
template <class Word>
using EightOf = std::conditional_t<sizeof(Word) == 8, Words8, Wide8>;

// The number of bits.
template <class Words>
constexpr Words counts(Words words) {
  return total(tally(words));
}

}  // namespace outplay::solver
