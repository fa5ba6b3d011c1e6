// Solves every position with one arrangement of men, both sides to move, by working backwards.
//
// Captures and moves of men lead out of the arrangement, into positions that are solved already. Within it only
// kings move. A position is settled as soon as its value is known: at once if a capture is compulsory, no king can
// move or a way out wins; later when a king's move leads to a settled loss (then it is a win), or the last of its
// kings' moves leads to a settled win and no way out saves it (then it is a loss). What never settles is a draw.
//
// Positions settle in the order of their distance, so distances come for the asking: to the end of the game, or to
// the next conversion (a capture or a move of a man: what cannot be taken back).
#pragma once

#include <algorithm>
#include <array>
#include <cassert>
#include <cstdint>
#include <stdexcept>
#include <vector>

#include "base/stop.hpp"
#include "tablebase/captures.hpp"
#include "tablebase/index.hpp"
#include "tablebase/unpacked.hpp"

namespace outplay::tablebase {

enum class Goal : std::uint8_t { VALUES, CONVERSION, END };

// `Tables` answers for the positions outside: see UnpackedSet.
template <Goal G, class Tables>
class Solver {
 public:
  static constexpr int MOST_DISTANCE = 255;

  Solver(const Index& index, const Tables& tables, const Stop& stop)
      : index_(index), tables_(tables), stop_(stop), size_(index.king_placements()) {
    for (auto& states : states_) states.resize(size_);
    if constexpr (G != Goal::VALUES)
      for (auto& distances : distances_) distances.resize(size_);
  }

  // Afterwards value() and distance() answer for this arrangement; if stopped, they say nothing.
  void solve(const Men& men) {
    men_ = men;
    start<Side::FIRST>();
    start<Side::SECOND>();
    for (std::size_t level = 0; level < waves_.size(); ++level) {
      spread(level);
      waves_[level].clear();
    }
  }

  // Lets go of the memory that solve() needs and the answers do not.
  void shrink() { waves_ = {}; }

  // Of the position with these kings (a number of the index), for the side to move.
  Value value(Side side, std::uint32_t kings) const {
    const State state = states_[static_cast<std::size_t>(side)][kings];
    return state & SETTLED ? static_cast<Value>(state & ~SETTLED) : Value::DRAW;
  }
  int distance(Side side, std::uint32_t kings) const  // nothing for a draw
    requires(G != Goal::VALUES)
  {
    return value(side, kings) == Value::DRAW ? 0 : distances_[static_cast<std::size_t>(side)][kings];
  }

 private:
  // Settled: SETTLED | value. Open: how many king moves are not known to lose, | SAFE if a way out saves the day.
  using State = std::uint8_t;
  static constexpr State SETTLED = 0x80, SAFE = 0x40, MOVES = 0x3F;

  using Kings = std::array<Squares, 2>;
  using Door = typename Tables::Door;

  struct ManStep {
    Squares from, to;
    bool is_crowning;
    Door door;
  };

  // Positions with the same distance. `hopes` are wins by a way out that a king's move may still beat.
  struct Wave {
    std::array<std::vector<Kings>, 2> settled, hopes;  // by side to move
    void clear() {
      for (auto& list : settled) list.clear();
      for (auto& list : hopes) list.clear();
    }
  };

  template <Side S>
  void start() {
    const auto steps = man_steps<S>();
    std::uint32_t until_poll = 0;
    index_.for_each_kings(men_[0] | men_[1], 0, size_, [&](std::uint32_t number, const Kings& kings) {
      if (until_poll-- == 0) until_poll = POLL, is_stopped_ = stop_.requested();
      if (!is_stopped_) start_one<S>(number, kings, steps);
    });
  }

  template <Side S>
  std::vector<ManStep> man_steps() const {
    const auto own = static_cast<std::size_t>(S);
    const Squares men = men_[0] | men_[1];
    std::vector<ManStep> steps;
    checkers::for_each_step<S>({men_[own], men_[1 - own], 0}, [&](Squares from, Squares to) {
      const bool is_crowning = (to & checkers::crowning_row(S)) != 0;
      Placement after{men_, example_kings(men | to)};
      after.men[own] ^= from;
      (is_crowning ? after.kings : after.men)[own] |= to;
      steps.push_back({from, to, is_crowning, Door(tables_, after, other(S))});
    });
    return steps;
  }

  // Any kings that stand beside these pieces: a door asks for their numbers only.
  Kings example_kings(Squares taken) const {
    const Squares first = lowest_of(~taken, index_.material().kings);
    return {first, lowest_of(~(taken | first), index_.material().other_kings)};
  }

  // What the moves that leave the arrangement are worth.
  struct WaysOut {
    Value best = Value::LOSS;
    int win = MOST_DISTANCE + 1, loss = 0;  // plies to the soonest win, to the latest loss

    void add(const Answer& answer) {  // for the opponent, after the move
      const int distance = G == Goal::END ? answer.distance + 1 : 1;
      best = std::max(best, opposite(answer.value));
      if (answer.value == Value::LOSS) win = std::min(win, distance);
      if (answer.value == Value::WIN) loss = std::max(loss, distance);
    }
    int distance() const { return best == Value::WIN ? win : loss; }
  };

