// What each column of a position is worth to the side to move.
#pragma once

#include <optional>
#include <vector>

#include "solver/solver.hpp"

namespace outplay::solver {

// The columns are solved from left to right. A search that was ended early goes on where it was.
class Columns {
 public:
  explicit Columns(const connect4::Position& position);  // the game must not be over

  // Solves what is not known yet; false if the search was ended early. `find` may know a position's score already.
  template <class Find>
  bool solve(Solver& solver, Find&& find, const Limits& limits, const Stop& stop, Progress& progress) {
    for (Column& column : columns_) {
      if (!column.after || column.score) continue;
      auto known = find(*column.after);
      if (!known) {
        last_ = solver.solve(*column.after, false, limits, stop, progress);
        if (!last_.is_exact()) return false;
        known = last_.low;
      }
      column.score = -*known;
    }
    return true;
  }

  std::vector<std::optional<int>> scores() const;  // nothing for a full column
  const Solution& last() const { return last_; }   // of the position after the column that was searched last

 private:
  struct Column {
    std::optional<int> score;
    std::optional<connect4::Position> after;  // if the game goes on there
  };

  std::vector<Column> columns_;
  Solution last_{};
};

}  // namespace outplay::solver
