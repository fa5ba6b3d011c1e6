#include "checkers/perft.hpp"

#include <algorithm>

#include "checkers/moves.hpp"

namespace outplay::checkers {
namespace {

struct PathCounter {
  std::uint64_t count = 0;
  void push(Squares, Squares) {}
  void pop(Squares) {}
  void end(Squares, Squares) { ++count; }
};

// What remains of a capture when its path is forgotten.
struct Capture {
  Squares from, to, captures;
  auto operator<=>(const Capture&) const = default;
};

struct CaptureList {
  Squares from = 0;
  std::vector<Capture> list;
  void push(Squares, Squares) {}
  void pop(Squares) {}
  void end(Squares to, Squares captures) { list.push_back({from, to, captures}); }
};

template <Captures C, class Visit>
void for_each_capture(CaptureList& found, Visit&& visit) {
  if constexpr (C == Captures::MERGED) {
    std::sort(found.list.begin(), found.list.end());
    found.list.erase(std::unique(found.list.begin(), found.list.end()), found.list.end());
  }
  for (const auto& capture : found.list) visit(capture);
}

template <Side S>
CaptureList list_captures(const Pieces& pieces, Squares jumping) {
  CaptureList found;
  for (; jumping != 0; jumping &= jumping - 1) {
    found.from = lowest_bit(jumping);
    follow_jumps_of<S>(pieces, found.from, found);
  }
  return found;
}

// The last ply is counted, not played: a population count for plain moves, a walk of the paths for jumps.
template <Side S, Captures C>
std::uint64_t count_moves(const Pieces& pieces, Squares jumping) {
  if (jumping == 0) return static_cast<std::uint64_t>(count_steps<S>(pieces));
  if constexpr (C == Captures::PATHS) {
    PathCounter counter;
    for (; jumping != 0; jumping &= jumping - 1) follow_jumps_of<S>(pieces, lowest_bit(jumping), counter);
    return counter.count;
  } else {
    auto found = list_captures<S>(pieces, jumping);
    std::uint64_t count = 0;
    for_each_capture<C>(found, [&](const Capture&) { ++count; });
    return count;
  }
}

template <Side S, Captures C>
std::uint64_t count_games(const Pieces& pieces, int depth, const Stop& stop) {
  const Squares jumping = all_jumpers<S>(pieces);
  if (depth == 1) return count_moves<S, C>(pieces, jumping);
  if (depth > 5 && stop.requested()) return 0;
  std::uint64_t games = 0;
  const auto play = [&](Squares from, Squares to, Squares captures) {
    games += count_games<other(S), C>(pieces.after<S>(from, to, captures), depth - 1, stop);
  };
  if (jumping == 0) {
    for_each_step<S>(pieces, [&](Squares from, Squares to) { play(from, to, 0); });
  } else {
    auto found = list_captures<S>(pieces, jumping);
    for_each_capture<C>(found, [&](const Capture& capture) { play(capture.from, capture.to, capture.captures); });
  }
  return games;
}

template <Captures C>
std::uint64_t count_from(const Position& position, int depth, const Stop& stop) {
  if (depth == 0) return 1;
  if (position.other() == 0) return 0;
  const auto pieces = Pieces::of(position);
  return position.side() == Side::FIRST ? count_games<Side::FIRST, C>(pieces, depth, stop)
                                        : count_games<Side::SECOND, C>(pieces, depth, stop);
}

}  // namespace

std::optional<std::uint64_t> perft(const Position& position, int depth, Captures captures, const Stop& stop) {
  const auto games = captures == Captures::PATHS ? count_from<Captures::PATHS>(position, depth, stop)
                                                 : count_from<Captures::MERGED>(position, depth, stop);
  return stop.requested() ? std::nullopt : std::optional(games);
}

}  // namespace outplay::checkers
