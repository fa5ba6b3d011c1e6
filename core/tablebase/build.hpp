// Builds one table from those it needs.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>

#include "base/stop.hpp"
#include "tablebase/unpacked.hpp"

namespace outplay::tablebase {

// How far a long piece of work has come, for another thread to read.
struct Progress {
  std::atomic<std::uint64_t> done{0}, all{0};
};

struct Built {
  std::shared_ptr<const Unpacked> table;
  std::array<Counts, 2> counts;  // by side to move; SECOND's are those of FIRST if the material is symmetric
};

// The tables that one move can lead to must all be in the set, with distances if those are wanted. Nothing if stopped.
std::optional<Built> build(const Material& material, UnpackedSet tables, bool with_distances, int threads,
                           const Stop& stop, Progress& progress);

}  // namespace outplay::tablebase
