// Captures as the tables need them: only what stands where afterwards counts, not the path.
#pragma once

#include "checkers/moves.hpp"
#include "tablebase/material.hpp"

namespace outplay::tablebase {

using checkers::Pieces;

inline Pieces pieces_of(const Placement& placement, Side side) {
  return {placement.own(side), placement.own(other(side)), placement.kings[0] | placement.kings[1]};
}

// Does the side to move have to capture? Such positions are not stored: a look at the captures tells their value.
template <Side S>
bool must_capture(const Placement& placement) {
  return checkers::all_jumpers<S>(pieces_of(placement, S)) != 0;
}
inline bool must_capture(const Placement& placement, Side side) {
  return side == Side::FIRST ? must_capture<Side::FIRST>(placement) : must_capture<Side::SECOND>(placement);
}

template <Side S>
Placement after_move(const Placement& placement, Squares from, Squares to, Squares captures) {
  constexpr auto OWN = static_cast<std::size_t>(S), OTHER = 1 - OWN;
  Placement after = placement;
  if (placement.kings[OWN] & from) {
    after.kings[OWN] = (after.kings[OWN] & ~from) | to;  // a jump may end where it began
  } else {
    after.men[OWN] ^= from;
    (to & checkers::crowning_row(S) ? after.kings : after.men)[OWN] |= to;
  }
  after.men[OTHER] &= ~captures;
  after.kings[OTHER] &= ~captures;
  return after;
}

// Calls visit(placement) with what stands where after each capture of S's jumping pieces.
template <Side S, class Visit>
void for_each_capture(const Placement& placement, Squares jumping, Visit&& visit) {
  struct Ends {
    const Placement& placement;
    Visit& visit;
    Squares from = 0;
    void push(Squares, Squares) {}
    void pop(Squares) {}
    void end(Squares to, Squares captures) { visit(after_move<S>(placement, from, to, captures)); }
  };
  const Pieces pieces = pieces_of(placement, S);
  Ends ends{placement, visit};
  for (; jumping != 0; jumping &= jumping - 1) {
    ends.from = lowest_bit(jumping);
    checkers::follow_jumps_of<S>(pieces, ends.from, ends);
  }
}

}  // namespace outplay::tablebase
