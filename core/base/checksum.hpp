// CRC-64/XZ: polynomial 42F0E1EBA9EA3693 reflected, all ones before and after. Of "123456789" it is 995DC9BBDF1939FA.
#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <span>

namespace outplay {

class Checksum {
 public:
  void add(std::span<const std::uint8_t> bytes) {
    std::size_t at = 0;
    for (; at + 8 <= bytes.size(); at += 8) {  // eight bytes by eight tables
      std::uint64_t word;
      std::memcpy(&word, bytes.data() + at, sizeof word);
      word ^= state_;
      state_ = 0;
      for (std::size_t byte = 0; byte < 8; ++byte) state_ ^= TABLES[7 - byte][word >> 8 * byte & 0xFF];
    }
    for (; at < bytes.size(); ++at) state_ = TABLES[0][(state_ ^ bytes[at]) & 0xFF] ^ state_ >> 8;
  }
  std::uint64_t value() const { return ~state_; }

 private:
  using Tables = std::array<std::array<std::uint64_t, 256>, 8>;

  static constexpr Tables TABLES = [] {
    Tables tables{};
    for (std::uint64_t byte = 0; byte < 256; ++byte) {
      std::uint64_t state = byte;
      for (int bit = 0; bit < 8; ++bit) state = state & 1 ? state >> 1 ^ 0xC96C5795D7870F42 : state >> 1;
      tables[0][byte] = state;
    }
    for (std::size_t table = 1; table < 8; ++table)
      for (std::size_t byte = 0; byte < 256; ++byte) {
        const std::uint64_t before = tables[table - 1][byte];
        tables[table][byte] = tables[0][before & 0xFF] ^ before >> 8;
      }
    return tables;
  }();

  std::uint64_t state_ = ~std::uint64_t{0};
};

}  // namespace outplay
