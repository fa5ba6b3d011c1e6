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
    const Cells numbers = ((values + OFFSET) << INDEX_BITS) + std::bit_cast<Cells>(indices);
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
    pairs += tally(our_pairs & (fours & ~theirs));
    lines += tally(ours & (fours & ~theirs));
    other_pairs += tally(~ours & their_pairs);
    other_lines += tally(~ours & theirs);
  }
  return weighed(counts(held & good), weights.held_good) + weighed(counts(held & ~good), weights.held_other) +
         weighed(total(pairs), weights.pairs) - weighed(total(other_pairs), weights.other_pairs) -
         weighed(counts(p.replies), weights.replies) + weighed(total(lines), weights.lines) -
         weighed(total(other_lines), weights.other_lines) + (~if_empty(forced) & static_cast<Word>(weights.forcing));
}

}  // namespace outplay::solver
