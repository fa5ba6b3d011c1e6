// Many games at once, played in step for programs that learn. A game that ends begins again at once.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "checkers/actions.hpp"

namespace outplay::checkers {

class VectorGames {
 public:
  // Where a step writes, one row for each game.
  struct Arrays {
    std::int8_t* planes;     // 6 x 8 x 8: see write_planes
    std::uint8_t* masks;     // 128: which actions are legal
    float* rewards;          // of the side that moved: 1 for a win, otherwise 0
    std::uint8_t* finished;  // whether the action ended the game; the planes and the mask are those of the next one
    std::uint8_t* sides;     // who is to move: 0 Black, 1 White
  };

  // A game is drawn after that many plies in a row without a capture or the move of a man, and when a position comes
  // for the third time.
  VectorGames(std::size_t count, int draw_plies) : games_(count), draw_plies_(draw_plies) {}

  std::size_t size() const { return games_.size(); }
  const Stage& stage(std::size_t index) const { return games_[index].stage(); }
  Side side(std::size_t index) const { return games_[index].side(); }

  void reset(const Arrays& arrays) {
    for (std::size_t index = 0; index < size(); ++index) {
      games_[index].begin();
      arrays.rewards[index] = 0;
      arrays.finished[index] = 0;
      observe(index, arrays);
    }
  }

  // The first game in which the action is not legal.
  std::optional<std::size_t> first_illegal(std::span<const std::int64_t> actions) const {
    for (std::size_t index = 0; index < actions.size(); ++index)
      if (actions[index] < 0 || actions[index] >= ACTION_COUNT ||
          !games_[index].legal().contains(static_cast<int>(actions[index])))
        return index;
    return std::nullopt;
  }

  // All actions are legal.
  void step(std::span<const std::int64_t> actions, const Arrays& arrays) {
    for (std::size_t index = 0; index < actions.size(); ++index) {
      const Ending ending = games_[index].play(static_cast<int>(actions[index]), draw_plies_);
      arrays.rewards[index] = ending == Ending::WIN ? 1 : 0;
      arrays.finished[index] = ending != Ending::NONE;
      if (ending != Ending::NONE) games_[index].begin();
      observe(index, arrays);
    }
  }

  void random_actions(Random& random, std::int64_t* out) const {
    for (const Game& game : games_) *out++ = game.legal().pick(random);
  }

 private:
  enum class Ending : std::uint8_t { NONE, WIN, DRAW };

  // A board as the side to move sees it.
  struct Board {
    Squares own, other, kings;
    bool operator==(const Board&) const = default;
  };

  class Game {
   public:
    const Stage& stage() const { return stage_; }
    const Actions& legal() const { return legal_; }
    Side side() const { return side_; }

    void begin() {
      stage_ = {};
      legal_ = stage_.legal_actions();
      side_ = Side::FIRST;
      begin_stretch();
    }

    Ending play(int action, int draw_plies) {
      const Squares from = square_bit(square_of(action));
      const bool is_quiet =
          (stage_.kings & from) != 0 && (checkers::step(from, direction_of(action)) & stage_.other) == 0;
      const bool is_turn_over = stage_.play(action);
      legal_ = stage_.legal_actions();
      if (!is_turn_over) return Ending::NONE;
      side_ = outplay::other(side_);
      if (is_quiet)
        stretch_.push_back(board());
      else
        begin_stretch();
      if (legal_.is_empty()) return Ending::WIN;
      const bool is_drawn = std::ssize(stretch_) > draw_plies || is_third_time();
      return is_drawn ? Ending::DRAW : Ending::NONE;
    }

   private:
    Board board() const { return {stage_.own, stage_.other, stage_.kings}; }
    void begin_stretch() {
      stretch_.clear();
      stretch_.push_back(board());
    }

    // Whether the last board of the stretch, with the same side to move, was there twice before.
    bool is_third_time() const {
      int before = 0;
      for (auto index = std::ssize(stretch_) - 3; index >= 0; index -= 2)
        before += stretch_[static_cast<std::size_t>(index)] == stretch_.back();
      return before >= 2;
    }

    Stage stage_;
    Actions legal_;
    Side side_ = Side::FIRST;
    std::vector<Board> stretch_;  // since the last capture or move of a man: no board before it comes back
  };

  void observe(std::size_t index, const Arrays& arrays) const {
    const Game& game = games_[index];
    write_planes(game.stage(), arrays.planes + index * PLANE_COUNT * PLANE_CELLS);
    write_mask(game.legal(), arrays.masks + index * ACTION_COUNT);
    arrays.sides[index] = static_cast<std::uint8_t>(game.side());
  }

  std::vector<Game> games_;
  int draw_plies_;
};

}  // namespace outplay::checkers
