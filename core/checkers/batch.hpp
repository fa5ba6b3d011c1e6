// Many positions side by side, as values, some of them perhaps in the middle of a jump.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "checkers/actions.hpp"
#include "checkers/position.hpp"

namespace outplay::checkers {

// How the game stands, as a number for arrays.
enum class Standing : std::int8_t { GOES_ON, FIRST_WON, SECOND_WON };

struct Batch {
  std::vector<Squares> black, white, kings, jumping, jumped;  // as the board lies; the last two as in Stage
  std::vector<std::uint8_t> sides;                            // as in Side

  explicit Batch(std::size_t count = 0)
      : black(count), white(count), kings(count), jumping(count), jumped(count), sides(count) {}

  std::size_t size() const { return sides.size(); }
  Side side(std::size_t index) const { return static_cast<Side>(sides[index]); }
  Position position(std::size_t index) const { return {black[index], white[index], kings[index], side(index)}; }
  Stage operator[](std::size_t index) const;
  void set(std::size_t index, const Stage& stage, Side side);
  void set(std::size_t index, const Position& position) { set(index, Stage::of(position), position.side()); }
  bool operator==(const Batch&) const = default;
};

Standing standing_of(const Stage& stage, Side side);

// The first place whose action is not legal.
std::optional<std::size_t> first_illegal(const Batch& batch, std::span<const std::int64_t> actions);

Batch play(const Batch& batch, std::span<const std::int64_t> actions);  // all of them legal

Batch flip(const Batch& batch);  // every board turned round, sides exchanged

// Which positions are wanted at random.
struct RandomPositions {
  struct Range {
    int least, most;
  };
  std::optional<Range> plies;   // turns played at random from the start; nothing: some position of a random game
  std::optional<Range> pieces;  // instead of play: pieces of any kind on any squares, each side having one
  std::uint64_t seed = 0;
};

// The position with this number in the sample, in which the game goes on. Nothing if none is found.
std::optional<Position> random_position(const RandomPositions& wanted, std::uint64_t number);

// A legal move as the actions that make it up, and back: nothing if the actions are not one legal move.
std::vector<int> actions_of(const Position& position, const Move& move);
std::optional<Move> move_of(const Position& position, std::span<const std::int64_t> actions);

}  // namespace outplay::checkers
