#include "solver/solver.hpp"

#include <nanobind/stl/optional.h>

#include <algorithm>
#include <cmath>
#include <exception>
#include <mutex>

#include "bind/support.hpp"
#include "connect4/position.hpp"
#include "solver/book.hpp"

using namespace nb::literals;

namespace outplay::bind {
namespace {

using connect4::Position;
using solver::Book;
using solver::Limits;
using solver::Progress;

constexpr int MOST_MIB = 1 << 20, MOST_THREADS = 256;
constexpr std::uint64_t AT_ONCE = 20'000;  // nodes that take a millisecond or two: not worth a thread of their own
constexpr int MOST_BOOK_PLIES = 14;

// A solver that one thread asks at a time and any other may stop.
class Desk {
 public:
  Desk(int table_mib, int threads, bool vector, bool evens, bool threats, bool order, bool sprint)
      : solver_([&] {
          check_range("table_mib", table_mib, 1, MOST_MIB);
          check_range("threads", threads, 1, MOST_THREADS);
          const solver::Techniques techniques{evens, threats, order, sprint};
          return solver::Options{static_cast<std::size_t>(table_mib) << 20, threads, vector, techniques};
        }()) {}

  void stop() { asked_to_stop_ = true; }
  void clear() {
    const nb::gil_scoped_release release;
    const std::scoped_lock lock(mutex_);
    solver_.clear();
  }
  bool is_vector(int width, int height) {
    const connect4::Size size{width, height};
    const nb::gil_scoped_release release;
    const std::scoped_lock lock(mutex_);
    return size.is_possible() && solver_.is_vector(size);
  }

 private:
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

