// Is a position worth at least so much? A search with a window of no width, by one thread.
//
// Scores are those of Pons and gamesolver.org, seen from the side to move: 0 is a draw; whoever drops the winning disc
// on a board with n discs has (cells + 1 - n) / 2, rounded down, and the other side the negative. Sooner is better.
//
// At each node, for all moves at once (a lane per move where the processor has vectors, one after the other where not):
//   1. moves that do not lose at once                    4. what the table knows of the position after each move
//   2. a move after which the other side loses           5. the rest in order of promise, searched
//   3. a move that secures enough by a static bound      6. the result into the table
#pragma once

#include <array>
#include <cstring>
#include <optional>
#include <type_traits>

#include "solver/order.hpp"
#include "solver/prober.hpp"
#include "solver/table.hpp"

namespace outplay::solver {

// `Cells` is Words8 for the vector path and Board::Word for the plain one; both visit the same nodes.
template <class Board, class Cells>
class Search final : public Prober<typename Board::Word> {
 public:
  using Word = typename Board::Word;

  Search(connect4::Size size, Shared<Word>& shared) : board_(size), shared_(shared) {
    for (int bit = 0; bit < size.bits(); ++bit)
      mirror_index_[static_cast<std::size_t>(bit)] = static_cast<std::uint8_t>(lowest_index(mirror(Word{1} << bit)));
  }

  std::uint64_t nodes() const override { return nodes_; }

  std::optional<int> test(Word own, Word mask, int beta, const Abort& abort) override {
    abort_ = &abort;
    is_aborted_ = false;
    first_node_ = nodes_;
    const Node root{own, mask, winning_cells(board_, own ^ mask, mask), key_of(own + mask, count_bits(mask))};
    const int bound = search(root, count_bits(mask), beta);
    return is_aborted_ ? std::nullopt : std::optional(bound);
  }

  void forget() override { history_ = {}; }

 private:
  // The side to move cannot win at once, and has a move that does not lose at once.
  struct Node {
    Word own, mask, other_threats;  // winning cells of the other side
    Word key;
  };

  static constexpr std::size_t LANES = Board::LANES;
  static constexpr bool IS_VECTOR = std::is_same_v<Cells, Words8>;
  struct Moves {
    int count = 0;
    std::array<Word, LANES> cell, threats, key;
    std::array<typename Table<Word>::Place, LANES> place;
    std::array<Followed<Cells>, IS_VECTOR ? 1 : LANES> ahead;  // the positions after the moves
  };

  // A bound of the score: if it is `beta` or more, a low one, else a high one.
  int search(const Node& node, int plies, int beta) {
    if (((++nodes_ - first_node_) & 1023) == 0 && abort_->requested(1024)) is_aborted_ = true;
    const int cells = board_.cells();
    if (plies >= cells - 2) return 0;
    const int lowest_score = -((cells - 2 - plies) / 2), highest = (cells - 1 - plies) / 2;
    if (beta > highest) return highest;
    if (beta <= lowest_score) return lowest_score;

    // 1.
    Moves moves;
    list_moves(moves, node, plies);
    // 2. Without a win by the disc after next, no score above `most` is left.
    const int most = highest - 1;
    if (look_ahead(moves, node)) return highest;
    if (beta > most) return most;
    // 3.
    if (is_secured(moves, plies, beta)) return beta;

    // 4.
    const Table<Word>& table = shared_.tables.at(plies + 1);
    const int class_index = class_of(cells - plies, beta);
    int best = lowest_score;
    Order order;
    for (int move = 0; move < moves.count; ++move) {
      const Bounds known = table.find(moves.place[static_cast<std::size_t>(move)]);
      if (-known.high >= beta) return -known.high;
      if (-known.low < beta)
        best = std::max(best, -known.low);
      else
        order.index[static_cast<std::size_t>(order.count++)] = move;
    }
    if (order.count > 1 && shared_.techniques.order) judge_moves(order, moves, node, plies, beta);

    // 5.
    const std::uint64_t before = nodes_;
    const bool is_shared = shared_.is_crowded && plies < cells / 3;
    bool is_deferred = false;
    for (int place = 0; place < order.count; ++place) {
      const std::size_t index = order.fetch(place);
      if (is_shared && place > 0 && shared_.marks.is_set(mark_of(moves.key[index], beta))) {
        order.put_off(place);
        is_deferred = true;
        continue;
      }
      best = std::max(best, -search_child(node, moves, index, plies, beta, is_shared));
      if (best >= beta) learn(history_[is_late(plies, cells)], moves, order, place, class_index);
      if (is_aborted_ || best >= beta) break;
    }
    for (int place = 0; is_deferred && place < order.put_off_count && best < beta && !is_aborted_; ++place) {
      const auto index = static_cast<std::size_t>(order.later[static_cast<std::size_t>(place)]);
      const Bounds known = table.find(moves.place[index]);  // by now the other thread may know
      const bool is_known = -known.high >= beta || -known.low < beta;
      const int score = -known.high >= beta ? -known.high : -known.low;
      best = std::max(best, is_known ? score : -search_child(node, moves, index, plies, beta, is_shared));
    }
    if (is_aborted_) return 0;

    // 6.
    Table<Word>& own_table = shared_.tables.at(plies);
    own_table.store(own_table.place(node.key), best >= beta ? Bounds{best, most} : Bounds{lowest_score, best},
                    nodes_ - before);
    return best;
  }

