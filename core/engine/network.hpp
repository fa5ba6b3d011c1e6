// A small neural network that says what a position is worth.
//
//   128 inputs   own men, other men, own kings, other kings by square, seen from the side to move (its home row first)
//   -> HIDDEN    cut off below 0 and above 1
//   -> INNER     the same; these weights and the next are those of the head for the number of pieces on the board
//   -> 1         the logarithm of the odds to win, where a draw is half a win
//
// All numbers are whole, so every machine computes the same score.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "checkers/moves.hpp"
#include "engine/score.hpp"

namespace outplay::engine {

struct NetworkShape {
  bool operator==(const NetworkShape&) const = default;
  static constexpr int INPUTS = 4 * checkers::SQUARE_COUNT, HIDDEN = 256, INNER = 16, HEADS = 8;

  static constexpr int head_of(int pieces) { return (pieces - 1) * HEADS / (2 * checkers::MOST_PIECES); }
};

// How much one unit of the network's answer, e times the odds, is worth in hundredths of a man.
constexpr int SCORE_UNIT = 50;

// The inputs that are on.
class ActiveInputs {
 public:
  template <Side S>
  static ActiveInputs of(const checkers::Pieces& pieces) {
    constexpr bool IS_BLACK = S == Side::FIRST;
    const auto turned = [](checkers::Squares squares) { return IS_BLACK ? squares : reverse_bits(squares); };
    const auto own = turned(pieces.own), other = turned(pieces.other), kings = turned(pieces.kings);
    ActiveInputs inputs;
    inputs.add(own & ~kings, 0);
    inputs.add(other & ~kings, 1);
    inputs.add(own & kings, 2);
    inputs.add(other & kings, 3);
    return inputs;
  }
  int size() const { return size_; }
  int operator[](int index) const { return list_[static_cast<std::size_t>(index)]; }
  int head() const { return NetworkShape::head_of(size_); }

 private:
  void add(checkers::Squares squares, int kind) {
    for (; squares != 0; squares &= squares - 1)
      list_[static_cast<std::size_t>(size_++)] =
          static_cast<std::uint8_t>(kind * checkers::SQUARE_COUNT + lowest_index(squares));
  }
  int size_ = 0;
  std::array<std::uint8_t, 2 * checkers::MOST_PIECES> list_;
};

struct alignas(64) Network : NetworkShape {
  static constexpr int ONE = 256;          // a hidden or inner value of 1
  static constexpr int WEIGHT_ONE = 1024;  // a weight of 1 in the second and third layer

  // Inner weights lie in pairs of hidden values, so that two products can be added at once.
  using Pair = std::array<std::int16_t, 2>;
  struct alignas(64) Head {
    std::array<std::array<Pair, INNER>, HIDDEN / 2> inner;
    std::array<std::int32_t, INNER> inner_bias;
    std::array<std::int16_t, INNER> outer;
    std::int32_t outer_bias;
    bool operator==(const Head&) const = default;
  };

  std::array<std::array<std::int16_t, HIDDEN>, INPUTS> first;
  std::array<std::int16_t, HIDDEN> first_bias;
  std::array<Head, HEADS> heads;

  Score evaluate(const ActiveInputs& inputs) const;  // with vector instructions where there are any
  Score evaluate_plainly(const ActiveInputs& inputs) const;
  bool operator==(const Network&) const = default;
};

bool has_vector_path();
Score evaluate_with_vectors(const Network& network, const ActiveInputs& inputs);

}  // namespace outplay::engine
