// Counting the positions of the game tree, the field's usual proof that a move generator is right.
#pragma once

#include <cstdint>
#include <optional>

#include "base/stop.hpp"
#include "checkers/position.hpp"

namespace outplay::checkers {

// Captures of the same pieces between the same two squares by different paths are different moves (PATHS, the
// convention of the published numbers) or one and the same (MERGED).
enum class Captures : std::uint8_t { PATHS, MERGED };

// The number of move sequences of this length; nothing if stopped. Sequences that end early are not counted.
std::optional<std::uint64_t> perft(const Position& position, int depth, Captures captures, const Stop& stop);

}  // namespace outplay::checkers
