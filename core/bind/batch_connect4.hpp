// Batches of Connect Four positions as Python holds them, for the bindings of whatever solves them.
#pragma once

#include <cstdint>
#include <string>
#include <variant>

#include "bind/batch.hpp"
#include "bind/connect4.hpp"
#include "connect4/batch.hpp"

namespace outplay::bind {

using connect4::Batch;

struct Positions {
  std::variant<Batch<std::uint64_t>, Batch<Word128>> batch;

  std::size_t count() const;
  bool is_reachable() const;
};

// A board of this size. Position checks it, with its own error.
connect4::Size checked_size(const nb::object& width, const nb::object& height);

Shape shape_of_planes(std::size_t count, connect4::Size size, connect4::Channels channels);

// IllegalMoveError or GameOverError, whichever it is, with the place in the batch.
template <class Word>
[[noreturn]] void refuse_action(const connect4::BasicPosition<Word>& position, std::int64_t action, std::size_t index) {
  const NumberedPosition shown(position);
  const std::string where = " (position " + std::to_string(index) + " of the batch)";
  const int width = position.board().size.width;
  if (const auto outcome = position.outcome()) raise("GameOverError", shown, name_of(outcome->reason) + where);
  if (action < 0 || action >= width)
    raise("IllegalMoveError", action, shown, "the board has columns 0 to " + std::to_string(width - 1) + where);
  raise("IllegalMoveError", action, shown, "column " + std::to_string(action) + " is full" + where);
}

}  // namespace outplay::bind
