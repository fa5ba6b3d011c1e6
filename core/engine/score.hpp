// Scores: hundredths of a man, seen from the side to move, and far beyond them the certain ends.
//
//   30000 - n   a win in n plies, found by search
//   20000 + e   a win known from an endgame table, where the evaluation e says how near it looks
//   -9999..9999 a belief
#pragma once

#include <algorithm>
#include <cstdint>

namespace outplay::engine {

using Score = int;

constexpr int MOST_PLIES = 128;  // from the root to the deepest leaf

constexpr Score INFINITE = 32000;
constexpr Score WIN = 30000;
constexpr Score TABLE_WIN = 20000;
constexpr Score MOST_EVALUATION = 9999;
constexpr Score NEAREST_WIN = WIN - 2 * MOST_PLIES;  // beyond it: a counted win

constexpr Score win_in(int plies) { return WIN - plies; }
constexpr Score loss_in(int plies) { return plies - WIN; }
constexpr bool is_counted(Score score) { return score >= NEAREST_WIN || score <= -NEAREST_WIN; }
constexpr bool is_certain(Score score) { return score > MOST_EVALUATION || score < -MOST_EVALUATION; }
constexpr Score clamp_evaluation(Score score) { return std::clamp(score, -MOST_EVALUATION, MOST_EVALUATION); }

// A counted end is a number of plies from the root; the hash table keeps it as plies from the position itself.
constexpr Score to_table(Score score, int ply) {
  return score >= NEAREST_WIN ? score + ply : score <= -NEAREST_WIN ? score - ply : score;
}
constexpr Score from_table(Score score, int ply) {
  return score >= NEAREST_WIN ? score - ply : score <= -NEAREST_WIN ? score + ply : score;
}

}  // namespace outplay::engine
