#include "engine/selfplay.hpp"

#include <algorithm>
#include <optional>

#include "base/random.hpp"
#include "checkers/batch.hpp"
#include "engine/searcher.hpp"

namespace outplay::engine {
namespace {

constexpr int TABLE_MIB = 4;  // small enough to stay in the cache
constexpr int LEAST_RANDOM_PLIES = 6, MOST_RANDOM_PLIES = 16;
constexpr int LEAST_PLIES_FROM_START = 3, MOST_PLIES_FROM_START = 9;  // random plies after a given start
constexpr Score MOST_ADVANTAGE = 70;                                  // of an opening
constexpr Score DECIDED = 600;  // a score that is believed when it stays for DECIDED_PLIES
constexpr int DECIDED_PLIES = 8;
constexpr int MOST_IDLE_PLIES = 8;  // of kings moving to and fro before a position teaches nothing new
constexpr int MOST_KNOWN_PLIES =
    16;  // played on when the tables know the outcome, to show what such positions look like
constexpr int KNOWN_NODES_SHARE = 4;                  // these moves are searched with a fourth of the nodes
constexpr int LEAST_PIECES = Endgames::QUICK_PIECES;  // with no more, everybody knows the outcome

constexpr std::uint8_t LOST = 0, DRAWN = 1, WON = 2;

bool can_jump(const Pieces& pieces, Side side) {
  return (side == Side::FIRST ? checkers::all_jumpers<Side::FIRST>(pieces)
                              : checkers::all_jumpers<Side::SECOND>(pieces)) != 0;
}

bool is_quiet(const Position& position) {
  const auto pieces = Pieces::of(position);
  return !can_jump(pieces, position.side()) &&
         !can_jump({pieces.other, pieces.own, pieces.kings}, other(position.side()));
}

// What the tables know, for the side to move.
std::optional<tablebase::Value> find(const Endgames& endgames, const Position& position) {
  const auto pieces = Pieces::of(position);
  return position.side() == Side::FIRST ? endgames.find<Side::FIRST>(pieces) : endgames.find<Side::SECOND>(pieces);
}

std::uint8_t result_of(tablebase::Value value) {
  return value == tablebase::Value::WIN ? WON : value == tablebase::Value::DRAW ? DRAWN : LOST;
}

Sample known_sample(const Position& position, tablebase::Value value) {
  return {position.black(), position.white(), position.kings(), IS_KNOWN, static_cast<std::uint8_t>(position.side()),
          result_of(value)};
}

Squares without_one(Squares squares, Random& random) {
  for (auto skip = random.below(static_cast<std::uint64_t>(count_bits(squares))); skip > 0; --skip)
    squares &= squares - 1;
  return lowest_bit(squares);
}

int between(int least, int most, Random& random) {
  return least + static_cast<int>(random.below(static_cast<std::uint64_t>(most - least + 1)));
}

std::optional<Position> after_random_plies(Position position, int plies, Random& random) {
  for (int ply = 0; ply < plies; ++ply) {
    const auto moves = position.legal_moves();
    if (moves.empty()) return std::nullopt;
    position = position.play(moves[random.below(moves.size())]);
  }
  if (position.outcome()) return std::nullopt;
  return position;
}

// A given start, or the start of the game, in one of four games with a man of each side taken away; then a few random
// moves.
std::optional<Position> opening(const std::vector<Position>& starts, Random& random) {
  if (!starts.empty() && random.below(3) != 0)
    return after_random_plies(starts[random.below(starts.size())],
                              between(LEAST_PLIES_FROM_START, MOST_PLIES_FROM_START, random), random);
  Position position;
  if (random.below(4) == 0)
    position = {position.black() ^ without_one(position.black(), random),
                position.white() ^ without_one(position.white(), random), 0, Side::FIRST};
  return after_random_plies(position, between(LEAST_RANDOM_PLIES, MOST_RANDOM_PLIES, random), random);
}

// One game: the quiet positions in it, and how it went on.
class SelfGame {
 public:
  SelfGame(Searcher& searcher, const Position& start, std::uint64_t nodes) : searcher_(searcher), position_(start) {
    limits_.nodes = nodes;
  }

  // Plays to the end; false if the opening was too one-sided or known, or the game was stopped.
  bool play(const Stop& stop) {
    for (int ply = 0; !is_over(); ++ply) {
      if (ply == 0 && known_) return false;
      const auto found = searcher_.analyse(position_, history_, limits_, stop, nullptr);
      if (stop.requested()) return false;
      const Score score = found.depth > 0 ? found.lines[0].score : searcher_.evaluate(position_);
      if (ply < 2 && std::abs(score) > MOST_ADVANTAGE) return false;
      note(score);
      go_on(found.lines[0].move);
    }
    return !samples_.empty();
  }

