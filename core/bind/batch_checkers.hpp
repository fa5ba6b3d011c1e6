// Batches of checkers positions as Python holds them, for the bindings of whatever is asked about them.
#pragma once

#include <vector>

#include "bind/batch.hpp"
#include "checkers/batch.hpp"

namespace outplay::bind {

// Whole positions only; ValueError if one is in the middle of a jump.
std::vector<checkers::Position> whole_positions(const checkers::Batch& batch);

}  // namespace outplay::bind
