// Is a position worth at least so much? A search with a window of no width, by one thread.
//
// Scores are those of Pons and gamesolver.org, seen from the side to move: 0 is a draw; whoever drops the winning disc
// on a board with n discs has (cells + 1 - n) / 2, rounded down, and the other side the negative. Sooner is better.
//
// At each node, for all moves at once (a lane per move where the processor has vectors, one after the other where not):
//   1. moves that do not lose at once                    4. what the table knows of the position after each move
//   2. a move after which the other side loses           5. the rest in order of promise, searched
//   3. a move that secures enough by a static bound      6. the result into the table
// Where few discs are left to win with, sprint.hpp takes over.
#pragma once

#include <array>
#include <bit>
#include <optional>
#include <type_traits>

#include "solver/order.hpp"
#include "solver/prober.hpp"
#include "solver/sprint.hpp"
#include "solver/table.hpp"

namespace outplay::solver {

// The vector path looks at up to eight moves at once, with as many lanes as there are moves, and at more in packs of
// eight; the plain one at one after the other. Both visit the same nodes.
template <class Board, bool IS_VECTOR>
class Search final : public Prober<typename Board::Word> {
 public:
  using Word = typename Board::Word;

  Search(connect4::Size size, Shared<Word>& shared)
      : board_(size),
        shared_(shared),
        tables_(shared.early, size),
        worths_{CellWorths<Word>(board_, Phase::OPENING), CellWorths<Word>(board_, Phase::EARLY),
                CellWorths<Word>(board_, Phase::LATE)} {}

  std::uint64_t nodes() const override { return nodes_; }

  std::optional<int> test(Word own, Word mask, int beta, const Abort& abort) override {
    abort_ = &abort;
    is_aborted_ = false;
    reported_ = nodes_;
    const KeyedNode root{{own, mask, winning_cells(board_, own ^ mask, mask)},
                         key_of(own + mask, count_bits(mask)),
                         board_.height()};  // which is above the first column: nobody knows the last disc
    const int bound = search(root, count_bits(mask), beta);
    abort.requested(nodes_ - reported_);  // it counts them
    if constexpr (IS_VECTOR) leave_vectors();
    return is_aborted_ ? std::nullopt : std::optional(bound);
  }

  void forget_order() override {
    for (auto& worths : worths_) worths.forget();
  }
  void clear() override {
    forget_order();
    tables_.clear_late();
  }

 private:
  struct KeyedNode : Node<Word> {
    Word key;
    int last;  // the cell of the disc dropped last
  };

  // Moves, and where the table keeps the positions after them.
  template <class Cells, std::size_t PACKS>
  struct KeyedMoves : Moves<Word, Cells, PACKS> {
    using Moves<Word, Cells, PACKS>::Moves;
    std::array<Cells, PACKS> key;
    std::array<typename Table<Word>::template Place<Cells>, PACKS> place;

    Word key_at(std::size_t index) const { return this->lane(key[index / this->EACH], index); }
  };

  // A bound of the score: if it is `beta` or more, a low one, else a high one. There is a move that does not lose at
  // once.
  int search(const KeyedNode& node, int plies, int beta) {
    if (++nodes_ - reported_ >= REPORT) report();
    const int cells = board_.cells();
    if (plies >= cells - 2) return 0;
    const int lowest_score = -((cells - 2 - plies) >> 1), highest = (cells - 1 - plies) >> 1;
    if (beta > highest) return highest;
    if (beta <= lowest_score) return lowest_score;

    // 1.
    const Word left = safe_moves(board_, node);
    // The discs within which the side that must win has to win; by the second one the score is the highest or lowest.
    const int discs = 2 + (beta > 0 ? highest - beta : beta - 1 - lowest_score);
    if (discs <= sprint_discs_) {
      const bool is_enough = beta > 0 ? sprint_.wins(node, left, discs) : sprint_.holds(node, left, discs);
      return is_enough ? beta : beta - 1;
    }
    return by_lanes<Board, IS_VECTOR>(
        left, [&]<class Cells, std::size_t PACKS>() { return expand<Cells, PACKS>(node, left, plies, beta); });
  }

