// Which move to look at first. A good guess is worth more than anything else here: where a move refutes, the others
// need not be looked at, and the saving multiplies from ply to ply.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>

#include "solver/bounds.hpp"

namespace outplay::solver {

// What a move is judged by. "Open" fours are those in which the other side has no disc.
struct Weights {
  int held_good;            // winning cells that cannot be filled at once, in the rows that favour the side
  int held_other;           // and in the other rows
  int forcing;              // whether the move threatens to win at once
  int replies;              // moves the other side has that do not lose at once
  std::array<int, 6> rows;  // the row of the disc, from the top down; further down as the last

  // Not in the last third of the game, when few are left.
  int pairs;        // open fours with two of the own discs or more
  int lines;        // open fours with a disc at all, except upright ones
  int other_lines;  // the same of the other side
};

// The same move can be good or bad: four classes, by the side to move and by whether it must win or must only hold.
constexpr int CLASSES = 4;

inline int class_of(int empty, int beta) { return (empty & 1) * 2 + (beta > 0 ? 1 : 0); }

// By phase and class. Those of the two later phases were learnt where they are used: at positions picked at random out
// of running searches every move was tried, and the weights are those that lead to a cheap refutation (docs/solver.md).
// Those of the opening were found by coordinate search, by the nodes of the empty board and 60 random positions.
enum class Phase : std::uint8_t { OPENING, EARLY, LATE };
extern const std::array<std::array<Weights, CLASSES>, 3> WEIGHTS;

inline Phase phase_of(int plies, int cells) {
  return plies < cells / 5 ? Phase::OPENING : 2 * plies > cells ? Phase::LATE : Phase::EARLY;
}

inline bool has_lines(int plies, int cells) { return 3 * plies < 2 * cells; }

inline const Weights& weights_for(int plies, int cells, int beta) {
  return WEIGHTS[static_cast<std::size_t>(phase_of(plies, cells))]
                [static_cast<std::size_t>(class_of(cells - plies, beta))];
}

// How a worth follows what happens: each success takes it closer to `most`, each failure closer to `least`, by so many
// 256ths of the way. So the last ten or so count, and what was before is forgotten.
struct Memory {
  int most = 0, least = 0;
  int success = 0;    // the move refuted, after others had been tried in vain
  int as_judged = 0;  // it refuted, and was the first that was tried
  int failure = 0;    // it was tried in vain
};

// What a cell did lately in positions of the phase, and what it did as an answer to the disc dropped last.
struct Memories {
  Memory cell, answer;
};

// By phase. In the opening there are none: there a single wrong turn costs millions of nodes, and what refuted
// elsewhere a moment ago is chance.
constexpr std::array<Memories, 3> MEMORIES{{
    {},
    {{23, -36, 64, 10, 64}, {14, -20, 64, 16, 44}},
    {{40, -40, 96, 18, 96}, {40, -20, 64, 16, 64}},
}};

// What the cell of a move is worth in a phase, whatever else the move does: by its row and by what is remembered.
template <class Word>
class CellWorths {
 public:
  static constexpr int FRACTION_BITS = 4;  // worths are counted in 16ths, for they move by small steps

  template <class Board>
  CellWorths(const Board& board, Phase phase) : memories_(MEMORIES[static_cast<std::size_t>(phase)]) {
    for (std::size_t i = 0; i < CLASSES; ++i) {
      const Weights& weights = WEIGHTS[static_cast<std::size_t>(phase)][i];
      for (int column = 0; column < board.width(); ++column)
        for (int row = 0; row < board.height(); ++row) {
          const auto from_top = static_cast<std::size_t>(board.height() - 1 - row);
          classes_[i].rows[static_cast<std::size_t>(column * board.stride() + row)] =
              static_cast<std::int16_t>(weights.rows[std::min(from_top, weights.rows.size() - 1)] << FRACTION_BITS);
        }
    }
    forget();
  }

  // For positions of a class in which `last` was the cell of the disc dropped last: the worth of a bit, or of none.
  auto after(int class_index, int last) const {
    const Class& of = classes_[static_cast<std::size_t>(class_index)];
    return [&cells = of.cells, &answers = of.answers[static_cast<std::size_t>(last)]](Word bit) {
      const auto index = static_cast<std::size_t>(lowest_index(bit | NO_CELL));
      return cells[index] + answers[index];
    };
  }

  void succeed(int class_index, int last, int cell, bool is_first) {
    const auto rate = [&](const Memory& memory) { return is_first ? memory.as_judged : memory.success; };
    learn(class_index, last, cell, {memories_.cell.most, rate(memories_.cell)},
          {memories_.answer.most, rate(memories_.answer)});
  }
  void fail(int class_index, int last, int cell) {
    learn(class_index, last, cell, {memories_.cell.least, memories_.cell.failure},
          {memories_.answer.least, memories_.answer.failure});
  }
  void forget() {
    for (Class& of : classes_) {
      if (!of.has_learnt) continue;  // an easy question is answered before anything is learnt
      of.cells = of.rows;
      of.answers = {};
      of.has_learnt = false;
    }
  }

 private:
  static constexpr std::size_t CELLS = sizeof(Word) * 8;
  static constexpr Word NO_CELL = Word{1} << (CELLS - 1);  // on the largest board it is above the last column
  using Worths = std::array<std::int16_t, CELLS>;
  struct Class {
    bool has_learnt = true;
    Worths rows{}, cells{};
    std::array<Worths, CELLS> answers{};
  };
  struct Step {
    int goal, rate;

