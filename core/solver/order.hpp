// Which move to look at first. A good guess is worth more than anything else here: where a move refutes, the others
// need not be looked at, and the saving multiplies from ply to ply.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "solver/bounds.hpp"

namespace outplay::solver {

// What a move is judged by. "Open" fours are those in which the other side has no disc.
struct Weights {
  int held_good,
      held_other;          // winning cells that cannot be filled at once: in the rows that favour the side, in others
  int pairs;               // open fours with two of the own discs or more
  int other_pairs;         // the same of the other side, which the move leaves
  int replies;             // moves the other side has that do not lose at once
  int lines, other_lines;  // open fours with a disc at all: own, and of the other side
  int forcing;             // whether the move threatens to win at once
  int history;             // the most that success elsewhere may add; 0 if it has no say
};

// The same move can be good or bad: four classes, by the side to move and by whether it must win or must only hold.
constexpr int CLASSES = 4;

inline int class_of(int empty, int beta) { return (empty & 1) * 2 + (beta > 0 ? 1 : 0); }

// By phase and class. Set by hand, then two coordinate searches, each ended in its first sweep: seven weights of the
// later phases moved, nine of the opening. The one counted nodes on 130 positions of L1_R2, 250 of L2_R2 and 3 of
// L1_R3, which are also sets that bench/solver.py measures; the other on the empty board.
//
// In the opening history has no say: there a single wrong turn costs millions of nodes, and what refuted elsewhere a
// moment ago is chance.
enum class Phase : std::uint8_t { OPENING, EARLY, LATE };
extern const std::array<std::array<Weights, CLASSES>, 3> WEIGHTS;

inline bool is_late(int plies, int cells) { return 2 * plies > cells; }

inline Phase phase_of(int plies, int cells) {
  return plies < cells / 5 ? Phase::OPENING : is_late(plies, cells) ? Phase::LATE : Phase::EARLY;
}

inline const Weights& weights_for(int plies, int cells, int beta) {
  return WEIGHTS[static_cast<std::size_t>(phase_of(plies, cells))]
                [static_cast<std::size_t>(class_of(cells - plies, beta))];
}

// Cells that refuted lately, by class. The memory is short: when a cell has collected enough, all of its class are
// halved.
class History {
 public:
  int worth(int class_index, int cell, const Weights& weights) const {
    if (weights.history == 0) return 0;
    return std::min(weights.history,
                    4 * counts_[static_cast<std::size_t>(class_index)][static_cast<std::size_t>(cell)]);
  }
  void reward(int class_index, int cell, int place) {
    auto& counts = counts_[static_cast<std::size_t>(class_index)];
    auto& count = counts[static_cast<std::size_t>(cell)];
    count += 2 + place;
    if (count > FULL)
      for (auto& other : counts) other /= 2;
  }
  void blame(int class_index, int cell) {
    auto& count = counts_[static_cast<std::size_t>(class_index)][static_cast<std::size_t>(cell)];
    count = std::max(LOWEST, count - 1);
  }

 private:
  static constexpr int FULL = 64, LOWEST = -8;
  std::array<std::array<int, 128>, CLASSES> counts_{};
};

// The judgement of a move by the position after it, without history.
template <class Cells, class Board>
inline Cells judge(const Board& board, const Followed<Cells>& p, typename Board::Word leader, bool is_even,
                   const Weights& weights) {
  using Word = typename Board::Word;
  const Word good = is_even ? ~board.paired() : board.paired();
  const Cells held = p.threats & ~p.playable, forced = p.threats & p.playable;
  Cells pairs{}, other_pairs{}, lines{}, other_lines{};
  for (int slope = -1; slope <= 2; ++slope) {
    const int step = slope == 2 ? 1 : board.stride() + slope;
    const Word fours = board.fours_along(step);
    const Word a = leader, b = a >> step, c = a >> (2 * step), d = a >> (3 * step);
    const Word theirs = (a | b | c | d) & fours, their_pairs = ((a & b) | (c & d) | ((a | b) & (c | d))) & fours;
    const Cells e = p.follower, f = e >> step, g = e >> (2 * step), h = e >> (3 * step);
    const Cells ours = e | f | g | h, our_pairs = (e & f) | (g & h) | ((e | f) & (g | h));
    pairs += counts(our_pairs & (fours & ~theirs));
    lines += counts(ours & (fours & ~theirs));
    other_pairs += counts(~ours & their_pairs);
    other_lines += counts(~ours & theirs);
  }
  return weighed(counts(held & good), weights.held_good) + weighed(counts(held & ~good), weights.held_other) +
         weighed(pairs, weights.pairs) - weighed(other_pairs, weights.other_pairs) -
         weighed(counts(p.replies), weights.replies) + weighed(lines, weights.lines) -
         weighed(other_lines, weights.other_lines) + (~if_empty(forced) & static_cast<Word>(weights.forcing));
}

}  // namespace outplay::solver
