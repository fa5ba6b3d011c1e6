#include "engine/searcher.hpp"

#include <thread>

namespace outplay::engine {

Searcher::Searcher(std::shared_ptr<const Weights> weights, const SearcherOptions& options)
    : weights_(std::move(weights)), options_(options), table_(static_cast<std::size_t>(options.table_mib)) {
  for (int number = 0; number < options.threads; ++number)
    searches_.push_back(std::make_unique<Search>(*weights_, options_.endgames.get(), table_, options.techniques));
}

Score Searcher::evaluate(const Position& position) const {
  const auto pieces = Pieces::of(position);
  return position.side() == Side::FIRST ? engine::evaluate<Side::FIRST>(*weights_, pieces)
                                        : engine::evaluate<Side::SECOND>(*weights_, pieces);
}

void Searcher::clear() {
  table_.clear();
  for (auto& search : searches_) search->forget();
}

Findings Searcher::analyse(const Position& position, const std::vector<Position>& history, const Limits& limits,
                           const Stop& stop, const Report& report) {
  Clock clock(limits, stop);
  const Question question = make_question(position, history);
  table_.begin_search();
  for (auto& search : searches_) search->begin(question, clock);
  std::vector<std::jthread> helpers;
  for (std::size_t number = 1; number < searches_.size(); ++number)
    helpers.emplace_back([&, number] { help(*searches_[number], static_cast<int>(number), limits, clock); });
  lead(*searches_[0], limits, clock, report);
  clock.finish();
  helpers.clear();  // joins them
  answer_.nodes = 0;
  for (const auto& search : searches_) answer_.nodes += search->nodes();
  answer_.seconds = clock.seconds();
  return answer_;
}

// Deepens until the limits end it; answer_ is always the best that is known.
void Searcher::lead(Search& search, const Limits& limits, Clock& clock, const Report& report) {
  const int lines = std::min(limits.lines, static_cast<int>(search.root_moves().size()));
  answer_ = findings(search, limits, clock, 0);
  Turn favourite = answer_.lines[0].turn;
  double doubt = 1;
  for (int depth = 1; depth <= limits.depth; ++depth) {
    bool is_finished = true;
    for (int line = 0; line < lines && is_finished; ++line) is_finished = search.deepen(depth, line);
    if (is_finished) search.sort_lines(lines);
    answer_ = findings(search, limits, clock, is_finished ? depth : depth - 1);
    if (report) report(answer_);
    if (!is_finished) return;
    // A favourite that changes is worth more time, one that stays less.
    doubt = answer_.lines[0].turn == favourite ? std::max(0.6, doubt * 0.9) : 1.6;
    favourite = answer_.lines[0].turn;
    if (clock.is_late(doubt) || is_settled(search, limits, depth)) return;
  }
}

// Is there nothing more to find out? The only move is played at once on a clock, a counted end only comes nearer.
bool Searcher::is_settled(const Search& search, const Limits& limits, int depth) const {
  const Score score = answer_.lines[0].score;
  if (is_counted(score) && WIN - std::abs(score) <= depth && limits.lines == 1) return true;
  return search.root_moves().size() == 1 && (limits.clock_ms || limits.time_ms) && depth >= 8;
}

// The other threads look at the same position, every second of them a ply deeper; they meet in the table.
void Searcher::help(Search& search, int number, const Limits& limits, Clock& clock) {
  for (int depth = 1 + number % 2; depth <= limits.depth + 1 && !clock.is_cancelled(); ++depth)
    if (!search.deepen(std::min(depth, MOST_DEPTH), 0)) return;
}

Findings Searcher::findings(const Search& search, const Limits& limits, const Clock& clock, int depth) const {
  Findings found;
  const auto& moves = search.root_moves();
  const auto count = std::min(moves.size(), static_cast<std::size_t>(limits.lines));
  found.lines.assign(moves.begin(), moves.begin() + static_cast<std::ptrdiff_t>(count));
  found.depth = depth;
  for (const auto& other : searches_) found.nodes += other->nodes();
  found.seconds = clock.seconds();
  return found;
}

}  // namespace outplay::engine
