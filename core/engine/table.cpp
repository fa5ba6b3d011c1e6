#include "engine/table.hpp"

#include <algorithm>

namespace outplay::engine {

Table::Table(std::size_t mebibytes) : buckets_((mebibytes << 20) / sizeof(Bucket)) {
  // Every page is touched now, while no clock runs: the system takes an eighth of a second to make 64 MiB of them.
  constexpr std::size_t PAGE = 4096 / sizeof(Bucket);
  for (std::size_t index = 0; index < buckets_.size(); index += PAGE) save(buckets_[index].slots[0].data, 0);
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
  for (const auto& slot : buckets_[place(hash)].slots) {
    const auto data = load(slot.data);
    if ((load(slot.check) ^ data) == hash && data != 0) return unpack(data);
  }
  return {};
}

void Table::store(std::uint64_t hash, Entry entry) {
  Slot* worst = nullptr;
  int least = 1 << 20;
  for (auto& slot : buckets_[place(hash)].slots) {
    const auto data = load(slot.data);
    if ((load(slot.check) ^ data) == hash) {
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
  save(worst->check, hash ^ data);
  save(worst->data, data);
}

void Table::clear() {
  for (std::size_t index = 0; index < buckets_.size(); ++index)
    for (auto& slot : buckets_[index].slots) {
      save(slot.check, 0);
      save(slot.data, 0);
    }
  age_ = 0;
}

int Table::permille_full() const {
  constexpr std::size_t SAMPLE = 250;
  int full = 0;
  for (std::size_t index = 0; index < std::min(SAMPLE, buckets_.size()); ++index)
    for (const auto& slot : buckets_[index].slots) {
      const auto data = load(slot.data);
      full += data != 0 && age_of(data) == age_;
    }
  return full * 1000 / static_cast<int>(4 * std::min(SAMPLE, buckets_.size()));
}

}  // namespace outplay::engine
