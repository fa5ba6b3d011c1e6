#include <nanobind/stl/optional.h>
#include <nanobind/stl/vector.h>

#include <cstring>
#include <exception>
#include <mutex>

#include "bind/arguments.hpp"
#include "bind/batch_checkers.hpp"
#include "bind/busy.hpp"
#include "bind/prober.hpp"
#include "bind/support.hpp"
#include "checkers/notation.hpp"
#include "engine/fit_network.hpp"
#include "engine/searcher.hpp"
#include "engine/selfplay.hpp"

using namespace nb::literals;

namespace outplay::bind {
namespace {

using checkers::Move;
using checkers::Position;
using engine::Findings;
using engine::Weights;

constexpr int MOST_THREADS = 256, MOST_TABLE_MIB = 1 << 16, MOST_LINES = 100;
constexpr int MOST_UNPACKED_PIECES = 6;  // six take 1.2 GiB
constexpr long long MOST_MS = 1LL << 40, MOST_NODES = 1LL << 62;

using SharedWeights = std::shared_ptr<const Weights>;

// Weights as Python holds them: shared with every searcher that uses them.
struct PyWeights {
  SharedWeights shared;
};

PyWeights weights_from(const nb::bytes& bytes) {
  std::string problem;
  auto weights = Weights::read({bytes.c_str(), bytes.size()}, problem);
  if (!weights) raise("NotationError", "weights", problem);
  return {std::make_shared<const Weights>(std::move(*weights))};
}

nb::bytes bytes_of(const PyWeights& weights) {
  const auto text = weights.shared->write();
  return nb::bytes(text.data(), text.size());
}

SharedWeights chosen(const std::optional<PyWeights>& weights) {
  if (weights) return weights->shared;
  return nb::cast<PyWeights>(ours("outplay.checkers", "default_weights")()).shared;
}

// Endgame tables as Python holds them: shared with every searcher that asks them.
struct PyEndgames {
  std::shared_ptr<const engine::Endgames> shared;
};

PyEndgames endgames_of(const std::vector<TableFile>& files, long long cache_mib, int unpacked_pieces) {
  check_range("cache_mib", cache_mib, 0, MOST_TABLE_MIB);
  check_range("unpacked_pieces", unpacked_pieces, 0, MOST_UNPACKED_PIECES);
  std::vector<std::shared_ptr<const tablebase::Table>> tables;
  for (const auto& file : files) tables.push_back(file.table);
  return {run_interruptibly([&](const Stop& stop) {
    const auto cache_bytes = static_cast<std::uint64_t>(cache_mib) << 20;
    return std::make_shared<const engine::Endgames>(tables, cache_bytes, unpacked_pieces, stop);
  })};
}

engine::Techniques techniques_without(const std::vector<std::string>& names) {
  engine::Techniques techniques;
  for (const auto& name : names) {
    bool is_known = false;
    for (const auto& technique : engine::TECHNIQUE_NAMES) {
      if (technique.name != name) continue;
      techniques.*technique.flag = false;
      is_known = true;
    }
    if (!is_known) throw nb::value_error(("there is no technique " + name + " to switch off").c_str());
  }
  return techniques;
}

nb::tuple technique_names() {
  nb::list names;
  for (const auto& technique : engine::TECHNIQUE_NAMES) names.append(std::string(technique.name));
  return nb::tuple(names);
}

// One line of an answer, in the words of Python.
struct PyLine {
  Move move;
  int score, depth;
  std::vector<Move> moves;

