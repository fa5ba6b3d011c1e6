// The arrangements of men in an order in which they can be solved.
#pragma once

#include <cstdint>
#include <vector>

#include "tablebase/index.hpp"

namespace outplay::tablebase {

// Arrangements by the number of rows that all men together have gone, the furthest first. A man's move leads to the
// layer before, so that those of one layer can be solved side by side.
std::vector<std::vector<std::uint32_t>> layers_of(const Index& index);

}  // namespace outplay::tablebase
