// What ends a search, and the clock that watches over it.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <optional>

#include "base/stop.hpp"
#include "engine/score.hpp"

namespace outplay::engine {

constexpr int MOST_DEPTH = 100;

struct Limits {
  int depth = MOST_DEPTH;
  std::optional<std::uint64_t> nodes;
  std::optional<std::int64_t> time_ms;   // for this move
  std::optional<std::int64_t> clock_ms;  // left for the rest of the game
  std::int64_t increment_ms = 0;
  int lines = 1;
};

// One search's end: its time, its number of nodes, or a request from outside. Threads look at it every few nodes.
class Clock {
 public:
  using Time = std::chrono::steady_clock;

  Clock(const Limits& limits, const Stop& stop) : stop_(stop), started_(Time::now()), nodes_(limits.nodes) {
    if (limits.time_ms) allot(as_seconds(*limits.time_ms), as_seconds(*limits.time_ms));
    if (limits.clock_ms) {
      // A share of the clock, and up to four times as much while the search is in doubt.
      const double left = as_seconds(*limits.clock_ms), extra = as_seconds(limits.increment_ms);
      const double share = left / 28 + 0.8 * extra;
      allot(std::min(share, 0.5 * left), std::min(4 * share, 0.6 * left));
    }
  }

  double seconds() const { return std::chrono::duration<double>(Time::now() - started_).count(); }

  // Must everything end now?
  bool is_over(std::uint64_t nodes) const {
    return is_cancelled() || (nodes_ && nodes >= *nodes_) || (most_ && seconds() >= *most_);
  }
  // Is it too late to begin another iteration? `doubt` stretches the time: 1 is none.
  bool is_late(double doubt) const { return wanted_ && *wanted_ != *most_ && seconds() >= *wanted_ * doubt; }

  bool is_cancelled() const { return stop_.requested() || finished_.load(std::memory_order_relaxed); }
  void finish() { finished_.store(true, std::memory_order_relaxed); }  // the first thread has its answer
  std::optional<std::uint64_t> node_limit() const { return nodes_; }

 private:
  static double as_seconds(std::int64_t ms) { return static_cast<double>(ms) / 1000; }
  // Ends early enough to answer in time.
  static double less_margin(double seconds) { return std::max(0.0005, 0.985 * seconds - 0.001); }

  void allot(double wanted, double most) {
    wanted_ = std::min(wanted_.value_or(1e9), less_margin(wanted));
    most_ = std::min(most_.value_or(1e9), less_margin(most));
  }

  const Stop& stop_;
  Time::time_point started_;
  std::optional<std::uint64_t> nodes_;
  std::optional<double> wanted_, most_;
  std::atomic<bool> finished_{false};
};

}  // namespace outplay::engine
