#include "solver/solver.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cmath>
#include <exception>
#include <mutex>
#include <stdexcept>
#include <thread>

#include "bind/arguments.hpp"
#include "bind/batch_connect4.hpp"
#include "bind/connect4.hpp"
#include "bind/support.hpp"
#include "connect4/position.hpp"
#include "solver/book.hpp"
#include "solver/columns.hpp"
#include "solver/deep_book.hpp"

using namespace nb::literals;

namespace outplay::bind {
namespace {

using connect4::Position;
using solver::Book;
using solver::DeepBook;
using solver::Limits;
using solver::Progress;

constexpr int MOST_MIB = 1 << 20, MOST_THREADS = 256;
constexpr std::int8_t NO_SCORE = -128;
constexpr std::uint64_t AT_ONCE = 20'000;  // nodes that take a millisecond or two: not worth a thread of their own

// A solver that one thread asks at a time and any other may stop. What a book knows is not searched.
class Desk {
 public:
  Desk(int table_mib, int threads, const Book* book, const DeepBook* deep_book, bool vector, bool evens, bool threats,
       bool order, bool sprint)
      : options_([&] {
          check_range("table_mib", table_mib, 1, MOST_MIB);
          check_range("threads", threads, 1, MOST_THREADS);
          const solver::Techniques techniques{evens, threats, order, sprint};
          return solver::Options{static_cast<std::size_t>(table_mib) << 20, threads, vector, techniques};
        }()),
        solver_(options_),
        book_(book),
        deep_book_(deep_book) {}

  // What a book says.
  std::optional<int> find(const NumberedPosition& position) const { return find_plain(position); }
  std::optional<int> find_plain(const Position& position) const {
    const auto known = book_ != nullptr ? book_->find(position) : std::nullopt;
    return known || deep_book_ == nullptr ? known : deep_book_->find(position);
  }

  void stop() { asked_to_stop_ = true; }
  void clear() {
    const Turn turn(*this);
    const nb::gil_scoped_release release;
    solver_.clear();
    for (auto& solver : others_) solver->clear();
  }
  bool is_vector(int width, int height) {
    const connect4::Size size{width, height};
    const Turn turn(*this);
    return size.is_possible() && solver_.is_vector(size);
  }

 private:
  // The turn of the thread that asks. Others wait for theirs without the interpreter lock, and Ctrl-C ends their wait.
  class Turn {
   public:
    explicit Turn(Desk& desk) : desk_(desk) {
      if (desk.asking_ == std::this_thread::get_id())
        throw std::runtime_error("this solver is answering already: a progress function needs another solver");
      for (bool has_turn = desk.mutex_.try_lock(); !has_turn;) {
        {
          const nb::gil_scoped_release release;
          has_turn = desk.mutex_.try_lock_for(std::chrono::milliseconds(50));
        }
        if (!has_turn && PyErr_CheckSignals() != 0) throw nb::python_error();
      }
      desk.asking_ = std::this_thread::get_id();
    }
    ~Turn() {
      desk_.asking_ = {};
      desk_.mutex_.unlock();
    }
    Turn(const Turn&) = delete;
    Turn& operator=(const Turn&) = delete;

   private:
    Desk& desk_;
  };

  static Limits limits_of(std::optional<long long> nodes, std::optional<long long> time_ms) {
    constexpr long long MOST_NODES = 1'000'000'000'000'000, MOST_MS = 1000LL * 60 * 60 * 24 * 365;
    Limits limits;
    if (nodes) {
      check_range("nodes", *nodes, 1, MOST_NODES);
      limits.nodes = static_cast<std::uint64_t>(*nodes);
    }
    if (time_ms) {
      check_range("time_ms", *time_ms, 1, MOST_MS);
      limits.deadline = std::chrono::steady_clock::now() + std::chrono::milliseconds(*time_ms);
    }
    return limits;
  }

  static void check_not_over(const NumberedPosition& position) {
    const Position& plain = position;
    if (const auto outcome = std::visit([](const auto& p) { return p.outcome(); }, plain))
      raise("GameOverError", position, name_of(outcome->reason));
  }

