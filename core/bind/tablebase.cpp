#include <nanobind/stl/string_view.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cerrno>
#include <exception>
#include <memory>

#include "bind/support.hpp"
#include "bind/table_file.hpp"
#include "checkers/notation.hpp"
#include "tablebase/build.hpp"
#include "tablebase/guide.hpp"
#include "tablebase/needs.hpp"
#include "tablebase/probe.hpp"
#include "tablebase/table.hpp"
#include "tablebase/unpack.hpp"
#include "tablebase/verify.hpp"

using namespace nb::literals;

namespace outplay::bind {
namespace {

using checkers::Position;
using tablebase::Material;
using tablebase::Table;
using tablebase::Unpacked;
using tablebase::Value;

constexpr int MOST_THREADS = 256;

// What Python holds, besides TableFile: a whole table, shared.
struct UnpackedTable {
  std::shared_ptr<const Unpacked> table;
};

// --- materials as text ---

std::string text_of(const Material& material) {
  std::string text;
  for (const int count : {material.men, material.kings, material.other_men, material.other_kings})
    text += static_cast<char>('0' + count);
  return text;
}

Material table_of(std::string_view name) {
  Material material;
  if (name.size() == 4 && std::ranges::all_of(name, [](char c) { return c >= '0' && c <= '8'; })) {
    const auto digit = [&](std::size_t at) { return static_cast<std::uint8_t>(name[at] - '0'); };
    material = {digit(0), digit(1), digit(2), digit(3)};
  }
  if (!material.is_valid() || material.table() != material) raise("NotationError", name, "no table is called so");
  return material;
}

nb::list names_of(const std::vector<Material>& materials) {
  nb::list names;
  for (const Material& material : materials) names.append(text_of(material));
  return names;
}

// --- long calls ---

// Runs compute(stop) without the interpreter lock. `stopped` (threading.Event) and Ctrl-C end it, `report` is told the
// share that is done.
template <class Compute>
auto run_reporting(const tablebase::Progress& progress, nb::handle stopped, nb::handle report, Compute&& compute) {
  Stop stop;
  auto future = [&] {
    const nb::gil_scoped_release release;
    return std::async(std::launch::async, [&] { return compute(std::as_const(stop)); });
  }();
  const auto wait = [&](int milliseconds) {
    const nb::gil_scoped_release release;
    return future.wait_for(std::chrono::milliseconds(milliseconds)) == std::future_status::ready;
  };
  std::exception_ptr failure;
  for (int turn = 1; !wait(stop.requested() ? 1000 : 20); ++turn) {
    if (stop.requested()) continue;
    try {
      if (PyErr_CheckSignals() != 0) throw nb::python_error();
      if (!stopped.is_none() && nb::cast<bool>(stopped.attr("is_set")())) stop.request();
      const std::uint64_t all = progress.all;
      if (!report.is_none() && turn % 10 == 0 && all != 0)
        report(static_cast<double>(progress.done) / static_cast<double>(all));
    } catch (...) {
      failure = std::current_exception();
      stop.request();
    }
  }
  if (failure) std::rethrow_exception(failure);
  return future.get();
}

void check_threads(int threads) { check_range("threads", threads, 1, MOST_THREADS); }

[[noreturn]] void raise_missing(const Material& material) { raise("MissingTableError", text_of(material)); }

tablebase::UnpackedSet set_of(const std::vector<UnpackedTable>& tables) {
  tablebase::UnpackedSet set;
  for (const auto& table : tables) set.add(table.table);
  return set;
}

// Every need must be there, with distances if those are wanted.
void check_needs(const std::vector<Material>& needs, const tablebase::UnpackedSet& tables, bool with_distances) {
  for (const Material& need : needs) {
    const auto found = tables.find(need);
    if (!found || (with_distances && !found->has_distances())) raise_missing(need);
  }
}

nb::object stopped_error(const Material& material) {
  raise("JobError", text_of(material), "it was stopped");
  return nb::none();
}

// --- files ---

TableFile open_table(const std::string& path) {
  auto opened = [&] {
    const nb::gil_scoped_release release;
    return Table::open(path);
  }();
  const auto as_path = [&] { return nb::module_::import_("pathlib").attr("Path")(path); };
  if (const auto* damage = std::get_if<tablebase::Damage>(&opened)) raise("CorruptTableError", as_path(), damage->reason);
  if (const auto* unopened = std::get_if<tablebase::Unopened>(&opened)) {
    errno = unopened->error_number;
    PyErr_SetFromErrnoWithFilename(PyExc_OSError, path.c_str());
    throw nb::python_error();
  }
  return {std::make_shared<const Table>(std::move(std::get<Table>(opened)))};
}

// Wins, draws and losses, for each side to move that the file holds.
nb::tuple counts_of(const TableFile& file) {
  nb::list rows;
  for (int side = 0; side < file.table->sides(); ++side) {
    const auto& counts = file.table->counts(static_cast<Side>(side));
    rows.append(nb::make_tuple(counts[Value::WIN], counts[Value::DRAW], counts[Value::LOSS]));
  }
  return nb::tuple(rows);
}

std::string checksum_of(const TableFile& file) {
  constexpr const char* DIGITS = "0123456789abcdef";
  std::string text(16, '0');
  for (std::size_t at = 0; at < text.size(); ++at) text[15 - at] = DIGITS[file.table->checksum() >> 4 * at & 0xF];
  return text;
}

// --- building ---

UnpackedTable unpack(const TableFile& file, const std::vector<UnpackedTable>& tables, bool distances, int threads,
                     nb::handle stopped) {
  check_threads(threads);
  const Material& material = file.table->material();
  const auto set = set_of(tables);
  if (distances && !file.table->has_distances()) raise_missing(material);
  check_needs(tablebase::needs_of_captures(material), set, distances);
  const tablebase::Progress progress;
  auto unpacked = run_reporting(progress, stopped, nb::none(), [&](const Stop& stop) {
    return tablebase::unpack(*file.table, set, distances, threads, stop);
  });
  if (!unpacked) stopped_error(material);
  return {std::move(unpacked)};
}

nb::tuple build(std::string_view name, const std::vector<UnpackedTable>& tables, bool distances, int threads,
                nb::handle stopped, nb::handle report) {
  check_threads(threads);
  const Material material = table_of(name);
  const auto set = set_of(tables);
  check_needs(tablebase::needs_of(material), set, distances);
  tablebase::Progress progress;
  std::shared_ptr<const Unpacked> table;
  const auto bytes = run_reporting(progress, stopped, report, [&](const Stop& stop) {
    const auto built = tablebase::build(material, set, distances, threads, stop, progress);
    if (!built) return std::optional<std::vector<std::uint8_t>>();
    table = built->table;
    return tablebase::write_table(*built, threads, stop);
  });
  if (!bytes) stopped_error(material);
  return nb::make_tuple(nb::bytes(bytes->data(), bytes->size()), UnpackedTable{table});
}

// The wins, draws and losses by side to move, or the flaw as text.
nb::object verify(std::string_view name, const std::vector<UnpackedTable>& tables, int threads, nb::handle stopped,
                  nb::handle report) {
  check_threads(threads);
  const Material material = table_of(name);
  const auto set = set_of(tables);
  const auto table = set.find(material);
  if (!table) raise_missing(material);
  check_needs(tablebase::needs_of(material), set, table->has_distances());
  tablebase::Progress progress;
  const auto found = run_reporting(progress, stopped, report, [&](const Stop& stop) {
    return tablebase::verify(material, set, threads, stop, progress);
  });
  if (!found) stopped_error(material);
  if (const auto* flaw = std::get_if<tablebase::Flaw>(&*found)) {
    const auto& at = flaw->placement;
    const Position position(at.own(Side::FIRST), at.own(Side::SECOND), at.kings[0] | at.kings[1], flaw->side);
    return nb::cast(checkers::fen(position) + ": " + flaw->reason);
  }
  nb::list rows;
  for (const auto& counts : std::get<0>(*found))
    rows.append(nb::make_tuple(counts[Value::WIN], counts[Value::DRAW], counts[Value::LOSS]));
  return nb::tuple(rows);
}

// --- asking ---

class Prober {
 public:
  Prober(const std::vector<TableFile>& files, std::uint64_t cache_bytes)
      : prober_(std::make_unique<tablebase::Prober>(tables_of(files), cache_bytes)), guide_(*prober_) {}
  explicit Prober(std::unique_ptr<tablebase::Prober> prober)
      : prober_(std::move(prober)), guide_(*prober_), is_unpacked_(true) {}

