#include "tablebase/probe.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "tablebase/captures.hpp"
#include "tablebase/needs.hpp"
#include "tablebase/unpack.hpp"

namespace outplay::tablebase {
namespace {

std::uint64_t unpacked_bytes(const std::vector<std::shared_ptr<const Table>>& tables) {
  std::uint64_t bytes = 0;
  for (const auto& table : tables) bytes += table->index().size() / 4 * static_cast<std::uint64_t>(table->sides());
  return bytes;
}

}  // namespace

Prober::Prober(std::vector<std::shared_ptr<const Table>> tables, std::uint64_t cache_bytes)
    : tables_(std::move(tables)),
      cache_(std::min(cache_bytes, 2 * unpacked_bytes(tables_))),
      losses_(2 * tables_.size()) {
  for (std::size_t id = 0; id < tables_.size(); ++id) {
    const Material& material = tables_[id]->material();
    entries_[material.other().key()] = {tables_[id].get(), nullptr, id, Side::SECOND};
    entries_[material.key()] = {tables_[id].get(), nullptr, id, Side::FIRST};
    most_pieces_ = std::max(most_pieces_, material.pieces());
  }
}

std::unique_ptr<Prober> Prober::unpacked(std::vector<std::shared_ptr<const Table>> tables, int threads,
                                         const Stop& stop) {
  auto prober = std::make_unique<Prober>(std::move(tables), 0);
  auto sorted = prober->tables_;  // a table needs those with fewer pieces, or fewer men
  std::ranges::stable_sort(
      sorted, {}, [](const auto& table) { return std::pair(table->material().pieces(), table->material().all_men()); });
  for (const auto& table : sorted) {
    const auto is_there = [&](const Material& need) { return prober->unpacked_.find(need) != nullptr; };
    const auto has_distances = [&](const Material& need) {
      const auto found = prober->unpacked_.find(need);
      return found != nullptr && found->has_distances();
    };
    if (!std::ranges::all_of(needs_of_captures(table->material()), is_there)) continue;  // it is asked packed
    const bool with_distances =
        table->has_distances() && std::ranges::all_of(needs_of(table->material()), has_distances);
    auto unpacked = unpack(*table, prober->unpacked_, with_distances, threads, stop);
    if (!unpacked) return nullptr;
    for (const Material& seen : {table->material(), table->material().other()})
      prober->entries_[seen.key()].unpacked = unpacked.get();
    prober->unpacked_.add(std::move(unpacked));
  }
  return prober;
}

inline Prober::Spot Prober::spot_of(Placement placement, Side side) const {
  const Material material = placement.material();
  if (material.pieces() > most_pieces_) return {};
  const Entry& entry = entry_of(material, side);
  if (entry.unpacked == nullptr) return {};
  const Seating seated = entry.seat(placement, side);
  return {&entry.unpacked->values[static_cast<std::size_t>(seated.side)], entry.unpacked->index(seated.placement)};
}

std::optional<Value> Prober::value(Placement placement, Side side) const {
  const Spot spot = spot_of(placement, side);
  return spot.values != nullptr ? (*spot.values)[spot.at] : value_elsewhere(placement, side);
}

// From the position itself, not by way of the other: it never goes through memory.
std::optional<Value> Prober::value(const checkers::Position& position) const {
  const Spot spot = spot_of(Placement::of(position), position.side());
  return spot.values != nullptr ? (*spot.values)[spot.at] : value_elsewhere(position);
}

[[gnu::noinline]] std::optional<Value> Prober::value_elsewhere(const checkers::Position& position) const {
  return value_elsewhere(Placement::of(position), position.side());
}

// Apart, so that the way into memory above stays short: the shorter, the more questions are on their way at once.
[[gnu::noinline]] std::optional<Value> Prober::value_elsewhere(Placement placement, Side side) const {
  if (placement.own(side) == 0) return Value::LOSS;
  if (placement.own(other(side)) == 0) return Value::WIN;
  const Material material = placement.material();
  if (material.pieces() > most_pieces_) return std::nullopt;
  const Pieces pieces = pieces_of(placement, side);
  if (side == Side::FIRST) {
    if (const Squares jumping = checkers::all_jumpers<Side::FIRST>(pieces); jumping != 0)
      return value_by_captures<Side::FIRST>(placement, jumping);
  } else if (const Squares jumping = checkers::all_jumpers<Side::SECOND>(pieces); jumping != 0) {
    return value_by_captures<Side::SECOND>(placement, jumping);
  }
  const Entry& entry = entry_of(material, side);
  return stored_value(entry, entry.seat(placement, side));
}

std::vector<std::optional<Value>> Prober::values(std::span<const checkers::Position> positions) const {
  constexpr std::size_t TOGETHER = 32;
  std::array<Spot, TOGETHER> spots;
  std::vector<std::optional<Value>> found;
  found.reserve(positions.size());
  for (std::size_t begin = 0; begin < positions.size(); begin += TOGETHER) {
    const auto some = positions.subspan(begin, std::min(TOGETHER, positions.size() - begin));
    for (std::size_t index = 0; index < some.size(); ++index) {
      spots[index] = spot_of(Placement::of(some[index]), some[index].side());
      if (spots[index].values != nullptr) spots[index].values->prefetch(spots[index].at);
    }
    for (std::size_t index = 0; index < some.size(); ++index) {
      const Spot& spot = spots[index];
      found.push_back(spot.values != nullptr ? (*spot.values)[spot.at] : value(some[index]));
    }
  }
  return found;
}

std::optional<Value> Prober::stored_value(const Entry& entry, const Seating& seated) const {
  if (entry.table == nullptr) return std::nullopt;
  const std::uint64_t id = entry.id * 2 + static_cast<std::uint64_t>(seated.side);
  return cache_.value(entry.table->values(seated.side), id, entry.table->index()(seated.placement));
}

template <Side S>
std::optional<Value> Prober::value_by_captures(const Placement& placement, Squares jumping) const {
  std::optional<Value> best = Value::LOSS;
  for_each_capture<S>(placement, jumping, [&](const Placement& after) {
    if (best == Value::WIN) return;
    const auto answer = value(after, other(S));
    if (answer == Value::LOSS || !answer || !best)
      best = answer == Value::LOSS ? std::optional(Value::WIN) : std::nullopt;
    else
      best = std::max(*best, opposite(*answer));
  });
  return best;
}

std::optional<Answer> Prober::answer(const Placement& placement, Side side) const {
  return with_distance(placement, side, value(placement, side));
}

std::vector<std::optional<Answer>> Prober::answers(std::span<const checkers::Position> positions) const {
  const auto found = values(positions);
  std::vector<std::optional<Answer>> answers;
  answers.reserve(positions.size());
  for (std::size_t index = 0; index < positions.size(); ++index)
    answers.push_back(with_distance(Placement::of(positions[index]), positions[index].side(), found[index]));
  return answers;
}

std::optional<Answer> Prober::with_distance(const Placement& placement, Side side, std::optional<Value> value) const {
  if (!value) return std::nullopt;
  return Answer{*value, *value == Value::DRAW ? NO_DISTANCE : distance(placement, side, *value)};
}

int Prober::distance(const Placement& placement, Side side, Value value) const {
  if (placement.own(side) == 0 || placement.own(other(side)) == 0) return 0;
  const Entry& entry = entry_of(placement.material(), side);
  if (entry.table == nullptr || !entry.table->has_distances()) return NO_DISTANCE;
  const Pieces pieces = pieces_of(placement, side);
  const Squares jumping =
      side == Side::FIRST ? checkers::all_jumpers<Side::FIRST>(pieces) : checkers::all_jumpers<Side::SECOND>(pieces);
  const bool is_unpacked = entry.unpacked != nullptr && entry.unpacked->has_distances();
  if (is_unpacked || (value == Value::LOSS && jumping == 0)) return stored_distance(entry, entry.seat(placement, side));
  return side == Side::FIRST ? distance_by_moves<Side::FIRST>(placement, jumping, value)
                             : distance_by_moves<Side::SECOND>(placement, jumping, value);
}

int Prober::stored_distance(const Entry& entry, const Seating& seated) const {
  const std::uint64_t at = entry.table->index()(seated.placement);
  const auto by = static_cast<std::size_t>(seated.side);
  if (entry.unpacked != nullptr && entry.unpacked->has_distances()) return entry.unpacked->distances[by][at];
  Losses& losses = losses_[entry.id * 2 + by];
  std::call_once(losses.once, [&] { losses.distances = unpack_losses(*entry.table, seated.side, Stop()); });
  return losses.distances[at];
}

// The side to move wins as soon, or loses as late, as its moves let it.
template <Side S>
int Prober::distance_by_moves(const Placement& placement, Squares jumping, Value value) const {
  int best = NO_DISTANCE;
  bool is_known = true;
  const auto look = [&](const Placement& after) {
    if (this->value(after, other(S)) != opposite(value)) return;
    const int reply = distance(after, other(S), opposite(value));
    is_known = is_known && reply != NO_DISTANCE;
    const int plies = reply + 1;
    best = best == NO_DISTANCE ? plies : value == Value::WIN ? std::min(best, plies) : std::max(best, plies);
  };
  if (jumping != 0) {
    for_each_capture<S>(placement, jumping, look);
  } else {
    checkers::for_each_step<S>(pieces_of(placement, S),
                               [&](Squares from, Squares to) { look(after_move<S>(placement, from, to, 0)); });
  }
  return is_known ? best : NO_DISTANCE;
}

}  // namespace outplay::tablebase
