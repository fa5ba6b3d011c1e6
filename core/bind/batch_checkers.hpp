// Batches of checkers positions as Python holds them, for the bindings of whatever is asked about them.
#pragma once

#include <cstdint>
#include <vector>

#include "bind/batch.hpp"
#include "checkers/actions.hpp"
#include "checkers/batch.hpp"

namespace outplay::bind {

// Whole positions only; ValueError if one is in the middle of a jump.
std::vector<checkers::Position> whole_positions(const checkers::Batch& batch);

// IllegalMoveError or GameOverError, whichever it is, with the place in the batch.
[[noreturn]] void refuse_action(const checkers::Stage& stage, Side side, std::int64_t action, std::size_t index);

}  // namespace outplay::bind
