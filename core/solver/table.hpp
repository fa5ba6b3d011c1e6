// What earlier searches found out: bounds of scores by position, shared by all threads.
//
// A key is mixed by a bijection of its bits, so that the bucket's number and the rest of the key identify it: an answer
// is never another position's. An entry is one word:
//
//     rest of the key, plus 1 so that no entry is 0 | work, 3 bits | how much is known from below | and from above
//
// What is known from below is how far the low bound lies above the lowest score there is, and the same from above: so
// an entry of 0 says that nothing is known, and nobody need ask whether one was found.
//
// A table begins small, in the processor's cache, and doubles when half of it is filled: an easy question never
// waits for memory, and what it wrote is quickly wiped out. The rest of a key is what lies above the bits that number
// the buckets of the smallest table, so an entry stays as it is when the table grows.
//
// Entries of 64 bits are read and written whole, without locks. Those of 128 bits, for boards that need them, cannot
// be: there each bucket is guarded by one of a row of spin locks.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>

#include "base/bits.hpp"
#include "base/memory.hpp"
#include "connect4/position.hpp"
#include "solver/lanes.hpp"

namespace outplay::solver {

struct Bounds {
  int low, high;
};

// Nothing to lock: the words are read and written whole.
struct NoLocks {
  struct Guard {
    Guard(NoLocks&, std::uint64_t) {}
  };
};

class SpinLocks {
 public:
  class Guard {
   public:
    Guard(SpinLocks& locks, Word128 bucket) : flag_(locks.flags_[static_cast<std::size_t>(bucket) % COUNT]) {
      while (flag_.test_and_set(std::memory_order_acquire)) {
      }
    }
    ~Guard() { flag_.clear(std::memory_order_release); }
    Guard(const Guard&) = delete;
    Guard& operator=(const Guard&) = delete;

   private:
    std::atomic_flag& flag_;
  };

 private:
  static constexpr std::size_t COUNT = 256;
  std::array<std::atomic_flag, COUNT> flags_;
};

template <class Word>
class Table {
 public:
  static constexpr std::size_t WAYS = 4, BUCKET_BYTES = WAYS * sizeof(Word);
  static constexpr int SCORE_BITS = sizeof(Word) == 8 ? 6 : 7;
  static constexpr int HIGHEST = (1 << (SCORE_BITS - 1)) - 1;
  template <class Words = Word>
  struct Place {
    Words bucket, rest;
  };

  // In the end as many buckets as fit, a power of two; never fewer than keys of this length need to be told apart.
  Table(std::size_t bytes, int key_bits)
      : first_bits_(std::max(FIRST_BITS, key_bits + 1 + REST - WORD_BITS)),
        most_bits_(std::max(static_cast<int>(std::bit_width(bytes / BUCKET_BYTES)) - 1, first_bits_)),
        half_((key_bits + 1) / 2),
        key_mask_(key_bits == WORD_BITS ? ~Word{0} : (Word{1} << key_bits) - 1),
        entries_(WAYS << most_bits_) {
    set_bits(first_bits_);
  }

  std::size_t bytes() const { return entries_.size() * sizeof(Word); }
  void clear() {
    std::memset(&entries_[0], 0, (WAYS << bits_) * sizeof(Word));
    filled_ = 0;
    set_bits(first_bits_);
  }

  // To its full size at once: it must not grow while several threads use it.
  void grow_to_full() {
    if (bits_ < most_bits_) grow(most_bits_);
  }

  template <class Words>
  [[gnu::always_inline]] Place<Words> place(Words key) const {
    key ^= key >> half_;
    key = (key * ODD) & key_mask_;
    key ^= key >> half_;
    return {key & bucket_mask_, (key >> first_bits_) + 1};
  }
  template <class Words>
  [[gnu::always_inline]] void prefetch(const Place<Words>& place) const {
    for (const Word bucket : apart<Word>(place.bucket)) __builtin_prefetch(bucket_at(bucket));
  }

  // What is known of a place, as `known_low` and `known_high` read it; 0 if nothing is.
  [[gnu::always_inline]] Word find(const Place<Word>& place) const {
    const Word* entries = bucket_at(place.bucket);
    [[maybe_unused]] const typename Locks::Guard guard(locks_, place.bucket);
    Word found = 0;  // at most one entry matches
    for (std::size_t way = 0; way < WAYS; ++way) {
      const Word entry = entries[way];
      found |= (entry >> REST) == place.rest ? entry : 0;
    }
    return found;
  }
#ifdef __AVX2__
  [[gnu::always_inline]] Words4 find(const Place<Words4>& place) const {
    const auto found = [&](int lane) {
      const auto* entries = reinterpret_cast<const __m256i*>(bucket_at(place.bucket[lane]));
      const auto bucket = reinterpret_cast<Words4>(_mm256_load_si256(entries));
      return bucket & reinterpret_cast<Words4>((bucket >> REST) == place.rest[lane]);
    };
    const Words4 a = found(0), b = found(1), c = found(2), d = found(3);
    const Words4 ab = __builtin_shufflevector(a, b, 0, 4, 2, 6) | __builtin_shufflevector(a, b, 1, 5, 3, 7);
    const Words4 cd = __builtin_shufflevector(c, d, 0, 4, 2, 6) | __builtin_shufflevector(c, d, 1, 5, 3, 7);
    return __builtin_shufflevector(ab, cd, 0, 1, 4, 5) | __builtin_shufflevector(ab, cd, 2, 3, 6, 7);
  }
  [[gnu::always_inline]] Wide4 find(const Place<Wide4>& place) const {
    std::array<Word, 4> found;
    for (std::size_t lane = 0; lane < 4; ++lane)
      found[lane] = find(Place<Word>{place.bucket.at(lane), place.rest.at(lane)});
    return Wide4::join(found);
  }
  template <class Half, class W>
  [[gnu::always_inline]] Twice<Half, W> find(const Place<Twice<Half, W>>& place) const {
    return {find(Place<Half>{place.bucket.low, place.rest.low}), find(Place<Half>{place.bucket.high, place.rest.high})};
  }
#endif

