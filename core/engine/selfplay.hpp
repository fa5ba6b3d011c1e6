// Games of the engine against itself, as material to learn from.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "base/stop.hpp"
#include "checkers/position.hpp"
#include "engine/endgames.hpp"
#include "engine/weights.hpp"

namespace outplay::engine {

// A quiet position, what a search said about it, and how its game ended. Sixteen bytes, little-endian in a file. The
// samples of a game follow each other; the next game begins, at the latest, where the number of pieces rises.
struct Sample {
  std::uint32_t black, white, kings;
  std::int16_t score;   // seen from the side to move; IS_KNOWN if the tables know the position
  std::uint8_t side;    // 0 Black, 1 White
  std::uint8_t result;  // for the side to move: 0 lost, 1 drawn, 2 won; the tables' word if they know the position
};
static_assert(sizeof(Sample) == 16);

constexpr std::int16_t IS_KNOWN = -32768;

struct SelfPlayOptions {
  int games = 100;
  std::uint64_t nodes = 2000;                // for each move
  std::uint64_t seed = 1;                    // the same options give the same games
  std::shared_ptr<const Endgames> endgames;  // or none; what they know decides the game
  std::vector<checkers::Position> starts;    // two of three games begin from one of these, if there are any
};

// The quiet positions of `options.games` games; fewer games if stopped.
std::vector<Sample> self_play(std::shared_ptr<const Weights> weights, const SelfPlayOptions& options, const Stop& stop);

// Quiet endings at random in which no side is more than one piece ahead, with what the tables know of them. They have
// more pieces than the tables that every search asks. Empty if there are no larger tables; fewer than `count` if
// stopped.
std::vector<Sample> known_endings(const Endgames& endgames, int count, std::uint64_t seed, const Stop& stop);

}  // namespace outplay::engine