    void take(std::int16_t& worth, int base) const {
      worth = static_cast<std::int16_t>(worth + ((base + (goal << FRACTION_BITS) - worth) * rate >> 8));
    }
  };

  void learn(int class_index, int last, int cell, Step general, Step as_answer) {
    Class& of = classes_[static_cast<std::size_t>(class_index)];
    const auto index = static_cast<std::size_t>(cell);
    general.take(of.cells[index], of.rows[index]);
    as_answer.take(of.answers[static_cast<std::size_t>(last)][index], 0);
    of.has_learnt = true;
  }

  Memories memories_;
  std::array<Class, CLASSES> classes_;
};

// Moves still to be looked at, in packs of as many as `Cells` has lanes. Each is fetched when its turn comes: mostly
// the first one is enough.
template <class Word, class Cells, std::size_t PACKS>
class Order {
 public:
  explicit Order(std::size_t packs) : packs_(packs) {}

  void open(std::size_t pack, unsigned lanes) { open_ |= lanes << (pack * EACH), count_ += std::popcount(lanes); }
  int count() const { return count_; }

  // How promising the moves of a pack are. Promise and index in one number: the best is simply the largest, and of
  // equals the first.
  void promise(std::size_t pack, const Cells& values) {
    std::array<Word, EACH> indices;
    for (std::size_t lane = 0; lane < EACH; ++lane) indices[lane] = INDICES - 1 - (pack * EACH + lane);
    const Cells numbers = ((values + OFFSET) << INDEX_BITS) + join<Cells>(indices);
    promises_[pack] = numbers & spread<Cells>(open_ >> (pack * EACH));
    is_judged_ = true;
  }

  // The best move left, or simply the next if they are not judged.
  [[gnu::always_inline]] std::size_t fetch(int place) {
    std::size_t index = 0;
    if (is_judged_) {
      Word most = largest(promises_[0]);
      for (std::size_t pack = 1; pack < packs(); ++pack) most = std::max(most, largest(promises_[pack]));
      for (std::size_t pack = 0; pack < packs(); ++pack) promises_[pack] &= ~if_empty(promises_[pack] ^ most);
      index = INDICES - 1 - static_cast<std::size_t>(most) % INDICES;
    } else {
      index = static_cast<std::size_t>(lowest_index(open_));
      open_ &= open_ - 1;
    }
    fetched_[static_cast<std::size_t>(place)] = static_cast<std::uint8_t>(index);
    return index;
  }
  std::size_t fetched(int place) const { return fetched_[static_cast<std::size_t>(place)]; }

  // To be looked at after all others.
  void put_off(int place) {
    later_[static_cast<std::size_t>(put_off_count_++)] = fetched_[static_cast<std::size_t>(place)];
  }
  int put_off_count() const { return put_off_count_; }
  std::size_t later(int place) const { return later_[static_cast<std::size_t>(place)]; }

 private:
  static constexpr std::size_t EACH = LANES_OF<Word, Cells>, LANES = PACKS * EACH;
  static constexpr int INDEX_BITS = 5;
  static constexpr std::size_t INDICES = std::size_t{1} << INDEX_BITS;
  static constexpr Word OFFSET = Word{1} << 40;  // no promise is below 0
  static_assert(LANES <= INDICES);

  std::size_t packs() const { return PACKS == 1 ? 1 : packs_; }

  std::size_t packs_;
  std::uint32_t open_ = 0;
  int count_ = 0, put_off_count_ = 0;
  bool is_judged_ = false;
  std::array<Cells, PACKS> promises_;
  std::array<std::uint8_t, LANES> fetched_, later_;
};

// For each direction: the step from cell to cell, and the cells from which a four fits.
template <class Board, class Visit>
inline void for_each_direction(const Board& board, const Visit& visit) {
  for (const int step : {1, board.stride() - 1, board.stride(), board.stride() + 1})
    visit(step, board.fours_along(step));
}

// The judgement of a move by the position after it: threats and what they force.
template <class Cells, class Board>
inline Cells judge_threats(const Board& board, const Followed<Cells>& p, bool is_even, const Weights& weights) {
  using Word = typename Board::Word;
  const Word good = is_even ? ~board.paired() : board.paired();
  const Cells held = p.threats & ~p.playable, forced = p.threats & p.playable;
  return weighed(counts(held & good), weights.held_good) + weighed(counts(held & ~good), weights.held_other) -
         weighed(counts(p.replies), weights.replies) + (~if_empty(forced) & static_cast<Word>(weights.forcing));
}

// And the fours that are still open.
template <class Cells, class Board>
inline Cells judge_lines(const Board& board, const Followed<Cells>& p, typename Board::Word leader,
                         const Weights& weights) {
  using Word = typename Board::Word;
  Cells pairs{}, lines{}, other_lines{};
  for_each_direction(board, [&](int step, Word fours) {
    // The first two cells of each four, and the last two: whether either holds a disc, and whether both do.
    const Cells either = p.follower | p.follower >> step, both = p.follower & p.follower >> step;
    const Cells last_either = either >> (2 * step), last_both = both >> (2 * step);
    const Word theirs = leader | leader >> step | leader >> (2 * step) | leader >> (3 * step);
    pairs += tally((both | last_both | (either & last_either)) & (fours & ~theirs));
    if (step == 1) return;
    const Cells ours = either | last_either;
    lines += tally(ours & (fours & ~theirs));
    other_lines += tally(~ours & (fours & theirs));
  });
  return weighed(total(pairs), weights.pairs) + weighed(total(lines), weights.lines) -
         weighed(total(other_lines), weights.other_lines);
}

}  // namespace outplay::solver