  // Easy questions are answered at once, others on a thread of their own, so that Ctrl-C, `stop` and `report` get a
  // turn.
  template <class Question>
  auto ask(std::optional<long long> nodes, std::optional<long long> time_ms, nb::handle report, Progress& progress,
           Question&& question) {
    const Limits limits = limits_of(nodes, time_ms);
    const Turn turn(*this);
    asked_to_stop_ = false;
    {
      const nb::gil_scoped_release release;
      Limits few = limits;
      few.nodes = std::min(AT_ONCE, limits.nodes.value_or(AT_ONCE));
      const Stop never;
      const auto [is_known, answer] = question(few, never);
      if (is_known || (limits.nodes && *limits.nodes <= AT_ONCE)) return answer;
    }
    Stop stop;
    const auto search = [&](const Stop& flag) { return question(limits, flag).second; };
    return run_interruptibly(stop, search, [&, turn = 0]() mutable {
      if (asked_to_stop_) stop.request();
      if (!report.is_none() && ++turn % 5 == 0)
        report(progress.low.load(), progress.high.load(), progress.nodes.load());
    });
  }

 public:
  nb::tuple solve(const NumberedPosition& position, bool sign_only, std::optional<long long> nodes,
                  std::optional<long long> time_ms, std::optional<nb::callable> report) {
    if (const auto known = find(position)) return nb::make_tuple(*known, *known, 0, true);
    check_not_over(position);
    Progress progress;
    const auto found = ask(nodes, time_ms, report ? *report : nb::object(nb::none()), progress,
                           [&](const Limits& limits, const Stop& stop) {
                             const auto solution = solver_.solve(position, sign_only, limits, stop, progress);
                             const bool is_known =
                                 solution.is_exact() || (sign_only && (solution.low > 0 || solution.high < 0));
                             return std::pair(is_known, solution);
                           });
    return nb::make_tuple(found.low, found.high, static_cast<std::uint64_t>(progress.nodes), false);
  }

  nb::tuple scores(const NumberedPosition& position) {
    check_not_over(position);
    Progress progress;
    solver::Columns columns(position);
    const bool is_known = ask({}, {}, nb::none(), progress, [&](const Limits& limits, const Stop& stop) {
      const auto known = [this](const Position& after) { return find_plain(after); };
      const bool is_done = columns.solve(solver_, known, limits, stop, progress);
      return std::pair(is_done, is_done);
    });
    const auto [low, high, nodes] = columns.last();
    const nb::object unsolved = is_known ? nb::none() : nb::object(nb::make_tuple(low, high));
    return nb::make_tuple(columns.scores(), unsolved, static_cast<std::uint64_t>(progress.nodes));
  }

  nb::tuple solve_many(const Positions& positions, bool sign_only, std::optional<long long> nodes, int threads,
                       const std::optional<nb::callable>& progress) {
    const NewArray<std::int8_t> scores({positions.count()});
    std::fill_n(scores.data, positions.count(), NO_SCORE);
    const auto count = ask_many(positions, nodes, threads, progress, [&](std::size_t index, const Asker& asker) {
      scores.data[index] = asker.score(sign_only);
    });
    return nb::make_tuple(scores.object, count);
  }

  nb::tuple scores_many(const Positions& positions, std::optional<long long> nodes, int threads,
                        const std::optional<nb::callable>& progress) {
    const auto width = static_cast<std::size_t>(
        std::visit([](const auto& batch) { return batch.board->size.width; }, positions.batch));
    const NewArray<std::int8_t> scores({positions.count(), width});
    std::fill_n(scores.data, positions.count() * width, NO_SCORE);
    const auto count = ask_many(positions, nodes, threads, progress, [&](std::size_t index, const Asker& asker) {
      asker.scores(scores.data + index * width);
    });
    return nb::make_tuple(scores.object, count);
  }

  nb::tuple compare(const NumberedPosition& position, int score, std::optional<long long> nodes,
                    std::optional<long long> time_ms, std::optional<nb::callable> report) {
    check_not_over(position);
    Progress progress;
    const auto found = ask(nodes, time_ms, report ? *report : nb::object(nb::none()), progress,
                           [&](const Limits& limits, const Stop& stop) {
                             const auto solution = solver_.compare(position, score, limits, stop, progress);
                             return std::pair(solution.tells(score), solution);
                           });
    return nb::make_tuple(found.low, found.high, static_cast<std::uint64_t>(progress.nodes));
  }

