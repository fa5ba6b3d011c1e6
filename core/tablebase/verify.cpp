#include "tablebase/verify.hpp"

#include <algorithm>
#include <mutex>
#include <vector>

#include "base/parallel.hpp"
#include "tablebase/captures.hpp"

namespace outplay::tablebase {
namespace {

const char* name_of(Value value) { return value == Value::WIN ? "win" : value == Value::DRAW ? "draw" : "loss"; }

// Proves the positions with one arrangement of men.
template <bool DISTANCES>
class Proof {
 public:
  Proof(const Unpacked& table, const UnpackedSet& tables, const Stop& stop)
      : table_(table), tables_(tables), stop_(stop), size_(table.index.king_placements()) {
    for (auto& confirmed : confirmed_) confirmed.resize(size_);
    for (auto& values : values_) values.resize(size_);
    for (auto& distances : distances_) distances.resize(DISTANCES ? size_ : 0);
  }

  std::optional<Flaw> run(std::uint64_t arrangement) {
    men_ = table_.index.men_of(arrangement);
    for (const std::size_t side : {0U, 1U}) {
      std::fill(confirmed_[side].begin(), confirmed_[side].end(), 0);
      open_[side].clear();
    }
    flaw_.reset();
    read<Side::FIRST>();
    read<Side::SECOND>();
    look<Side::FIRST>();
    look<Side::SECOND>();
    while (!flaw_ && !stop_.requested() && (!open_[0].empty() || !open_[1].empty())) {
      const std::size_t before = open_[0].size() + open_[1].size();
      sweep<Side::FIRST>();
      sweep<Side::SECOND>();
      if (open_[0].size() + open_[1].size() == before) report_circle();
    }
    return flaw_;
  }
  const std::array<Counts, 2>& counts() const { return counts_; }

 private:
  using Kings = std::array<Squares, 2>;

  // Writes down what the file says about this arrangement.
  template <Side S>
  void read() {
    const Placement example{men_, example_kings()};
    const UnpackedSet::Door door(tables_, example, S);
    for_each<S>([&](std::uint32_t number, const Kings& kings) {
      const Answer answer = door.ask<DISTANCES>(kings);
      values_[static_cast<std::size_t>(S)][number] = answer.value;
      if constexpr (DISTANCES)
        distances_[static_cast<std::size_t>(S)][number] = static_cast<std::uint8_t>(answer.distance);
    });
  }
  Answer claim(std::size_t side, std::uint32_t number) const {
    return {values_[side][number], DISTANCES ? distances_[side][number] : 0};
  }
  Kings example_kings() const {
    const Squares men = men_[0] | men_[1], first = lowest_of(~men, table_.index.material().kings);
    return {first, lowest_of(~(men | first), table_.index.material().other_kings)};
  }

  template <Side S, class Visit>
  void for_each(Visit&& visit) {
    std::uint32_t until_poll = 0;
    bool is_stopped = false;
    table_.index.for_each_kings(men_[0] | men_[1], 0, size_, [&](std::uint32_t number, const Kings& kings) {
      if (until_poll-- == 0) until_poll = POLL, is_stopped = stop_.requested();
      if (!is_stopped && !flaw_) visit(number, kings);
    });
  }

  std::uint32_t number_of(const Kings& kings) const { return table_.index.kings(men_[0] | men_[1], kings); }

  // Every position once: does its value follow from those after its moves? Is it confirmed by a way out?
  template <Side S>
  void look() {
    for_each<S>([&](std::uint32_t number, const Kings& kings) { look_at<S>(number, {men_, kings}); });
  }

  template <Side S>
  void look_at(std::uint32_t number, const Placement& placement) {
    constexpr auto OWN = static_cast<std::size_t>(S);
    const Answer claimed = claim(OWN, number);
    counts_[OWN].add(claimed.value);
    Value best = Value::LOSS;
    int win = 1 << 16, loss = 0;  // plies
    bool is_confirmed = false, has_king_move = false;
    const auto see = [&](const Answer& reply, bool is_way_out) {
      best = std::max(best, opposite(reply.value));
      if (reply.value == Value::LOSS) win = std::min(win, reply.distance + 1);
      if (reply.value == Value::WIN) loss = std::max(loss, reply.distance + 1);
      is_confirmed = is_confirmed || (is_way_out && reply.value == Value::LOSS);
      has_king_move = has_king_move || !is_way_out;
    };
    const auto leave = [&](const Placement& after) { see(tables_.ask<DISTANCES>(after, other(S)), true); };
    const Pieces pieces = pieces_of(placement, S);
    if (const Squares jumping = checkers::all_jumpers<S>(pieces); jumping != 0) {
      for_each_capture<S>(placement, jumping, leave);
    } else {
      checkers::for_each_step<S>(pieces, [&](Squares from, Squares to) {
        const Placement after = after_move<S>(placement, from, to, 0);
        if (pieces.kings & from)
          see(claim(1 - OWN, number_of(after.kings)), false);
        else
          leave(after);
      });
    }
    if (best != claimed.value) {
      flaw_ = {placement, S, std::string("it is a ") + name_of(best) + ", not a " + name_of(claimed.value)};
      return;
    }
    if (DISTANCES && best != Value::DRAW && claimed.distance != (best == Value::WIN ? win : loss))
      flaw_ = {placement, S,
               "its distance is " + std::to_string(best == Value::WIN ? win : loss) + ", not " +
                   std::to_string(claimed.distance)};
    // Distances that all fit their successors' leave no room for a circle.
    is_confirmed = DISTANCES || is_confirmed || (best == Value::LOSS && !has_king_move);
    confirmed_[OWN][number] = is_confirmed;
    if (!is_confirmed && best != Value::DRAW) open_[OWN].push_back(placement.kings);
  }

