#include "connect4/batch.hpp"

#include "base/random.hpp"
#include "connect4/notation.hpp"

namespace outplay::connect4 {

template <class Word>
std::optional<std::size_t> first_illegal(const Batch<Word>& batch, std::span<const std::int64_t> actions) {
  const std::int64_t width = batch.board->size.width;
  for (std::size_t index = 0; index < actions.size(); ++index) {
    const std::int64_t column = actions[index];
    const auto position = batch[index];
    if (column < 0 || column >= width || !position.is_open(static_cast<int>(column)) || position.is_won()) return index;
  }
  return std::nullopt;
}

template <class Word>
Batch<Word> play(const Batch<Word>& batch, std::span<const std::int64_t> actions) {
  Batch<Word> result(*batch.board, batch.size());
  result.is_reachable = batch.is_reachable;
  for (std::size_t index = 0; index < actions.size(); ++index)
    result.set(index, batch[index].play(static_cast<int>(actions[index])));
  return result;
}

template <class Word>
Batch<Word> mirror(const Batch<Word>& batch) {
  Batch<Word> result(*batch.board, batch.size());
  result.is_reachable = batch.is_reachable;
  for (std::size_t index = 0; index < batch.size(); ++index) result.set(index, batch[index].mirror());
  return result;
}

template <class Word>
std::optional<BasicPosition<Word>> from_key(const Geometry<Word>& board, Word key) {
  Word own = 0, mask = 0;
  for (int column = 0; column < board.size.width; ++column) {
    const int shift = column * board.stride;
    const Word part = (key >> shift & ((Word{1} << board.stride) - 1)) + 1;  // own discs + 2 ^ height
    int height = 0;
    while (part >> (height + 1) != 0) ++height;
    if (height > board.size.height) return std::nullopt;
    own |= (part ^ Word{1} << height) << shift;
    mask |= ((Word{1} << height) - 1) << shift;
  }
  if (own + mask != key) return std::nullopt;  // bits beyond the board
  return BasicPosition<Word>(board, own, mask);
}

template <class Word>
bool is_possible(const BasicPosition<Word>& position) {
  const auto& board = position.board();
  const Word mask = position.mask(), supported = mask << 1 | board.bottom;
  return (mask & ~board.board) == 0 && (mask & ~supported) == 0 && (position.own() & ~mask) == 0 &&
         count_bits(position.own()) == position.plies() / 2;
}

namespace {

// Takes the discs off the board from the top, whichever column is tallest first; true if that gets to the empty board.
template <class Word>
bool comes_apart(BasicPosition<Word> position) {
  const auto& board = position.board();
  Word mask = position.mask(), last = position.other(), next = position.own();
  while (mask != 0) {
    const Word tops = mask & ~(mask >> 1) & last;
    if (tops == 0) return false;
    int tallest = -1;
    Word best = 0;
    for (Word left = tops; left != 0; left &= left - 1) {
      const int height = lowest_index(left) % board.stride;
      if (height > tallest) tallest = height, best = lowest_bit(left);
    }
    mask ^= best;
    last ^= best;
    std::swap(last, next);
  }
  return true;
}

}  // namespace

template <class Word>
bool is_reachable(const BasicPosition<Word>& position) {
  if (!position.is_won() && !position.has_four(position.own()) && comes_apart(position)) return true;
  return problems(rows_of(position), {"", ""}).empty();
}

namespace {

template <class Word>
int pick_column(Word open, int stride, Random& random) {
  for (auto skip = random.below(static_cast<std::uint64_t>(count_bits(open))); skip != 0; --skip) open &= open - 1;
  return lowest_index(open) / stride;
}

template <class Word>
bool wins_at_once(const BasicPosition<Word>& position) {
  for (Word open = open_columns(position); open != 0; open &= open - 1)
    if (position.play(lowest_index(open) / position.board().stride).is_won()) return true;
  return false;
}

// Drops that do not make four, until there are that many discs; nothing if every drop would.
template <class Word>
std::optional<BasicPosition<Word>> drop_discs(const Geometry<Word>& board, int plies, Random& random) {
  BasicPosition<Word> position(board);
  while (position.plies() < plies) {
    Word open = open_columns(position);
    for (;;) {
      if (open == 0) return std::nullopt;
      const int column = pick_column(open, board.stride, random);
      const auto next = position.play(column);
      if (!next.is_won()) {
        position = next;
        break;
      }
      open &= ~board.column(column);
    }
  }
  return position;
}

// Some position of a game at random, from its start to the one before its end.
template <class Word>
BasicPosition<Word> from_game(const Geometry<Word>& board, Random& random) {
  std::vector<BasicPosition<Word>> game{BasicPosition<Word>(board)};
  for (Word open = board.board; (open = open_columns(game.back())) != 0;)
    game.push_back(game.back().play(pick_column(open, board.stride, random)));
  return game[random.below(game.size() - 1)];
}

constexpr int MOST_TRIES = 100'000;  // before such a position is taken for impossible

}  // namespace

template <class Word>
std::optional<BasicPosition<Word>> random_position(const Geometry<Word>& board, const RandomPositions& wanted,
                                                   std::uint64_t number) {
  Random random = Random::stream(wanted.seed, number);
  for (int attempt = 0; attempt < MOST_TRIES; ++attempt) {
    std::optional<BasicPosition<Word>> position;
    if (wanted.plies) {
      const auto [least, most] = *wanted.plies;
      const auto extra = random.below(static_cast<std::uint64_t>(most - least + 1));
      position = drop_discs(board, least + static_cast<int>(extra), random);
    } else {
      position = from_game(board, random);
    }
    if (position && !(wanted.has_no_win && wins_at_once(*position))) return position;
  }
  return std::nullopt;
}

#define OUTPLAY_FOR(Word)                                                                                    \
  template std::optional<std::size_t> first_illegal(const Batch<Word>&, std::span<const std::int64_t>);      \
  template Batch<Word> play(const Batch<Word>&, std::span<const std::int64_t>);                              \
  template Batch<Word> mirror(const Batch<Word>&);                                                           \
  template std::optional<BasicPosition<Word>> from_key(const Geometry<Word>&, Word);                         \
  template bool is_possible(const BasicPosition<Word>&);                                                     \
  template bool is_reachable(const BasicPosition<Word>&);                                                    \
  template std::optional<BasicPosition<Word>> random_position(const Geometry<Word>&, const RandomPositions&, \
                                                              std::uint64_t);
OUTPLAY_FOR(std::uint64_t)
OUTPLAY_FOR(Word128)
#undef OUTPLAY_FOR

}  // namespace outplay::connect4
