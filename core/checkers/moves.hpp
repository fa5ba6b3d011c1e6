// How pieces move and jump: the rules, as templates over the side so that perft and search pay nothing for them.
//
// - Men move one square diagonally forward, kings one square in any diagonal direction.
// - A piece jumps over an adjacent enemy to the empty square just beyond: men forward only, kings in any direction.
// - Who can jump must jump. Any jump may be chosen, not only the longest.
// - A jump goes on while the same piece can jump again; stopping half-way is not allowed.
// - A man that reaches the crowning row becomes a king there and its turn ends, even if it could jump on as a king.
// - Jumped pieces are lifted only when the turn is over: until then they block, and none is jumped twice.
// - The jumping piece has left its first square: it may pass over it or end on it.
#pragma once

#include "base/bits.hpp"
#include "checkers/position.hpp"
#include "checkers/squares.hpp"

namespace outplay::checkers {

// The pieces of a position, seen from the side to move.
struct Pieces {
  Squares own, other, kings;

  static Pieces of(const Position& position) { return {position.own(), position.other(), position.kings()}; }
  Squares empty() const { return ~(own | other); }
  Squares own_men() const { return own & ~kings; }
  Squares own_kings() const { return own & kings; }

  // What the opponent sees after this piece has gone from `from` to `to` and the captures are lifted.
  template <Side S>
  Pieces after(Squares from, Squares to, Squares captures) const {
    const Squares moved_kings = kings & from ? (kings ^ from) | to : kings | (to & crowning_row(S));
    return {other & ~captures, (own ^ from) | to, moved_kings & ~captures};
  }
};

// Own pieces that may step in direction D (onto an empty square), and that may jump in it.
template <Direction D>
constexpr Squares steppers(Squares movers, Squares empty) {
  return movers & step<opposite(D)>(empty);
}
template <Direction D>
constexpr Squares jumpers(Squares movers, Squares enemies, Squares empty) {
  return movers & step<opposite(D)>(enemies & step<opposite(D)>(empty));
}

template <Side S>
constexpr Direction FORWARD_LEFT = S == Side::FIRST ? Direction::DOWN_LEFT : Direction::UP_LEFT;
template <Side S>
constexpr Direction FORWARD_RIGHT = S == Side::FIRST ? Direction::DOWN_RIGHT : Direction::UP_RIGHT;

// Every piece that can jump.
template <Side S>
Squares all_jumpers(const Pieces& pieces) {
  constexpr Direction LEFT = FORWARD_LEFT<S>, RIGHT = FORWARD_RIGHT<S>;
  const Squares empty = pieces.empty();
  Squares result = jumpers<LEFT>(pieces.own, pieces.other, empty) | jumpers<RIGHT>(pieces.own, pieces.other, empty);
  if (const Squares kings = pieces.own_kings(); kings != 0)
    result |=
        jumpers<opposite(LEFT)>(kings, pieces.other, empty) | jumpers<opposite(RIGHT)>(kings, pieces.other, empty);
  return result;
}

// The number of plain moves, without listing them.
template <Side S>
int count_steps(const Pieces& pieces) {
  constexpr Direction LEFT = FORWARD_LEFT<S>, RIGHT = FORWARD_RIGHT<S>;
  const Squares empty = pieces.empty();
  int count = count_bits(steppers<LEFT>(pieces.own, empty)) + count_bits(steppers<RIGHT>(pieces.own, empty));
  if (const Squares kings = pieces.own_kings(); kings != 0)
    count += count_bits(steppers<opposite(LEFT)>(kings, empty)) + count_bits(steppers<opposite(RIGHT)>(kings, empty));
  return count;
}

// Calls visit(from, to) for every plain move, squares as single bits.
template <Side S, class Visit>
void for_each_step(const Pieces& pieces, Visit&& visit) {
  const Squares empty = pieces.empty();
  const auto walk = [&]<Direction D>(Squares movers) {
    for (Squares left = steppers<D>(movers, empty); left != 0; left &= left - 1) {
      const Squares from = lowest_bit(left);
      visit(from, step<D>(from));
    }
  };
  walk.template operator()<FORWARD_LEFT<S>>(pieces.own);
  walk.template operator()<FORWARD_RIGHT<S>>(pieces.own);
  if (const Squares kings = pieces.own_kings(); kings != 0) {
    walk.template operator()<opposite(FORWARD_LEFT<S>)>(kings);
    walk.template operator()<opposite(FORWARD_RIGHT<S>)>(kings);
  }
}

// Follows every jump of one piece to its end. The path is reported to `path` by push(square, captured) and
// pop(captured); path.end(square, captures) is called where a turn is over.
template <Side S, bool IS_KING, class Path>
void follow_jumps(Squares at, Squares enemies, Squares empty, Squares captures, Path& path) {
  bool goes_on = false;
  const auto attempt = [&]<Direction D>() {
    const Squares over = step<D>(at) & enemies;
    const Squares to = step<D>(over) & empty;
    if (to == 0) return;
    goes_on = true;
    path.push(to, over);
    if (!IS_KING && (to & crowning_row(S)) != 0)
      path.end(to, captures | over);
    else  // a jumped piece stays on the board: it leaves the enemies that can be taken, not the occupied squares
      follow_jumps<S, IS_KING>(to, enemies & ~over, empty, captures | over, path);
    path.pop(over);
  };
  attempt.template operator()<FORWARD_LEFT<S>>();
  attempt.template operator()<FORWARD_RIGHT<S>>();
  if constexpr (IS_KING) {
    attempt.template operator()<opposite(FORWARD_LEFT<S>)>();
    attempt.template operator()<opposite(FORWARD_RIGHT<S>)>();
  }
  if (!goes_on && captures != 0) path.end(at, captures);
}

// The same for a piece on its first square, `from`.
template <Side S, class Path>
void follow_jumps_of(const Pieces& pieces, Squares from, Path& path) {
  const Squares empty = pieces.empty() | from;  // the piece has left its square
  if (pieces.kings & from)
    follow_jumps<S, true>(from, pieces.other, empty, 0, path);
  else
    follow_jumps<S, false>(from, pieces.other, empty, 0, path);
}

}  // namespace outplay::checkers