  template <Side S>
  void sweep() {
    std::uint32_t until_poll = POLL;
    bool is_stopped = false;
    std::erase_if(open_[static_cast<std::size_t>(S)], [&](const Kings& kings) {
      if (until_poll-- == 0) until_poll = POLL, is_stopped = stop_.requested();
      return !is_stopped && confirm<S>(kings);
    });
  }

  // A win needs one confirmed loss among the positions its king moves lead to, a loss needs all to be confirmed wins.
  // (That all are wins was seen before.)
  template <Side S>
  bool confirm(const Kings& kings) {
    constexpr auto OWN = static_cast<std::size_t>(S);
    const std::uint32_t number = number_of(kings);
    const bool is_win = values_[OWN][number] == Value::WIN;
    bool has_support = false, has_doubt = false;
    const Pieces movers{kings[OWN], men_[0] | men_[1] | kings[1 - OWN], kings[OWN]};
    checkers::for_each_step<S>(movers, [&](Squares from, Squares to) {
      Kings after = kings;
      after[OWN] ^= from | to;
      const std::uint32_t reply = number_of(after);
      const bool is_confirmed = confirmed_[1 - OWN][reply] != 0;
      has_support = has_support || (is_confirmed && values_[1 - OWN][reply] == Value::LOSS);
      has_doubt = has_doubt || !is_confirmed;
    });
    const bool is_confirmed = is_win ? has_support : !has_doubt;
    if (is_confirmed) confirmed_[OWN][number] = 1;
    return is_confirmed;
  }

  void report_circle() {
    const std::size_t side = open_[0].empty() ? 1 : 0;
    flaw_ = {{men_, open_[side].front()}, static_cast<Side>(side), "nothing but a circle of moves supports its value"};
  }

  static constexpr std::uint32_t POLL = 1 << 14;

  const Unpacked& table_;
  const UnpackedSet& tables_;
  const Stop& stop_;
  std::uint32_t size_;
  Men men_{};
  std::array<std::vector<Value>, 2> values_;  // what the file says
  std::array<std::vector<std::uint8_t>, 2> distances_;
  std::array<std::vector<std::uint8_t>, 2> confirmed_;  // what is proved
  std::array<std::vector<Kings>, 2> open_;              // not yet confirmed
  std::optional<Flaw> flaw_;
  std::array<Counts, 2> counts_;
};

template <bool DISTANCES>
std::variant<std::array<Counts, 2>, Flaw> prove(const Unpacked& table, const UnpackedSet& tables, int threads,
                                                const Stop& stop, Progress& progress) {
  std::mutex mutex;
  std::array<Counts, 2> counts;
  std::optional<Flaw> flaw;
  std::atomic<bool> has_flaw = false;
  const std::uint64_t stretch = std::max<std::uint64_t>(1, (1 << 14) / table.index.king_placements());
  share_out(threads, table.index.arrangements(), stretch, stop, [&] {
    auto proof = std::make_unique<Proof<DISTANCES>>(table, tables, stop);
    return [&, proof = std::move(proof), counted = std::array<Counts, 2>{}](std::uint64_t begin,
                                                                            std::uint64_t end) mutable {
      for (std::uint64_t at = begin; at < end && !has_flaw && !stop.requested(); ++at)
        if (const auto found = proof->run(at)) {
          const std::lock_guard lock(mutex);
          if (!flaw) flaw = found;
          has_flaw = true;
        }
      progress.done += (end - begin) * table.index.king_placements();
      const std::lock_guard lock(mutex);
      for (const std::size_t side : {0U, 1U}) {
        for (const Value value : {Value::LOSS, Value::DRAW, Value::WIN})
          counts[side].add(value, proof->counts()[side][value] - counted[side][value]);
        counted[side] = proof->counts()[side];
      }
    };
  });
  if (flaw) return *flaw;
  return counts;
}

}  // namespace

std::optional<std::variant<std::array<Counts, 2>, Flaw>> verify(const Material& material, const UnpackedSet& tables,
                                                                int threads, const Stop& stop, Progress& progress) {
  const auto table = tables.find(material);
  progress.all = table->index.size();
  auto result = table->has_distances() ? prove<true>(*table, tables, threads, stop, progress)
                                       : prove<false>(*table, tables, threads, stop, progress);
  if (stop.requested()) return std::nullopt;
  return result;
}

}  // namespace outplay::tablebase
