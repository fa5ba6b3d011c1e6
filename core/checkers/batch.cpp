#include "checkers/batch.hpp"

namespace outplay::checkers {

Stage Batch::operator[](std::size_t index) const {
  if (side(index) == Side::FIRST) return {black[index], white[index], kings[index], jumping[index], jumped[index]};
  return Stage{black[index], white[index], kings[index], jumping[index], jumped[index]}.turned();
}

void Batch::set(std::size_t index, const Stage& stage, Side side) {
  const Stage lies = side == Side::FIRST ? stage : stage.turned();
  black[index] = lies.own;
  white[index] = lies.other;
  kings[index] = lies.kings;
  jumping[index] = lies.jumping;
  jumped[index] = lies.jumped;
  sides[index] = static_cast<std::uint8_t>(side);
}

Standing standing_of(const Stage& stage, Side side) {
  const auto won = [](Side winner) { return winner == Side::FIRST ? Standing::FIRST_WON : Standing::SECOND_WON; };
  if (stage.own == 0) return won(other(side));
  if (stage.other == 0) return won(side);
  return stage.legal_actions().is_empty() ? won(other(side)) : Standing::GOES_ON;
}

std::optional<std::size_t> first_illegal(const Batch& batch, std::span<const std::int64_t> actions) {
  for (std::size_t index = 0; index < actions.size(); ++index)
    if (actions[index] < 0 || actions[index] >= ACTION_COUNT ||
        !batch[index].legal_actions().contains(static_cast<int>(actions[index])))
      return index;
  return std::nullopt;
}

Batch play(const Batch& batch, std::span<const std::int64_t> actions) {
  Batch result(batch.size());
  for (std::size_t index = 0; index < actions.size(); ++index) {
    Stage stage = batch[index];
    const bool is_turn_over = stage.play(static_cast<int>(actions[index]));
    result.set(index, stage, is_turn_over ? other(batch.side(index)) : batch.side(index));
  }
  return result;
}

Batch flip(const Batch& batch) {
  Batch result(batch.size());
  for (std::size_t index = 0; index < batch.size(); ++index) result.set(index, batch[index], other(batch.side(index)));
  return result;
}

namespace {

constexpr int MOST_TRIES = 100'000;  // before such a position is taken for impossible
constexpr int LONGEST_GAME = 300;    // plies of a game at random: some would go on for ever

void play_turn(Stage& stage, Random& random) {
  while (!stage.play(stage.legal_actions().pick(random))) {
  }
}

// That many turns; nothing if the game ends before, or with them.
std::optional<Position> after_turns(int plies, Random& random) {
  Stage stage;
  for (int ply = 0; ply < plies; ++ply) {
    play_turn(stage, random);
    if (stage.legal_actions().is_empty()) return std::nullopt;
  }
  return stage.position(plies % 2 == 0 ? Side::FIRST : Side::SECOND);
}

// Some position of a game, from its start to the one before its end.
Position from_game(Random& random) {
  std::vector<Stage> game{Stage{}};
  while (game.size() < LONGEST_GAME) {
    Stage next = game.back();
    play_turn(next, random);
    if (next.legal_actions().is_empty()) break;
    game.push_back(next);
  }
  const auto ply = random.below(game.size());
  return game[ply].position(ply % 2 == 0 ? Side::FIRST : Side::SECOND);
}

std::optional<Position> set_up(int pieces, Random& random) {
  std::array<Squares, 2> own{};
  Squares kings = 0;
  for (int index = 0; index < pieces;) {
    const Squares bit = square_bit(static_cast<int>(random.below(SQUARE_COUNT)));
    const std::size_t side = index < 2 ? static_cast<std::size_t>(index) : random.below(2);
    if (((own[0] | own[1]) & bit) != 0) continue;
    own[side] |= bit;
    if (random.below(2) == 0 || (bit & crowning_row(static_cast<Side>(side))) != 0) kings |= bit;
    ++index;
  }
  if (count_bits(own[0]) > MOST_PIECES || count_bits(own[1]) > MOST_PIECES) return std::nullopt;
  const Position position(own[0], own[1], kings, static_cast<Side>(random.below(2)));
  return position.outcome() ? std::nullopt : std::optional(position);
}

}  // namespace

std::optional<Position> random_position(const RandomPositions& wanted, std::uint64_t number) {
  Random random = Random::stream(wanted.seed, number);
  const auto some = [&](const RandomPositions::Range& range) {
    return range.least + static_cast<int>(random.below(static_cast<std::uint64_t>(range.most - range.least + 1)));
  };
  for (int attempt = 0; attempt < MOST_TRIES; ++attempt) {
    std::optional<Position> position;
    if (wanted.pieces)
      position = set_up(some(*wanted.pieces), random);
    else if (wanted.plies)
      position = after_turns(some(*wanted.plies), random);
    else
      position = from_game(random);
    if (position) return position;
  }
  return std::nullopt;
}

std::vector<int> actions_of(const Position& position, const Move& move) {
  std::vector<int> actions;
  for (int index = 1; index < move.length(); ++index) {
    const Squares from = square_bit(move.square(index - 1)), to = square_bit(move.square(index));
    for (const auto direction : DIRECTIONS) {
      const Squares next = step(from, direction);
      if (next != to && (next == 0 || step(next, direction) != to)) continue;
      const int action = action_of(direction, move.square(index - 1));
      actions.push_back(position.side() == Side::FIRST ? action : turned_action(action));
    }
  }
  return actions;
}

std::optional<Move> move_of(const Position& position, std::span<const std::int64_t> actions) {
  Stage stage = Stage::of(position);
  std::optional<Move> found;
  bool is_over = false;
  for (const std::int64_t given : actions) {
    if (is_over || given < 0 || given >= ACTION_COUNT || !stage.legal_actions().contains(static_cast<int>(given)))
      return std::nullopt;
    const int action =
        position.side() == Side::FIRST ? static_cast<int>(given) : turned_action(static_cast<int>(given));
    const Squares next = step(square_bit(square_of(action)), direction_of(action));
    if ((next & position.other()) == 0) {
      found = Move(square_of(action), lowest_index(next));
    } else {
      if (!found) found = Move(square_of(action));
      found->push_jump(lowest_index(step(next, direction_of(action))), next);
    }
    is_over = stage.play(static_cast<int>(given));
  }
  return is_over ? found : std::nullopt;
}

}  // namespace outplay::checkers
