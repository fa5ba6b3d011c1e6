// The checkers engine: asked for a position and limits, it deepens until they end, on one thread or several.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "engine/search.hpp"

namespace outplay::engine {

struct SearcherOptions {
  int threads = 1;
  int table_mib = 64;
  Techniques techniques;
  std::shared_ptr<const Endgames> endgames;  // or none
};

// What is known when an iteration ends, or the search.
struct Findings {
  std::vector<RootMove> lines;  // best first
  int depth = 0;                // of the last iteration that was finished for every line
  std::uint64_t nodes = 0;      // of all threads
  double seconds = 0;
};

using Report = std::function<void(const Findings&)>;

class Searcher {
 public:
  Searcher(std::shared_ptr<const Weights> weights, const SearcherOptions& options);

  // The position must have a move; the history is what was on the board before, oldest first.
  Findings analyse(const Position& position, const std::vector<Position>& history, const Limits& limits,
                   const Stop& stop, const Report& report);
  Score evaluate(const Position& position) const;  // without a search, seen from the side to move
  void clear();                                    // forget everything that was learned from earlier positions

  const Weights& weights() const { return *weights_; }
  const SearcherOptions& options() const { return options_; }
  int permille_full() const { return table_.permille_full(); }

 private:
  void lead(Search& search, const Limits& limits, Clock& clock, const Report& report);
  void help(Search& search, int number, const Limits& limits, Clock& clock);
  bool is_settled(const Search& search, const Limits& limits, int depth) const;
  Findings findings(const Search& search, const Limits& limits, const Clock& clock, int depth) const;

  std::shared_ptr<const Weights> weights_;
  SearcherOptions options_;
  Table table_;
  std::vector<std::unique_ptr<Search>> searches_;  // one for each thread; the first leads
  Findings answer_;
};

}  // namespace outplay::engine
