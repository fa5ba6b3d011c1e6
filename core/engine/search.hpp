// One thread's search: principal variation search over one root position. Several share a table and a clock.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <optional>
#include <vector>

#include "engine/endgames.hpp"
#include "engine/evaluate.hpp"
#include "engine/limits.hpp"
#include "engine/order.hpp"
#include "engine/score.hpp"
#include "engine/table.hpp"
#include "engine/techniques.hpp"
#include "engine/turn.hpp"

namespace outplay::engine {

using checkers::Position;

constexpr int NO_PROGRESS_PLIES = 80;  // forty moves of each side without a capture or a man's move: a draw

// A move of the root position with what is known of it.
struct RootMove {
  checkers::Move move;
  Turn turn;
  Score score = -INFINITE;   // of the last iteration in which it was not merely worse than the best
  int depth = 0;             // of that iteration
  std::vector<Turn> rest{};  // what is expected after it
  bool keeps_value = true;   // as far as the endgame tables know
};

// A question: the position, and the hashes of those before it that could still come back.
struct Question {
  Position position;
  std::vector<std::uint64_t> past;  // oldest first; every move since the first of them is reversible
};

// The moves of a line, with their paths.
std::vector<checkers::Move> moves_of(Position position, const std::vector<Turn>& turns);

Question make_question(const Position& position, const std::vector<Position>& history);

class Search {
 public:
  // `endgames` may be nothing.
  Search(const Weights& weights, const Endgames* endgames, Table& table, const Techniques& techniques);

  void forget();  // everything remembered from earlier searches
  void begin(const Question& question, Clock& clock);

  // Looks at the root moves from `first` on to a depth, within a window that widens as needed; the best of them is then
  // at `first`. False if the clock ended it: the root moves then hold what was finished.
  bool deepen(int depth, int first);

  void sort_lines(int count);  // the first `count` root moves, best first: each was searched without the others

  const std::vector<RootMove>& root_moves() const { return root_moves_; }
  std::uint64_t nodes() const { return nodes_.load(std::memory_order_relaxed); }
  Score evaluate_root() const;

 private:
  struct Frame {  // a position on the way from the root
    Turn turn{};  // the move that is being looked at there
    int reversible = 0;
  };
  struct Variation {
    int size = 0;
    std::array<Turn, MOST_PLIES> turns;
  };

  bool count_node();
  bool is_draw(std::uint64_t hash, int ply) const;
  void begin_line(int ply) { lines_[static_cast<std::size_t>(ply)].size = 0; }
  void extend_line(const Turn& turn, int ply);
  Frame& frame(int ply) { return frames_[static_cast<std::size_t>(ply)]; }
  std::uint64_t& key(int ply) { return keys_[past_ + static_cast<std::size_t>(ply)]; }

  template <Side S>
  Score search_root(int depth, Score alpha, Score beta, int first);
  template <Side S, bool IS_PV>
  Score search(const Pieces& pieces, std::uint64_t hash, int depth, Score alpha, Score beta, int ply);
  template <Side S>
  Score quiesce(const Pieces& pieces, Score alpha, Score beta, int ply);
  template <Side S>
  std::optional<Score> table_score(const Pieces& pieces) const;
  template <Side S>
  void keep_the_value();
  template <Side S>
  void learn_order(const OrderedTurns& ordered, int best, int depth, int ply);

  const Weights& weights_;
  const Endgames* endgames_;
  int table_pieces_ = 0;  // most pieces of a position that the endgame tables are asked about
  Table& table_;
  Techniques techniques_;
  Clock* clock_ = nullptr;

  Position root_;
  std::vector<RootMove> root_moves_;
  OrderMemory memory_;
  std::array<Frame, MOST_PLIES + 2> frames_;
  std::array<Variation, MOST_PLIES + 2> lines_;
  std::vector<std::uint64_t> keys_;  // of the past, then of the positions from the root on
  std::size_t past_ = 0;             // number of positions played before the search

  std::atomic<std::uint64_t> nodes_{0};
  std::uint64_t next_look_ = 0;  // at the clock, in nodes
  bool is_over_ = false;
};

}  // namespace outplay::engine
