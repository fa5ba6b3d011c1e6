// Moves as the search sees them: first square, last square, what is taken. The path between is forgotten, so captures
// of the same pieces by different paths are one and the same here.
#pragma once

#include <array>
#include <cstdint>
#include <utility>

#include "checkers/moves.hpp"

namespace outplay::engine {

using checkers::Pieces;
using checkers::Squares;

struct Turn {
  Squares from, to, captures;  // from and to are single squares, or nothing at all; Turn{} is no move

  bool is_none() const { return from == 0; }
  bool is_capture() const { return captures != 0; }
  int from_index() const { return lowest_index(from); }
  int to_index() const { return lowest_index(to); }
  bool operator==(const Turn&) const = default;

  // Sixteen bits that tell the moves of a position apart (two captures may share them, by bad luck); 0 is no move.
  std::uint16_t signature() const {
    const auto taken = captures == 0 ? 0u : 1u + (captures * 0x9E3779B1u >> 16) % 63u;
    return static_cast<std::uint16_t>(static_cast<unsigned>(from_index() << 5 | to_index()) | taken << 10);
  }
};

class TurnList {
 public:
  static constexpr int CAPACITY = 128;  // twelve kings have 48 plain moves; captures are counted below

  void add(const Turn& turn) {
    if (size_ < CAPACITY) turns_[static_cast<std::size_t>(size_++)] = turn;
  }
  bool holds(const Turn& turn) const {
    for (int index = 0; index < size_; ++index)
      if ((*this)[index] == turn) return true;
    return false;
  }
  void swap(int a, int b) { std::swap(turns_[static_cast<std::size_t>(a)], turns_[static_cast<std::size_t>(b)]); }
  int size() const { return size_; }
  const Turn& operator[](int index) const { return turns_[static_cast<std::size_t>(index)]; }

 private:
  int size_ = 0;
  std::array<Turn, CAPACITY> turns_;  // not cleared: that would cost 8 % of the search
};

// Writes the captures of one piece down, each result once.
class CaptureWriter {
 public:
  CaptureWriter(Squares from, TurnList& turns) : from_(from), turns_(turns) {}
  void push(Squares, Squares) {}
  void pop(Squares) {}
  void end(Squares to, Squares captures) {
    const Turn turn{from_, to, captures};
    // Two ways to one result need four captures: a ring. No ring, no search for its twin.
    if (count_bits(captures) < 4 || !turns_.holds(turn)) turns_.add(turn);
  }

 private:
  Squares from_;
  TurnList& turns_;
};

template <Side S>
void add_captures(const Pieces& pieces, Squares jumping, TurnList& turns) {
  for (; jumping != 0; jumping &= jumping - 1) {
    CaptureWriter writer(lowest_bit(jumping), turns);
    checkers::follow_jumps_of<S>(pieces, lowest_bit(jumping), writer);
  }
}

template <Side S>
void add_steps(const Pieces& pieces, TurnList& turns) {
  checkers::for_each_step<S>(pieces, [&](Squares from, Squares to) { turns.add({from, to, 0}); });
}

template <Side S>
Pieces play(const Pieces& pieces, const Turn& turn) {
  return pieces.after<S>(turn.from, turn.to, turn.captures);
}

// A king's plain move can be taken back by the next one; every other move changes the game permanently.
inline bool is_reversible(const Pieces& before, const Turn& turn) {
  return turn.captures == 0 && (before.kings & turn.from) != 0;
}

// A number that differs for different positions, but for bad luck once in 2^64.
template <Side S>
std::uint64_t hash_of(const Pieces& pieces) {
  const auto first = static_cast<std::uint64_t>(pieces.own) << 32 | pieces.other;
  const auto second = static_cast<std::uint64_t>(pieces.kings) << 1 | static_cast<std::uint64_t>(S);
  std::uint64_t hash = first * 0x9E3779B97F4A7C15 ^ (second + 0x632BE59BD9B4E019) * 0xD6E8FEB86659FD93;
  hash = (hash ^ hash >> 32) * 0xFF51AFD7ED558CCD;
  return hash ^ hash >> 29;
}

}  // namespace outplay::engine
