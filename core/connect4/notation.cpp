#include "connect4/notation.hpp"

#include <algorithm>
#include <set>

namespace outplay::connect4 {

std::optional<int> column_of(char text) {
  if (text >= '1' && text <= '9') return text - '1';
  if (text >= 'a' && text <= 'z') return text - 'a' + 9;
  if (text >= 'A' && text <= 'Z') return text - 'A' + 9;
  return std::nullopt;
}

char text_of(int column) { return static_cast<char>(column < 9 ? '1' + column : 'a' + column - 9); }

namespace {

template <class Word>
Rows rows_of_board(const BasicPosition<Word>& position) {
  const auto& board = position.board();
  const Word first = position.discs(Side::FIRST), second = position.discs(Side::SECOND);
  Rows rows(static_cast<std::size_t>(board.size.height), std::vector<int>(static_cast<std::size_t>(board.size.width)));
  for (int row = 0; row < board.size.height; ++row)
    for (int column = 0; column < board.size.width; ++column) {
      const Word bit = board.bit(column, board.size.height - 1 - row);
      rows[static_cast<std::size_t>(row)][static_cast<std::size_t>(column)] = first & bit ? 1 : second & bit ? 2 : 0;
    }
  return rows;
}

// A board of checked shape, read column by column from the bottom.
template <class Word>
struct Board {
  const Geometry<Word>& geometry;
  Word discs[2] = {0, 0};                 // of the side that began, of the other
  std::vector<std::vector<int>> columns;  // from the bottom, 1 and 2

  explicit Board(const Rows& rows)
      : geometry(connect4::geometry<Word>({static_cast<int>(rows.front().size()), static_cast<int>(rows.size())})),
        columns(rows.front().size()) {
    for (std::size_t column = 0; column < columns.size(); ++column)
      for (std::size_t row = rows.size(); row-- > 0;)
        if (const int disc = rows[row][column]; disc != 0) {
          const int height = static_cast<int>(columns[column].size());
          discs[disc - 1] |= geometry.bit(static_cast<int>(column), height);
          columns[column].push_back(disc);
        }
  }
  int count(int disc) const { return count_bits(discs[disc - 1]); }
  int last_mover() const { return count(1) > count(2) ? 1 : 2; }
  bool wins(int disc, Word without = 0) const {
    return BasicPosition<Word>(geometry).has_four(discs[disc - 1] & ~without);
  }
};

// Can the drops be put in an order in which the sides alternate, the side that began first? A depth-first search
// over the number of discs that are down in each column; dead ends are remembered. Boards of people are settled in a
// few steps; a made-up one that is not settled after LIMIT dead ends is let through.
class DropOrder {
 public:
  explicit DropOrder(const std::vector<std::vector<int>>& columns) : columns_(columns), down_(columns.size(), 0) {}
  bool exists() { return search(1) || dead_ends_.size() >= LIMIT; }

 private:
  static constexpr std::size_t LIMIT = 100'000;

  bool search(int wanted) {
    if (dead_ends_.size() >= LIMIT || dead_ends_.contains(down_)) return false;
    bool is_done = true;
    // The column with most discs left first: tall columns are the ones that get stuck.
    std::vector<std::size_t> order;
    for (std::size_t column = 0; column < columns_.size(); ++column) {
      if (down_[column] == columns_[column].size()) continue;
      is_done = false;
      if (columns_[column][down_[column]] == wanted) order.push_back(column);
    }
    if (is_done) return true;
    std::ranges::sort(order, std::greater{}, [&](auto column) { return columns_[column].size() - down_[column]; });
    for (const auto column : order) {
      ++down_[column];
      if (search(3 - wanted)) return true;
      --down_[column];
    }
    dead_ends_.insert(down_);
    return false;
  }

