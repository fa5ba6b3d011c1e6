// Connect Four as text and as rows of numbers, and which boards a game can lead to.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "connect4/position.hpp"

namespace outplay::connect4 {

// A column in text: 1-9, then a, b, ... Nothing for any other character.
std::optional<int> column_of(char text);
char text_of(int column);

// Row 0 on top; 0 empty, 1 the side that began, 2 the other.
using Rows = std::vector<std::vector<int>>;

Rows rows_of(const Position& position);

// Every reason why no game leads to this board: its shape, discs in the air, counts, winners, order of the drops.
// Empty if the board is good. Sides are called by `names`, the side that began first; rows and columns count from
// `count_from`: 1 in text, 0 in rows that Python gave.
struct Names {
  std::string first, second;
  std::size_t count_from = 1;
};
std::vector<std::string> problems(const Rows& rows, const Names& names);

// The board must have no problems.
Position from_rows(const Rows& rows);

// Rows from the top with "/" between them: "." empty, "1" the side that began, "2" the other.
std::string fen(const Position& position);

}  // namespace outplay::connect4
