// Values packed in blocks of 4096 positions, each of which can be read alone.
//
// A block is a row of runs of one value. Positions that need not be stored (a capture is compulsory there) take
// whatever value makes the runs longest. A run is told by one symbol, which holds the class of its length and the
// value that follows it, and by further bits of its length; the last run has a symbol of its own, END. The symbols are
// coded by three canonical Huffman codes, one for each value a run can have.
//
// The bytes: code lengths, then the directory, then the blocks, then 8 zero bytes. docs/tablebase.md has the details
// and a worked example.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "base/stop.hpp"
#include "tablebase/values.hpp"

namespace outplay::tablebase {

constexpr std::uint32_t BLOCK = 4096;  // positions
constexpr std::uint8_t FREE = 3;       // instead of a value: any will do
constexpr int LONGEST_CODE = 10;       // bits

// One block spread out: two bits a position.
using Block = std::array<std::uint64_t, BLOCK / 32>;

inline Value value_in(const Block& block, std::uint64_t at) {
  return static_cast<Value>(block[at / 32] >> at % 32 * 2 & 3);
}

// Fills one byte for each of the positions from `begin` on with its value or FREE.
using Source = std::function<void(std::uint64_t begin, std::span<std::uint8_t> values)>;

// The packed bytes of `size` positions; nothing if stopped. make_source() is called once in each thread.
std::optional<std::vector<std::uint8_t>> pack(std::uint64_t size, const std::function<Source()>& make_source,
                                              int threads, const Stop& stop);

// Reads what pack() wrote, in place. Any bytes may be given to open(); after it, none leads astray.
class PackedValues {
 public:
  // The packed values of `size` positions; nothing if the bytes cannot be that.
  static std::optional<PackedValues> open(std::span<const std::uint8_t> bytes, std::uint64_t size);

  std::uint64_t size() const { return size_; }
  Value operator[](std::uint64_t at) const;                 // reads its block up to there
  void unpack(std::uint64_t block, Block& unpacked) const;  // the whole block

 private:
  struct Entry {  // what the next bits say
    std::uint8_t symbol, length;
  };
  using Decoder = std::array<std::array<Entry, 1 << LONGEST_CODE>, 3>;  // by value of the run

  struct Place {  // of a block
    std::span<const std::uint8_t> bytes;
    std::uint32_t size;  // positions
    Value first;
  };
  Place place_of(std::uint64_t block) const;
  bool read_codes(std::span<const std::uint8_t> bytes);
  bool is_directory_sound() const;

  template <class Visit>
  void for_each_run(const Place& place, Visit&& visit) const;

  std::uint64_t size_ = 0, blocks_ = 0;
  std::span<const std::uint8_t> directory_, data_;  // data_ without the zeros at its end
  std::vector<Decoder> decoder_;                    // one
};

}  // namespace outplay::tablebase
