#include "tablebase/huffman.hpp"

#include <algorithm>
#include <functional>
#include <queue>
#include <utility>

namespace outplay::tablebase {
namespace {

using Weighted = std::pair<std::uint64_t, std::size_t>;  // how often, and which node of the tree

// The depth of each leaf in a Huffman tree over the symbols that occur.
std::vector<std::uint8_t> depths(std::span<const std::uint64_t> counts) {
  std::priority_queue<Weighted, std::vector<Weighted>, std::greater<>> heap;
  for (std::size_t symbol = 0; symbol < counts.size(); ++symbol)
    if (counts[symbol] != 0) heap.emplace(counts[symbol], symbol);
  std::vector<std::uint8_t> lengths(counts.size(), 0);
  if (heap.size() == 1) lengths[heap.top().second] = 1;
  std::vector<std::size_t> parents(2 * counts.size(), 0);
  std::size_t node = counts.size();
  for (; heap.size() > 1; ++node) {
    const Weighted rarest = heap.top();
    heap.pop();
    const Weighted second = heap.top();
    heap.pop();
    parents[rarest.second] = parents[second.second] = node;
    heap.emplace(rarest.first + second.first, node);
  }
  for (std::size_t symbol = 0; symbol < counts.size(); ++symbol)
    for (std::size_t at = symbol; counts[symbol] != 0 && parents[at] != 0; at = parents[at]) ++lengths[symbol];
  return lengths;
}

}  // namespace

std::vector<std::uint8_t> code_lengths(std::span<const std::uint64_t> counts, int longest) {
  std::vector<std::uint64_t> flattened(counts.begin(), counts.end());
  for (;;) {
    auto lengths = depths(flattened);
    if (*std::max_element(lengths.begin(), lengths.end()) <= longest) return lengths;
    for (auto& count : flattened) count = (count + 1) / 2;  // rare symbols become less rare, absent ones stay absent
  }
}

std::vector<std::uint16_t> codes_of(std::span<const std::uint8_t> lengths) {
  std::vector<std::uint16_t> codes(lengths.size(), 0);
  unsigned next = 0;
  for (int length = 1; length <= 16; ++length, next <<= 1)
    for (std::size_t symbol = 0; symbol < lengths.size(); ++symbol) {
      if (lengths[symbol] != length) continue;
      unsigned reversed = 0;
      for (int bit = 0; bit < length; ++bit) reversed |= (next >> bit & 1) << (length - 1 - bit);
      codes[symbol] = static_cast<std::uint16_t>(reversed);
      ++next;
    }
  return codes;
}

bool is_prefix_code(std::span<const std::uint8_t> lengths) {
  std::uint32_t share = 0;  // of all 16-bit words
  for (const std::uint8_t length : lengths) share += length == 0 ? 0 : (1u << 16) >> length;
  return share <= 1u << 16;
}

}  // namespace outplay::tablebase
