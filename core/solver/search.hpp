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

  Search(connect4::Size size, Shared<Word>& shared) : board_(size), shared_(shared) {}

  std::uint64_t nodes() const override { return nodes_; }

  std::optional<int> test(Word own, Word mask, int beta, const Abort& abort) override {
    abort_ = &abort;
    is_aborted_ = false;
    const Node root{own, mask, winning_cells(board_, own ^ mask, mask), key_of(own + mask, count_bits(mask))};
    const int bound = search(root, count_bits(mask), beta);
    return is_aborted_ ? std::nullopt : std::optional(bound);
  }

  void forget() override { history_.clear(); }

 private:
  // The side to move cannot win at once, and has a move that does not lose at once.
  struct Node {
    Word own, mask, other_threats;  // winning cells of the other side
    Word key;
  };

  static constexpr std::size_t LANES = Board::LANES;
  struct Moves {
    int count = 0;
    std::array<Word, LANES> cell, threats, promise, key;
    std::array<typename Table<Word>::Place, LANES> place;
    bool wins = false, secures = false;
  };

  // A bound of the score: if it is `beta` or more, a low one, else a high one.
  int search(const Node& node, int plies, int beta) {
    if ((++nodes_ & 1023) == 0 && abort_->requested(1024)) is_aborted_ = true;
    const int cells = board_.cells();
    if (plies >= cells - 2) return 0;
    const int lowest_score = -((cells - 2 - plies) / 2), highest = (cells - 1 - plies) / 2;
    if (beta > highest) return highest;
    if (beta <= lowest_score) return lowest_score;

    // 1.
    Moves moves;
    list_moves(moves, node, plies);
    look_ahead(moves, node, plies, beta);
    // 2. and 3. Without a win by the disc after next, no score above `most` is left.
    const int most = highest - 1;
    if (moves.wins) return highest;
    if (beta > most) return most;
    if (moves.secures) return beta;

    // 4.
    const Table<Word>& table = shared_.tables.at(plies + 1);
    const Weights& weights = weights_for(plies, cells, beta);
    const int class_index = class_of(cells - plies, beta);
    int best = lowest_score;
    Order order;
    for (int i = 0; i < moves.count; ++i) {
      const auto index = static_cast<std::size_t>(i);
      const Bounds known = table.find(moves.place[index]);
      if (-known.high >= beta) return -known.high;
      if (-known.low < beta) {
        best = std::max(best, -known.low);
      } else {
        const int promise = static_cast<int>(static_cast<std::int64_t>(moves.promise[index]));
        order.insert(i, promise + history_.worth(class_index, lowest_index(moves.cell[index]), weights));
      }
    }

    // 5.
    const std::uint64_t before = nodes_;
    const bool is_shared = shared_.is_crowded && plies + 1 < cells / 2;
    bool is_deferred = false;
    for (int place = 0; place < order.count; ++place) {
      const auto index = static_cast<std::size_t>(order.index[static_cast<std::size_t>(place)]);
      if (is_shared && place > 0 && shared_.marks.is_set(short_key(moves.key[index]))) {
        order.put_off(place);
        is_deferred = true;
        continue;
      }
      best = std::max(best, -search_child(node, moves, index, plies, beta, is_shared));
      if (best >= beta) learn(moves, order, place, class_index);
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
    const std::uint64_t key = short_key(child.key);
    shared_.marks.set(key);
    const int score = search(child, plies + 1, 1 - beta);
    shared_.marks.clear(key);
    return score;
  }

  // Moves by promise, the best first; those put off because another thread is at them.
  struct Order {
    int count = 0, put_off_count = 0;
    std::array<int, LANES> index, promise, later;

    void insert(int move, int value) {
      auto at = static_cast<std::size_t>(count++);
      for (; at > 0 && promise[at - 1] < value; --at) promise[at] = promise[at - 1], index[at] = index[at - 1];
      promise[at] = value, index[at] = move;
    }
    void put_off(int place) {
      later[static_cast<std::size_t>(put_off_count++)] = index[static_cast<std::size_t>(place)];
    }
  };

  void learn(const Moves& moves, const Order& order, int place, int class_index) {
    if (place == 0) return;
    const auto cell = [&](int at) {
      return lowest_index(moves.cell[static_cast<std::size_t>(order.index[static_cast<std::size_t>(at)])]);
    };
    for (int earlier = 0; earlier < place; ++earlier) history_.blame(class_index, cell(earlier));
    history_.reward(class_index, cell(place), place);
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
      moves.key[index] = is_mirrored ? std::min(other_key + cell, mirrored + mirror(cell)) : other_key + cell;
      moves.place[index] = table.place(moves.key[index]);
      table.prefetch(moves.place[index]);  // it arrives while the lanes compute
    }
  }

  struct Facts {
    Cells threats, promise, loses, secures;
  };

  Facts facts_of(Cells cell, const Node& node, int plies, int beta) const {
    const Word other = node.own ^ node.mask;
    Followed<Cells> p;
    p.follower = cell | node.own;
    p.leader = Cells{} | other;
    p.mask = cell | node.mask;
    p.playable = (p.mask + board_.bottom()) & board_.board();
    p.threats = winning_cells(board_, p.follower, p.mask);
    const Cells forced = p.threats & p.playable;
    const Cells replies = (forced | (p.playable & if_empty(forced))) & ~(p.threats >> 1);

    Facts facts;
    facts.threats = p.threats;
    facts.loses = if_empty(replies) | ~if_empty(forced & (forced - 1));
    facts.secures = Cells{};
    const bool is_even = (board_.cells() - plies) % 2 == 0;
    if (!is_even && shared_.techniques.evens) facts.secures = secured_by_evens(board_, p, std::max(beta, 0));
    if (is_even && shared_.techniques.threats) facts.secures = secured_by_threat(board_, p, std::max(beta, 1));
    facts.promise = Cells{};
    if (shared_.techniques.order)
      facts.promise = judge(board_, p, replies, other, is_even, weights_for(plies, board_.cells(), beta));
    return facts;
  }

  void look_ahead(Moves& moves, const Node& node, int plies, int beta) const {
    if constexpr (std::is_same_v<Cells, Words8>) {
      for (auto index = static_cast<std::size_t>(moves.count); index < LANES; ++index) moves.cell[index] = 0;
      Words8 cells;
      std::memcpy(&cells, moves.cell.data(), sizeof cells);
      const Facts facts = facts_of(cells, node, plies, beta);
      const Words8 used = ~if_empty(cells);
      moves.wins = any(facts.loses & used);
      moves.secures = any(facts.secures & used);
      std::memcpy(moves.threats.data(), &facts.threats, sizeof cells);
      std::memcpy(moves.promise.data(), &facts.promise, sizeof cells);
    } else {
      for (std::size_t index = 0; index < static_cast<std::size_t>(moves.count); ++index) {
        const Facts facts = facts_of(moves.cell[index], node, plies, beta);
        moves.wins |= any(facts.loses);
        moves.secures |= any(facts.secures);
        moves.threats[index] = facts.threats;
        moves.promise[index] = facts.promise;
      }
    }
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

  static std::uint64_t short_key(Word key) {
    if constexpr (sizeof(Word) == 8)
      return key;
    else
      return static_cast<std::uint64_t>(key) ^ static_cast<std::uint64_t>(key >> 64) * 0xBF58476D1CE4E5B9;
  }

  const Board board_;
  Shared<Word>& shared_;
  History history_;
  std::uint64_t nodes_ = 0;
  const Abort* abort_ = nullptr;
  bool is_aborted_ = false;
};

}  // namespace outplay::solver
