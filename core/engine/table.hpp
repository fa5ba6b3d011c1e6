// The transposition table: what earlier searches found, shared by all threads without a lock.
//
// A bucket is one cache line of four slots. A slot is two words, the hash xor the data, and the data: when two
// threads write the same slot at once, the words do not fit together and the slot is taken for empty.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "base/bits.hpp"
#include "base/memory.hpp"
#include "engine/score.hpp"

namespace outplay::engine {

enum class Bound : std::uint8_t { NONE, UPPER, LOWER, EXACT };

struct Entry {
  std::int16_t score = 0;       // see to_table
  std::int16_t evaluation = 0;  // NO_EVALUATION if the position was not evaluated
  std::uint16_t signature = 0;  // of the best move; 0 if none is known
  std::int8_t depth = 0;
  Bound bound = Bound::NONE;
};
static_assert(sizeof(Entry) == 8);

constexpr std::int16_t NO_EVALUATION = -32768;

class Table {
 public:
  explicit Table(std::size_t mebibytes);

  // What is known of the position; a bound of NONE if nothing is.
  Entry find(std::uint64_t hash) const;
  void store(std::uint64_t hash, Entry entry);
  void prefetch(std::uint64_t hash) const { __builtin_prefetch(&buckets_[place(hash)]); }

  void clear();
  void begin_search() { age_ = (age_ + 1) & AGES; }  // what older searches left is overwritten first
  int permille_full() const;                         // of a sample, this search's own entries

 private:
  static constexpr std::uint64_t AGES = 63;

  struct Slot {
    std::uint64_t check, data;
  };
  struct alignas(64) Bucket {
    std::array<Slot, 4> slots;
  };

  // Every word is read and written whole, but in no order.
  static std::uint64_t load(const std::uint64_t& word) { return __atomic_load_n(&word, __ATOMIC_RELAXED); }
  static void save(std::uint64_t& word, std::uint64_t value) { __atomic_store_n(&word, value, __ATOMIC_RELAXED); }

  std::size_t place(std::uint64_t hash) const {
    return static_cast<std::size_t>(static_cast<Word128>(hash) * buckets_.size() >> 64);
  }
  std::uint64_t pack(const Entry& entry) const;
  static Entry unpack(std::uint64_t data);
  static std::uint64_t age_of(std::uint64_t data) { return data >> 58; }

  BigArray<Bucket> buckets_;
  std::uint64_t age_ = 0;
};

}  // namespace outplay::engine
