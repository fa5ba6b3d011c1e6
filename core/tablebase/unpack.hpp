// Spreads a table file out in memory: every position with its value, those with a capture included.
#pragma once

#include <memory>

#include "base/stop.hpp"
#include "tablebase/table.hpp"
#include "tablebase/unpacked.hpp"

namespace outplay::tablebase {

// The tables that a capture can lead to must be in the set; for distances, those that any move can lead to, with
// theirs. Nothing if stopped.
std::shared_ptr<const Unpacked> unpack(const Table& file, const UnpackedSet& tables, bool with_distances, int threads,
                                       const Stop& stop);

// The distances of lost positions without a capture, a byte each, by number; 0 for all other positions.
BigArray<std::uint8_t> unpack_losses(const Table& file, Side side, const Stop& stop);

}  // namespace outplay::tablebase
