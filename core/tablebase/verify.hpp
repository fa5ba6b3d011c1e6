// Proves a table by another route than the one it was built by.
//
// The builder works backwards from what is settled and counts moves. The proof works forwards from what the file says:
// every position's moves are made, and (1) its value must be what the values after its moves make it; that alone would
// also let wins pass that support each other in a circle, so (2) every win and every loss must be traced back to the
// arrangement's ways out: sweep after sweep, a win is confirmed when it leads to a confirmed loss, a loss when all its
// moves lead to confirmed wins, until nothing is left. What is left when a sweep confirms nothing is a circle.
#pragma once

#include <optional>
#include <variant>

#include "base/stop.hpp"
#include "tablebase/build.hpp"
#include "tablebase/unpacked.hpp"

namespace outplay::tablebase {

// A position that the table has wrong, or whose win nothing supports.
struct Flaw {
  Placement placement;
  Side side;
  std::string reason;
};

// `tables` holds the table, as unpacked from its file, and everything that one move in it can lead to. The counts of
// the values by side to move, which are the file's if it is right; the first flaw; or nothing if stopped.
std::optional<std::variant<std::array<Counts, 2>, Flaw>> verify(const Material& material, const UnpackedSet& tables,
                                                                int threads, const Stop& stop, Progress& progress);

}  // namespace outplay::tablebase
