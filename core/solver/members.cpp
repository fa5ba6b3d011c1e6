#include "solver/members.hpp"

#include <bit>

#include "solver/board.hpp"
#include "solver/book.hpp"
#include "solver/moves.hpp"

namespace outplay::solver {

std::optional<Members> Members::of(connect4::Size size, int plies, const Stop& stop) {
  const auto all = Book::positions(size, plies, stop);
  if (!all) return std::nullopt;
  const Anysize<std::uint64_t> board(size);
  Members members(size);
  for (const Position& position : *all)
    if (!can_win(board, position.own(), position.mask())) members.keys_.push_back(position.key());
  return members;
}

// With a bottom bit added, the highest bit of a column says how many discs there are, and the rest which are its own.
Members::Position Members::position(std::size_t index) const {
  const auto& board = connect4::geometry<std::uint64_t>(size_);
  std::uint64_t own = 0, mask = 0;
  for (int column = 0; column < size_.width; ++column) {
    const int from = column * board.stride;
    const std::uint64_t part = (keys_[index] + board.bottom) >> from & ((std::uint64_t{1} << board.stride) - 1);
    const std::uint64_t marker = std::bit_floor(part);
    own |= (part ^ marker) << from;
    mask |= (marker - 1) << from;
  }
  return {board, own, mask};
}

}  // namespace outplay::solver
