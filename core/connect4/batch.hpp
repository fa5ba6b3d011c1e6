// Many positions of one board size, side by side, as values: what a batch is asked gives a new batch or an array.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/stop.hpp"
#include "connect4/planes.hpp"
#include "connect4/position.hpp"

namespace outplay::connect4 {

// How the game stands, as a number for arrays.
enum class Standing : std::int8_t { GOES_ON, FIRST_WON, SECOND_WON, DRAWN };

template <class Word>
Standing standing_of(const BasicPosition<Word>& position) {
  if (position.is_won()) return position.side() == Side::FIRST ? Standing::SECOND_WON : Standing::FIRST_WON;
  return position.is_full() ? Standing::DRAWN : Standing::GOES_ON;
}

// The open columns, as the top cell of each; nothing when the game is over.
template <class Word>
Word open_columns(const BasicPosition<Word>& position) {
  const auto& board = position.board();
  return position.is_won() ? Word{0} : ~position.mask() & board.bottom << (board.size.height - 1);
}

template <class Word>
struct Batch {
  const Geometry<Word>* board;
  std::vector<Word> own, mask;
  bool is_reachable = true;  // false: nobody checked that games lead there, so books must not be asked

  explicit Batch(const Geometry<Word>& geometry, std::size_t count = 0) : board(&geometry), own(count), mask(count) {}

  std::size_t size() const { return own.size(); }
  BasicPosition<Word> operator[](std::size_t index) const { return {*board, own[index], mask[index]}; }
  void set(std::size_t index, const BasicPosition<Word>& position) {
    own[index] = position.own();
    mask[index] = position.mask();
  }
  bool operator==(const Batch& other) const { return board == other.board && own == other.own && mask == other.mask; }
};

// The first place whose action is not an open column of a game that goes on.
template <class Word>
std::optional<std::size_t> first_illegal(const Batch<Word>& batch, std::span<const std::int64_t> actions);

template <class Word>
Batch<Word> play(const Batch<Word>& batch, std::span<const std::int64_t> actions);  // all of them legal

template <class Word>
Batch<Word> mirror(const Batch<Word>& batch);

// The position of a key: see BasicPosition::key. Nothing if the number is no key.
template <class Word>
std::optional<BasicPosition<Word>> from_key(const Geometry<Word>& board, Word key);

// Are the discs on the board, none in the air, and as many as the turns ask for?
template <class Word>
bool is_possible(const BasicPosition<Word>& position);

// Does a game lead there? The position is possible. Boards of random play are settled at once, others as
// problems() settles them.
template <class Word>
bool is_reachable(const BasicPosition<Word>& position);

// Which positions are wanted at random.
struct RandomPositions {
  struct Plies {
    int least, most;
  };
  std::optional<Plies> plies;  // discs on the board; nothing: some position of a random game
  bool has_no_win = false;     // the side to move cannot win with its next disc
  std::uint64_t seed = 0;
};

// The position with this number in the sample. With plies, sides drop discs at random that do not make four; else both
// play at random until the game is over, and one of the positions before that is taken. Nothing if none is found.
template <class Word>
std::optional<BasicPosition<Word>> random_position(const Geometry<Word>& board, const RandomPositions& wanted,
                                                   std::uint64_t number);

}  // namespace outplay::connect4
