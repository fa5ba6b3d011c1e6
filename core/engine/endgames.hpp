// What the search asks the endgame tables: the small ones unpacked in memory, the large ones packed as they are.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "base/stop.hpp"
#include "checkers/moves.hpp"
#include "tablebase/probe.hpp"

namespace outplay::engine {

class Endgames {
 public:
  static constexpr int QUICK_PIECES = 4;  // unpacked in a fraction of a second into a few mebibytes

  // Tables of up to `unpacked_pieces` are unpacked in memory.
  Endgames(std::vector<std::shared_ptr<const tablebase::Table>> tables, std::uint64_t cache_bytes,
           int unpacked_pieces = QUICK_PIECES, const Stop& stop = Stop()) {
    auto small = tables;
    std::erase_if(small, [&](const auto& table) { return table->material().pieces() > unpacked_pieces; });
    if (!small.empty()) quick_ = tablebase::Prober::unpacked(small, 1, stop);
    if (small.size() < tables.size()) large_ = std::make_unique<tablebase::Prober>(std::move(tables), cache_bytes);
  }

  int most_pieces() const { return std::max(quick_ ? quick_->most_pieces() : 0, large_ ? large_->most_pieces() : 0); }

  // For the side to move.
  template <Side S>
  std::optional<tablebase::Value> find(const checkers::Pieces& pieces) const {
    constexpr bool IS_BLACK = S == Side::FIRST;
    const auto black = IS_BLACK ? pieces.own : pieces.other, white = IS_BLACK ? pieces.other : pieces.own;
    const tablebase::Placement placement{{black & ~pieces.kings, white & ~pieces.kings},
                                         {black & pieces.kings, white & pieces.kings}};
    if (quick_ && count_bits(black | white) <= quick_->most_pieces()) return quick_->value(placement, S);
    return large_ ? large_->value(placement, S) : std::nullopt;
  }

 private:
  std::unique_ptr<tablebase::Prober> quick_, large_;
};

}  // namespace outplay::engine
