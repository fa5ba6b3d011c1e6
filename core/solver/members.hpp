// The positions whose scores a deep book keeps: all that a game can reach with exactly that many discs, undecided and
// without an immediate win. Of a position and its mirror image the one with the smaller key stands for both.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/stop.hpp"
#include "connect4/position.hpp"

namespace outplay::solver {

class Members {
 public:
  using Position = connect4::Position64;

  // Nothing if stopped. The size fits 64 bits.
  static std::optional<Members> of(connect4::Size size, int plies, const Stop& stop);

  std::size_t count() const { return keys_.size(); }
  const std::vector<std::uint64_t>& keys() const { return keys_; }  // ascending
  Position position(std::size_t index) const;

 private:
  explicit Members(connect4::Size size) : size_(size) {}

  connect4::Size size_;
  std::vector<std::uint64_t> keys_;
};

}  // namespace outplay::solver