  // Easy questions are answered at once, others on a thread of their own, so that Ctrl-C, `stop` and `report` get a
  // turn.
  template <class Question>
  auto ask(const Position& position, std::optional<long long> nodes, std::optional<long long> time_ms,
           nb::handle report, Progress& progress, Question&& question) {
    if (const auto outcome = std::visit([](const auto& p) { return p.outcome(); }, position))
      raise("GameOverError", position, name_of(outcome->reason));
    const Limits limits = limits_of(nodes, time_ms);
    std::unique_lock<std::mutex> lock(mutex_, std::defer_lock);
    {
      const nb::gil_scoped_release release;
      lock.lock();
      asked_to_stop_ = false;
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
  nb::tuple solve(const Position& position, bool sign_only, std::optional<long long> nodes,
                  std::optional<long long> time_ms, nb::handle report) {
    Progress progress;
    const auto found = ask(position, nodes, time_ms, report, progress, [&](const Limits& limits, const Stop& stop) {
      const auto solution = solver_.solve(position, sign_only, limits, stop, progress);
      const bool is_known = solution.is_exact() || (sign_only && (solution.low > 0 || solution.high < 0));
      return std::pair(is_known, solution);
    });
    return nb::make_tuple(found.low, found.high, static_cast<std::uint64_t>(progress.nodes));
  }

  std::optional<bool> is_at_least(const Position& position, int score, std::optional<long long> nodes,
                                  std::optional<long long> time_ms) {
    Progress progress;
    return ask(position, nodes, time_ms, nb::none(), progress, [&](const Limits& limits, const Stop& stop) {
      const auto answer = solver_.is_at_least(position, score, limits, stop, progress);
      return std::pair(answer.has_value(), answer);
    });
  }

 private:
  solver::Solver solver_;
  std::mutex mutex_;
  std::atomic<bool> asked_to_stop_{false};
};

connect4::Size book_size(int width, int height) {
  const connect4::Size size{width, height};
  if (!size.is_possible() || size.bits() > 64)
    throw nb::value_error("a book's board is from 4 x 4, and width * (height + 1) is at most 64");
  return size;
}

std::vector<Book::Position> book_positions(int width, int height, int plies) {
  const connect4::Size size = book_size(width, height);
  check_range("plies", plies, 0, std::min(MOST_BOOK_PLIES, size.cells()));
  auto found = run_interruptibly([&](const Stop& stop) { return Book::positions(size, plies, stop); });
  return std::move(*found);
}

nb::list positions(int width, int height, int plies) {
  nb::list list;
  for (const auto& position : book_positions(width, height, plies)) list.append(Position(position));
  return list;
}

Book from_scores(int width, int height, int plies, nb::sequence scores) {
  std::vector<std::int8_t> numbers;
  for (const nb::handle score : scores) {
    const int number = nb::cast<int>(score);
    check_range("a score", number, -64, 64);
    numbers.push_back(static_cast<std::int8_t>(number));
  }
  const std::size_t count = book_positions(width, height, plies).size();
  if (numbers.size() != count) throw nb::value_error("there must be one score for each position");
  const nb::gil_scoped_release release;
  return Book::from_scores(book_size(width, height), plies, numbers);
}

std::optional<Book> decode(const nb::bytes& bytes) { return Book::decode({bytes.c_str(), bytes.size()}); }

nb::bytes encode(const Book& book) {
  const std::string bytes = book.encode();
  return nb::bytes(bytes.data(), bytes.size());
}

}  // namespace

void bind_solver(nb::module_& module) {
  nb::class_<Desk>(module, "SolverCore", "The search behind connect4.Solver.")
      .def(nb::init<int, int, bool, bool, bool, bool, bool>(), nb::kw_only(), "table_mib"_a, "threads"_a,
           "vector"_a = true, "evens"_a = true, "threats"_a = true, "order"_a = true, "sprint"_a = true)
      .def("solve", &Desk::solve, "position"_a, nb::kw_only(), "sign_only"_a, "nodes"_a.none(), "time_ms"_a.none(),
           "report"_a.none(),
           nb::sig("def solve(self, position: Position, *, sign_only: bool, nodes: int | None, time_ms: int | None, "
                   "report: object | None) -> tuple[int, int, int]"),
           "The lowest and the highest score the position may have, equal if it was solved, and the nodes it took.")
      .def("is_at_least", &Desk::is_at_least, "position"_a, "score"_a, nb::kw_only(), "nodes"_a.none(),
           "time_ms"_a.none(), "Whether the score is at least so much; None if a limit came first.")
      .def("stop", &Desk::stop, "End the running search; from any thread.")
      .def("clear", &Desk::clear, "Forget everything found out so far.")
      .def("is_vector", &Desk::is_vector, "width"_a, "height"_a,
           "Whether boards of this size are searched with vector instructions here.");

  nb::class_<Book>(module, "BookCore", "The positions of an opening book and their scores.")
      .def_static("positions", &positions, "width"_a, "height"_a, "plies"_a,
                  nb::sig("def positions(width: int, height: int, plies: int) -> list[Position]"),
                  "Every undecided position of that many plies, one of each mirror pair, in the order of keys.")
      .def_static(
          "from_scores", &from_scores, "width"_a, "height"_a, "plies"_a, "scores"_a,
          nb::sig("def from_scores(width: int, height: int, plies: int, scores: typing.Sequence[int]) -> BookCore"),
          "The book of all positions up to these, of whose scores the others follow.")
      .def_static("decode", &decode, "bytes"_a, nb::sig("def decode(bytes: bytes) -> BookCore | None"),
                  "The contents of a file; None if it is damaged or something else.")
      .def("encode", &encode, nb::sig("def encode(self) -> bytes"), "The contents of its file.")
      .def("find", &Book::find, "position"_a, "The score of a position; None if it is not in the book.")
      .def_prop_ro("width", [](const Book& book) { return book.size().width; })
      .def_prop_ro("height", [](const Book& book) { return book.size().height; })
      .def_prop_ro("plies", &Book::plies)
      .def("__len__", &Book::count);
}

}  // namespace outplay::bind
