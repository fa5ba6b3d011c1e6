// Boards as rows of cells: lists of lists, tuples, arrays, any iterable of iterables.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "bind/support.hpp"

namespace outplay::bind {

[[noreturn]] void refuse_board(const std::vector<std::string>& reasons);  // IllegalPositionError

// A cell that holds a whole number from 0 to 9, of whatever type: 1.0 is 1.
std::optional<int> number_of_cell(nb::handle cell);

// Every cell as `read` understands it. IllegalPositionError lists those that it does not understand, which are not
// `wanted`, such as "0, 1 or 2".
std::vector<std::vector<int>> read_rows(nb::handle nested, const std::string& wanted,
                                        const std::function<std::optional<int>(nb::handle)>& read);

nb::list to_lists(const std::vector<std::vector<int>>& rows);

}  // namespace outplay::bind
