// What a search by one thread shares with the others, and how it is asked: the seam between the solver and the two
// paths (vector and plain) that are compiled apart.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>

#include "connect4/position.hpp"
#include "solver/table.hpp"

namespace outplay::solver {

// Whether a running search is to end; asked every thousand nodes or so, and once when it has ended by itself.
class Abort {
 public:
  virtual ~Abort() = default;
  virtual bool requested(std::uint64_t nodes_since_last) const = 0;
};

// Positions that some thread is searching right now: the others look at something else first.
class Marks {
 public:
  bool is_set(std::uint64_t key) const { return slot(key).load(std::memory_order_relaxed) == key; }
  void set(std::uint64_t key) { slot(key).store(key, std::memory_order_relaxed); }
  void clear(std::uint64_t key) {
    if (is_set(key)) slot(key).store(0, std::memory_order_relaxed);
  }

 private:
  static constexpr std::size_t COUNT = 4096;
  const std::atomic<std::uint64_t>& slot(std::uint64_t key) const { return slots_[hash(key)]; }
  std::atomic<std::uint64_t>& slot(std::uint64_t key) { return slots_[hash(key)]; }
  static std::size_t hash(std::uint64_t key) { return static_cast<std::size_t>(key * 0x9E3779B97F4A7C15 >> 52); }
  std::array<std::atomic<std::uint64_t>, COUNT> slots_{};
};

// Techniques that can be switched off, to show that they change the effort and never the score.
struct Techniques {
  bool evens = true, threats = true;  // the two bounds of bounds.hpp
  bool order = true;                  // order.hpp; without it, from left to right
  bool sprint = true;                 // sprint.hpp
};

template <class Word>
struct Shared {
  Table<Word> early;  // positions of the first half of the game
  Techniques techniques;
  Marks marks;
  bool is_crowded = false;  // several threads are at work
};

template <class Word>
class Prober {
 public:
  virtual ~Prober() = default;

  // Is the score at least `beta`? A bound of it: if it is `beta` or more, a low one, else a high one. Nothing if
  // aborted. The side to move cannot win at once, and has a move that does not lose at once.
  virtual std::optional<int> test(Word own, Word mask, int beta, const Abort& abort) = 0;
  virtual std::uint64_t nodes() const = 0;  // so far, all tests together
  virtual void forget_order() = 0;          // what was learnt about move order
  virtual void clear() = 0;                 // that, and late positions
};

// The plain path, and the one with vectors, which is nothing where this processor cannot run it.
std::unique_ptr<Prober<std::uint64_t>> plain_prober(connect4::Size size, Shared<std::uint64_t>& shared);
std::unique_ptr<Prober<Word128>> plain_prober(connect4::Size size, Shared<Word128>& shared);
std::unique_ptr<Prober<std::uint64_t>> vector_prober(connect4::Size size, Shared<std::uint64_t>& shared);
std::unique_ptr<Prober<Word128>> vector_prober(connect4::Size size, Shared<Word128>& shared);

}  // namespace outplay::solver