  std::optional<int> plies() const {
    if (!engine::is_counted(score)) return std::nullopt;
    return engine::WIN - std::abs(score);
  }
};

struct PyFindings {
  std::vector<PyLine> lines;
  int depth;
  std::uint64_t nodes;
  double seconds;
};

PyFindings to_python(const Position& position, const Findings& findings) {
  PyFindings result{{}, findings.depth, findings.nodes, findings.seconds};
  for (const auto& line : findings.lines) {
    auto moves = engine::moves_of(position.play(line.move), line.rest);
    moves.insert(moves.begin(), line.move);
    result.lines.push_back({line.move, line.score == -engine::INFINITE ? 0 : line.score, line.depth, std::move(moves)});
  }
  return result;
}

nb::tuple to_tuple(const std::vector<Move>& moves) {
  nb::list list;
  for (const auto& move : moves) list.append(move);
  return nb::tuple(list);
}

template <class Number>
std::optional<Number> in_range(const char* what, std::optional<long long> value, long long least, long long most) {
  if (!value) return std::nullopt;
  check_range(what, *value, least, most);
  return static_cast<Number>(*value);
}

class PySearcher {
 public:
  PySearcher(SharedWeights weights, const engine::SearcherOptions& options)
      : shared_weights_(weights), searcher_(std::move(weights), options) {}

  PyFindings analyse(const Position& position, const std::vector<Position>& history, const engine::Limits& limits,
                     const std::optional<nb::callable>& report) {
    const Busy busy(is_busy_, "this searcher is searching already");
    Stop stop;
    const Current current(*this, stop);
    std::exception_ptr failure;
    const auto tell = [&](const Findings& findings) {
      const nb::gil_scoped_acquire acquire;
      try {
        (*report)(nb::cast(to_python(position, findings)));
      } catch (...) {
        failure = std::current_exception();
        stop.request();
      }
    };
    const auto findings = run_interruptibly(stop, [&](const Stop& flag) {
      return searcher_.analyse(position, history, limits, flag, report ? engine::Report(tell) : nullptr);
    });
    if (failure) std::rethrow_exception(failure);
    return to_python(position, findings);
  }

  // Every position apart, with an empty hash table of its own, so that the answers do not depend on the others.
  void analyse_many(const std::vector<Position>& positions, const engine::Limits& limits, int threads,
                    const std::optional<nb::callable>& progress, const auto& answer) {
    const Busy busy(is_busy_, "this searcher is searching already");
    Stop asked;
    const Current current(*this, asked);
    engine::SearcherOptions options = searcher_.options();
    options.threads = 1;
    options.table_mib = std::min(options.table_mib, mebibytes_for(limits.nodes));
    run_batch(
        threads, positions.size(), 1, progress, [&] { return asked.requested(); },
        [&] {
          auto searcher = std::make_shared<engine::Searcher>(shared_weights_, options);
          return [&, searcher](std::uint64_t begin, std::uint64_t end, const Stop& stop) {
            for (auto index = begin; index < end; ++index) {
              if (positions[index].outcome()) continue;
              searcher->clear();
              const auto findings = searcher->analyse(positions[index], {}, limits, stop, nullptr);
              if (!stop.requested()) answer(index, findings);
            }
          };
        });
  }

  void stop() {
    const std::lock_guard lock(mutex_);
    if (current_ != nullptr) current_->request();
  }

  void clear() {
    const Busy busy(is_busy_, "this searcher is searching already");
    searcher_.clear();
  }

  int evaluate(const Position& position, bool vector) const {
    const auto* const network = searcher_.weights().network();
    if (vector || network == nullptr) return searcher_.evaluate(position);
    const auto pieces = checkers::Pieces::of(position);
    return network->evaluate_plainly(position.side() == Side::FIRST ? engine::ActiveInputs::of<Side::FIRST>(pieces)
                                                                    : engine::ActiveInputs::of<Side::SECOND>(pieces));
  }

  const engine::SearcherOptions& options() const { return searcher_.options(); }

 private:
  // The flag of the search under way, for stop() from another thread.
  struct Current {
    Current(PySearcher& searcher, Stop& stop) : owner(searcher) { set(&stop); }
    ~Current() { set(nullptr); }
    void set(Stop* stop) {
      const std::lock_guard lock(owner.mutex_);
      owner.current_ = stop;
    }
    PySearcher& owner;
  };