  void add_to(std::vector<Sample>& samples) const {
    for (auto sample : samples_) {
      const auto side = static_cast<Side>(sample.side);
      if (sample.score != IS_KNOWN) sample.result = !winner_ ? 1 : *winner_ == side ? 2 : 0;
      samples.push_back(sample);
    }
  }

 private:
  void note(Score score) {
    if (std::abs(score) >= DECIDED) {
      ++decided_;
      leader_ = score > 0 ? position_.side() : other(position_.side());
    } else {
      decided_ = 0;
    }
    if (!is_quiet(position_) || idle_ > MOST_IDLE_PLIES) return;
    if (!known_ && is_certain(score)) return;
    samples_.push_back(known_sample(position_, known_.value_or(tablebase::Value::DRAW)));
    if (!known_) samples_.back().score = static_cast<std::int16_t>(score);
  }

  void go_on(const checkers::Move& move) {
    const bool is_king = (position_.kings() & checkers::square_bit(move.from())) != 0;
    idle_ = is_king && !move.is_capture() ? idle_ + 1 : 0;
    if (idle_ == 0)
      history_.clear();
    else
      history_.push_back(position_);
    position_ = position_.play(move);
  }

  // By the rules, by the tables, or because one side is far ahead.
  bool is_over() {
    ask_tables();
    if (known_) return ++known_plies_ > MOST_KNOWN_PLIES || count_pieces() <= LEAST_PIECES || position_.outcome();
    if (const auto outcome = position_.outcome()) {
      winner_ = outcome->winner;
      return true;
    }
    if (decided_ >= DECIDED_PLIES) {
      winner_ = leader_;
      return true;
    }
    return idle_ >= NO_PROGRESS_PLIES || std::count(history_.begin(), history_.end(), position_) >= 2;
  }

  // The first time they know the outcome, the game is decided.
  void ask_tables() {
    const auto& endgames = searcher_.options().endgames;
    const bool was_known = known_.has_value();
    known_ = endgames ? find(*endgames, position_) : std::nullopt;
    if (!known_ || was_known) return;
    limits_.nodes = std::max<std::uint64_t>(1, *limits_.nodes / KNOWN_NODES_SHARE);
    if (*known_ != tablebase::Value::DRAW)
      winner_ = *known_ == tablebase::Value::WIN ? position_.side() : other(position_.side());
  }

  int count_pieces() const { return count_bits(position_.black() | position_.white()); }

  Searcher& searcher_;
  Position position_;
  std::vector<Position> history_;
  Limits limits_;
  std::vector<Sample> samples_;
  std::optional<Side> winner_, leader_;
  std::optional<tablebase::Value> known_;  // of the position, by the tables
  int known_plies_ = 0, decided_ = 0, idle_ = 0;
};

}  // namespace

std::vector<Sample> self_play(std::shared_ptr<const Weights> weights, const SelfPlayOptions& options,
                              const Stop& stop) {
  SearcherOptions engine;
  engine.table_mib = TABLE_MIB;
  engine.endgames = options.endgames;
  Searcher searcher(std::move(weights), engine);
  Random random(options.seed);
  std::vector<Sample> samples;
  for (int games = 0; games < options.games && !stop.requested();) {
    const auto start = opening(options.starts, random);
    if (!start) continue;
    searcher.clear();
    SelfGame game(searcher, *start, options.nodes);
    if (!game.play(stop)) continue;
    game.add_to(samples);
    ++games;
  }
  return samples;
}

std::vector<Sample> known_endings(const Endgames& endgames, int count, std::uint64_t seed, const Stop& stop) {
  constexpr int MOST_AHEAD = 1;
  std::vector<Sample> samples;
  if (endgames.most_pieces() <= Endgames::QUICK_PIECES) return samples;
  checkers::RandomPositions wanted;
  wanted.seed = seed;
  for (std::uint64_t number = 1; samples.size() < static_cast<std::size_t>(count) && !stop.requested(); ++number) {
    // Each number of pieces is tried three times as often as the one below.
    const int pieces = std::max(Endgames::QUICK_PIECES + 1, endgames.most_pieces() - lowest_index(number) / 2);
    wanted.pieces = {pieces, pieces};
    const auto position = checkers::random_position(wanted, number);
    if (!position || std::abs(count_bits(position->black()) - count_bits(position->white())) > MOST_AHEAD) continue;
    if (!is_quiet(*position)) continue;
    if (const auto value = find(endgames, *position)) samples.push_back(known_sample(*position, *value));
  }
  return samples;
}

}  // namespace outplay::engine
