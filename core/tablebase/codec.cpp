#include "tablebase/codec.hpp"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cstring>

#include "base/parallel.hpp"
#include "tablebase/huffman.hpp"

namespace outplay::tablebase {
namespace {

static_assert(std::endian::native == std::endian::little);  // words are read as they lie in the file

// --- the form ---

constexpr std::size_t SYMBOLS = 49, END = 48;  // 24 length classes times two values that may follow, and END
constexpr std::size_t CODES_BYTES = 80;        // three times 49 lengths of four bits, and zeros
constexpr std::size_t GROUP = 16, GROUP_BYTES = 4 + 2 * GROUP;
constexpr std::size_t PADDING = 8;
constexpr std::uint16_t OFFSET = 0x3FFF;

constexpr std::size_t raw_bytes(std::uint32_t size) { return (size + 3) / 4; }

// Lengths are classed by their two highest bits; `bits` more say the rest.
struct LengthClass {
  std::uint32_t number, bits, rest;
};
constexpr LengthClass class_of(std::uint32_t length) {
  const auto high = static_cast<std::uint32_t>(std::bit_width(length)) - 1;
  if (high == 0) return {0, 0, 0};
  return {2 * high + (length >> (high - 1) & 1), high - 1, length & ((1u << (high - 1)) - 1)};
}
constexpr std::uint32_t length_of(std::uint32_t number, std::uint32_t rest) {
  return number < 2 ? 1 : (2 + number % 2) << (number / 2 - 1) | rest;
}
constexpr std::uint32_t bits_of(std::uint32_t number) { return number < 2 ? 0 : number / 2 - 1; }
static_assert(length_of(class_of(3071).number, class_of(3071).rest) == 3071);

// Symbols are read with the value of their run known: of the two others, which follows?
constexpr unsigned follower(unsigned value, unsigned symbol) { return (value + 1 + symbol % 2) % 3; }

// --- packing ---

struct Token {
  std::uint8_t value, symbol;  // of the run
  std::uint16_t rest;          // of its length
};

struct Runs {  // of one block
  std::uint8_t first = 0;
  std::vector<Token> tokens;
};

// Cuts a block into runs, each as long as can be.
Runs runs_of(std::span<const std::uint8_t> values) {
  Runs runs;
  std::uint8_t value = FREE;
  std::size_t begin = 0;
  for (std::size_t at = 0; at < values.size(); ++at) {
    if (values[at] == FREE || values[at] == value) continue;
    if (value == FREE) {
      value = runs.first = values[at];
      continue;
    }
    const LengthClass length = class_of(static_cast<std::uint32_t>(at - begin));
    const unsigned follows = (values[at] + 3u - value) % 3 - 1;
    runs.tokens.push_back(
        {value, static_cast<std::uint8_t>(length.number * 2 + follows), static_cast<std::uint16_t>(length.rest)});
    begin = at;
    value = values[at];
  }
  if (!runs.tokens.empty()) runs.tokens.push_back({value, END, 0});
  return runs;
}

class BitWriter {
 public:
  explicit BitWriter(std::vector<std::uint8_t>& bytes) : bytes_(bytes) {}
  void write(std::uint32_t bits, std::uint32_t count) {
    word_ |= std::uint64_t{bits} << filled_;
    for (filled_ += count; filled_ >= 8; filled_ -= 8, word_ >>= 8) bytes_.push_back(static_cast<std::uint8_t>(word_));
  }
  void finish() {
    if (filled_ > 0) bytes_.push_back(static_cast<std::uint8_t>(word_));
  }

 private:
  std::vector<std::uint8_t>& bytes_;
  std::uint64_t word_ = 0;
  std::uint32_t filled_ = 0;
};

class Packer {
 public:
  explicit Packer(std::uint64_t size) : size_(size), blocks_((size + BLOCK - 1) / BLOCK) {}

  void cut(const std::function<Source()>& make_source, int threads, const Stop& stop) {
    share_out(threads, blocks_.size(), 4, stop, [&] {
      return [this, source = make_source(), values = std::vector<std::uint8_t>(BLOCK)](std::uint64_t begin,
                                                                                       std::uint64_t end) mutable {
        for (std::uint64_t block = begin; block < end; ++block) {
          const std::span cut(values.data(), positions_in(block));
          source(block * BLOCK, cut);
          blocks_[block] = runs_of(cut);
        }
      };
    });
  }

  std::vector<std::uint8_t> write() {
    choose_codes();
    std::vector<std::uint8_t> bytes = code_bytes(), data;
    for (std::size_t block = 0; block < blocks_.size(); ++block) {
      if (block % GROUP == 0) put(bytes, data.size(), 4), group_begin_ = data.size();
      put(bytes, (data.size() - group_begin_) | std::size_t{blocks_[block].first} << 14, 2);
      write_block(blocks_[block], positions_in(block), data);
    }
    for (std::size_t block = blocks_.size(); block % GROUP != 0; ++block) put(bytes, data.size() - group_begin_, 2);
    bytes.insert(bytes.end(), data.begin(), data.end());
    bytes.insert(bytes.end(), PADDING, 0);
    return bytes;
  }

