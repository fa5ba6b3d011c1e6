// Chooses a move that keeps what the tables say and makes progress.
//
// Where distances are stored, the side that wins takes the shortest way to the end and the side that loses the
// longest. Where they are not, it is the way to the next conversion (a capture or a move of a man): those distances are
// found by solving the arrangement of men on the board, when it is first asked about. A conversion cannot be taken back
// and there are finitely many, so the side that wins gets to the end; and as the no-progress rule starts to count anew
// with every conversion, the shortest way to the next one is also the best there is against that rule.
#pragma once

#include <list>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>

#include "base/stop.hpp"
#include "checkers/position.hpp"
#include "tablebase/probe.hpp"

namespace outplay::tablebase {

// No table for a position that has to be looked at.
struct Missing {
  Material material;  // seen from the side to move
};

class Guide {
 public:
  explicit Guide(const Prober& prober);
  ~Guide();

  // The position must not be over. Throws Missing; nothing if stopped.
  std::optional<checkers::Move> best(const checkers::Position& position, const Stop& stop);

  // Plies to the next conversion, for a position that is won or lost and has no capture; nothing if stopped.
  std::optional<int> plies_to_conversion(const Placement& placement, Side side, const Stop& stop);

 private:
  class Solved;  // the distances to the next conversion, for one arrangement of men
  struct Candidate;

  std::shared_ptr<const Solved> solved(const Seating& seated, const Stop& stop);
  std::optional<checkers::Move> best_conversion(const checkers::Position& position,
                                                const std::vector<Candidate>& candidates, Value value,
                                                const Stop& stop);

  const Prober& prober_;
  std::mutex mutex_;
  std::list<std::shared_ptr<const Solved>> solved_;  // the latest first
};

}  // namespace outplay::tablebase
