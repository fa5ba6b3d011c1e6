#include "connect4/position.hpp"

#include <algorithm>
#include <map>
#include <mutex>

namespace outplay::connect4 {

template <class Word>
const Geometry<Word>& geometry(Size size) {
  static std::mutex mutex;
  static std::map<std::pair<int, int>, Geometry<Word>> known;
  const std::scoped_lock lock(mutex);
  return known.try_emplace({size.width, size.height}, size).first->second;  // nodes of a map never move
}

template const Geometry<std::uint64_t>& geometry(Size size);
template const Geometry<Word128>& geometry(Size size);

Position start(Size size) {
  assert(size.is_possible());
  if (size.bits() <= 64) return Position64(geometry<std::uint64_t>(size));
  return Position128(geometry<Word128>(size));
}

namespace {

template <class Word>
std::uint64_t count_games(const BasicPosition<Word>& position, int depth, const Stop& stop) {
  if (depth == 0) return 1;
  if (position.is_won() || (depth > 4 && stop.requested())) return 0;
  std::uint64_t games = 0;
  for (int column = 0; column < position.board().size.width; ++column)
    if (position.is_open(column)) games += depth == 1 ? 1 : count_games(position.play(column), depth - 1, stop);
  return games;
}

// A position without its board, ordered so that equal ones can be found by sorting.
template <class Word>
struct Cells {
  Word own, mask;
  auto operator<=>(const Cells&) const = default;
};

// Sort, but give up on a stop and return false: a ply of 30 million positions takes seconds.
template <class Word>
bool sort_until(std::vector<Cells<Word>>& all, const Stop& stop) {
  struct Stopped {};
  std::uint32_t compared = 0;
  try {
    std::sort(all.begin(), all.end(), [&](const Cells<Word>& one, const Cells<Word>& other) {
      if (++compared % 65536 == 0 && stop.requested()) throw Stopped{};
      return one < other;
    });
  } catch (const Stopped&) {
    return false;
  }
  return true;
}

template <class Word>
std::optional<std::uint64_t> count_distinct(const BasicPosition<Word>& from, int plies, std::uint64_t most,
                                            const Stop& stop) {
  std::vector<Cells<Word>> level{{from.own(), from.mask()}}, next;
  const auto drop_repeats = [&] {
    if (!sort_until(next, stop)) return false;
    next.erase(std::unique(next.begin(), next.end()), next.end());
    return next.size() <= most;
  };
  for (int ply = 0; ply < plies; ++ply) {
    next.clear();
    for (const auto& cells : level) {
      const BasicPosition<Word> position(from.board(), cells.own, cells.mask);
      if (position.is_won()) continue;
      for (int column = 0; column < from.board().size.width; ++column) {
        if (!position.is_open(column)) continue;
        const auto child = position.play(column);
        next.push_back({child.own(), child.mask()});
      }
      if (stop.requested() || (next.size() > 2 * most && !drop_repeats())) return std::nullopt;
    }
    if (!drop_repeats()) return std::nullopt;
    std::swap(level, next);
  }
  return level.size();
}

}  // namespace

std::optional<std::uint64_t> perft(const Position& position, int depth, const Stop& stop) {
  const auto games = std::visit([&](const auto& p) { return count_games(p, depth, stop); }, position);
  return stop.requested() ? std::nullopt : std::optional(games);
}

std::optional<std::uint64_t> count_positions(const Position& position, int plies, std::uint64_t most,
                                             const Stop& stop) {
  return std::visit([&](const auto& p) { return count_distinct(p, plies, most, stop); }, position);
}

}  // namespace outplay::connect4
