// Connect Four positions as Python holds them.
#pragma once

#include "connect4/position.hpp"

namespace outplay::bind {

// A position that remembers which number its rows give to the side that began. The number is for people: equality,
// keys, solvers and books do not look at it.
struct NumberedPosition : connect4::Position {
  NumberedPosition(const connect4::Position& position, bool begun_by_2 = false)
      : connect4::Position(position), is_begun_by_2(begun_by_2) {}

  int first() const { return is_begun_by_2 ? 2 : 1; }

  bool is_begun_by_2;
};

// The flag lies in bytes that were unused: a position costs no more memory than before.
static_assert(sizeof(NumberedPosition) == sizeof(connect4::Position));

}  // namespace outplay::bind