  int search_child(const Node& node, const Moves& moves, std::size_t index, int plies, int beta, bool is_shared) {
    const Node child{node.own ^ node.mask, node.mask | moves.cell[index], moves.threats[index], moves.key[index]};
    if (!is_shared) return search(child, plies + 1, 1 - beta);
    const std::uint64_t mark = mark_of(child.key, beta);
    shared_.marks.set(mark);
    const int score = search(child, plies + 1, 1 - beta);
    shared_.marks.clear(mark);
    return score;
  }

  // Moves still to be looked at, each fetched when its turn comes: mostly the first one is enough. And those put off
  // because another thread is at them.
  struct Order {
    static constexpr int INDICES = 32;

    int count = 0, put_off_count = 0;
    bool is_judged = false;
    std::array<int, LANES> index, later;

    // Promise and index in one number, so that the best is simply the largest; of equals, the first.
    void set_promise(int place, int value) {
      int& entry = index[static_cast<std::size_t>(place)];
      entry = value * INDICES + INDICES - 1 - entry;
    }
    // The best from this place on; it takes the place.
    std::size_t fetch(int place) {
      const auto at = static_cast<std::size_t>(place), end = static_cast<std::size_t>(count);
      if (!is_judged) return static_cast<std::size_t>(index[at]);
      std::size_t best = at;
      for (std::size_t other = at + 1; other < end; ++other) best = index[other] > index[best] ? other : best;
      const int found = INDICES - 1 - (index[best] & (INDICES - 1));
      index[best] = index[at];
      index[at] = found;
      return static_cast<std::size_t>(found);
    }
    void put_off(int place) {
      later[static_cast<std::size_t>(put_off_count++)] = index[static_cast<std::size_t>(place)];
    }
  };

  void judge_moves(Order& order, const Moves& moves, const Node& node, int plies, int beta) const {
    const Weights& weights = weights_for(plies, board_.cells(), beta);
    const int class_index = class_of(board_.cells() - plies, beta);
    const bool is_even = (board_.cells() - plies) % 2 == 0;
    std::array<Word, LANES> judgements;
    for (std::size_t pack = 0; pack < packs(moves); ++pack) {
      const auto& ahead = moves.ahead[pack];
      const Cells all = judge(board_, ahead, node.own ^ node.mask, is_even, weights);
      std::memcpy(judgements.data() + pack, &all, sizeof all);
    }
    const History& history = history_[is_late(plies, board_.cells())];
    for (int place = 0; place < order.count; ++place) {
      const auto index = static_cast<std::size_t>(order.index[static_cast<std::size_t>(place)]);
      order.set_promise(place, static_cast<int>(static_cast<std::int64_t>(judgements[index])) +
                                   history.worth(class_index, lowest_index(moves.cell[index]), weights));
    }
    order.is_judged = true;
  }

  static void learn(History& history, const Moves& moves, const Order& order, int place, int class_index) {
    if (place == 0) return;
    const auto cell = [&](int at) {
      return lowest_index(moves.cell[static_cast<std::size_t>(order.index[static_cast<std::size_t>(at)])]);
    };
    for (int earlier = 0; earlier < place; ++earlier) history.blame(class_index, cell(earlier));
    history.reward(class_index, cell(place), place);
  }

