// Canonical Huffman codes of limited length.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace outplay::tablebase {

// The length of each symbol's code, 0 for a symbol that does not occur. At most 1 << longest symbols may occur.
std::vector<std::uint8_t> code_lengths(std::span<const std::uint64_t> counts, int longest);

// The codes that canonical order gives to these lengths, to be written from the lowest bit on. Shorter codes come
// first, among equals the lower symbol, so the lengths are enough to know them.
std::vector<std::uint16_t> codes_of(std::span<const std::uint8_t> lengths);

// Whether these lengths can be those of a prefix code.
bool is_prefix_code(std::span<const std::uint8_t> lengths);

}  // namespace outplay::tablebase
