// The scores of all positions with few discs, found once and kept.
//
// Positions that are mirror images of each other are one: the smaller key stands for both. Positions in which the game
// is over are left out. docs/book.md describes the file.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/stop.hpp"
#include "connect4/position.hpp"

namespace outplay::solver {

class Book {
 public:
  using Position = connect4::Position64;

  // Every undecided position with that many discs, in the order of its keys; nothing if stopped. The size fits 64 bits.
  static std::optional<std::vector<Position>> positions(connect4::Size size, int plies, const Stop& stop);

  // Of the scores of `positions(size, plies)`: all positions up to that many plies, the earlier ones by looking ahead.
  static Book from_scores(connect4::Size size, int plies, std::span<const std::int8_t> scores);

  // The contents of a file, and back; nothing if it is damaged or something else.
  static std::optional<Book> decode(std::string_view bytes);
  std::string encode() const;

  std::optional<int> find(const connect4::Position& position) const;

  connect4::Size size() const { return size_; }
  int plies() const { return plies_; }
  std::size_t count() const { return keys_.size(); }

 private:
  Book(connect4::Size size, int plies) : size_(size), plies_(plies) {}
  int score_by_looking_ahead(const Position& position) const;

  connect4::Size size_;
  int plies_;
  std::vector<std::uint64_t> keys_;  // ascending
  std::vector<std::int8_t> scores_;  // of the same positions, in the same order
};

}  // namespace outplay::solver
