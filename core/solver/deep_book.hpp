// The scores of all positions with some numbers of discs (7 x 6: 10 and 12), kept without their keys.
//
// A level holds the `Members` with that many discs. Every other question comes down to them: who can win at once does;
// with one disc fewer than a level, a position is worth what its best move is worth. Positions that no game leads to
// get a wrong answer, so they must not be looked up: every way to make a Position refuses them. docs/book.md describes
// the file.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/stop.hpp"
#include "connect4/position.hpp"
#include "solver/board.hpp"
#include "solver/members.hpp"
#include "solver/retrieval.hpp"

namespace outplay::solver {

class DeepBook {
 public:
  struct Scores {
    int plies;
    Members members;
    std::vector<std::int8_t> scores;  // of the members, in their order
  };

  // The contents of the file with these levels, the highest first; nothing if stopped. Scores are in `range`.
  static std::optional<std::string> encode(connect4::Size size, std::span<const Scores> levels, const Stop& stop);

  // Reads bytes where they lie, for as long as `owner` keeps them; nothing if they are damaged or something else.
  static std::optional<DeepBook> read(std::span<const std::uint8_t> bytes, std::shared_ptr<const void> owner);

  // The score of a position; nothing if the game is over, and for another board or number of discs.
  std::optional<int> find(const connect4::Position& position) const;

  // The scores of all members with that many discs: a level, or up to two plies below one. Nothing if stopped.
  std::optional<std::vector<std::int8_t>> scores(int plies, const Stop& stop) const;

  connect4::Size size() const { return size_; }
  std::vector<int> levels() const;  // numbers of discs, the highest first
  std::uint64_t count() const;      // scores kept
  std::span<const std::uint8_t> bytes() const { return bytes_; }

  // What members with that many discs may score: they do not win with their next disc, and may lose to the one after.
  struct Range {
    int least, most;
  };
  static Range range(connect4::Size size, int plies);

 private:
  struct Level {
    int plies, least;
    Retrieval scores;
  };

  explicit DeepBook(connect4::Size size) : size_(size), board_(size) {}
  const Level* level_of(int plies) const;
  int answer(std::uint64_t own, std::uint64_t mask, int plies) const;
  std::uint64_t common_key(std::uint64_t key) const;

  connect4::Size size_;
  Anysize<std::uint64_t> board_;
  std::vector<Level> levels_;
  std::span<const std::uint8_t> bytes_;
  std::shared_ptr<const void> owner_;  // of the bytes
};

}  // namespace outplay::solver