  // A table that a search of this many nodes fills: a larger one would only take time to clear.
  static int mebibytes_for(std::optional<std::uint64_t> nodes) {
    constexpr std::uint64_t NODES_A_MIB = 1 << 16;
    return nodes ? static_cast<int>(std::min<std::uint64_t>(*nodes / NODES_A_MIB + 1, MOST_TABLE_MIB)) : MOST_TABLE_MIB;
  }

  SharedWeights shared_weights_;
  engine::Searcher searcher_;
  bool is_busy_ = false;
  std::mutex mutex_;
  Stop* current_ = nullptr;
};

PyFindings analyse(PySearcher& searcher, const Position& position, std::optional<long long> depth,
                   std::optional<long long> nodes, std::optional<long long> time_ms, std::optional<long long> clock_ms,
                   long long increment_ms, long long lines, const std::vector<Position>& history,
                   const std::optional<nb::callable>& report) {
  if (const auto outcome = position.outcome()) raise("GameOverError", position, name_of(outcome->reason));
  engine::Limits limits;
  limits.depth = in_range<int>("depth", depth, 1, engine::MOST_DEPTH).value_or(engine::MOST_DEPTH);
  limits.nodes = in_range<std::uint64_t>("nodes", nodes, 1, MOST_NODES);
  limits.time_ms = in_range<std::int64_t>("time_ms", time_ms, 1, MOST_MS);
  limits.clock_ms = in_range<std::int64_t>("clock_ms", clock_ms, 0, MOST_MS);
  check_range("increment_ms", increment_ms, 0, MOST_MS);
  check_range("lines", lines, 1, MOST_LINES);
  limits.increment_ms = increment_ms;
  limits.lines = static_cast<int>(lines);
  return searcher.analyse(position, history, limits, report);
}

nb::tuple analyse_many(PySearcher& searcher, const checkers::Batch& batch, std::optional<long long> nodes,
                       std::optional<long long> depth, int threads, const std::optional<nb::callable>& progress) {
  if (!nodes && !depth) throw nb::value_error("give nodes or depth: a search of many positions needs a limit");
  check_range("threads", threads, 1, MOST_THREADS);
  engine::Limits limits;
  limits.depth = in_range<int>("depth", depth, 1, engine::MOST_DEPTH).value_or(engine::MOST_DEPTH);
  limits.nodes = in_range<std::uint64_t>("nodes", nodes, 1, MOST_NODES);
  const auto positions = whole_positions(batch);
  const NewArray<std::int16_t> scores({positions.size()}), actions({positions.size()});
  const NewArray<std::int8_t> depths({positions.size()});
  std::fill_n(scores.data, positions.size(), std::int16_t{engine::NO_EVALUATION});
  std::fill_n(actions.data, positions.size(), std::int16_t{-1});
  std::fill_n(depths.data, positions.size(), std::int8_t{0});
  searcher.analyse_many(positions, limits, threads, progress, [&](std::size_t index, const Findings& findings) {
    const auto& best = findings.lines.front();
    scores.data[index] = static_cast<std::int16_t>(best.score == -engine::INFINITE ? 0 : best.score);
    actions.data[index] = static_cast<std::int16_t>(checkers::actions_of(positions[index], best.move).front());
    depths.data[index] = static_cast<std::int8_t>(findings.depth);
  });
  return nb::make_tuple(scores.object, actions.object, depths.object);
}

nb::bytes self_play(const std::optional<PyWeights>& weights, int games, long long nodes, std::uint64_t seed,
                    const std::optional<PyEndgames>& endgames, const std::vector<Position>& starts) {
  check_range("games", games, 1, 1'000'000);
  check_range("nodes", nodes, 1, MOST_NODES);
  const engine::SelfPlayOptions options{games, static_cast<std::uint64_t>(nodes), seed,
                                        endgames ? endgames->shared : nullptr, starts};
  const auto samples = run_interruptibly(
      [&, shared = chosen(weights)](const Stop& stop) { return engine::self_play(shared, options, stop); });
  return nb::bytes(reinterpret_cast<const char*>(samples.data()), samples.size() * sizeof(engine::Sample));
}

nb::bytes known_endings(const PyEndgames& endgames, int count, std::uint64_t seed) {
  check_range("count", count, 1, 100'000'000);
  const auto samples =
      run_interruptibly([&](const Stop& stop) { return engine::known_endings(*endgames.shared, count, seed, stop); });
  return nb::bytes(reinterpret_cast<const char*>(samples.data()), samples.size() * sizeof(engine::Sample));
}

// Samples as they stand in a file; refuses impossible ones.
std::vector<engine::Sample> samples_of(const std::vector<nb::bytes>& files) {
  std::vector<engine::Sample> samples;
  for (const auto& bytes : files) {
    if (bytes.size() % sizeof(engine::Sample) != 0) raise("NotationError", "samples", "a sample has sixteen bytes");
    const auto before = samples.size();
    samples.resize(before + bytes.size() / sizeof(engine::Sample));
    std::memcpy(samples.data() + before, bytes.c_str(), bytes.size());
  }
  for (const auto& sample : samples)
    if ((sample.black & sample.white) != 0 || (sample.kings & ~(sample.black | sample.white)) != 0 || sample.side > 1 ||
        sample.result > 2 || count_bits(sample.black) > checkers::MOST_PIECES ||
        count_bits(sample.white) > checkers::MOST_PIECES)
      raise("NotationError", "samples", "one of them is not a position");
  return samples;
}

// Runs learn(samples, stop, report), which is one of the ways to learn.
template <class Learn>
PyWeights learned(const std::vector<nb::bytes>& files, const std::optional<nb::callable>& report, Learn&& learn) {
  const auto samples = samples_of(files);
  if (samples.size() < engine::LEAST_SAMPLES)
    throw nb::value_error(("there must be at least " + std::to_string(engine::LEAST_SAMPLES) + " samples").c_str());
  Stop stop;
  std::exception_ptr failure;
  const auto tell = [&](const engine::FitEpoch& epoch) {
    const nb::gil_scoped_acquire acquire;
    try {
      (*report)(epoch.number, epoch.loss, epoch.held_out_loss);
    } catch (...) {
      failure = std::current_exception();
      stop.request();
    }
  };
  auto weights = run_interruptibly(
      stop, [&](const Stop& flag) { return learn(samples, flag, report ? engine::FitReport(tell) : nullptr); });
  if (failure) std::rethrow_exception(failure);
  return {std::make_shared<const Weights>(std::move(weights).value())};
}

PyWeights fit(const std::vector<nb::bytes>& files, int epochs, double rate, double prior, double result_share,
              double scale, std::uint64_t seed, const std::optional<nb::callable>& report) {
  check_range("epochs", epochs, 1, 10'000);
  if (!(rate > 0 && prior > 0 && scale > 0)) throw nb::value_error("rate, prior and scale must be positive");
  if (!(result_share >= 0 && result_share <= 1)) throw nb::value_error("result_share must be from 0 to 1");
  engine::FitOptions options;
  options.epochs = epochs;
  options.rate = rate;
  options.prior = prior;
  options.result_share = result_share;
  options.scale = scale;
  options.seed = seed;
  return learned(files, report, [&](const auto& samples, const Stop& stop, const auto& tell) {
    return engine::fit(samples, options, stop, tell);
  });
}

PyWeights fit_network(const std::vector<nb::bytes>& files, int epochs, double rate, double result_share,
                      std::uint64_t seed, const std::optional<nb::callable>& report) {
  check_range("epochs", epochs, 1, 10'000);
  if (!(rate > 0 && rate < 1)) throw nb::value_error("rate must be between 0 and 1");
  if (!(result_share >= 0 && result_share <= 1)) throw nb::value_error("result_share must be from 0 to 1");
  engine::NetworkFitOptions options;
  options.epochs = epochs;
  options.rate = rate;
  options.result_share = result_share;
  options.seed = seed;
  return learned(files, report, [&](const auto& samples, const Stop& stop, const auto& tell) {
    return engine::fit_network(samples, options, stop, tell);
  });
}

void bind_weights(nb::module_& module) {
  nb::class_<PyWeights>(module, "Weights", "The numbers of the evaluation: learned, or plain ones to begin with.")
      .def_static("from_bytes", checked<"data">(&weights_from), "data"_a.none(),
                  nb::sig("def from_bytes(data: bytes) -> Weights"),
                  "Read what `to_bytes` wrote; NotationError if it is anything else.")
      .def_static(
          "plain", [] { return PyWeights{std::make_shared<const Weights>(Weights::plain())}; },
          "Return the weights before anything is learned: a man is worth 100, a king 140, a row of advance 2.")
      .def("to_bytes", &bytes_of, "Return the weights as a file holds them.")
      .def(
          "__eq__", [](const PyWeights& a, const PyWeights& b) { return *a.shared == *b.shared; }, nb::is_operator(),
          nb::sig("def __eq__(self, other: object, /) -> bool"))
      .def("__getstate__", &bytes_of)
      .def("__setstate__", [](PyWeights& self, const nb::bytes& data) { new (&self) PyWeights(weights_from(data)); });
}

void bind_endgames(nb::module_& module) {
  nb::class_<PyEndgames>(module, "Endgames", "Endgame tables for searchers; several searchers may share them.")
      .def("__init__",
           checked<"files", "cache_mib", "unpacked_pieces">(
               +[](PyEndgames* self, const std::vector<TableFile>& files, long long cache_mib, int unpacked_pieces) {
                 new (self) PyEndgames(endgames_of(files, cache_mib, unpacked_pieces));
               }),
           "files"_a.none(), nb::kw_only(), "cache_mib"_a.none() = 64,
           "unpacked_pieces"_a.none() = engine::Endgames::QUICK_PIECES,
           nb::sig("def __init__(self, files: collections.abc.Sequence[typing.Any], *, cache_mib: int = 64, "
                   "unpacked_pieces: int = 4) -> None"),
           "`files` are TableFile objects of outplay.tablebase. Tables of up to `unpacked_pieces` are unpacked in "
           "memory "
           "(1.2 GiB for six); of larger ones, `cache_mib` of blocks are kept unpacked.")
      .def_prop_ro("most_pieces", [](const PyEndgames& endgames) { return endgames.shared->most_pieces(); });
}

void bind_findings(nb::module_& module) {
  nb::class_<PyLine>(module, "SearchLine", "A move, its score, and the moves that the search expects next.")
      .def_ro("move", &PyLine::move)
      .def_ro("score", &PyLine::score,
              "The score in hundredths of a man, seen from the side to move; beyond 9999 it is certain.")
      .def_ro("depth", &PyLine::depth, "The depth of the iteration that found it, in plies.")
      .def_prop_ro("plies", &PyLine::plies,
                   "The number of plies to the end, where the search has counted them; otherwise None.")
      .def_prop_ro(
          "moves", [](const PyLine& line) { return to_tuple(line.moves); },
          nb::for_getter(nb::sig("def moves(self) -> tuple[Move, ...]")),
          "The move itself, and what is expected next.");
  nb::class_<PyFindings>(module, "Findings", "The result of a search: lines from best to worst, and its cost.")
      .def_prop_ro(
          "lines",
          [](const PyFindings& findings) {
            nb::list list;
            for (const auto& line : findings.lines) list.append(line);
            return nb::tuple(list);
          },
          nb::for_getter(nb::sig("def lines(self) -> tuple[SearchLine, ...]")))
      .def_ro("depth", &PyFindings::depth, "The depth of the last finished iteration, in plies.")
      .def_ro("nodes", &PyFindings::nodes, "Positions that were looked at, by all threads.")
      .def_ro("seconds", &PyFindings::seconds);
}

void bind_searcher(nb::module_& module) {
  nb::class_<PySearcher>(
      module, "Searcher",
      "The checkers engine: iterative deepening, principal variation search, a learned evaluation.\n\n"
      "It keeps what it found from question to question, until clear().")
      .def("__init__",
           checked<"threads", "table_mib", "weights", "endgames", "without">(
               +[](PySearcher* self, int threads, int table_mib, const std::optional<PyWeights>& weights,
                   const std::optional<PyEndgames>& endgames, const std::vector<std::string>& without) {
                 check_range("threads", threads, 1, MOST_THREADS);
                 check_range("table_mib", table_mib, 1, MOST_TABLE_MIB);
                 new (self) PySearcher(chosen(weights), {threads, table_mib, techniques_without(without),
                                                         endgames ? endgames->shared : nullptr});
               }),
           nb::kw_only(), "threads"_a.none() = 1, "table_mib"_a.none() = 64, "weights"_a.none() = nb::none(),
           "endgames"_a.none() = nb::none(), "without"_a.none() = std::vector<std::string>(),
           nb::sig("def __init__(self, *, threads: int = 1, table_mib: int = 64, weights: Weights | None = None, "
                   "endgames: Endgames | None = None, without: collections.abc.Sequence[str] = ()) -> None"),
           "`without` switches parts of the search off: see techniques().")
      .def("analyse",
           checked<"position", "depth", "nodes", "time_ms", "clock_ms", "increment_ms", "lines", "history", "report">(
               &analyse),
           "position"_a.none(), nb::kw_only(), "depth"_a.none() = nb::none(), "nodes"_a.none() = nb::none(),
           "time_ms"_a.none() = nb::none(), "clock_ms"_a.none() = nb::none(), "increment_ms"_a.none() = 0,
           "lines"_a.none() = 1, "history"_a.none() = std::vector<Position>(), "report"_a.none() = nb::none(),
           nb::sig("def analyse(self, position: Position, *, depth: int | None = None, nodes: int | None = None, "
                   "time_ms: int | None = None, clock_ms: int | None = None, increment_ms: int = 0, lines: int = 1, "
                   "history: collections.abc.Sequence[Position] = (), "
                   "report: collections.abc.Callable[[Findings], object] | None = None) -> Findings"),
           "Search until the first of the limits, or until stop(). `history` holds the positions before this one, "
           "oldest first; `report` is called after every iteration. GameOverError if there is no move.")
      .def(
          "analyse_many", checked<"positions", "nodes", "depth", "threads", "progress">(&analyse_many),
          "positions"_a.none(), nb::kw_only(), "nodes"_a.none() = nb::none(), "depth"_a.none() = nb::none(),
          "threads"_a.none() = 1, "progress"_a.none() = nb::none(),
          nb::sig("def analyse_many(self, positions: Positions, *, nodes: int | None = None, depth: int | None = None, "
                  "threads: int = 1, progress: collections.abc.Callable[[int, int], object] | None = None) -> "
                  "tuple[numpy.typing.NDArray[numpy.int16], numpy.typing.NDArray[numpy.int16], "
                  "numpy.typing.NDArray[numpy.int8]]"),
          "Search each position until it has this number of nodes or this depth. Return the scores, as in SearchLine; "
          "the first action of each best move, as actions_of counts them; and the depths.\n\nEach position is searched "
          "by one thread with an empty hash table, so the answers are the same with any number of threads. Where the "
          "game is over or stop() ended the call first, they are -32768, -1 and 0. `progress` is called several times "
          "a "
          "second "
          "with the number of positions that are done and the number of all positions.")
      .def("stop", &PySearcher::stop, "End the running search; it answers with what it has.")
      .def("clear", &PySearcher::clear, "Forget what was found in earlier searches.")
      .def("evaluate", checked<"position", "vector">(&PySearcher::evaluate), "position"_a.none(), nb::kw_only(),
           "vector"_a.none() = true, nb::sig("def evaluate(self, position: Position, *, vector: bool = True) -> int"),
           "Return what the position is worth without any search, in hundredths of a man, seen from the side to move. "
           "`vector=False` computes the same without vector instructions.")
      .def_prop_ro("threads", [](const PySearcher& searcher) { return searcher.options().threads; })
      .def_prop_ro("table_mib", [](const PySearcher& searcher) { return searcher.options().table_mib; });
}

}  // namespace

void bind_engine(nb::module_& module) {
  bind_weights(module);
  bind_endgames(module);
  bind_findings(module);
  bind_searcher(module);
  module.def("techniques", &technique_names, nb::sig("def techniques() -> tuple[str, ...]"),
             "Return the names of the parts of the search that can be switched off.");
  module.def(
      "self_play", checked<"weights", "games", "nodes", "seed", "endgames", "starts">(&self_play), "weights"_a.none(),
      nb::kw_only(), "games"_a.none(), "nodes"_a.none(), "seed"_a.none(), "endgames"_a.none() = nb::none(),
      "starts"_a.none() = std::vector<Position>(),
      nb::sig("def self_play(weights: Weights | None, *, games: int, nodes: int, seed: int, "
              "endgames: Endgames | None = None, starts: collections.abc.Sequence[Position] = ()) -> bytes"),
      "Return the quiet positions of games that the engine plays against itself, sixteen bytes each: Black's "
      "pieces, White's, kings, the search's score, the side to move, the game's result for it. The endgame "
      "tables decide a game as soon as they know its outcome; a position that they know has its exact result, and "
      "-32768 for a score. Two of three games begin from one of `starts`, if there are any.");
  module.def(
      "known_endings", checked<"endgames", "count", "seed">(&known_endings), "endgames"_a.none(), nb::kw_only(),
      "count"_a.none(), "seed"_a.none(),
      nb::sig("def known_endings(endgames: Endgames, *, count: int, seed: int) -> bytes"),
      "Return quiet endings at random with the result that the tables know, as `self_play` returns samples. They "
      "have five pieces or more, and no side is more than one piece ahead. The result is empty if there are only small "
      "tables.");
  module.def(
      "fit", checked<"samples", "epochs", "rate", "prior", "result_share", "scale", "seed", "report">(&fit),
      "samples"_a.none(), nb::kw_only(), "epochs"_a.none() = 12, "rate"_a.none() = 0.1, "prior"_a.none() = 0.3,
      "result_share"_a.none() = 0.3, "scale"_a.none() = 100.0, "seed"_a.none() = 1, "report"_a.none() = nb::none(),
      nb::sig("def fit(samples: collections.abc.Sequence[bytes], *, epochs: int = 12, rate: float = 0.1, "
              "prior: float = 0.3, result_share: float = 0.3, scale: float = 100.0, seed: int = 1, "
              "report: collections.abc.Callable[[int, float, float], object] | None = None) -> Weights"),
      "Return the weights that predict the samples best. `report` is called with the epoch, the loss, and the loss "
      "on the samples held out.");
  module.def(
      "fit_network", checked<"samples", "epochs", "rate", "result_share", "seed", "report">(&fit_network),
      "samples"_a.none(), nb::kw_only(), "epochs"_a.none() = 12, "rate"_a.none() = 0.001, "result_share"_a.none() = 0.5,
      "seed"_a.none() = 1, "report"_a.none() = nb::none(),
      nb::sig("def fit_network(samples: collections.abc.Sequence[bytes], *, epochs: int = 12, rate: float = 0.001, "
              "result_share: float = 0.5, seed: int = 1, "
              "report: collections.abc.Callable[[int, float, float], object] | None = None) -> Weights"),
      "Return a network that predicts the samples. A position counts once; one game in twenty is held out. `report` is "
      "called with the epoch, the loss, and the loss on the samples held out.");
}

}  // namespace outplay::bind
