#include "solver/solver.hpp"

#include <algorithm>
#include <mutex>
#include <span>
#include <thread>

#include "solver/board.hpp"
#include "solver/moves.hpp"

namespace outplay::solver {

namespace {

// One position's score, found out by several threads: what is known of it, and who asks what.
class Inquiry {
 public:
  Inquiry(int low, int high, const Limits& limits, const Stop& stop, Progress& progress)
      : limits_(limits), stop_(stop), progress_(progress), low_(low), high_(high) {
    publish();
  }

  int low() const { return low_.load(std::memory_order_relaxed); }
  int high() const { return high_.load(std::memory_order_relaxed); }
  bool is_open(int beta) const { return low() < beta && beta <= high(); }

  void learn(int beta, int bound) {
    const std::lock_guard guard(mutex_);
    if (bound >= beta)
      low_ = std::max(low(), bound);
    else
      high_ = std::min(high(), bound);
    publish();
  }

  // Ends all searches: a limit is reached, or the caller asks for it.
  bool is_over() const {
    if (is_over_.load(std::memory_order_relaxed)) return true;
    const bool is_late = limits_.deadline && std::chrono::steady_clock::now() >= *limits_.deadline;
    const bool is_over = is_late || stop_.requested() || (limits_.nodes && progress_.nodes >= *limits_.nodes);
    if (is_over) is_over_ = true;
    return is_over;
  }

  // The first of these questions that no thread is working on; the first of all if every one is taken.
  int take(std::span<const int> questions) {
    const std::lock_guard guard(mutex_);
    const auto is_free = [&](int beta) { return std::ranges::find(asked_, beta) == asked_.end(); };
    const auto found = std::ranges::find_if(questions, is_free);
    const int beta = found == questions.end() ? questions.front() : *found;
    asked_.push_back(beta);
    return beta;
  }
  void give_back(int beta) {
    const std::lock_guard guard(mutex_);
    asked_.erase(std::ranges::find(asked_, beta));
  }

  void count(std::uint64_t nodes) const { progress_.nodes.fetch_add(nodes, std::memory_order_relaxed); }

 private:
  void publish() {
    progress_.low = low();
    progress_.high = high();
  }

  const Limits& limits_;
  const Stop& stop_;
  Progress& progress_;
  std::mutex mutex_;
  std::vector<int> asked_;
  std::atomic<int> low_, high_;
  mutable std::atomic<bool> is_over_{false};
};

constexpr std::uint64_t ALONE = 50'000;  // nodes that one thread searches before it calls the others
constexpr auto NO_END = ~std::uint64_t{0};

// Ends one search: its question has been answered by another thread, all are to end, or it has had its nodes.
class Closed final : public Abort {
 public:
  Closed(const Inquiry& inquiry, int beta, std::uint64_t most) : inquiry_(inquiry), beta_(beta), left_(most) {}
  bool requested(std::uint64_t nodes_since_last) const override {
    inquiry_.count(nodes_since_last);
    if (left_ != NO_END) left_ -= std::min(left_, nodes_since_last);
    return left_ == 0 || !inquiry_.is_open(beta_) || inquiry_.is_over();
  }

 private:
  const Inquiry& inquiry_;
  const int beta_;
  mutable std::uint64_t left_;
};

}  // namespace

template <class Word>
class Solver::Of {
 public:
  Of(connect4::Size board_size, const Options& options)
      : size(board_size),
        board_(board_size),
        shared_{Table<Word>(options.table_bytes, board_size.bits()), options.techniques, {}, false} {
    for (int thread = 0; thread < options.threads; ++thread) probers_.push_back(make_prober(options));
  }

  const connect4::Size size;
  bool is_vector = false;

  void clear() {
    shared_.early.clear();
    for (auto& prober : probers_) prober->clear();
  }
  std::size_t bytes() const { return shared_.early.bytes() + probers_.size() * Tables<Word>::LATE_BYTES; }

  Solution solve(Word own, Word mask, bool sign_only, const Limits& limits, const Stop& stop, Progress& progress) {
    for (auto& prober : probers_) prober->forget_order();
    const Window window = static_window(own, mask);
    Inquiry inquiry(window.low, window.high, limits, stop, progress);

    // Quick wins and losses first: they are found in no time, and a search for a far one would go astray in them.
    const int least = std::max(QUICK, (size.cells() - count_bits(mask)) / 2 - QUICK_DISCS);
    for (int score = sign_only ? 0 : std::max(window.high, -window.low); score >= least; --score)
      for (const int beta : {score, 1 - score})
        if (inquiry.is_open(beta) && !inquiry.is_over()) ask(*probers_[0], own, mask, beta, inquiry);

    const bool is_first = (size.cells() - count_bits(mask)) % 2 == size.cells() % 2;
    ask_all(own, mask, inquiry, [&] { return questions_of({inquiry.low(), inquiry.high()}, is_first, sign_only); });
    return {inquiry.low(), inquiry.high(), progress.nodes};
  }

  Solution compare(Word own, Word mask, int score, const Limits& limits, const Stop& stop, Progress& progress) {
    const Window window = static_window(own, mask);
    Inquiry inquiry(window.low, window.high, limits, stop, progress);
    ask_all(own, mask, inquiry, [&] { return std::vector<int>(inquiry.is_open(score) ? 1 : 0, score); });
    return {inquiry.low(), inquiry.high(), progress.nodes};
  }