 private:
  std::uint32_t positions_in(std::uint64_t block) const {
    return static_cast<std::uint32_t>(std::min<std::uint64_t>(BLOCK, size_ - block * BLOCK));
  }

  void choose_codes() {
    std::array<std::array<std::uint64_t, SYMBOLS>, 3> counts{};
    for (const Runs& runs : blocks_)
      for (const Token& token : runs.tokens) ++counts[token.value][token.symbol];
    for (std::size_t value = 0; value < 3; ++value) {
      lengths_[value] = code_lengths(counts[value], LONGEST_CODE);
      codes_[value] = codes_of(lengths_[value]);
    }
  }

  std::vector<std::uint8_t> code_bytes() const {
    std::vector<std::uint8_t> bytes(CODES_BYTES, 0);
    for (std::size_t at = 0; at < 3 * SYMBOLS; ++at)
      bytes[at / 2] = static_cast<std::uint8_t>(bytes[at / 2] | lengths_[at / SYMBOLS][at % SYMBOLS] << at % 2 * 4);
    return bytes;
  }

  void write_block(const Runs& runs, std::uint32_t size, std::vector<std::uint8_t>& data) const {
    if (runs.tokens.empty()) return;  // one value
    const std::size_t begin = data.size();
    BitWriter writer(data);
    for (const Token& token : runs.tokens) {
      writer.write(codes_[token.value][token.symbol], lengths_[token.value][token.symbol]);
      if (token.symbol != END) writer.write(token.rest, bits_of(token.symbol / 2u));
    }
    writer.finish();
    if (data.size() - begin >= raw_bytes(size)) write_raw(runs, size, begin, data);
  }

  // Two bits a position: that is never longer than so.
  static void write_raw(const Runs& runs, std::uint32_t size, std::size_t begin, std::vector<std::uint8_t>& data) {
    data.resize(begin);
    BitWriter writer(data);
    std::uint32_t at = 0;
    for (const Token& token : runs.tokens) {
      const std::uint32_t end = token.symbol == END ? size : at + length_of(token.symbol / 2u, token.rest);
      for (; at < end; ++at) writer.write(token.value, 2);
    }
    writer.finish();
  }

  static void put(std::vector<std::uint8_t>& bytes, std::size_t number, int count) {
    for (int byte = 0; byte < count; ++byte) bytes.push_back(static_cast<std::uint8_t>(number >> 8 * byte));
  }

