// In which order moves are tried: the table's move, captures by gain, then by how often a move was best.
#pragma once

#include <array>
#include <cstdint>
#include <cstdlib>
#include <utility>

#include "engine/turn.hpp"

namespace outplay::engine {

// A plain move as one of 128: its first square, and one of four directions.
inline std::size_t step_index(const Turn& turn) {
  const int from = turn.from_index(), way = turn.to_index() - from;
  return static_cast<std::size_t>(from * 4 + (way < 0 ? 2 : 0) + ((way & 3) != 0 ? 1 : 0));
}

// What one thread remembers of the moves that were best, and of those that were tried before them in vain.
class OrderMemory {
 public:
  void clear() { *this = OrderMemory(); }

  // How well a plain move did before, anywhere ...
  template <Side S>
  int history(const Turn& turn) const {
    return history_[SIDE<S>][step_index(turn)];
  }
  // ... and as an answer to the previous move.
  template <Side S>
  int continuation(const Turn& turn, const Turn& previous) const {
    return continuation_[SIDE<S>][answered(previous)][step_index(turn)];
  }

  template <Side S>
  void learn(const Turn& turn, const Turn& previous, int bonus) {
    const auto step = step_index(turn);
    nudge(history_[SIDE<S>][step], bonus);
    nudge(continuation_[SIDE<S>][answered(previous)][step], bonus);
  }

 private:
  template <Side S>
  static constexpr std::size_t SIDE = static_cast<std::size_t>(S);
  static constexpr int MOST = 8192;

  static std::size_t answered(const Turn& previous) {
    return previous.is_none() ? 32 : static_cast<std::size_t>(previous.to_index());
  }
  // Towards the bonus, the less the nearer the value already is to its bounds.
  static void nudge(std::int16_t& value, int bonus) {
    value = static_cast<std::int16_t>(value + bonus - value * std::abs(bonus) / MOST);
  }

  using Steps = std::array<std::int16_t, 128>;
  std::array<Steps, 2> history_{};
  std::array<std::array<Steps, 33>, 2> continuation_{};
};

// The moves of a position, each with the number by which it is chosen.
class OrderedTurns {
 public:
  explicit OrderedTurns(TurnList& turns) : turns_(turns) {}

  template <class Rate>
  void rate(Rate&& rate) {
    for (int index = 0; index < turns_.size(); ++index) ratings_[static_cast<std::size_t>(index)] = rate(turns_[index]);
  }

  const Turn& operator[](int index) const { return turns_[index]; }

  // The best of those from `index` on, brought to that place.
  const Turn& pick(int index) {
    int best = index;
    for (int other = index + 1; other < turns_.size(); ++other)
      if (ratings_[static_cast<std::size_t>(other)] > ratings_[static_cast<std::size_t>(best)]) best = other;
    std::swap(ratings_[static_cast<std::size_t>(index)], ratings_[static_cast<std::size_t>(best)]);
    turns_.swap(index, best);
    return turns_[index];
  }

 private:
  TurnList& turns_;
  std::array<int, TurnList::CAPACITY> ratings_;
};

}  // namespace outplay::engine
