// A flag by which another thread ends a long computation. Every native loop that may run long polls one.
#pragma once

#include <atomic>

namespace outplay {

class Stop {
 public:
  void request() { requested_.store(true, std::memory_order_relaxed); }
  bool requested() const { return requested_.load(std::memory_order_relaxed); }

 private:
  std::atomic<bool> requested_{false};
};

}  // namespace outplay