  template <class Cells, std::size_t PACKS>
  [[gnu::noinline]] int expand(const KeyedNode& node, Word left, int plies, int beta) {
    const int cells = board_.cells();
    const int lowest_score = -((cells - 2 - plies) >> 1), highest = (cells - 1 - plies) >> 1;
    KeyedMoves<Cells, PACKS> moves(left);
    // 2. Without a win by the disc after next, no score above `most` is left.
    const int most = highest - 1;
    if (beta > most) return look_ahead(board_, moves, node) ? highest : most;
    find_places(moves, node, plies);
    if (look_ahead(board_, moves, node)) return highest;
    // 3.
    if (is_secured(moves, plies, beta)) return beta;

    // 4.
    int best = lowest_score;
    Order<Word, Cells, PACKS> order(moves.packs());
    ask_table(tables_.at(plies + 1), moves, beta, order, best);
    if (best >= beta) return best;
    if (order.count() > 1 && shared_.techniques.order) judge_moves(order, moves, node, plies, beta);

    // 5.
    const std::uint64_t before = nodes_;
    const bool is_shared = shared_.is_crowded && plies < cells / 2;
    for (int place = 0; place < order.count(); ++place) {
      const std::size_t index = order.fetch(place);
      if (is_shared && place > 0 && shared_.marks.is_set(mark_of(moves.key_at(index), beta))) {
        order.put_off(place);
        continue;
      }
      best = std::max(best, -search_child(node, moves, index, plies, beta, is_shared));
      if (best >= beta) learn(moves, order, place, node.last, plies, beta);
      if (is_aborted_ || best >= beta) break;
    }
    if (is_shared && best < beta) search_later(order, node, moves, plies, beta, best);
    if (is_aborted_) return 0;

    // 6.
    Table<Word>& own_table = tables_.at(plies);
    own_table.store(own_table.place(node.key), best >= beta ? Bounds{best, most} : Bounds{lowest_score, best},
                    nodes_ - before);
    return best;
  }

  // What the table knows of the positions after the moves: the best of it, and which moves are still to be searched.
  template <class Cells, std::size_t PACKS>
  static void ask_table(const Table<Word>& table, const KeyedMoves<Cells, PACKS>& moves, int beta,
                        Order<Word, Cells, PACKS>& order, int& best) {
    constexpr int HIGHEST = Table<Word>::HIGHEST;
    const auto at = [](const Cells& words, unsigned lanes) {
      return static_cast<int>(apart<Word>(words)[static_cast<std::size_t>(lowest_index(lanes))]);
    };
    for (std::size_t pack = 0; pack < moves.packs(); ++pack) {
      const Cells entry = table.find(moves.place[pack]);
      const Cells low = Table<Word>::known_low(entry), high = Table<Word>::known_high(entry);
      const unsigned refuting = ~negative(high - static_cast<Word>(HIGHEST + beta)) & moves.filled_lanes(pack);
      unsigned useless = negative(static_cast<Word>(HIGHEST - beta) - low) & moves.filled_lanes(pack);
      if (refuting != 0) {
        best = at(high, refuting) - HIGHEST;
        return;
      }
      order.open(pack, moves.filled_lanes(pack) & ~useless);
      for (; useless != 0; useless &= useless - 1) best = std::max(best, HIGHEST - at(low, useless));
    }
  }

  template <class Moves>
  int search_child(const KeyedNode& node, const Moves& moves, std::size_t index, int plies, int beta, bool is_shared) {
    const KeyedNode child{moves.child(node, index), moves.key_at(index), lowest_index(moves.cell_at(index))};
    if (!is_shared) return search(child, plies + 1, 1 - beta);
    const std::uint64_t mark = mark_of(child.key, beta);
    shared_.marks.set(mark);
    const int score = search(child, plies + 1, 1 - beta);
    shared_.marks.clear(mark);
    return score;
  }

  // The moves put off because another thread was at them. By now it may have left its answer in the table.
  template <class Cells, std::size_t PACKS>
  [[gnu::noinline]] void search_later(const Order<Word, Cells, PACKS>& order, const KeyedNode& node,
                                      const KeyedMoves<Cells, PACKS>& moves, int plies, int beta, int& best) {
    const Table<Word>& table = tables_.at(plies + 1);
    for (int place = 0; place < order.put_off_count() && best < beta && !is_aborted_; ++place) {
      const std::size_t index = order.later(place);
      const Bounds known = table.bounds(table.find(table.place(moves.key_at(index))));
      const bool is_known = -known.high >= beta || -known.low < beta;
      const int score = -known.high >= beta ? -known.high : -known.low;
      best = std::max(best, is_known ? score : -search_child(node, moves, index, plies, beta, true));
    }
  }

