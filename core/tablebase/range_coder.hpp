// Binary range coding: a bit that was foreseen costs little. The decoder mirrors the encoder step by step.
//
// As in LZMA: the encoder narrows an interval of 32 bits by the odds of each bit and writes its high byte whenever
// the width falls below 2^24, holding back bytes to which a carry may still come.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace outplay::tablebase {

// The odds that a bit is 0, in 2048ths, learned as it goes.
class Odds {
 public:
  static constexpr int BITS = 11;
  std::uint32_t of_zero() const { return odds_; }
  void learn(bool bit) {
    if (bit)
      odds_ = static_cast<std::uint16_t>(odds_ - (odds_ >> RATE));
    else
      odds_ = static_cast<std::uint16_t>(odds_ + (((1u << BITS) - odds_) >> RATE));
  }

 private:
  static constexpr int RATE = 5;
  std::uint16_t odds_ = 1u << (BITS - 1);
};

class RangeEncoder {
 public:
  void write(bool bit, Odds& odds) {
    const std::uint32_t bound = (range_ >> Odds::BITS) * odds.of_zero();
    if (bit) {
      low_ += bound;
      range_ -= bound;
    } else {
      range_ = bound;
    }
    odds.learn(bit);
    for (; range_ < 1u << 24; range_ <<= 8) shift();
  }
  std::vector<std::uint8_t> finish() {
    for (int byte = 0; byte < 5; ++byte) shift();
    return std::move(bytes_);
  }

 private:
  void shift() {
    if (low_ < 0xFF000000 || low_ > 0xFFFFFFFF) {
      const auto carry = static_cast<std::uint8_t>(low_ >> 32);
      for (; held_back_ != 0; --held_back_, held_ = 0xFF) bytes_.push_back(static_cast<std::uint8_t>(held_ + carry));
      held_ = static_cast<std::uint8_t>(low_ >> 24);
    }
    ++held_back_;
    low_ = (low_ & 0x00FFFFFF) << 8;
  }

  std::uint64_t low_ = 0, held_back_ = 1;
  std::uint32_t range_ = 0xFFFFFFFF;
  std::uint8_t held_ = 0;
  std::vector<std::uint8_t> bytes_;
};

// Any bytes may be given; past their end it reads zeros.
class RangeDecoder {
 public:
  explicit RangeDecoder(std::span<const std::uint8_t> bytes) : bytes_(bytes) {
    for (int byte = 0; byte < 5; ++byte) code_ = code_ << 8 | next();
  }
  bool read(Odds& odds) {
    const std::uint32_t bound = (range_ >> Odds::BITS) * odds.of_zero();
    const bool bit = code_ >= bound;
    if (bit) {
      code_ -= bound;
      range_ -= bound;
    } else {
      range_ = bound;
    }
    odds.learn(bit);
    for (; range_ < 1u << 24; range_ <<= 8) code_ = code_ << 8 | next();
    return bit;
  }

 private:
  std::uint8_t next() { return at_ < bytes_.size() ? bytes_[at_++] : std::uint8_t{0}; }

  std::span<const std::uint8_t> bytes_;
  std::size_t at_ = 0;
  std::uint32_t range_ = 0xFFFFFFFF, code_ = 0;
};

}  // namespace outplay::tablebase
