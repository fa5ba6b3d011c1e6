// What the solver knows of a board's shape: 7 x 6 at compile time, every other size at run time.
#pragma once

#include "connect4/position.hpp"

namespace outplay::solver {

// The masks the bounds and the move order work with. Rows count from 1 at the bottom, as people say them.
template <class Word>
struct Shape {
  Word bottom = 0, board = 0;
  Word paired = 0;  // the rows H, H - 2, ...: the upper cells when columns are split into dominoes from the top down

  constexpr Shape(int width, int height) {
    for (int column = 0; column < width; ++column) bottom |= Word{1} << (column * (height + 1));
    for (int row = 0; row < height; ++row) board |= bottom << row;
    for (int row = height - 1; row >= 0; row -= 2) paired |= bottom << row;
  }
};

// What every board can say of rows; `rows_below(r)` are the rows 1 to r.
template <class Board>
struct Rows {
  constexpr auto rows_below(int row) const { return self().bottom() * ((decltype(self().bottom()){1} << row) - 1); }
  constexpr auto lid() const { return self().bottom() << self().height(); }  // one cell above each column
  constexpr auto top() const { return self().bottom() << (self().height() - 1); }

  // The cells from which a four in this direction fits.
  constexpr auto fours_along(int step) const {
    const auto board = self().board();
    return board & board >> step & board >> (2 * step) & board >> (3 * step);
  }

 private:
  constexpr const Board& self() const { return static_cast<const Board&>(*this); }
};

// 7 x 6: all constants.
struct Standard : Rows<Standard> {
  using Word = std::uint64_t;
  static constexpr int WIDTH = 7, HEIGHT = 6;
  static constexpr std::size_t LANES = 8;
  static constexpr Shape<Word> SHAPE{WIDTH, HEIGHT};

  constexpr explicit Standard(connect4::Size) {}
  constexpr int width() const { return WIDTH; }
  constexpr int height() const { return HEIGHT; }
  constexpr int stride() const { return HEIGHT + 1; }
  constexpr int cells() const { return WIDTH * HEIGHT; }
  constexpr Word bottom() const { return SHAPE.bottom; }
  constexpr Word board() const { return SHAPE.board; }
  constexpr Word paired() const { return SHAPE.paired; }
};

// Any size that fits the word.
template <class W, std::size_t L = sizeof(W) * 8 / 5 + 1>
struct Anysize : Rows<Anysize<W, L>> {
  using Word = W;
  static constexpr std::size_t LANES = L;  // the widest board is four high

  explicit Anysize(connect4::Size size) : size_(size), shape_(size.width, size.height) {}
  int width() const { return size_.width; }
  int height() const { return size_.height; }
  int stride() const { return size_.height + 1; }
  int cells() const { return size_.cells(); }
  Word bottom() const { return shape_.bottom; }
  Word board() const { return shape_.board; }
  Word paired() const { return shape_.paired; }

 private:
  connect4::Size size_;
  Shape<Word> shape_;
};

}  // namespace outplay::solver
