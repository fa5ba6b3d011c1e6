// Many games at once, played in step for programs that learn. A game that ends begins again at once.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <vector>

#include "base/random.hpp"
#include "connect4/planes.hpp"
#include "connect4/position.hpp"

namespace outplay::connect4 {

template <class Word>
class VectorGames {
 public:
  // Where a step writes, one row for each game.
  struct Arrays {
    std::int8_t* planes;     // 2 x height x width: see write_planes
    std::uint8_t* masks;     // width: which columns are open
    float* rewards;          // of the side that moved: 1 for a win, otherwise 0
    std::uint8_t* finished;  // whether the move ended the game; the planes and the mask are those of the next one
  };

  VectorGames(const Geometry<Word>& board, std::size_t count) : board_(board), own_(count), mask_(count) {}

  std::size_t size() const { return own_.size(); }
  const Geometry<Word>& board() const { return board_; }
  BasicPosition<Word> operator[](std::size_t index) const { return {board_, own_[index], mask_[index]}; }

  void reset(const Arrays& arrays) {
    std::ranges::fill(own_, 0);
    std::ranges::fill(mask_, 0);
    for (std::size_t index = 0; index < size(); ++index) {
      observe(board_, index, arrays);
      arrays.rewards[index] = 0;
      arrays.finished[index] = 0;
    }
  }

  // The first game whose action is no open column.
  std::optional<std::size_t> first_illegal(std::span<const std::int64_t> actions) const {
    const auto width = static_cast<std::uint64_t>(board_.size.width);
    const Word top = board_.bit(0, board_.size.height - 1);
    for (std::size_t index = 0; index < actions.size(); ++index) {
      const auto column = static_cast<std::uint64_t>(actions[index]);
      if (column >= width || (mask_[index] & top << (column * static_cast<std::uint64_t>(board_.stride))) != 0)
        return index;
    }
    return std::nullopt;
  }

  // All actions are legal.
  void step(std::span<const std::int64_t> actions, const Arrays& arrays) {
    if constexpr (sizeof(Word) == 8)
      if (board_.size == STANDARD.size)
        return step_all(STANDARD, actions, arrays);  // its numbers are known: twice as fast
    step_all(board_, actions, arrays);
  }

  void random_actions(Random& random, std::int64_t* out) const {
    const Word top = board_.bottom << (board_.size.height - 1);
    for (std::size_t index = 0; index < size(); ++index) {
      Word open = ~mask_[index] & top;
      auto skip = (random.next() >> 32) * static_cast<std::uint64_t>(count_bits(open)) >> 32;
      for (; skip != 0; --skip) open &= open - 1;
      out[index] = lowest_index(open) / board_.stride;
    }
  }

 private:
  [[gnu::always_inline]] void step_all(const Geometry<Word>& board, std::span<const std::int64_t> actions,
                                       const Arrays& arrays) {
    for (std::size_t index = 0; index < actions.size(); ++index) {
      const Word mask = mask_[index], bottom = board.bit(static_cast<int>(actions[index]), 0);
      const Word cell = (mask + bottom) & ~mask;
      const Word moved = own_[index] | cell, filled = mask | cell;
      const bool is_won = BasicPosition<Word>(board).has_four(moved), is_over = is_won || filled == board.board;
      const Word kept = is_over ? 0 : ~Word{0};
      own_[index] = (own_[index] ^ mask) & kept;
      mask_[index] = filled & kept;
      arrays.rewards[index] = is_won ? 1 : 0;
      arrays.finished[index] = is_over;
      observe(board, index, arrays);
    }
  }

  // Games are observed in order: a row may be written with an excess that the next one covers.
  [[gnu::always_inline]] void observe(const Geometry<Word>& board, std::size_t index, const Arrays& arrays) const {
    const auto width = static_cast<std::size_t>(board.size.width), cells = static_cast<std::size_t>(board.size.cells());
    const Word own = own_[index], mask = mask_[index];
    std::uint8_t* const open = arrays.masks + index * width;
    write_planes(board, own, static_cast<Word>(own ^ mask), Channels::FIRST, arrays.planes + index * 2 * cells);
    if constexpr (sizeof(Word) == 8)
      if (board.size == STANDARD.size) {
        const std::uint64_t bytes = standard::row_bytes(~mask, STANDARD.size.height - 1);
        if (index + 1 < size())
          std::memcpy(open, &bytes, 8);
        else
          std::memcpy(open, &bytes, 7);
        return;
      }
    for (int column = 0; column < board.size.width; ++column)
      open[column] = (mask & board.bit(column, board.size.height - 1)) == 0;
  }

  const Geometry<Word>& board_;
  std::vector<Word> own_, mask_;  // as in a position
};

}  // namespace outplay::connect4
