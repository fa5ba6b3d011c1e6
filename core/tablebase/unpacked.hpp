// Tables unpacked in memory, and the set of them that a build, a proof or a probe works with.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "base/memory.hpp"
#include "tablebase/index.hpp"
#include "tablebase/values.hpp"

namespace outplay::tablebase {

// A value, and the number of plies to the end (0 where it is not known or not wanted).
struct Answer {
  Value value;
  int distance;
};

// Every position of one table file, those with a capture included.
struct Unpacked {
  Unpacked(const Material& material, bool with_distances);

  Index index;
  // By side to move. A symmetric material has only FIRST's: turn the board round for the other.
  std::array<ValueArray, 2> values;
  std::array<BigArray<std::uint8_t>, 2> distances;  // in plies to the end; empty if there are none

  bool has_distances() const { return distances[0].size() != 0; }
  int sides() const { return index.material().is_symmetric() ? 1 : 2; }
  std::uint64_t bytes() const;
};

class UnpackedSet {
 public:
  void add(std::shared_ptr<const Unpacked> table) {
    const auto key = table->index.material().key();
    tables_[key] = std::move(table);
  }
  void remove(const Material& table) { tables_[table.key()].reset(); }

  // The table of this name; nothing if it is not here.
  std::shared_ptr<const Unpacked> find(const Material& table) const { return tables_[table.key()]; }

  // The way to all positions with the same men, numbers of kings and side to move.
  class Door {
   public:
    Door(const UnpackedSet& set, const Placement& placement, Side side) {
      if (placement.own(side) == 0) return;  // a side without a piece has lost
      const Material material = placement.material();
      const Seating seated = seat(placement, material, side);
      table_ = set.tables_[material.table().key()].get();
      is_turned_ = seated.side != side;
      by_ = static_cast<std::size_t>(seated.side);
      men_ = seated.placement.all_men();
      begin_ = table_->index.arrangement(seated.placement.men) * table_->index.king_placements();
    }
    template <bool DISTANCES>
    Answer ask(BothSides kings) const {
      if (table_ == nullptr) return {Value::LOSS, 0};
      if (is_turned_) kings = turn_round(kings);
      const std::uint64_t at = begin_ + table_->index.kings(men_, kings);
      return {table_->values[by_][at], DISTANCES ? table_->distances[by_][at] : 0};
    }

   private:
    const Unpacked* table_ = nullptr;
    bool is_turned_ = false;
    std::size_t by_ = 0;
    Squares men_ = 0;
    std::uint64_t begin_ = 0;
  };

  // The answer for the side to move; the table must be here.
  template <bool DISTANCES>
  Answer ask(const Placement& placement, Side side) const {
    return Door(*this, placement, side).ask<DISTANCES>(placement.kings);
  }

 private:
  std::vector<std::shared_ptr<const Unpacked>> tables_ = std::vector<std::shared_ptr<const Unpacked>>(Material::KEYS);
};

}  // namespace outplay::tablebase
