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

// A quiet position, what a search said about it, and how its game ended. Sixteen bytes, little-endian in a file.
struct Sample {
  std::uint32_t black, white, kings;
  std::int16_t score;   // seen from the side to move
  std::uint8_t side;    // 0 Black, 1 White
  std::uint8_t result;  // for the side to move: 0 lost, 1 drawn, 2 won
};
static_assert(sizeof(Sample) == 16);

struct SelfPlayOptions {
  int games = 100;
  std::uint64_t nodes = 2000;                // for each move
  std::uint64_t seed = 1;                    // the same options give the same games
  std::shared_ptr<const Endgames> endgames;  // or none: a game is over when they know its outcome
};

// The quiet positions of `options.games` games; fewer games if stopped.
std::vector<Sample> self_play(std::shared_ptr<const Weights> weights, const SelfPlayOptions& options, const Stop& stop);

}  // namespace outplay::engine