  std::uint64_t size_;
  std::vector<Runs> blocks_;
  std::size_t group_begin_ = 0;
  std::array<std::vector<std::uint8_t>, 3> lengths_;
  std::array<std::vector<std::uint16_t>, 3> codes_;
};

std::size_t number_at(std::span<const std::uint8_t> bytes, std::size_t at, int count) {
  std::size_t number = 0;
  for (int byte = 0; byte < count; ++byte)
    number |= std::size_t{bytes[at + static_cast<std::size_t>(byte)]} << 8 * byte;
  return number;
}

}  // namespace

std::optional<std::vector<std::uint8_t>> pack(std::uint64_t size, const std::function<Source()>& make_source,
                                              int threads, const Stop& stop) {
  Packer packer(size);
  packer.cut(make_source, threads, stop);
  if (stop.requested()) return std::nullopt;
  return packer.write();
}

// --- reading ---

std::optional<PackedValues> PackedValues::open(std::span<const std::uint8_t> bytes, std::uint64_t size) {
  PackedValues packed;
  packed.size_ = size;
  packed.blocks_ = (size + BLOCK - 1) / BLOCK;
  const std::uint64_t directory = (packed.blocks_ + GROUP - 1) / GROUP * GROUP_BYTES;
  if (bytes.size() < CODES_BYTES + directory + PADDING) return std::nullopt;
  packed.directory_ = bytes.subspan(CODES_BYTES, directory);
  packed.data_ = bytes.subspan(CODES_BYTES + directory, bytes.size() - CODES_BYTES - directory - PADDING);
  if (!packed.read_codes(bytes) || !packed.is_directory_sound()) return std::nullopt;
  return packed;
}

bool PackedValues::read_codes(std::span<const std::uint8_t> bytes) {
  decoder_.resize(1);
  for (std::size_t value = 0; value < 3; ++value) {
    std::vector<std::uint8_t> lengths(SYMBOLS);
    for (std::size_t symbol = 0; symbol < SYMBOLS; ++symbol) {
      const std::size_t at = value * SYMBOLS + symbol;
      lengths[symbol] = bytes[at / 2] >> at % 2 * 4 & 0xF;
      if (lengths[symbol] > LONGEST_CODE) return false;
    }
    if (!is_prefix_code(lengths)) return false;
    const auto codes = codes_of(lengths);
    decoder_[0][value].fill({END, 1});  // bits that are no code end the block
    for (std::size_t symbol = 0; symbol < SYMBOLS; ++symbol)
      for (std::size_t bits = codes[symbol]; lengths[symbol] != 0 && bits < 1 << LONGEST_CODE;
           bits += std::size_t{1} << lengths[symbol])
        decoder_[0][value][bits] = {static_cast<std::uint8_t>(symbol), lengths[symbol]};
  }
  return true;
}

bool PackedValues::is_directory_sound() const {
  std::size_t end = 0;  // of the block before
  for (std::size_t entry = 0; entry < directory_.size() / GROUP_BYTES * GROUP; ++entry) {
    const std::size_t group = entry / GROUP * GROUP_BYTES;
    const std::size_t word = number_at(directory_, group + 4 + entry % GROUP * 2, 2);
    const std::size_t begin = number_at(directory_, group, 4) + (word & OFFSET);
    if (begin < end || begin > data_.size() || begin - end > raw_bytes(BLOCK)) return false;
    if (entry < blocks_ && word >> 14 > static_cast<std::size_t>(Value::WIN)) return false;
    end = begin;
  }
  return data_.size() - end <= raw_bytes(BLOCK);
}

PackedValues::Place PackedValues::place_of(std::uint64_t block) const {
  const std::uint8_t* const group = directory_.data() + block / GROUP * GROUP_BYTES;
  std::uint32_t base;
  std::uint16_t entry;
  std::memcpy(&base, group, 4);
  std::memcpy(&entry, group + 4 + block % GROUP * 2, 2);
  const std::size_t begin = base + std::size_t{static_cast<std::uint16_t>(entry & OFFSET)};
  std::size_t end = data_.size();
  if (block + 1 < blocks_) {
    const std::uint8_t* const next = directory_.data() + (block + 1) / GROUP * GROUP_BYTES;
    std::uint32_t next_base;
    std::uint16_t next_entry;
    std::memcpy(&next_base, next, 4);
    std::memcpy(&next_entry, next + 4 + (block + 1) % GROUP * 2, 2);
    end = next_base + std::size_t{static_cast<std::uint16_t>(next_entry & OFFSET)};
  }
  const auto positions = static_cast<std::uint32_t>(std::min<std::uint64_t>(BLOCK, size_ - block * BLOCK));
  return {data_.subspan(begin, end - begin), positions, static_cast<Value>(entry >> 14)};
}

// Calls visit(end, value) for each run until it answers false or the block is over.
template <class Visit>
void PackedValues::for_each_run(const Place& place, Visit&& visit) const {
  const Decoder& decoder = decoder_.front();
  const std::size_t last_bit = place.bytes.size() * 8;
  auto value = static_cast<unsigned>(place.first);
  std::size_t bit = 0;
  for (std::uint32_t at = 0; at < place.size && bit < last_bit;) {
    std::uint64_t word;  // there are eight zero bytes behind the last block
    std::memcpy(&word, place.bytes.data() + bit / 8, sizeof word);
    word >>= bit % 8;
    const Entry entry = decoder[value][word & ((1 << LONGEST_CODE) - 1)];
    if (entry.symbol == END) break;
    const std::uint32_t rest_bits = bits_of(entry.symbol / 2u);
    const auto rest = static_cast<std::uint32_t>(word >> entry.length & ((1u << rest_bits) - 1));
    bit += entry.length + rest_bits;
    at = std::min(place.size, at + length_of(entry.symbol / 2u, rest));
    if (!visit(at, static_cast<Value>(value))) return;
    value = follower(value, entry.symbol);
  }
  visit(place.size, static_cast<Value>(value));
}

Value PackedValues::operator[](std::uint64_t at) const {
  assert(at < size_);
  const Place place = place_of(at / BLOCK);
  const auto wanted = static_cast<std::uint32_t>(at % BLOCK);
  if (place.bytes.empty()) return place.first;
  if (place.bytes.size() == raw_bytes(place.size))
    return static_cast<Value>(std::min(2, place.bytes[wanted / 4] >> wanted % 4 * 2 & 3));
  Value found = place.first;
  for_each_run(place, [&](std::uint32_t end, Value value) {
    found = value;
    return end <= wanted;
  });
  return found;
}

void PackedValues::unpack(std::uint64_t block, Block& unpacked) const {
  const Place place = place_of(block);
  if (!place.bytes.empty() && place.bytes.size() == raw_bytes(place.size)) {
    std::memcpy(unpacked.data(), place.bytes.data(), place.bytes.size());
    for (auto& word : unpacked) word &= ~(word >> 1 & word & 0x5555555555555555);  // there is no fourth value
    return;
  }
  unpacked.fill(static_cast<std::uint64_t>(place.first) * 0x5555555555555555);
  std::uint32_t begin = 0;
  for_each_run(place, [&](std::uint32_t end, Value value) {
    const std::uint64_t pattern = static_cast<std::uint64_t>(value) * 0x5555555555555555;
    for (; begin < end; begin = std::min(end, (begin / 32 + 1) * 32)) {
      const std::uint64_t mask = ~std::uint64_t{0} << begin % 32 * 2;  // later runs write over what is above
      unpacked[begin / 32] = (unpacked[begin / 32] & ~mask) | (pattern & mask);
    }
    return true;
  });
}

}  // namespace outplay::tablebase
