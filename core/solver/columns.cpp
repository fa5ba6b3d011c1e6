#include "solver/columns.hpp"

namespace outplay::solver {

Columns::Columns(const connect4::Position& position) {
  const auto look = [&](const auto& p) {
    const connect4::Size size = p.board().size;
    columns_.resize(static_cast<std::size_t>(size.width));
    for (int index = 0; index < size.width; ++index) {
      if (!p.is_open(index)) continue;
      Column& column = columns_[static_cast<std::size_t>(index)];
      const auto after = p.play(index);
      if (after.is_won())
        column.score = winning_score(size.cells(), p.plies());
      else if (after.is_full())
        column.score = 0;
      else
        column.after = after;
    }
  };
  std::visit(look, position);
}

std::vector<std::optional<int>> Columns::scores() const {
  std::vector<std::optional<int>> scores;
  for (const Column& column : columns_) scores.push_back(column.score);
  return scores;
}

}  // namespace outplay::solver
