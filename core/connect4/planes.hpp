// Sets of cells as arrays of zeros and ones, as programs that learn read them: row 0 on top, columns from the left.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "connect4/position.hpp"

namespace outplay::connect4 {

inline constexpr Geometry<std::uint64_t> STANDARD(Size{7, 6});

// Where the planes of the side to move and of the other stand: one after the other, or cell by cell.
enum class Channels : std::uint8_t { FIRST, LAST };

namespace standard {

static_assert(std::endian::native == std::endian::little, "rows are written as whole words");

// Seven bits as seven bytes, the lowest first.
inline constexpr auto BYTES = [] {
  std::array<std::uint64_t, 128> words{};
  for (std::size_t bits = 0; bits < words.size(); ++bits)
    for (std::size_t index = 0; index < 7; ++index) words[bits] |= std::uint64_t{bits >> index & 1} << (8 * index);
  return words;
}();

// The cells of one row (from the bottom) as seven bytes. They are seven bits apart; the product brings them side by
// side from bit 42 on, and no two of its terms fall on the same bit.
constexpr std::uint64_t row_bytes(std::uint64_t cells, int row) {
  constexpr std::uint64_t GATHER = [] {
    std::uint64_t word = 0;
    for (int column = 0; column < 7; ++column) word |= std::uint64_t{1} << (42 - 6 * column);
    return word;
  }();
  return BYTES[((cells >> row & STANDARD.bottom) * GATHER) >> 42 & 127];
}

// Six rows of seven bytes: words of eight, each of which covers the excess of the one before.
inline void write_plane(std::uint64_t cells, std::int8_t* out) {
  for (int row = 5; row > 0; --row, out += 7) {
    const std::uint64_t bytes = row_bytes(cells, row);
    std::memcpy(out, &bytes, 8);
  }
  const std::uint64_t bytes = row_bytes(cells, 0);
  std::memcpy(out, &bytes, 7);
}

}  // namespace standard

// The discs of the side to move, then those of the other: 2 x height x width numbers, or height x width x 2.
template <class Word, class Number>
void write_planes(const Geometry<Word>& board, Word own, Word other, Channels channels, Number* out) {
  if constexpr (std::is_same_v<Word, std::uint64_t>)
    if (board.size == STANDARD.size && channels == Channels::FIRST) {
      if constexpr (std::is_same_v<Number, std::int8_t>) {
        standard::write_plane(own, out);
        standard::write_plane(other, out + 42);
      } else {
        std::array<std::int8_t, 84> bytes;
        standard::write_plane(own, bytes.data());
        standard::write_plane(other, bytes.data() + 42);
        for (std::size_t cell = 0; cell < bytes.size(); ++cell) out[cell] = static_cast<Number>(bytes[cell]);
      }
      return;
    }
  const int step = channels == Channels::FIRST ? 1 : 2, second = channels == Channels::FIRST ? board.size.cells() : 1;
  for (int row = board.size.height - 1; row >= 0; --row)
    for (int column = 0; column < board.size.width; ++column, out += step) {
      const int bit = column * board.stride + row;
      out[0] = static_cast<Number>(static_cast<int>(own >> bit & 1));
      out[second] = static_cast<Number>(static_cast<int>(other >> bit & 1));
    }
}

}  // namespace outplay::connect4