  const std::vector<std::vector<int>>& columns_;
  std::vector<std::uint8_t> down_;
  std::set<std::vector<std::uint8_t>> dead_ends_;
};

std::string place(std::size_t row, std::size_t column, std::size_t count_from) {
  return "row " + std::to_string(row + count_from) + ", column " + std::to_string(column + count_from);
}

std::vector<std::string> shape_problems(const Rows& rows, std::size_t count_from) {
  if (rows.empty()) return {"the board has no rows"};
  std::vector<std::string> reasons;
  for (std::size_t row = 0; row < rows.size(); ++row)
    if (rows[row].size() != rows.front().size())
      reasons.push_back("row " + std::to_string(row + count_from) + " has " + std::to_string(rows[row].size()) +
                        " cells, row " + std::to_string(count_from) + " has " + std::to_string(rows.front().size()));
  if (!reasons.empty()) return reasons;
  // counted before they are narrowed, so that a giant board cannot wrap round into a possible one
  const std::size_t width = rows.front().size(), height = rows.size();
  if (width > 128 || height > 128 || !Size{static_cast<int>(width), static_cast<int>(height)}.is_possible())
    return {"a board of " + std::to_string(width) + " x " + std::to_string(height) +
            " does not fit: from 4 x 4, and width * (height + 1) at most 128"};
  for (std::size_t row = 0; row < height; ++row)
    for (std::size_t column = 0; column < width; ++column)
      if (const int disc = rows[row][column]; disc < 0 || disc > 2)
        reasons.push_back(place(row, column, count_from) + " holds " + std::to_string(disc) + ", not 0, 1 or 2");
  return reasons;
}

std::vector<std::string> floating_problems(const Rows& rows, std::size_t count_from) {
  std::vector<std::string> reasons;
  for (std::size_t row = 0; row + 1 < rows.size(); ++row)
    for (std::size_t column = 0; column < rows.front().size(); ++column)
      if (rows[row][column] != 0 && rows[row + 1][column] == 0)
        reasons.push_back("the disc at " + place(row, column, count_from) + " floats: the cell below it is empty");
  return reasons;
}

template <class Word>
std::vector<std::string> history_problems(const Board<Word>& board, const Names& names) {
  const std::string name[] = {names.first, names.second};
  const int first = board.count(1), second = board.count(2);
  if (first != second && first != second + 1)
    return {name[0] + " began and has " + std::to_string(first) + " discs, " + name[1] + " has " +
            std::to_string(second) + ": the side that began has as many as the other, or one more"};
  if (board.wins(1) && board.wins(2)) return {"both sides have four in a row"};

  const int last = board.last_mover();
  if (board.wins(3 - last)) return {name[2 - last] + " has four in a row, yet " + name[last - 1] + " moved after that"};
  if (!board.wins(last)) {
    if (!DropOrder(board.columns).exists()) return {"no order of alternating drops leads to this board"};
    return {};
  }
  // The winning disc was the last one: some top disc of the winner takes every four with it.
  bool is_explained = false;
  for (std::size_t column = 0; column < board.columns.size(); ++column) {
    auto columns = board.columns;
    if (columns[column].empty() || columns[column].back() != last) continue;
    columns[column].pop_back();
    const Word top = board.geometry.bit(static_cast<int>(column), static_cast<int>(columns[column].size()));
    if (board.wins(last, top)) continue;
    is_explained = true;
    if (DropOrder(columns).exists()) return {};
  }
  if (is_explained) return {"no order of alternating drops leads to this board"};
  return {"no single last disc completes every four in a row of " + name[last - 1]};
}

}  // namespace

Rows rows_of(const Position& position) {
  return std::visit([](const auto& p) { return rows_of_board(p); }, position);
}

std::vector<std::string> problems(const Rows& rows, const Names& names) {
  if (auto reasons = shape_problems(rows, names.count_from); !reasons.empty()) return reasons;
  if (auto reasons = floating_problems(rows, names.count_from); !reasons.empty()) return reasons;
  const Size size{static_cast<int>(rows.front().size()), static_cast<int>(rows.size())};
  return size.bits() <= 64 ? history_problems(Board<std::uint64_t>(rows), names)
                           : history_problems(Board<Word128>(rows), names);
}

Position from_rows(const Rows& rows) {
  const auto read = [](const auto& board) {
    const auto all = board.discs[0] | board.discs[1];
    return BasicPosition(board.geometry, board.discs[2 - board.last_mover()], all);
  };
  const Size size{static_cast<int>(rows.front().size()), static_cast<int>(rows.size())};
  if (size.bits() <= 64) return read(Board<std::uint64_t>(rows));
  return read(Board<Word128>(rows));
}

std::string fen(const Position& position) {
  std::string text;
  for (const auto& row : rows_of(position)) {
    if (!text.empty()) text += '/';
    for (const int disc : row) text += ".12"[disc];
  }
  return text;
}

}  // namespace outplay::connect4