  void list_moves(Moves& moves, const Node& node, int plies) const {
    const Word playable = (node.mask + board_.bottom()) & board_.board();
    const Word forced = playable & node.other_threats;
    const Word other_key = (node.own ^ node.mask) + node.mask;  // of the position after a move, without its disc
    const Table<Word>& table = shared_.tables.at(plies + 1);
    Word left = (forced != 0 ? forced : playable) & ~(node.other_threats >> 1);
    const bool is_mirrored = !shared_.tables.is_late(plies + 1);
    const Word mirrored = is_mirrored ? mirror(other_key) : 0;
    for (; left != 0; left &= left - 1) {
      const auto index = static_cast<std::size_t>(moves.count++);
      const Word cell = lowest_bit(left);
      moves.cell[index] = cell;
      moves.key[index] =
          is_mirrored ? std::min(other_key + cell,
                                 mirrored + (Word{1} << mirror_index_[static_cast<std::size_t>(lowest_index(cell))]))
                      : other_key + cell;
      moves.place[index] = table.place(moves.key[index]);
      table.prefetch(moves.place[index]);  // it arrives while the lanes compute
    }
  }

  static std::size_t packs(const Moves& moves) { return IS_VECTOR ? 1 : static_cast<std::size_t>(moves.count); }

  // Looks at the position after each move; true if one of them is lost for the other side.
  bool look_ahead(Moves& moves, const Node& node) const {
    if constexpr (IS_VECTOR)
      for (auto index = static_cast<std::size_t>(moves.count); index < LANES; ++index) moves.cell[index] = 0;
    const Word other = node.own ^ node.mask;
    for (std::size_t pack = 0; pack < packs(moves); ++pack) {
      Cells cell;
      std::memcpy(&cell, moves.cell.data() + pack, sizeof cell);
      Followed<Cells>& p = moves.ahead[pack];
      p.follower = cell | node.own;
      p.leader = Cells{} | other;
      p.mask = cell | node.mask;
      p.playable = (p.mask + board_.bottom()) & board_.board();
      p.threats = winning_cells(board_, p.follower, p.mask);
      const Cells forced = p.threats & p.playable;
      p.replies = (forced | (p.playable & if_empty(forced))) & ~(p.threats >> 1);
      std::memcpy(moves.threats.data() + pack, &p.threats, sizeof cell);
      if (any((if_empty(p.replies) | ~if_empty(forced & (forced - 1))) & ~if_empty(cell))) return true;
    }
    return false;
  }

  bool is_secured(const Moves& moves, int plies, int beta) const {
    const bool is_even = (board_.cells() - plies) % 2 == 0;
    if (is_even ? !shared_.techniques.threats : !shared_.techniques.evens) return false;
    for (std::size_t pack = 0; pack < packs(moves); ++pack) {
      const Followed<Cells>& p = moves.ahead[pack];
      Cells cell;
      std::memcpy(&cell, moves.cell.data() + pack, sizeof cell);
      const Cells secured =
          is_even ? secured_by_threat(board_, p, std::max(beta, 1)) : secured_by_evens(board_, p, std::max(beta, 0));
      if (any(secured & ~if_empty(cell))) return true;
    }
    return false;
  }

  // A position and its mirror image are one, while positions are few.
  Word key_of(Word key, int plies) const { return shared_.tables.is_late(plies) ? key : std::min(key, mirror(key)); }

  Word mirror(Word word) const {
    const int last = board_.width() - 1, stride = board_.stride();
    const Word column = (Word{1} << stride) - 1;
    Word result = 0;
    for (int i = 0; i <= last; ++i) result |= (word >> (i * stride) & column) << ((last - i) * stride);
    return result;
  }

  // Threads are at the same only if they also ask the same of it.
  static std::uint64_t mark_of(Word key, int beta) {
    std::uint64_t mark = static_cast<std::uint64_t>(key) ^ static_cast<std::uint64_t>(beta) << 56;
    if constexpr (sizeof(Word) > 8) mark ^= static_cast<std::uint64_t>(key >> 64) * 0xBF58476D1CE4E5B9;
    return mark;
  }

  const Board board_;
  std::array<std::uint8_t, sizeof(Word) * 8> mirror_index_{};
  Shared<Word>& shared_;
  std::array<History, 2> history_;
  std::uint64_t nodes_ = 0, first_node_ = 0;  // so far; when the running test began
  const Abort* abort_ = nullptr;
  bool is_aborted_ = false;
};

}  // namespace outplay::solver