  template <Side S>
  void start_one(std::uint32_t number, const Kings& kings, const std::vector<ManStep>& steps) {
    constexpr auto OWN = static_cast<std::size_t>(S);
    const Placement placement{men_, kings};
    const Pieces pieces = pieces_of(placement, S);
    State& state = states_[OWN][number];
    WaysOut ways;
    if (const Squares jumping = checkers::all_jumpers<S>(pieces); jumping != 0) {
      for_each_capture<S>(placement, jumping, [&](const Placement& after) {
        ways.add(tables_.template ask<G == Goal::END>(after, other(S)));
      });
      settle_at_start<S>(state, number, kings, ways);
      return;
    }
    const Squares empty = pieces.empty();
    for (const ManStep& step : steps) {
      if ((step.to & empty) == 0) continue;
      Kings after = kings;
      if (step.is_crowning) after[OWN] |= step.to;
      ways.add(step.door.template ask<G == Goal::END>(after));
    }
    const int moves = checkers::count_steps<S>({kings[OWN], ~empty & ~kings[OWN], kings[OWN]});
    if (moves == 0 || (ways.best == Value::WIN && (G == Goal::VALUES || ways.win == 1))) {
      settle_at_start<S>(state, number, kings, ways);
      return;
    }
    state = static_cast<State>(moves | (ways.best == Value::LOSS ? 0 : SAFE));
    if constexpr (G != Goal::VALUES) distances_[OWN][number] = narrow(ways.loss);
    if (ways.best == Value::WIN) wave(ways.win).hopes[OWN].push_back(kings);
  }

  template <Side S>
  void settle_at_start(State& state, std::uint32_t number, const Kings& kings, const WaysOut& ways) {
    state = SETTLED | static_cast<State>(ways.best);
    if (ways.best != Value::DRAW) reach<S>(number, kings, ways.distance());
  }

  // Notes a settled position for the wave of its distance.
  template <Side S>
  void reach(std::uint32_t number, const Kings& kings, int distance) {
    if constexpr (G != Goal::VALUES) distances_[static_cast<std::size_t>(S)][number] = narrow(distance);
    wave(distance).settled[static_cast<std::size_t>(S)].push_back(kings);
  }

  void spread(std::size_t level) {
    hope<Side::FIRST>(level);
    hope<Side::SECOND>(level);
    spread<Side::FIRST>(level);
    spread<Side::SECOND>(level);
  }

  template <Side S>
  void hope(std::size_t level) {
    constexpr auto OWN = static_cast<std::size_t>(S);
    for (const Kings& kings : waves_[level].hopes[OWN]) {
      const std::uint32_t number = index_.kings(men_[0] | men_[1], kings);
      if (states_[OWN][number] & SETTLED) continue;
      states_[OWN][number] = SETTLED | static_cast<State>(Value::WIN);
      reach<S>(number, kings, static_cast<int>(level));
    }
  }

  // Tells every position from which a king's move leads to one of this wave with S to move.
  template <Side S>
  void spread(std::size_t level) {
    constexpr auto OWN = static_cast<std::size_t>(S);
    const Squares men = men_[0] | men_[1];
    std::uint32_t until_poll = POLL;
    for (std::size_t at = 0; at < waves_[level].settled[OWN].size(); ++at) {
      if (until_poll-- == 0) {
        if (stop_.requested()) return;
        until_poll = POLL;
      }
      const Kings kings = waves_[level].settled[OWN][at];
      const Value value = this->value(S, index_.kings(men, kings));
      // The kings of the side that has just moved step back, in any direction, to an empty square.
      const Squares taken = men | kings[OWN];
      const Pieces movers{kings[1 - OWN], taken, kings[1 - OWN]};
      checkers::for_each_step<S>(movers, [&](Squares to, Squares from) {
        Kings before = kings;
        before[1 - OWN] ^= from | to;
        tell<other(S)>(before, value, static_cast<int>(level));
      });
    }
  }

  // A king's move leads from here to a position that the opponent wins or loses in `distance` plies.
  template <Side S>
  void tell(const Kings& kings, Value value, int distance) {
    const std::uint32_t number = index_.kings(men_[0] | men_[1], kings);
    State& state = states_[static_cast<std::size_t>(S)][number];
    if (state & SETTLED) return;
    if (value == Value::LOSS) {
      state = SETTLED | static_cast<State>(Value::WIN);
      reach<S>(number, kings, distance + 1);
    } else if (--state == 0) {
      state = SETTLED | static_cast<State>(Value::LOSS);
      int loss = distance + 1;
      if constexpr (G != Goal::VALUES) loss = std::max<int>(loss, distances_[static_cast<std::size_t>(S)][number]);
      reach<S>(number, kings, loss);
    }
  }

  Wave& wave(int distance) {
    if (static_cast<std::size_t>(distance) >= waves_.size()) waves_.resize(static_cast<std::size_t>(distance) + 1);
    return waves_[static_cast<std::size_t>(distance)];
  }

  static std::uint8_t narrow(int distance) {
    if (distance > MOST_DISTANCE) throw std::overflow_error("a distance does not fit its byte");
    return static_cast<std::uint8_t>(distance);
  }

  static constexpr std::uint32_t POLL = 1 << 14;

  const Index& index_;
  const Tables& tables_;
  const Stop& stop_;
  bool is_stopped_ = false;
  std::uint32_t size_;
  Men men_{};
  std::array<std::vector<State>, 2> states_;
  std::array<std::vector<std::uint8_t>, 2> distances_;
  std::vector<Wave> waves_;
};

}  // namespace outplay::tablebase
