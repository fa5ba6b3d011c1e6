// Asks the tables: what is the truth about this position? Any number of threads may ask at once.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

#include "base/stop.hpp"
#include "checkers/position.hpp"
#include "tablebase/block_cache.hpp"
#include "tablebase/table.hpp"
#include "tablebase/unpacked.hpp"

namespace outplay::tablebase {

constexpr int NO_DISTANCE = -1;

class Prober {
 public:
  // Values are read from the packed blocks, of which `cache_bytes` are kept unpacked.
  Prober(std::vector<std::shared_ptr<const Table>> tables, std::uint64_t cache_bytes);

  // The same, but everything is unpacked in memory first; nothing if stopped.
  static std::unique_ptr<Prober> unpacked(std::vector<std::shared_ptr<const Table>> tables, int threads,
                                          const Stop& stop);

  const std::vector<std::shared_ptr<const Table>>& tables() const { return tables_; }
  int most_pieces() const { return most_pieces_; }  // of the largest table

  // For the side to move; nothing if there is no table for it, or for a capture that decides it.
  std::optional<Value> value(Placement placement, Side side) const;
  std::optional<Value> value(const checkers::Position& position) const;

  // The same for many positions, several times as fast where values are unpacked in memory: they are all on their
  // way before the first is read.
  std::vector<std::optional<Value>> values(std::span<const checkers::Position> positions) const;

  // The same with the plies to the end, NO_DISTANCE where no table knows them.
  std::optional<Answer> answer(const Placement& placement, Side side) const;
  std::optional<Answer> answer(const checkers::Position& position) const {
    return answer(Placement::of(position), position.side());
  }
  std::vector<std::optional<Answer>> answers(std::span<const checkers::Position> positions) const;

 private:
  // What there is for one material, seen from the side to move, and which side of its table that is.
  struct Entry {
    const Table* table = nullptr;
    const Unpacked* unpacked = nullptr;
    std::uint64_t id = 0;
    Side side = Side::FIRST;

    Seating seat(Placement placement, Side mover) const { return {mover == side ? placement : placement.flip(), side}; }
  };
  struct Losses {  // distances of lost positions, unpacked when first asked for
    std::once_flag once;
    BigArray<std::uint8_t> distances;
  };

  struct Spot {  // where a value is unpacked in memory
    const ValueArray* values = nullptr;
    std::uint64_t at = 0;
  };

  const Entry& entry_of(const Material& material, Side mover) const {
    return entries_[(mover == Side::FIRST ? material : material.other()).key()];
  }
  Spot spot_of(Placement placement, Side side) const;
  std::optional<Value> value_elsewhere(const checkers::Position& position) const;
  std::optional<Value> value_elsewhere(Placement placement, Side side) const;
  std::optional<Value> stored_value(const Entry& entry, const Seating& seated) const;
  std::optional<Answer> with_distance(const Placement& placement, Side side, std::optional<Value> value) const;
  int distance(const Placement& placement, Side side, Value value) const;
  int stored_distance(const Entry& entry, const Seating& seated) const;

  template <Side S>
  std::optional<Value> value_by_captures(const Placement& placement, Squares jumping) const;
  template <Side S>
  int distance_by_moves(const Placement& placement, Squares jumping, Value value) const;

  std::vector<std::shared_ptr<const Table>> tables_;
  std::vector<Entry> entries_ = std::vector<Entry>(Material::KEYS);
  UnpackedSet unpacked_;
  int most_pieces_ = 0;
  mutable BlockCache cache_;
  mutable std::vector<Losses> losses_;  // by id and side
};

}  // namespace outplay::tablebase