 private:
  // One position of a batch: the answer is NO_SCORE if the game is over or the search was ended early.
  struct Asker {
    const Desk& desk;
    solver::Solver& solver;
    const Position position;
    const bool is_reachable;
    const Limits& limits;
    const Stop& stop;
    Progress& progress;

    std::optional<int> find(const Position& other) const {
      return is_reachable ? desk.find_plain(other) : std::nullopt;  // a book answers wrongly if no game leads there
    }
    std::int8_t score(bool sign_only) const {
      const auto known = find(position);
      const auto [low, high] = known ? std::pair(*known, *known) : search(sign_only);
      if (sign_only && (low > 0 || high < 0)) return low > 0 ? 1 : -1;
      return low == high ? static_cast<std::int8_t>(low) : NO_SCORE;
    }
    void scores(std::int8_t* out) const {
      solver::Columns columns(position);
      columns.solve(solver, [this](const Position& after) { return find(after); }, limits, stop, progress);
      for (const auto& score : columns.scores()) *out++ = score ? static_cast<std::int8_t>(*score) : NO_SCORE;
    }

   private:
    std::pair<int, int> search(bool sign_only) const {
      const auto solution = solver.solve(position, sign_only, limits, stop, progress);
      return {solution.low, solution.high};
    }
  };

  // Calls answer(index, asker) for every position in which the game goes on; others are NO_SCORE beforehand. Every
  // thread has a solver of its own. Returns the number of nodes.
  template <class Answer>
  std::uint64_t ask_many(const Positions& positions, std::optional<long long> nodes, int threads,
                         const std::optional<nb::callable>& progress, const Answer& answer) {
    check_range("threads", threads, 1, MOST_THREADS);
    const Limits limits = limits_of(nodes, std::nullopt);
    const Turn turn(*this);
    asked_to_stop_ = false;
    std::atomic<int> next{0};
    std::atomic<std::uint64_t> total{0};
    const auto solvers = solvers_for(threads);
    const auto ask_all = [&](const auto& batch) {
      run_batch(
          threads, batch.size(), 1, progress, [this] { return asked_to_stop_.load(); },
          [&] {
            solver::Solver* const solver = solvers[static_cast<std::size_t>(next++)];
            return [&, solver](std::uint64_t begin, std::uint64_t end, const Stop& stop) {
              for (auto index = begin; index < end; ++index) {
                const auto position = batch[index];
                if (position.is_won() || position.is_full()) continue;
                Progress found;
                answer(index, Asker{*this, *solver, position, batch.is_reachable, limits, stop, found});
                total.fetch_add(found.nodes, std::memory_order_relaxed);
              }
            };
          });
    };
    std::visit(ask_all, positions.batch);
    return total;
  }

  // Solvers of one thread each, which keep what they find for the next batch.
  std::vector<solver::Solver*> solvers_for(int threads) {
    std::vector<solver::Solver*> solvers;
    if (options_.threads == 1) solvers.push_back(&solver_);
    solver::Options options = options_;
    options.threads = 1;
    for (std::size_t index = 0; std::ssize(solvers) < threads; ++index) {
      if (index == others_.size()) others_.push_back(std::make_unique<solver::Solver>(options));
      solvers.push_back(others_[index].get());
    }
    return solvers;
  }

