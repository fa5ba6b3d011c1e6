#include "solver/solver.hpp"

#include <algorithm>
#include <thread>

#include "solver/board.hpp"
#include "solver/lines.hpp"

namespace outplay::solver {

namespace {

constexpr int NO_ANSWER = 1000;
constexpr std::uint64_t ALONE = 50'000;  // nodes that one thread searches before it calls the others

// Ends the searches of all threads when one has the answer, a limit is reached, or somebody asks.
class Judge final : public Abort {
 public:
  Judge(const Limits& limits, const Stop& stop, Progress& progress, std::uint64_t most)
      : limits_(limits), stop_(stop), progress_(progress), most_(most) {}

  bool requested(std::uint64_t nodes_since_last) const override {
    const std::uint64_t nodes =
        progress_.nodes.fetch_add(nodes_since_last, std::memory_order_relaxed) + nodes_since_last;
    if (nodes >= most_ || answer_.load(std::memory_order_relaxed) != NO_ANSWER) return true;
    return is_over(nodes);
  }
  bool is_over(std::uint64_t nodes) const {
    if (stop_.requested() || (limits_.nodes && nodes >= *limits_.nodes)) return true;
    return limits_.deadline && std::chrono::steady_clock::now() >= *limits_.deadline;
  }
  void answer(std::optional<int> bound) {
    int expected = NO_ANSWER;
    if (bound) answer_.compare_exchange_strong(expected, *bound);
  }
  std::optional<int> answer() const {
    const int bound = answer_.load();
    return bound == NO_ANSWER ? std::nullopt : std::optional(bound);
  }

 private:
  const Limits& limits_;
  const Stop& stop_;
  Progress& progress_;
  std::uint64_t most_;
  std::atomic<int> answer_{NO_ANSWER};
};

}  // namespace

template <class Word>
class Solver::Of {
 public:
  Of(connect4::Size board_size, const Options& options)
      : size(board_size),
        board_(board_size),
        shared_{Tables<Word>(options.table_bytes, board_size), options.techniques, {}, false} {
    for (int thread = 0; thread < options.threads; ++thread) probers_.push_back(make_prober(options));
  }

  const connect4::Size size;
  bool is_vector = false;

  void clear() {
    shared_.tables.clear();
    for (auto& prober : probers_) prober->forget();
  }
  std::size_t bytes() const { return shared_.tables.bytes(); }

  Solution solve(Word own, Word mask, bool sign_only, const Limits& limits, const Stop& stop, Progress& progress) {
    for (auto& prober : probers_) prober->forget();
    Window window = static_window(own, mask);
    const auto test = [&](int beta) {
      if (beta <= window.low || beta > window.high || is_stuck_) return;
      const auto bound = ask(own, mask, beta, limits, stop, progress);
      is_stuck_ = !bound;
      if (bound && *bound >= beta) window.low = std::max(window.low, *bound);
      if (bound && *bound < beta) window.high = std::min(window.high, *bound);
      progress.low = window.low;
      progress.high = window.high;
    };
    is_stuck_ = false;
    progress.low = window.low;
    progress.high = window.high;

    // Quick wins and losses first: they are found in no time, and a search for a far one would go astray in them. Then
    // who wins, beginning with the likelier answer. Then step by step to the score: the bounds that come back are often
    // sharp.
    for (int score = sign_only ? 0 : std::max(window.high, -window.low); score >= QUICK; --score) {
      test(score);
      test(1 - score);
    }
    const bool is_first = (size.cells() - count_bits(mask)) % 2 == size.cells() % 2;
    test(is_first ? 1 : 0);
    test(is_first ? 0 : 1);
    while (window.low < window.high && !is_stuck_ && !(sign_only && (window.low > 0 || window.high < 0)))
      test(window.low >= 0 ? window.low + 1 : window.high);
    return {window.low, window.high, progress.nodes};
  }

  std::optional<bool> is_at_least(Word own, Word mask, int score, const Limits& limits, const Stop& stop,
                                  Progress& progress) {
    const Window window = static_window(own, mask);
    if (score <= window.low) return true;
    if (score > window.high) return false;
    const auto bound = ask(own, mask, score, limits, stop, progress);
    return bound ? std::optional(*bound >= score) : std::nullopt;
  }

 private:
  static constexpr int QUICK = 9;
  struct Window {
    int low, high;
  };

