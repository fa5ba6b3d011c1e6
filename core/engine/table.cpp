#include "engine/table.hpp"

#include <cstdlib>
#include <new>

#ifdef __linux__
#include <sys/mman.h>
#endif

namespace outplay::engine {
namespace {

constexpr std::size_t HUGE_PAGE = std::size_t{2} << 20;

void* allocate(std::size_t bytes) {
  void* const memory = std::aligned_alloc(HUGE_PAGE, (bytes + HUGE_PAGE - 1) / HUGE_PAGE * HUGE_PAGE);
  if (memory == nullptr) throw std::bad_alloc();
#ifdef __linux__
  madvise(memory, bytes, MADV_HUGEPAGE);  // fewer misses of the address cache: a wish, not a demand
#endif
  return memory;
}

}  // namespace

void Table::Free::operator()(Bucket* buckets) const { std::free(buckets); }

Table::Table(std::size_t mebibytes) : count_((mebibytes << 20) / sizeof(Bucket)) {
  auto* const memory = static_cast<Bucket*>(allocate(count_ * sizeof(Bucket)));
  for (std::size_t index = 0; index < count_; ++index) new (memory + index) Bucket;
  buckets_.reset(memory);
}

// score 16, evaluation 16, signature 16, depth 8, bound 2, age 6
std::uint64_t Table::pack(const Entry& entry) const {
  return static_cast<std::uint64_t>(static_cast<std::uint16_t>(entry.score)) |
         static_cast<std::uint64_t>(static_cast<std::uint16_t>(entry.evaluation)) << 16 |
         static_cast<std::uint64_t>(entry.signature) << 32 |
         static_cast<std::uint64_t>(static_cast<std::uint8_t>(entry.depth)) << 48 |
         static_cast<std::uint64_t>(entry.bound) << 56 | age_ << 58;
}

Entry Table::unpack(std::uint64_t data) {
  return {static_cast<std::int16_t>(data), static_cast<std::int16_t>(data >> 16),
          static_cast<std::uint16_t>(data >> 32), static_cast<std::int8_t>(data >> 48),
          static_cast<Bound>(data >> 56 & 3)};
}

Entry Table::find(std::uint64_t hash) const {
  for (const auto& slot : bucket(hash).slots) {
    const auto data = slot.data.load(std::memory_order_relaxed);
    if ((slot.check.load(std::memory_order_relaxed) ^ data) == hash && data != 0) return unpack(data);
  }
  return {};
}

void Table::store(std::uint64_t hash, Entry entry) {
  Slot* worst = nullptr;
  int least = 1 << 20;
  for (auto& slot : bucket(hash).slots) {
    const auto data = slot.data.load(std::memory_order_relaxed);
    if ((slot.check.load(std::memory_order_relaxed) ^ data) == hash) {
      if (entry.signature == 0) entry.signature = unpack(data).signature;  // an old best move is better than none
      worst = &slot;
      break;
    }
    const int worth = unpack(data).depth - (age_of(data) == age_ ? 0 : 256);
    if (worth < least) {
      least = worth;
      worst = &slot;
    }
  }
  const auto data = pack(entry);
  worst->check.store(hash ^ data, std::memory_order_relaxed);
  worst->data.store(data, std::memory_order_relaxed);
}

void Table::clear() {
  for (std::size_t index = 0; index < count_; ++index)
    for (auto& slot : buckets_[index].slots) {
      slot.check.store(0, std::memory_order_relaxed);
      slot.data.store(0, std::memory_order_relaxed);
    }
  age_ = 0;
}

int Table::permille_full() const {
  constexpr std::size_t SAMPLE = 250;
  int full = 0;
  for (std::size_t index = 0; index < std::min(SAMPLE, count_); ++index)
    for (const auto& slot : buckets_[index].slots) {
      const auto data = slot.data.load(std::memory_order_relaxed);
      full += data != 0 && age_of(data) == age_;
    }
  return full * 1000 / static_cast<int>(4 * std::min(SAMPLE, count_));
}

}  // namespace outplay::engine
