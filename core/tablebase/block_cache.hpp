// Blocks that were unpacked lately. Several threads may ask at once; none ever waits for another.
#pragma once

#include <cstdint>

#include "base/memory.hpp"
#include "tablebase/codec.hpp"

namespace outplay::tablebase {

class BlockCache {
 public:
  BlockCache() = default;
  explicit BlockCache(std::uint64_t bytes) : slots_(bytes / sizeof(Slot)) {}

  // The value at a place of these packed values, which no others share the number `id` with.
  Value value(const PackedValues& values, std::uint64_t id, std::uint64_t at) {
    if (slots_.size() == 0) return values[at];
    const std::uint64_t block = at / BLOCK, tag = (id << 40 | block) + 1;  // 0 is an empty slot
    Slot& slot = slots_[place_of(tag)];
    if (__atomic_exchange_n(&slot.is_busy, 1, __ATOMIC_ACQUIRE) != 0) return values[at];
    if (slot.tag != tag) {
      values.unpack(block, slot.block);
      slot.tag = tag;
    }
    const Value value = value_in(slot.block, at % BLOCK);
    __atomic_store_n(&slot.is_busy, 0, __ATOMIC_RELEASE);
    return value;
  }

 private:
  struct alignas(64) Slot {
    std::uint64_t tag, is_busy;  // all zeros at first: see BigArray
    Block block;
  };

  std::size_t place_of(std::uint64_t tag) const {
    const std::uint64_t mixed = tag * 0x9E3779B97F4A7C15;
    return static_cast<std::size_t>((Word128{mixed} * slots_.size()) >> 64);
  }

  BigArray<Slot> slots_;
};

}  // namespace outplay::tablebase