  static std::unique_ptr<Prober> unpacked(const std::vector<TableFile>& files, int threads) {
    check_threads(threads);
    auto prober = run_interruptibly(
        [&](const Stop& stop) { return tablebase::Prober::unpacked(tables_of(files), threads, stop); });
    return std::make_unique<Prober>(std::move(prober));
  }

  // The value plus three times (distance + 1), where a distance is known; -1 if there is no table.
  int find(const Position& position) const {
    const auto answer = ask(position);
    return answer ? static_cast<int>(answer->value) + 3 * (answer->distance + 1) : -1;
  }

  checkers::Move best(const Position& position) {
    if (const auto outcome = position.outcome()) raise("GameOverError", position, name_of(outcome->reason));
    try {
      return run_interruptibly([&](const Stop& stop) { return guide_.best(position, stop); }).value();
    } catch (const tablebase::Missing& missing) {
      raise_missing(missing.material);
    }
  }

  int plies_to_conversion(const Position& position) {
    const auto answer = ask(position);
    if (!answer || answer->value == Value::DRAW || position.outcome()) return -1;
    const auto placement = tablebase::Placement::of(position);
    try {
      return run_interruptibly([&](const Stop& stop) {
               return guide_.plies_to_conversion(placement, position.side(), stop);
             })
          .value();
    } catch (const tablebase::Missing& missing) {
      raise_missing(missing.material);
    }
  }

