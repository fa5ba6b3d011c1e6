// The words both games share: who moves, and how a position ends a game.
#pragma once

#include <cstdint>
#include <optional>

namespace outplay {

enum class Side : std::uint8_t { FIRST, SECOND };  // FIRST began the game

constexpr Side other(Side side) { return side == Side::FIRST ? Side::SECOND : Side::FIRST; }

// What a position alone can tell. Repetition, clocks and agreements belong to the record of a game.
enum class Reason : std::uint8_t { FOUR_IN_A_ROW, BOARD_FULL, NO_MOVES, NO_PIECES };

struct Outcome {
  std::optional<Side> winner;  // empty: a draw
  Reason reason;
};

}  // namespace outplay
