#include "checkers/moves.hpp"

namespace outplay::checkers {
namespace {

// Writes the jumps of one piece down as moves.
class MoveWriter {
 public:
  MoveWriter(int from, MoveList& moves) : move_(from), moves_(moves) {}
  void push(Squares to, Squares captured) { move_.push_jump(lowest_index(to), captured); }
  void pop(Squares captured) { move_.pop_jump(captured); }
  void end(Squares, Squares) { moves_.push_back(move_); }

 private:
  Move move_;
  MoveList& moves_;
};

template <Side S>
MoveList list_moves(const Pieces& pieces) {
  MoveList moves;
  if (Squares jumping = all_jumpers<S>(pieces); jumping != 0) {
    for (; jumping != 0; jumping &= jumping - 1) {
      MoveWriter writer(lowest_index(jumping), moves);
      follow_jumps_of<S>(pieces, lowest_bit(jumping), writer);
    }
    return moves;
  }
  moves.reserve(16);
  for_each_step<S>(pieces, [&](Squares from, Squares to) { moves.emplace_back(lowest_index(from), lowest_index(to)); });
  return moves;
}

Squares find_jumpers(const Position& position) {
  const auto pieces = Pieces::of(position);
  return position.side() == Side::FIRST ? all_jumpers<Side::FIRST>(pieces) : all_jumpers<Side::SECOND>(pieces);
}

// Is there a jump for one piece standing at `at`?
bool can_jump(Squares at, bool is_king, Side side, Squares enemies, Squares empty) {
  for (const auto direction : DIRECTIONS)
    if ((is_king || is_forward(direction, side)) && (step(step(at, direction) & enemies, direction) & empty) != 0)
      return true;
  return false;
}

bool is_legal_step(const Position& position, const Move& move) {
  const Squares from = square_bit(move.from()), to = square_bit(move.to());
  if (move.length() != 2 || (to & position.empty()) == 0 || find_jumpers(position) != 0) return false;
  for (const auto direction : DIRECTIONS)
    if (step(from, direction) == to) return (position.kings() & from) != 0 || is_forward(direction, position.side());
  return false;
}

bool is_legal_capture(const Position& position, const Move& move) {
  const Squares first = square_bit(move.from()), crowned = crowning_row(position.side());
  const bool is_king = (position.kings() & first) != 0;
  const Squares empty = position.empty() | first;
  Squares enemies = position.other(), captures = 0;
  for (int index = 1; index < move.length(); ++index) {
    const int from = move.square(index - 1), to = move.square(index);
    const Squares over = between(from, to);
    const bool is_crowned_already = index > 1 && !is_king && (square_bit(from) & crowned) != 0;
    if ((over & enemies) == 0 || (square_bit(to) & empty) == 0 || is_crowned_already) return false;
    if (!is_king && (to > from) != (position.side() == Side::FIRST)) return false;
    enemies ^= over;
    captures |= over;
  }
  const Squares last = square_bit(move.to());
  const bool is_over = (!is_king && (last & crowned) != 0) || !can_jump(last, is_king, position.side(), enemies, empty);
  return captures == move.captures() && is_over;
}

}  // namespace

MoveList Position::legal_moves() const {
  if (other() == 0) return {};  // the game is over: see outcome()
  const auto pieces = Pieces::of(*this);
  return side_ == Side::FIRST ? list_moves<Side::FIRST>(pieces) : list_moves<Side::SECOND>(pieces);
}

bool Position::is_legal(const Move& move) const {
  if ((own() & square_bit(move.from())) == 0 || other() == 0 || move.length() < 2) return false;
  return move.is_capture() ? is_legal_capture(*this, move) : is_legal_step(*this, move);
}

Position Position::play(const Move& move) const {
  assert(is_legal(move));
  const Squares from = square_bit(move.from()), to = square_bit(move.to());
  const auto pieces = Pieces::of(*this);
  if (side_ == Side::FIRST) {
    const auto next = pieces.after<Side::FIRST>(from, to, move.captures());
    return {next.other, next.own, next.kings, Side::SECOND};
  }
  const auto next = pieces.after<Side::SECOND>(from, to, move.captures());
  return {next.own, next.other, next.kings, Side::FIRST};
}

std::optional<Outcome> Position::outcome() const {
  // A side without a piece, or without a move when it is its turn, loses.
  if (own() == 0) return Outcome{outplay::other(side_), Reason::NO_PIECES};
  if (other() == 0) return Outcome{side_, Reason::NO_PIECES};
  const auto pieces = Pieces::of(*this);
  const bool can_move = side_ == Side::FIRST
                            ? count_steps<Side::FIRST>(pieces) != 0 || all_jumpers<Side::FIRST>(pieces) != 0
                            : count_steps<Side::SECOND>(pieces) != 0 || all_jumpers<Side::SECOND>(pieces) != 0;
  if (!can_move) return Outcome{outplay::other(side_), Reason::NO_MOVES};
  return std::nullopt;
}

Position Position::flip() const {
  return {reverse_bits(white_), reverse_bits(black_), reverse_bits(kings_), outplay::other(side_)};
}

}  // namespace outplay::checkers