 private:
  // A win is quick if its score is that high, and if it comes with one of the next discs of the side, about so many.
  static constexpr int QUICK = 9, QUICK_DISCS = 7;
  struct Window {
    int low, high;
  };

  std::unique_ptr<Prober<Word>> make_prober(const Options& options) {
    auto prober = options.is_vector ? vector_prober(size, shared_) : nullptr;
    is_vector = prober != nullptr;
    return prober ? std::move(prober) : plain_prober(size, shared_);
  }

  // What one look tells: a win or a loss at once, or that there is neither.
  Window static_window(Word own, Word mask) const {
    const int cells = size.cells(), plies = count_bits(mask);
    if (can_win(board_, own, mask)) {
      const int win = winning_score(cells, plies);
      return {win, win};
    }
    if (safe_moves(board_, Node<Word>{own, mask, winning_cells(board_, own ^ mask, mask)}) == 0) {
      const int loss = plies + 1 == cells ? 0 : -winning_score(cells, plies + 1);
      return {loss, loss};
    }
    return {plies + 2 >= cells ? 0 : -winning_score(cells, plies + 3),
            plies + 2 >= cells ? 0 : winning_score(cells, plies + 2)};
  }

  // What is to be asked next while the score is in this window, the most useful first; nothing if enough is known.
  // First who wins, beginning with the likelier answer: whoever moved first. Then step by step to the score: the bounds
  // that come back are often sharp.
  static std::vector<int> questions_of(Window window, bool is_first, bool sign_only) {
    std::vector<int> questions;
    const auto add = [&](Window known) {
      const auto is_open = [&](int beta) { return known.low < beta && beta <= known.high; };
      const int likely = is_first ? 1 : 0;
      const int beta = is_open(likely)       ? likely
                       : is_open(1 - likely) ? 1 - likely
                       : known.low >= 0      ? known.low + 1
                                             : known.high;
      const bool is_enough = sign_only && (known.low > 0 || known.high < 0);
      if (is_open(beta) && !is_enough && std::ranges::find(questions, beta) == questions.end())
        questions.push_back(beta);
      return beta;
    };
    const int beta = add(window);
    if (questions.empty() || beta != (is_first ? 1 : 0)) return questions;
    add(is_first ? Window{beta, window.high} : Window{window.low, beta - 1});  // another thread takes it for granted
    return questions;
  }

  // Every thread asks on until no question is left. When there are more threads than questions, they share one.
  template <class Questions>
  void ask_all(Word own, Word mask, Inquiry& inquiry, const Questions& questions) {
    const bool is_crowd = probers_.size() > 1;
    const std::uint64_t first_node = probers_[0]->nodes(), most = is_crowd ? ALONE : NO_END;
    while (probers_[0]->nodes() - first_node < most && !inquiry.is_over()) {
      const auto open = questions();
      if (open.empty()) return;
      ask(*probers_[0], own, mask, open.front(), inquiry, most);
    }
    if (is_crowd && !inquiry.is_over()) ask_together(own, mask, inquiry, questions);
  }

  template <class Questions>
  void ask_together(Word own, Word mask, Inquiry& inquiry, const Questions& questions) {
    shared_.early.grow_to_full();
    shared_.is_crowded = true;
    const auto work = [&](Prober<Word>& prober) {
      for (auto open = questions(); !open.empty() && !inquiry.is_over(); open = questions()) {
        const int beta = inquiry.take(open);
        ask(prober, own, mask, beta, inquiry);
        inquiry.give_back(beta);
      }
    };
    std::vector<std::jthread> threads;
    for (std::size_t other = 1; other < probers_.size(); ++other)
      threads.emplace_back([&, other] { work(*probers_[other]); });
    work(*probers_[0]);
    threads.clear();  // waits for them
    shared_.is_crowded = false;
  }

  void ask(Prober<Word>& prober, Word own, Word mask, int beta, Inquiry& inquiry, std::uint64_t most = NO_END) {
    const auto bound = prober.test(own, mask, beta, Closed(inquiry, beta, most));
    if (bound) inquiry.learn(beta, *bound);
  }

  Anysize<Word> board_;
  Shared<Word> shared_;
  std::vector<std::unique_ptr<Prober<Word>>> probers_;
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

Solution Solver::compare(const connect4::Position& position, int score, const Limits& limits, const Stop& stop,
                         Progress& progress) {
  return std::visit(
      [&](const auto& p) {
        return of<decltype(p.own())>(p.board().size).compare(p.own(), p.mask(), score, limits, stop, progress);
      },
      position);
}

void Solver::clear() {
  if (narrow_) narrow_->clear();
  if (wide_) wide_->clear();
}

std::size_t Solver::table_bytes() const { return narrow_ ? narrow_->bytes() : wide_ ? wide_->bytes() : 0; }

bool Solver::is_vector(connect4::Size size) {
  return size.bits() <= 64 ? of<std::uint64_t>(size).is_vector : of<Word128>(size).is_vector;
}

}  // namespace outplay::solver
