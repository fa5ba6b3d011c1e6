#include "bind/prober.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <array>
#include <ctime>
#include <random>

#include "bind/arguments.hpp"

using namespace nb::literals;

namespace outplay::bind {

using checkers::Move;
using checkers::Position;
using tablebase::Material;
using tablebase::Table;
using tablebase::Value;

std::string text_of(const Material& material) {
  std::string text;
  for (const int count : {material.men, material.kings, material.other_men, material.other_kings})
    text += std::to_string(count);
  return text;
}

Material table_of(std::string_view name) {
  Material material;
  if (name.size() == 4 && std::ranges::all_of(name, [](char c) { return c >= '0' && c <= '8'; })) {
    const auto digit = [&](std::size_t at) { return static_cast<std::uint8_t>(name[at] - '0'); };
    material = {digit(0), digit(1), digit(2), digit(3)};
  }
  if (!material.is_valid() || material.table() != material)
    raise("NotationError", name, "there is no table with this name");
  return material;
}

void raise_missing(const Material& material) { raise("MissingTableError", text_of(material)); }

void check_threads(int threads) { check_range("threads", threads, 1, 256); }

namespace {

std::vector<std::shared_ptr<const Table>> tables_of(const std::vector<TableFile>& files) {
  std::vector<std::shared_ptr<const Table>> tables;
  for (const auto& file : files) tables.push_back(file.table);
  return tables;
}

// Pieces of any kind on any squares, both sides having one.
Position random_position(std::mt19937_64& random, int pieces) {
  std::array<checkers::Squares, 2> own{};
  checkers::Squares kings = 0;
  for (int index = 0; index < pieces;) {
    const auto bit = checkers::square_bit(static_cast<int>(random() % checkers::SQUARE_COUNT));
    if (((own[0] | own[1]) & bit) != 0) continue;
    const std::size_t side = index < 2 ? static_cast<std::size_t>(index) : random() % 2;
    own[side] |= bit;
    if (random() % 2 == 0 || (bit & checkers::crowning_row(static_cast<Side>(side))) != 0) kings |= bit;
    ++index;
  }
  return {own[0], own[1], kings, static_cast<Side>(random() % 2)};
}

// The value plus three times (distance + 1), where a distance is known; -1 if there is no table.
int number_of(const std::optional<tablebase::Answer>& answer) {
  return answer ? static_cast<int>(answer->value) + 3 * (answer->distance + 1) : -1;
}

}  // namespace

Prober::Prober(const std::vector<TableFile>& files, std::uint64_t cache_bytes)
    : prober_(std::make_unique<tablebase::Prober>(tables_of(files), cache_bytes)), guide_(*prober_) {}

Prober::Prober(std::unique_ptr<tablebase::Prober> prober)
    : prober_(std::move(prober)), guide_(*prober_), is_unpacked_(true) {}

std::unique_ptr<Prober> Prober::unpacked(const std::vector<TableFile>& files, int threads) {
  check_threads(threads);
  auto prober =
      run_interruptibly([&](const Stop& stop) { return tablebase::Prober::unpacked(tables_of(files), threads, stop); });
  return std::make_unique<Prober>(std::move(prober));
}

int Prober::find(const Position& position) const { return number_of(ask(position)); }

std::vector<int> Prober::find_all(const std::vector<Position>& positions) const {
  const nb::gil_scoped_release release;
  std::vector<int> numbers;
  numbers.reserve(positions.size());
  for (const auto& answer : prober_->answers(positions)) numbers.push_back(number_of(answer));
  return numbers;
}

nb::tuple Prober::probe_many(const checkers::Batch& batch, int threads,
                             const std::optional<nb::callable>& progress) const {
  constexpr std::int8_t NO_VALUE = -128;
  check_threads(threads);
  const auto positions = whole_positions(batch);
  const NewArray<std::int8_t> values({positions.size()});
  const NewArray<std::int16_t> distances({positions.size()});
  std::fill_n(values.data, positions.size(), NO_VALUE);
  std::fill_n(distances.data, positions.size(), std::int16_t{tablebase::NO_DISTANCE});
  const auto ask = [&](std::uint64_t begin, std::uint64_t end, const Stop&) {
    const auto answers = prober_->answers(std::span(positions).subspan(begin, end - begin));
    for (auto index = begin; index < end; ++index) {
      const auto& answer = answers[index - begin];
      if (!answer) continue;
      values.data[index] = static_cast<std::int8_t>(static_cast<int>(answer->value) - 1);
      distances.data[index] = static_cast<std::int16_t>(answer->distance);
    }
  };
  run_batch(threads, positions.size(), 256, progress, [] { return false; }, [&] { return ask; });
  return nb::make_tuple(values.object, distances.object);
}

// Packed blocks and distances may take a while to unpack, so others may run; a look into memory takes no time.
std::optional<tablebase::Answer> Prober::ask(const Position& position) const {
  if (is_unpacked_) return prober_->answer(position);
  const nb::gil_scoped_release release;
  return prober_->answer(position);
}

Move Prober::best(const Position& position) {
  if (const auto outcome = position.outcome()) raise("GameOverError", position, name_of(outcome->reason));
  try {
    return run_interruptibly([&](const Stop& stop) { return guide_.best(position, stop); }).value();
  } catch (const tablebase::Missing& missing) {
    raise_missing(missing.material);
  }
}

int Prober::plies_to_conversion(const Position& position) {
  const auto answer = ask(position);
  if (!answer || answer->value == Value::DRAW || position.outcome()) return -1;
  const auto placement = tablebase::Placement::of(position);
  try {
    return run_interruptibly(
               [&](const Stop& stop) { return guide_.plies_to_conversion(placement, position.side(), stop); })
        .value();
  } catch (const tablebase::Missing& missing) {
    raise_missing(missing.material);
  }
}

// How long the core itself takes: CPU seconds for the values of `count` random positions, made beforehand.
double Prober::measure(int pieces, int count, std::uint64_t seed, bool is_together) const {
  check_range("pieces", pieces, 2, tablebase::MOST_PIECES);
  check_range("count", count, 1, 100'000'000);
  const nb::gil_scoped_release release;
  std::mt19937_64 random(seed);
  std::vector<Position> positions;
  for (int made = 0; made < count; ++made) positions.push_back(random_position(random, pieces));
  const std::clock_t started = std::clock();
  std::uint64_t found = 0;
  if (is_together)
    found = prober_->values(positions).size();
  else
    for (const Position& position : positions) found += prober_->value(position).has_value() ? 1 : 0;
  const double seconds = static_cast<double>(std::clock() - started) / CLOCKS_PER_SEC;
  return found == 0 ? 0 : seconds;
}

void bind_prober(nb::module_& module) {
  nb::class_<Prober>(module, "Prober", "Tables that answer questions; safe to share between threads.")
      .def("__init__",
           checked<"files", "cache_bytes">(+[](Prober* self, const std::vector<TableFile>& files,
                                               std::uint64_t cache_bytes) { new (self) Prober(files, cache_bytes); }),
           "files"_a.none(), "cache_bytes"_a.none(),
           nb::sig("def __init__(self, files: collections.abc.Sequence[TableFile], cache_bytes: int) -> None"))
      .def_static("unpacked", checked<"files", "threads">(&Prober::unpacked), "files"_a.none(), "threads"_a.none(),
                  nb::sig("def unpacked(files: collections.abc.Sequence[TableFile], threads: int) -> Prober"),
                  "Return a prober whose tables are all unpacked in memory.")
      .def("find", checked<"position">(&Prober::find), "position"_a.none(),
           nb::sig("def find(self, position: _core.checkers.Position) -> int"),
           "Return the value (0 loss, 1 draw, 2 win) plus three times (distance + 1), where a distance is known; -1 "
           "without a table.")
      .def("find_all", checked<"positions">(&Prober::find_all), "positions"_a.none(),
           nb::sig("def find_all(self, positions: collections.abc.Sequence[_core.checkers.Position]) -> "
                   "list[int]"),
           "Return what `find` returns, for many positions: faster than one by one.")
      .def("probe_many", checked<"positions", "threads", "progress">(&Prober::probe_many), "positions"_a.none(),
           nb::kw_only(), "threads"_a.none(), "progress"_a.none(),
           nb::sig("def probe_many(self, positions: _core.checkers.Positions, *, threads: int, progress: "
                   "collections.abc.Callable[[int, int], object] | None) -> tuple[numpy.typing.NDArray[numpy.int8], "
                   "numpy.typing.NDArray[numpy.int16]]"),
           "Return the value of each position (-1 loss, 0 draw, 1 win, -128 without a table), and its distance (-1 "
           "where "
           "it is not known).")
      .def("best", checked<"position">(&Prober::best), "position"_a.none(),
           nb::sig("def best(self, position: _core.checkers.Position) -> _core.checkers.Move"),
           "Return a move that keeps the value and makes progress.")
      .def("plies_to_conversion", checked<"position">(&Prober::plies_to_conversion), "position"_a.none(),
           nb::sig("def plies_to_conversion(self, position: _core.checkers.Position) -> int"),
           "Return the plies to the next capture or man's move with best play; -1 for a draw or without a table.")
      .def(
          "measure", checked<"pieces", "count", "seed", "is_together">(&Prober::measure), "pieces"_a.none(),
          "count"_a.none(), "seed"_a.none(), "is_together"_a.none(),
          nb::sig("def measure(self, pieces: int, count: int, seed: int, is_together: bool) -> float"),
          "Return how long the core takes: CPU seconds for the values of `count` random positions, made beforehand and "
          "asked one by one or together.");
}

}  // namespace outplay::bind