  // The score lies from `known_low - HIGHEST` to `HIGHEST - known_high`.
  template <class Words>
  static Words known_low(Words entry) {
    return entry >> SCORE_BITS & FIELD;
  }
  template <class Words>
  static Words known_high(Words entry) {
    return entry & FIELD;
  }

  static Bounds bounds(Word entry) {
    return {static_cast<int>(known_low(entry)) - HIGHEST, HIGHEST - static_cast<int>(known_high(entry))};
  }

  // Keeps what cost most; `work` is the number of nodes behind it.
  [[gnu::always_inline]] void store(const Place<Word>& place, Bounds bounds, std::uint64_t work) {
    Word* entries = &entries_[static_cast<std::size_t>(place.bucket) * WAYS];
    [[maybe_unused]] const typename Locks::Guard guard(locks_, place.bucket);
    // The way to take is the one of least rank: that of the position itself, an empty one, the one with least work.
    constexpr int SELF = -2 * static_cast<int>(WAYS), EMPTY = -static_cast<int>(WAYS);
    int least = std::numeric_limits<int>::max();
    for (std::size_t way = 0; way < WAYS; ++way) {
      const Word entry = entries[way];
      const int work_rank = entry == 0 ? EMPTY : static_cast<int>(entry >> WORK & 7) * static_cast<int>(WAYS);
      const int rank = (entry >> REST) == place.rest ? SELF : work_rank;
      least = std::min(least, rank + static_cast<int>(way));
    }
    const auto victim = static_cast<std::size_t>(least) % WAYS;
    if (least < EMPTY) {
      const Bounds known = Table::bounds(entries[victim]);
      bounds = {std::max(bounds.low, known.low), std::min(bounds.high, known.high)};
    }
    const bool is_new = entries[victim] == 0;
    entries[victim] = pack(place, bounds, work);
    if (is_new && bits_ < most_bits_ && ++filled_ > WAYS << bits_ >> 1) grow(bits_ + 1);
  }

 private:
  static constexpr int WORD_BITS = sizeof(Word) * 8;
  static constexpr Word FIELD = (Word{1} << SCORE_BITS) - 1;
  static constexpr int WORK = 2 * SCORE_BITS, REST = WORK + 3;
  static constexpr Word ODD = static_cast<Word>(0x9E3779B97F4A7C15);
  using Locks = std::conditional_t<sizeof(Word) == 8, NoLocks, SpinLocks>;

  [[gnu::always_inline]] const Word* bucket_at(Word bucket) const {
    return &entries_[static_cast<std::size_t>(bucket) * WAYS];
  }

  void set_bits(int bits) {
    bits_ = bits;
    bucket_mask_ = (Word{1} << bits) - 1;
  }

  // More buckets: those whose number has more bits take their entries from those without them. What lies beyond the
  // buckets in use is empty and stays untouched, so that the first to need a page of memory waits for it, not all.
  void grow(int bits) {
    const std::size_t entries = WAYS << bits_;
    const Word new_bits = (Word{1} << (bits - bits_)) - 1;
    for (std::size_t at = 0; at < entries; ++at) {
      const Word entry = entries_[at];
      if (entry == 0) continue;
      const auto part = static_cast<std::size_t>(((entry >> REST) - 1) >> (bits_ - first_bits_) & new_bits);
      if (part == 0) continue;
      entries_[at + part * entries] = entry;
      entries_[at] = 0;
    }
    set_bits(bits);
  }

  static Word pack(const Place<Word>& place, Bounds bounds, std::uint64_t work) {
    const int effort = std::min(7, static_cast<int>(std::bit_width(work)) / 2);
    return place.rest << REST | static_cast<Word>(effort) << WORK |
           static_cast<Word>(bounds.low + HIGHEST) << SCORE_BITS | static_cast<Word>(HIGHEST - bounds.high);
  }

  static constexpr int FIRST_BITS = 11;  // 64 KiB of entries of 64 bits

  int first_bits_, most_bits_, half_;
  int bits_ = 0;  // of a bucket's number, now
  std::size_t filled_ = 0;
  Word bucket_mask_ = 0, key_mask_;
  BigArray<Word> entries_;
  mutable Locks locks_;
};

// Two tables: late positions, which are many and quickly searched again, would push the early ones out; and a table
// that fits the processor's cache answers at once. The early one is shared; each thread has a late one of its own, for
// what one writes there would be out of the other's cache.
template <class Word>
class Tables {
 public:
  static constexpr std::size_t LATE_BYTES = 2 << 20;

  Tables(Table<Word>& early, connect4::Size size)
      : first_late_(size.cells() * 19 / 42),
        first_unfolded_(size.cells() * 23 / 42),
        early_(early),
        late_(LATE_BYTES, size.bits()) {}

  Table<Word>& at(int plies) { return plies < first_late_ ? early_ : late_; }
  const Table<Word>& at(int plies) const { return plies < first_late_ ? early_ : late_; }
  void clear_late() { late_.clear(); }

  // Whether a position and its mirror image are one: while positions are few, they often meet.
  bool is_folded(int plies) const { return plies < first_unfolded_; }

 private:
  int first_late_, first_unfolded_;
  Table<Word>& early_;
  Table<Word> late_;
};

}  // namespace outplay::solver