  template <class Cells, std::size_t PACKS>
  void judge_moves(Order<Word, Cells, PACKS>& order, const KeyedMoves<Cells, PACKS>& moves, const KeyedNode& node,
                   int plies, int beta) const {
    const Weights& weights = weights_for(plies, board_.cells(), beta);
    const int class_index = class_of(board_.cells() - plies, beta);
    const bool is_even = (board_.cells() - plies) % 2 == 0;
    const auto worth_of = worths_[phase_index(plies)].after(class_index, node.last);
    for (std::size_t pack = 0; pack < moves.packs(); ++pack) {
      auto worths = apart<Word>(moves.cell[pack]);
      for (Word& worth : worths) worth = static_cast<Word>(worth_of(worth));
      const Followed<Cells>& p = moves.after[pack];
      Cells judged = judge_threats(board_, p, is_even, weights);
      if (has_lines(plies, board_.cells())) judged += judge_lines(board_, p, node.own ^ node.mask, weights);
      const Cells promise = (judged << CellWorths<Word>::FRACTION_BITS) + join<Cells>(worths);
      order.promise(pack, promise);
    }
  }

  template <class Moves, class Order>
  void learn(const Moves& moves, const Order& order, int place, int last, int plies, int beta) {
    CellWorths<Word>& worths = worths_[phase_index(plies)];
    const int class_index = class_of(board_.cells() - plies, beta);
    const auto cell = [&](int at) { return lowest_index(moves.cell_at(order.fetched(at))); };
    for (int earlier = 0; earlier < place; ++earlier) worths.fail(class_index, last, cell(earlier));
    worths.succeed(class_index, last, cell(place), place == 0);
  }

  // Where the table keeps the positions after the moves; what it has arrives while the lanes compute.
  template <class Cells, std::size_t PACKS>
  void find_places(KeyedMoves<Cells, PACKS>& moves, const KeyedNode& node, int plies) const {
    const Word other_key = (node.own ^ node.mask) + node.mask;  // of the position after a move, without its disc
    const Table<Word>& table = tables_.at(plies + 1);
    for (std::size_t pack = 0; pack < moves.packs(); ++pack) {
      moves.key[pack] = moves.cell[pack] + other_key;
      if (tables_.is_folded(plies + 1)) moves.key[pack] = lesser(moves.key[pack], mirror(moves.key[pack]));
      moves.place[pack] = table.place(moves.key[pack]);
      table.prefetch(moves.place[pack]);
    }
  }

  template <class Cells, std::size_t PACKS>
  bool is_secured(const KeyedMoves<Cells, PACKS>& moves, int plies, int beta) const {
    const bool is_even = (board_.cells() - plies) % 2 == 0;
    if (is_even ? !shared_.techniques.threats : !shared_.techniques.evens) return false;
    for (std::size_t pack = 0; pack < moves.packs(); ++pack) {
      const Followed<Cells>& p = moves.after[pack];
      const Cells secured =
          is_even ? secured_by_threat(board_, p, std::max(beta, 1)) : secured_by_evens(board_, p, std::max(beta, 0));
      if (any(secured & ~if_empty(moves.cell[pack]))) return true;
    }
    return false;
  }

  void report() {
    if (abort_->requested(nodes_ - reported_)) is_aborted_ = true;
    reported_ = nodes_;
  }

  std::size_t phase_index(int plies) const { return static_cast<std::size_t>(phase_of(plies, board_.cells())); }

  Word key_of(Word key, int plies) const { return tables_.is_folded(plies) ? std::min(key, mirror(key)) : key; }

  template <class Cells>
  Cells mirror(Cells key) const {
    const int last = board_.width() - 1, stride = board_.stride();
    const Word column = (Word{1} << stride) - 1;
    Cells result{};
    for (int i = 0; i <= last; ++i) result |= (key >> (i * stride) & column) << ((last - i) * stride);
    return result;
  }

  // Threads are at the same only if they also ask the same of it.
  static std::uint64_t mark_of(Word key, int beta) {
    std::uint64_t mark = static_cast<std::uint64_t>(key) ^ static_cast<std::uint64_t>(beta) << 56;
    if constexpr (sizeof(Word) > 8) mark ^= static_cast<std::uint64_t>(key >> 64) * 0xBF58476D1CE4E5B9;
    return mark;
  }

  const Board board_;
  Shared<Word>& shared_;
  Tables<Word> tables_;
  std::array<CellWorths<Word>, 3> worths_;
  static constexpr std::uint64_t REPORT = 1024;  // nodes after which `Abort` is asked
  std::uint64_t nodes_ = 0, reported_ = 0;
  Sprint<Board, IS_VECTOR> sprint_{board_, nodes_};
  const int sprint_discs_ = shared_.techniques.sprint ? Sprint<Board, IS_VECTOR>::MOST_DISCS : 0;
  const Abort* abort_ = nullptr;
  bool is_aborted_ = false;
};

}  // namespace outplay::solver
