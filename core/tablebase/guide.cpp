#include "tablebase/guide.hpp"

#include <algorithm>
#include <vector>

#include "tablebase/solve.hpp"

namespace outplay::tablebase {
namespace {

constexpr std::size_t MOST_SOLVED = 4;

Value known(const Prober& prober, const Placement& placement, Side side) {
  const auto value = prober.value(placement, side);
  const Material material = placement.material();
  if (!value) throw Missing{side == Side::FIRST ? material : material.other()};
  return *value;
}

// The tables as a Solver wants them.
struct ProbedTables {
  const Prober& prober;

  class Door {
   public:
    Door(const ProbedTables& tables, const Placement& placement, Side side)
        : prober_(&tables.prober), men_(placement.men), side_(side) {}
    template <bool>
    Answer ask(const std::array<Squares, 2>& kings) const {
      return {known(*prober_, {men_, kings}, side_), 0};
    }

   private:
    const Prober* prober_;
    Men men_;
    Side side_;
  };

  template <bool>
  Answer ask(const Placement& placement, Side side) const {
    return {known(prober, placement, side), 0};
  }
};

}  // namespace

class Guide::Solved {
 public:
  Solved(const Prober& prober, const Material& material, const Men& men, const Stop& stop)
      : tables_{prober}, index_(material), men_(men), solver_(index_, tables_, stop) {
    solver_.solve(men);
    solver_.shrink();
  }
  bool is_of(const Material& material, const Men& men) const { return index_.material() == material && men_ == men; }
  int distance(const Seating& seated) const {
    return solver_.distance(seated.side, index_.kings(seated.placement.all_men(), seated.placement.kings));
  }

 private:
  ProbedTables tables_;
  Index index_;
  Men men_;
  Solver<Goal::CONVERSION, ProbedTables> solver_;
};

Guide::Guide(const Prober& prober) : prober_(prober) {}
Guide::~Guide() = default;

struct Guide::Candidate {
  checkers::Move move;
  Placement after;
  int distance;  // plies to the end after the move
  bool is_conversion;
};

std::optional<checkers::Move> Guide::best(const checkers::Position& position, const Stop& stop) {
  const Value value = known(prober_, Placement::of(position), position.side());
  std::vector<Candidate> candidates;
  for (const auto& move : position.legal_moves()) {
    const auto after = Placement::of(position.play(move));
    const auto answer = prober_.answer(after, other(position.side()));
    const bool is_conversion = move.is_capture() || (position.kings() & checkers::square_bit(move.from())) == 0;
    if (answer && answer->value == opposite(value))
      candidates.push_back({move, after, answer->distance, is_conversion});
  }
  if (candidates.empty()) throw Missing{Placement::of(position).material()};
  if (value == Value::DRAW) return candidates.front().move;
  const bool has_all = std::ranges::none_of(candidates, [](const auto& c) { return c.distance == NO_DISTANCE; });
  if (!has_all) return best_conversion(position, candidates, value, stop);
  const auto nearer = [](const auto& a, const auto& b) { return a.distance < b.distance; };
  return (value == Value::WIN ? std::ranges::min_element(candidates, nearer)
                              : std::ranges::max_element(candidates, nearer))
      ->move;
}

std::optional<checkers::Move> Guide::best_conversion(const checkers::Position& position,
                                                     const std::vector<Candidate>& candidates, Value value,
                                                     const Stop& stop) {
  const Candidate* best = nullptr;
  int best_plies = 0;
  for (const Candidate& candidate : candidates) {
    std::optional<int> plies = 0;
    if (!candidate.is_conversion) plies = plies_to_conversion(candidate.after, other(position.side()), stop);
    if (!plies) return std::nullopt;
    if (best == nullptr || (value == Value::WIN ? *plies < best_plies : *plies > best_plies)) {
      best = &candidate;
      best_plies = *plies;
    }
    if (value == Value::WIN && best_plies == 0) break;
  }
  return best->move;
}

std::optional<int> Guide::plies_to_conversion(const Placement& placement, Side side, const Stop& stop) {
  const Seating seated = seat(placement, placement.material(), side);
  const auto found = solved(seated, stop);
  return found ? std::optional(found->distance(seated)) : std::nullopt;
}

std::shared_ptr<const Guide::Solved> Guide::solved(const Seating& seated, const Stop& stop) {
  const Material material = seated.placement.material();
  {
    const std::lock_guard lock(mutex_);
    const auto found = std::ranges::find_if(
        solved_, [&](const auto& solved) { return solved->is_of(material, seated.placement.men); });
    if (found != solved_.end()) {
      solved_.splice(solved_.begin(), solved_, found);
      return solved_.front();
    }
  }
  auto fresh = std::make_shared<const Solved>(prober_, material, seated.placement.men, stop);
  if (stop.requested()) return nullptr;
  const std::lock_guard lock(mutex_);
  solved_.push_front(fresh);
  if (solved_.size() > MOST_SOLVED) solved_.pop_back();
  return fresh;
}

}  // namespace outplay::tablebase