 private:
  static std::vector<std::shared_ptr<const Table>> tables_of(const std::vector<TableFile>& files) {
    std::vector<std::shared_ptr<const Table>> tables;
    for (const auto& file : files) tables.push_back(file.table);
    return tables;
  }

  // Packed blocks and distances may take a while to unpack, so others may run; a look into memory takes no time.
  std::optional<tablebase::Answer> ask(const Position& position) const {
    if (is_unpacked_) return prober_->answer(position);
    const nb::gil_scoped_release release;
    return prober_->answer(position);
  }

  std::unique_ptr<tablebase::Prober> prober_;
  tablebase::Guide guide_;
  bool is_unpacked_ = false;
};

}  // namespace

void bind_tablebase(nb::module_& module) {
  nb::class_<TableFile>(module, "TableFile", "A table file, mapped into memory and checked.")
      .def(
          "__init__", [](TableFile* self, const std::string& path) { new (self) TableFile(open_table(path)); },
          "path"_a, "Map and check a file; CorruptTableError or OSError if that cannot be.")
      .def_prop_ro("name", [](const TableFile& file) { return text_of(file.table->material()); })
      .def_prop_ro("bytes", [](const TableFile& file) { return file.table->bytes(); })
      .def_prop_ro("checksum", &checksum_of, "Sixteen hexadecimal digits.")
      .def_prop_ro("has_distances", [](const TableFile& file) { return file.table->has_distances(); })
      .def_prop_ro("counts", &counts_of, nb::for_getter(nb::sig("def counts(self) -> tuple[tuple[int, int, int], ...]")),
                   "Wins, draws and losses of the side to move: the name's material, then its other, if that differs.");
  nb::class_<UnpackedTable>(module, "UnpackedTable", "A table spread out in memory, captures resolved.")
      .def_prop_ro("name", [](const UnpackedTable& table) { return text_of(table.table->index.material()); })
      .def_prop_ro("bytes", [](const UnpackedTable& table) { return table.table->bytes(); })
      .def_prop_ro("has_distances", [](const UnpackedTable& table) { return table.table->has_distances(); });
  nb::class_<Prober>(module, "Prober", "The tables, ready to be asked; safe to share between threads.")
      .def(nb::init<const std::vector<TableFile>&, std::uint64_t>(), "files"_a, "cache_bytes"_a)
      .def_static("unpacked", &Prober::unpacked, "files"_a, "threads"_a, "Everything spread out in memory first.")
      .def("find", &Prober::find, "position"_a,
           "The value (0 loss, 1 draw, 2 win) plus three times (distance + 1), where one is known; -1 without a table.")
      .def("best", &Prober::best, "position"_a, "A move that keeps the value and makes progress.")
      .def("plies_to_conversion", &Prober::plies_to_conversion, "position"_a,
           "Plies to the next capture or man's move with best play; -1 for a draw or without a table.");
  module.def(
      "placements", [](std::string_view name) { return tablebase::Index(table_of(name)).size(); }, "table"_a,
      "How many placements a table has, for each side to move.");
  module.def(
      "king_placements", [](std::string_view name) { return tablebase::Index(table_of(name)).king_placements(); },
      "table"_a, "How many of them share their men.");
  module.def(
      "needs", [](std::string_view name) { return names_of(tablebase::needs_of(table_of(name))); }, "table"_a,
      nb::sig("def needs(table: str) -> list[str]"), "The tables that one move can lead to, itself apart.");
  module.def(
      "capture_needs", [](std::string_view name) { return names_of(tablebase::needs_of_captures(table_of(name))); },
      "table"_a, nb::sig("def capture_needs(table: str) -> list[str]"), "The tables that a capture can lead to.");
  module.def("unpack", &unpack, "file"_a, "tables"_a, nb::kw_only(), "distances"_a, "threads"_a, "stop"_a.none(),
             "Spread a table out in memory; `tables` holds those that a capture can lead to.");
  module.def("build", &build, "table"_a, "tables"_a, nb::kw_only(), "distances"_a, "threads"_a, "stop"_a.none(),
             "report"_a.none(),
             nb::sig("def build(table: str, tables: collections.abc.Sequence[UnpackedTable], *, distances: bool, threads: "
                     "int, stop: object | None, report: object | None) -> tuple[bytes, UnpackedTable]"),
             "The bytes of a table file, and the table spread out; `tables` holds those that one move can lead to.");
  module.def("verify", &verify, "table"_a, "tables"_a, nb::kw_only(), "threads"_a, "stop"_a.none(), "report"_a.none(),
             nb::sig("def verify(table: str, tables: collections.abc.Sequence[UnpackedTable], *, threads: int, stop: "
                     "object | None, report: object | None) -> tuple[tuple[int, int, int], ...] | str"),
             "Wins, draws and losses by side to move, as proved; or the first flaw, in words.");
}

}  // namespace outplay::bind