  const solver::Options options_;
  solver::Solver solver_;
  std::vector<std::unique_ptr<solver::Solver>> others_;  // for batches
  const Book* const book_;                               // or none; Python keeps both alive
  const DeepBook* const deep_book_;
  std::timed_mutex mutex_;
  std::thread::id asking_{};  // the thread whose turn it is; read and written with the interpreter lock
  std::atomic<bool> asked_to_stop_{false};
};

}  // namespace

void bind_solver(nb::module_& module) {
  module.attr("NO_SCORE") = static_cast<int>(NO_SCORE);
  nb::class_<Desk>(module, "SolverCore", "The search behind connect4.Solver.")
      .def("__init__",
           checked<"table_mib", "threads", "book", "deep_book", "vector", "evens", "threats", "order", "sprint">(
               +[](Desk* self, int table_mib, int threads, const Book* book, const DeepBook* deep_book, bool vector,
                   bool evens, bool threats, bool order, bool sprint) {
                 new (self) Desk(table_mib, threads, book, deep_book, vector, evens, threats, order, sprint);
               }),
           nb::kw_only(), "table_mib"_a.none(), "threads"_a.none(), "book"_a.none() = nb::none(),
           "deep_book"_a.none() = nb::none(), nb::keep_alive<1, 4>(), nb::keep_alive<1, 5>(), "vector"_a.none() = true,
           "evens"_a.none() = true, "threats"_a.none() = true, "order"_a.none() = true, "sprint"_a.none() = true,
           nb::sig("def __init__(self, *, table_mib: int, threads: int, book: BookCore | None = None, deep_book: "
                   "DeepBookCore | None = None, vector: bool = True, evens: bool = True, threats: bool = True, order: "
                   "bool = True, sprint: bool = True) -> None"))
      .def("solve", checked<"position", "sign_only", "nodes", "time_ms", "progress">(&Desk::solve), "position"_a.none(),
           nb::kw_only(), "sign_only"_a.none(), "nodes"_a.none(), "time_ms"_a.none(), "report"_a.none(),
           nb::sig("def solve(self, position: Position, *, sign_only: bool, nodes: int | None, time_ms: int | None, "
                   "report: collections.abc.Callable[[int, int, int], object] | None) -> tuple[int, int, int, bool]"),
           "Return the lowest and the highest score the position may have (equal if it was solved), the number of "
           "nodes, "
           "and whether a book knew it.")
      .def("scores", checked<"position">(&Desk::scores), "position"_a.none(),
           nb::sig("def scores(self, position: Position) -> tuple[list[int | None], tuple[int, int] | None, int]"),
           "Return the score of each column (None for a full one); if the search was stopped, the lowest and the "
           "highest "
           "score of the position it was solving; and the number of nodes.")
      .def("solve_many", checked<"positions", "sign_only", "nodes", "threads", "progress">(&Desk::solve_many),
           "positions"_a.none(), nb::kw_only(), "sign_only"_a.none(), "nodes"_a.none(), "threads"_a.none(),
           "progress"_a.none(),
           nb::sig("def solve_many(self, positions: Positions, *, sign_only: bool, nodes: int | None, threads: int, "
                   "progress: collections.abc.Callable[[int, int], object] | None) -> "
                   "tuple[numpy.typing.NDArray[numpy.int8], int]"),
           "Return the score of each position, NO_SCORE where it is not known, and the number of nodes.")
      .def("scores_many", checked<"positions", "nodes", "threads", "progress">(&Desk::scores_many),
           "positions"_a.none(), nb::kw_only(), "nodes"_a.none(), "threads"_a.none(), "progress"_a.none(),
           nb::sig("def scores_many(self, positions: Positions, *, nodes: int | None, threads: int, "
                   "progress: collections.abc.Callable[[int, int], object] | None) -> "
                   "tuple[numpy.typing.NDArray[numpy.int8], int]"),
           "Return the score of each column of each position, NO_SCORE where it is not known, and the number of nodes.")
      .def("find", checked<"position">(&Desk::find), "position"_a.none(),
           nb::sig("def find(self, position: Position) -> int | None"),
           "Return the score of a position that a book knows, otherwise None.")
      .def("compare", checked<"position", "score", "nodes", "time_ms", "report">(&Desk::compare), "position"_a.none(),
           "score"_a.none(), nb::kw_only(), "nodes"_a.none(), "time_ms"_a.none(), "report"_a.none(),
           nb::sig("def compare(self, position: Position, score: int, *, nodes: int | None, time_ms: int | None, "
                   "report: collections.abc.Callable[[int, int, int], object] | None) -> tuple[int, int, int]"),
           "Find out whether the position's score is at least `score`. Return the lowest and the highest score it may "
           "have, and the number of nodes; unless a limit came first, one of them answers the question.")
      .def("stop", &Desk::stop, "End the running search; from any thread.")
      .def("clear", &Desk::clear, "Forget everything found out so far.")
      .def("is_vector", checked<"width", "height">(&Desk::is_vector), "width"_a.none(), "height"_a.none(),
           nb::sig("def is_vector(self, width: int, height: int) -> bool"),
           "Return whether boards of this size are searched with vector instructions on this machine.");
}

}  // namespace outplay::bind