  std::unique_ptr<Prober<Word>> make_prober(const Options& options) {
    if constexpr (sizeof(Word) == 8) {
      auto prober = options.is_vector ? vector_prober(size, shared_) : nullptr;
      is_vector = prober != nullptr;
      if (prober) return prober;
    }
    return plain_prober(size, shared_);
  }

  // What one look tells: a win or a loss at once, or that there is neither.
  Window static_window(Word own, Word mask) const {
    const int cells = size.cells(), plies = count_bits(mask);
    const Word playable = (mask + board_.bottom()) & board_.board();
    if ((winning_cells(board_, own, mask) & playable) != 0) {
      const int win = winning_score(cells, plies);
      return {win, win};
    }
    const Word threats = winning_cells(board_, own ^ mask, mask);
    const Word forced = playable & threats, moves = (forced != 0 ? forced : playable) & ~(threats >> 1);
    if ((forced & (forced - 1)) != 0 || moves == 0) {
      const int loss = plies + 1 == cells ? 0 : -winning_score(cells, plies + 1);
      return {loss, loss};
    }
    return {plies + 2 >= cells ? 0 : -winning_score(cells, plies + 3),
            plies + 2 >= cells ? 0 : winning_score(cells, plies + 2)};
  }

  // One thread tries alone; what it cannot answer soon, all search together.
  std::optional<int> ask(Word own, Word mask, int beta, const Limits& limits, const Stop& stop, Progress& progress) {
    constexpr auto NO_END = ~std::uint64_t{0};
    const std::uint64_t started = progress.nodes;
    Judge alone(limits, stop, progress, probers_.size() > 1 ? started + ALONE : NO_END);
    if (const auto bound = run(*probers_[0], own, mask, beta, alone, progress)) return bound;
    if (probers_.size() == 1 || alone.is_over(progress.nodes)) return std::nullopt;

    Judge together(limits, stop, progress, NO_END);
    shared_.is_crowded = true;
    std::vector<std::jthread> threads;
    for (auto& prober : probers_)
      threads.emplace_back([&] { together.answer(run(*prober, own, mask, beta, together, progress)); });
    threads.clear();  // waits for them
    shared_.is_crowded = false;
    return together.answer();
  }

  // The nodes since the last thousand are added at the end, so that the sum is exact.
  static std::optional<int> run(Prober<Word>& prober, Word own, Word mask, int beta, const Abort& abort,
                                Progress& progress) {
    const std::uint64_t before = prober.nodes();
    const auto bound = prober.test(own, mask, beta, abort);
    progress.nodes += (prober.nodes() - before) % 1024;
    return bound;
  }

  Anysize<Word> board_;
  Shared<Word> shared_;
  std::vector<std::unique_ptr<Prober<Word>>> probers_;
  bool is_stuck_ = false;
};

Solver::Solver(const Options& options) : options_(options) {}
Solver::~Solver() = default;

template <class Word>
Solver::Of<Word>& Solver::of(connect4::Size size) {
  auto& slot = [this]() -> auto& {
    if constexpr (sizeof(Word) == 8)
      return narrow_;
    else
      return wide_;
  }();
  if (!slot || !(slot->size == size)) {
    narrow_.reset();
    wide_.reset();
    slot = std::make_unique<Of<Word>>(size, options_);
  }
  return *slot;
}

Solution Solver::solve(const connect4::Position& position, bool sign_only, const Limits& limits, const Stop& stop,
                       Progress& progress) {
  return std::visit(
      [&](const auto& p) {
        return of<decltype(p.own())>(p.board().size).solve(p.own(), p.mask(), sign_only, limits, stop, progress);
      },
      position);
}

std::optional<bool> Solver::is_at_least(const connect4::Position& position, int score, const Limits& limits,
                                        const Stop& stop, Progress& progress) {
  return std::visit(
      [&](const auto& p) {
        return of<decltype(p.own())>(p.board().size).is_at_least(p.own(), p.mask(), score, limits, stop, progress);
      },
      position);
}

void Solver::clear() {
  if (narrow_) narrow_->clear();
  if (wide_) wide_->clear();
}

std::size_t Solver::table_bytes() const { return narrow_ ? narrow_->bytes() : wide_ ? wide_->bytes() : 0; }

bool Solver::is_vector(connect4::Size size) { return size.bits() <= 64 && of<std::uint64_t>(size).is_vector; }

}  // namespace outplay::solver
