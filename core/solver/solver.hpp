// Connect Four played perfectly: the exact score of any position, on any board.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "base/stop.hpp"
#include "connect4/position.hpp"
#include "solver/prober.hpp"

namespace outplay::solver {

struct Options {
  std::size_t table_bytes = std::size_t{64} << 20;
  int threads = 1;
  bool is_vector = true;  // false: the plain path, even where vectors would do
  Techniques techniques;
};

// What ends a search before the score is known. Nothing does by default.
struct Limits {
  std::optional<std::uint64_t> nodes;
  std::optional<std::chrono::steady_clock::time_point> deadline;
};

// Progress of a search; other threads may read it while it runs.
struct Progress {
  std::atomic<std::uint64_t> nodes{0};
  std::atomic<int> low{0}, high{0};
};

// The score lies from `low` to `high`; if the search was not ended early, they are equal.
struct Solution {
  int low, high;
  std::uint64_t nodes;
  bool is_exact() const { return low == high; }
  bool tells(int score) const { return low >= score || high < score; }  // whether the score is at least this much
};

class Solver {
 public:
  explicit Solver(const Options& options);
  ~Solver();

  // The position must not be finished. With `sign_only` a win is 1 or more and a loss -1 or less, and more is not
  // asked.
  Solution solve(const connect4::Position& position, bool sign_only, const Limits& limits, const Stop& stop,
                 Progress& progress);

  // Is the score at least this much? What is known of it afterwards; if it was ended early, that may not be enough.
  Solution compare(const connect4::Position& position, int score, const Limits& limits, const Stop& stop,
                   Progress& progress);

  void clear();  // forget everything found out so far
  std::size_t table_bytes() const;
  bool is_vector(connect4::Size size);  // whether positions of this size are searched by the vector path

 private:
  template <class Word>
  class Of;  // one board size

  template <class Word>
  Of<Word>& of(connect4::Size size);

  Options options_;
  std::unique_ptr<Of<std::uint64_t>> narrow_;
  std::unique_ptr<Of<Word128>> wide_;
};

// The score of winning with a disc dropped on a board with this number of discs.
constexpr int winning_score(int cells, int plies) { return (cells + 1 - plies) / 2; }

}  // namespace outplay::solver
