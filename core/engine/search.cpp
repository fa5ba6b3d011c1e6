#include "engine/search.hpp"

#include <cmath>

namespace outplay::engine {
namespace {

constexpr std::uint64_t NODES_BETWEEN_LOOKS = 1024;  // a quarter of a millisecond

constexpr Score FIRST_WINDOW = 20;
constexpr int FUTILITY_MOST_DEPTH = 4;
constexpr Score FUTILITY_MARGIN = 30;  // for each ply, above and below
constexpr int INTERNAL_LEAST_DEPTH = 4;

constexpr int TABLE_MOVE = 1 << 30, CAPTURE = 1 << 25;

// By how much the depth of a late move is reduced.
const auto REDUCTIONS = [] {
  std::array<std::array<std::int8_t, 64>, MOST_PLIES> table{};
  for (int depth = 1; depth < MOST_PLIES; ++depth)
    for (int index = 1; index < 64; ++index)
      table[static_cast<std::size_t>(depth)][static_cast<std::size_t>(index)] =
          static_cast<std::int8_t>(0.4 + std::log(depth) * std::log(index + 1) / 1.5);
  return table;
}();

int reduction(int depth, int index) {
  return REDUCTIONS[static_cast<std::size_t>(std::min(depth, MOST_PLIES - 1))]
                   [static_cast<std::size_t>(std::min(index, 63))];
}

int gain(const Turn& turn, Squares kings) { return 2 * count_bits(turn.captures) + count_bits(turn.captures & kings); }

Pieces swapped(const Pieces& pieces) { return {pieces.other, pieces.own, pieces.kings}; }

std::uint64_t hash_position(const Position& position) {
  const auto pieces = Pieces::of(position);
  return position.side() == Side::FIRST ? hash_of<Side::FIRST>(pieces) : hash_of<Side::SECOND>(pieces);
}

Turn turn_of(const checkers::Move& move) {
  return {checkers::square_bit(move.from()), checkers::square_bit(move.to()), move.captures()};
}

// Did a king's plain move lead from one position to the other?
bool is_reversible(const Position& before, const Position& after) {
  return (before.black() & ~before.kings()) == (after.black() & ~after.kings()) &&
         (before.white() & ~before.kings()) == (after.white() & ~after.kings()) &&
         count_bits(before.kings()) == count_bits(after.kings());
}

}  // namespace

std::vector<checkers::Move> moves_of(Position position, const std::vector<Turn>& turns) {
  std::vector<checkers::Move> moves;
  for (const auto& turn : turns) {
    const auto legal = position.legal_moves();
    const auto found =
        std::find_if(legal.begin(), legal.end(), [&](const auto& move) { return turn_of(move) == turn; });
    if (found == legal.end()) break;
    moves.push_back(*found);
    position = position.play(*found);
  }
  return moves;
}

Question make_question(const Position& position, const std::vector<Position>& history) {
  std::size_t first = history.size();
  while (first > 0 && is_reversible(history[first - 1], first == history.size() ? position : history[first])) --first;
  Question question{position, {}};
  for (; first < history.size(); ++first) question.past.push_back(hash_position(history[first]));
  return question;
}

Search::Search(const Weights& weights, const Endgames* endgames, Table& table, const Techniques& techniques)
    : weights_(weights), endgames_(endgames), table_(table), techniques_(techniques) {}

void Search::forget() { memory_.clear(); }

void Search::begin(const Question& question, Clock& clock) {
  clock_ = &clock;
  root_ = question.position;
  keys_ = question.past;
  past_ = keys_.size();
  keys_.resize(past_ + MOST_PLIES + 2);
  key(0) = hash_position(root_);
  frame(0).reversible = static_cast<int>(past_);
  nodes_ = 0;
  next_look_ = 0;
  is_over_ = false;
  root_moves_.clear();
  for (const auto& move : root_.legal_moves()) root_moves_.push_back({move, turn_of(move)});
  table_pieces_ = endgames_ == nullptr ? 0 : endgames_->most_pieces();
  if (root_.side() == Side::FIRST)
    keep_the_value<Side::FIRST>();
  else
    keep_the_value<Side::SECOND>();
}

// Where the tables know the root itself, only moves that keep its value are looked at. How to get on they do not say:
// that is left to the search, which asks them after the next capture.
template <Side S>
void Search::keep_the_value() {
  const auto pieces = Pieces::of(root_);
  if (count_bits(pieces.own | pieces.other) > table_pieces_) return;
  const auto value = endgames_->find<S>(pieces);
  if (!value) return;
  table_pieces_ = count_bits(pieces.own | pieces.other) - 1;
  std::stable_partition(root_moves_.begin(), root_moves_.end(), [&](RootMove& move) {
    const auto after = endgames_->find<other(S)>(play<S>(pieces, move.turn));
    move.keeps_value = !after || tablebase::opposite(*after) == *value;
    return move.keeps_value;
  });
}

// A win is all the better the better it looks, so that the search gets on with it.
template <Side S>
std::optional<Score> Search::table_score(const Pieces& pieces) const {
  const auto value = endgames_->find<S>(pieces);
  if (!value) return std::nullopt;
  if (*value == tablebase::Value::DRAW) return 0;
  return evaluate<S>(weights_, pieces) + (*value == tablebase::Value::WIN ? TABLE_WIN : -TABLE_WIN);
}

Score Search::evaluate_root() const {
  const auto pieces = Pieces::of(root_);
  return root_.side() == Side::FIRST ? evaluate<Side::FIRST>(weights_, pieces)
                                     : evaluate<Side::SECOND>(weights_, pieces);
}

bool Search::count_node() {
  if (is_over_) return true;
  const auto nodes = nodes_.load(std::memory_order_relaxed) + 1;
  nodes_.store(nodes, std::memory_order_relaxed);
  if (nodes < next_look_) return false;
  is_over_ = clock_->is_over(nodes);
  next_look_ = nodes + NODES_BETWEEN_LOOKS;
  if (const auto limit = clock_->node_limit()) next_look_ = std::min(next_look_, *limit);
  return is_over_;
}

// A position that comes back once will come back again; the rules ask for three times, the search for two.
bool Search::is_draw(std::uint64_t hash, int ply) const {
  const int reversible = frames_[static_cast<std::size_t>(ply)].reversible;
  if (reversible >= NO_PROGRESS_PLIES) return true;
  const auto here = past_ + static_cast<std::size_t>(ply);
  for (std::size_t back = 4; back <= static_cast<std::size_t>(reversible) && back <= here; back += 2)
    if (keys_[here - back] == hash) return true;
  return false;
}

void Search::extend_line(const Turn& turn, int ply) {
  auto& line = lines_[static_cast<std::size_t>(ply)];
  const auto& rest = lines_[static_cast<std::size_t>(ply) + 1];
  line.turns[0] = turn;
  line.size = std::min(rest.size + 1, MOST_PLIES);
  std::copy_n(rest.turns.begin(), line.size - 1, line.turns.begin() + 1);
}

bool Search::deepen(int depth, int first) {
  const auto at = root_moves_.begin() + first;
  const Score last = at->score;
  Score margin = FIRST_WINDOW;
  const bool is_guessed = techniques_.aspiration && depth >= 5 && !is_certain(last);
  Score alpha = is_guessed ? last - margin : -INFINITE, beta = is_guessed ? last + margin : INFINITE;
  for (;;) {
    const Score score = root_.side() == Side::FIRST ? search_root<Side::FIRST>(depth, alpha, beta, first)
                                                    : search_root<Side::SECOND>(depth, alpha, beta, first);
    // Moves that were merely not better keep their order: the sort is stable.
    std::stable_sort(root_moves_.begin() + first, root_moves_.end(), [depth](const RootMove& a, const RootMove& b) {
      return (a.depth == depth ? a.score : -INFINITE) > (b.depth == depth ? b.score : -INFINITE);
    });
    if (is_over_) return false;
    if (score > alpha && score < beta) return true;
    margin *= 3;
    if (score <= alpha) alpha = margin > 500 ? -INFINITE : score - margin;
    if (score >= beta) beta = margin > 500 ? INFINITE : score + margin;
  }
}

void Search::sort_lines(int count) {
  std::stable_sort(root_moves_.begin(), root_moves_.begin() + count,
                   [](const RootMove& a, const RootMove& b) { return a.score > b.score; });
}

template <Side S>
Score Search::search_root(int depth, Score alpha, Score beta, int first) {
  const auto pieces = Pieces::of(root_);
  Score best = -INFINITE;
  if (count_node()) return best;
  for (std::size_t index = static_cast<std::size_t>(first); index < root_moves_.size(); ++index) {
    auto& move = root_moves_[index];
    if (move.keeps_value != root_moves_[static_cast<std::size_t>(first)].keeps_value) break;  // those come last
    const bool is_first = best == -INFINITE;
    const auto next = play<S>(pieces, move.turn);
    const auto hash = hash_of<other(S)>(next);
    frame(0).turn = move.turn;
    frame(1).reversible = is_reversible(pieces, move.turn) ? frame(0).reversible + 1 : 0;
    key(1) = hash;
    Score score = 0;
    if (!is_first) score = -search<other(S), false>(next, hash, depth - 1, -alpha - 1, -alpha, 1);
    if (is_first || score > alpha) {
      score = -search<other(S), true>(next, hash, depth - 1, -beta, -alpha, 1);
      if (is_over_) break;
      if (is_first || score > alpha) {
        move.score = score;
        move.depth = depth;
        move.rest.assign(lines_[1].turns.begin(), lines_[1].turns.begin() + lines_[1].size);
      }
    }
    if (is_over_) break;
    best = std::max(best, score);
    alpha = std::max(alpha, score);
    if (alpha >= beta) break;
  }
  return best;
}

template <Side S, bool IS_PV>
Score Search::search(const Pieces& pieces, std::uint64_t hash, int depth, Score alpha, Score beta, int ply) {
  // 1. At the horizon jumps are played out first.
  begin_line(ply);
  if (depth <= 0) return quiesce<S>(pieces, alpha, beta, ply);
  if (count_node()) return 0;

  // 2. Draws by the rules: a position that came back, forty moves of each side without progress.
  if (is_draw(hash, ply)) return 0;
  if (ply >= MOST_PLIES) return evaluate<S>(weights_, pieces);

  // 3. Nothing here can be better than a win with the next move, or worse than having lost already.
  alpha = std::max(alpha, loss_in(ply));
  beta = std::min(beta, win_in(ply + 1));
  if (alpha >= beta) return alpha;

  // 4. Endgame tables: nothing more to look for.
  if (count_bits(pieces.own | pieces.other) <= table_pieces_)
    if (const auto known = table_score<S>(pieces)) return *known;

  // 5. What the table knows: enough to stop, or at least a first move. Meanwhile, who can jump?
  const Squares jumping = checkers::all_jumpers<S>(pieces);
  const Entry entry = table_.find(hash);
  if (!IS_PV && techniques_.cutoffs && entry.bound != Bound::NONE && entry.depth >= depth) {
    const Score score = from_table(entry.score, ply);
    if (entry.bound == Bound::EXACT || (entry.bound == Bound::LOWER && score >= beta) ||
        (entry.bound == Bound::UPPER && score <= alpha))
      return score;
  }

  // 6. Moves. Who has none has lost.
  TurnList turns;
  if (jumping != 0)
    add_captures<S>(pieces, jumping, turns);
  else
    add_steps<S>(pieces, turns);
  if (turns.size() == 0) return loss_in(ply);

  // 7. A forced move costs no depth; a position of which the table knows no move yet is not worth the whole of it.
  if (turns.size() == 1 && techniques_.extensions) ++depth;
  if (techniques_.internal_reductions && depth >= INTERNAL_LEAST_DEPTH && entry.signature == 0 && jumping == 0) --depth;

  // 8. The position is quiet if neither side can jump: then its evaluation can be trusted.
  const bool is_quiet = jumping == 0 && checkers::all_jumpers<other(S)>(swapped(pieces)) == 0;
  Score evaluation = NO_EVALUATION;
  if (is_quiet)
    evaluation = entry.evaluation != NO_EVALUATION && entry.bound != Bound::NONE ? entry.evaluation
                                                                                 : evaluate<S>(weights_, pieces);

  // 9. Near the horizon and far beyond beta the evaluation is believed.
  if (!IS_PV && is_quiet && techniques_.reverse_futility && depth <= FUTILITY_MOST_DEPTH && !is_certain(beta) &&
      evaluation - FUTILITY_MARGIN * depth >= beta)
    return evaluation;

  // 10. Order.
  const Turn previous = frame(ply - 1).turn;
  OrderedTurns ordered(turns);
  ordered.rate([&](const Turn& turn) {
    if (turn.signature() == entry.signature) return TABLE_MOVE;
    if (turn.is_capture()) return CAPTURE + gain(turn, pieces.kings);
    return (techniques_.history ? memory_.history<S>(turn) : 0) +
           (techniques_.continuation ? memory_.continuation<S>(turn, previous) : 0);
  });

  const bool is_hopeless = !IS_PV && is_quiet && techniques_.futility && depth <= FUTILITY_MOST_DEPTH &&
                           !is_certain(alpha) && evaluation + FUTILITY_MARGIN * depth <= alpha;
  const Score old_alpha = alpha;
  Score best = -INFINITE;
  int best_index = 0, index = 0;
  for (; index < turns.size(); ++index) {
    const Turn turn = ordered.pick(index);
    const auto next = play<S>(pieces, turn);
    const auto next_hash = depth > 1 ? hash_of<other(S)>(next) : 0;  // quiescence needs none
    if (depth > 1) table_.prefetch(next_hash);

    // 11. Near the horizon and far below alpha, only the first move and moves that force the opponent are tried.
    if (is_hopeless && index > 0 && checkers::all_jumpers<other(S)>(next) == 0) {
      best = std::max(best, evaluation + FUTILITY_MARGIN * depth);  // as good as it can be, for all we know
      continue;
    }

    frame(ply).turn = turn;
    frame(ply + 1).reversible = is_reversible(pieces, turn) ? frame(ply).reversible + 1 : 0;
    key(ply + 1) = next_hash;

    // 12. Late moves less deeply; 13. the others with a window of nothing; 14. what turns out well in full.
    Score score = 0;
    bool is_open = index == 0;  // still to be searched with the whole window
    if (!is_open) {
      int reduced = 0;
      if (techniques_.reductions && depth >= 3 && jumping == 0 && index >= 2)
        reduced = std::clamp(reduction(depth, index) - (IS_PV ? 1 : 0), 0, depth - 2);
      score = -search<other(S), false>(next, next_hash, depth - 1 - reduced, -alpha - 1, -alpha, ply + 1);
      if (reduced > 0 && score > alpha)
        score = -search<other(S), false>(next, next_hash, depth - 1, -alpha - 1, -alpha, ply + 1);
      is_open = IS_PV && score > alpha && score < beta;
    }
    if (is_open) score = -search<other(S), IS_PV>(next, next_hash, depth - 1, -beta, -alpha, ply + 1);
    if (is_over_) return 0;

    if (score <= best) continue;
    best = score;
    best_index = index;
    if (score <= alpha) continue;
    alpha = score;
    if (IS_PV) extend_line(turn, ply);
    if (score >= beta) break;
  }

  // 15. Remember: the move for the order, the score for the table.
  if (best >= beta && jumping == 0) learn_order<S>(ordered, best_index, depth, ply);
  const Bound bound = best >= beta ? Bound::LOWER : best > old_alpha ? Bound::EXACT : Bound::UPPER;
  table_.store(hash, {static_cast<std::int16_t>(to_table(best, ply)), static_cast<std::int16_t>(evaluation),
                      bound == Bound::UPPER ? std::uint16_t{0} : turns[best_index].signature(),
                      static_cast<std::int8_t>(std::min(depth, 127)), bound});
  return best;
}

// The best move gains, those that were tried before it lose.
template <Side S>
void Search::learn_order(const OrderedTurns& ordered, int best, int depth, int ply) {
  const Turn previous = frame(ply - 1).turn;
  const int bonus = std::min(depth * depth * 4, 1200);
  memory_.learn<S>(ordered[best], previous, bonus);
  for (int index = 0; index < best; ++index) memory_.learn<S>(ordered[index], previous, -bonus);
}

template <Side S>
Score Search::quiesce(const Pieces& pieces, Score alpha, Score beta, int ply) {
  if (count_node()) return 0;
  if (count_bits(pieces.own | pieces.other) <= table_pieces_)
    if (const auto known = table_score<S>(pieces)) return *known;
  const Squares jumping = checkers::all_jumpers<S>(pieces);
  if (jumping == 0 && checkers::count_steps<S>(pieces) == 0) return loss_in(ply);
  if (jumping == 0 || ply >= MOST_PLIES) return evaluate<S>(weights_, pieces);
  TurnList turns;
  add_captures<S>(pieces, jumping, turns);
  Score best = -INFINITE;
  for (int index = 0; index < turns.size(); ++index) {
    const auto next = play<S>(pieces, turns[index]);
    const Score score = -quiesce<other(S)>(next, -beta, -alpha, ply + 1);
    if (is_over_) return 0;
    best = std::max(best, score);
    alpha = std::max(alpha, score);
    if (alpha >= beta) break;
  }
  return best;
}

}  // namespace outplay::engine
