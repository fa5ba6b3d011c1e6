#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cerrno>
#include <exception>
#include <memory>

#include "bind/arguments.hpp"
#include "bind/prober.hpp"
#include "bind/support.hpp"
#include "checkers/notation.hpp"
#include "tablebase/build.hpp"
#include "tablebase/needs.hpp"
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

// A table unpacked in memory, shared.
struct UnpackedTable {
  std::shared_ptr<const Unpacked> table;
};

// --- what each table needs ---

nb::list names_of(const std::vector<Material>& materials) {
  nb::list names;
  for (const Material& material : materials) names.append(text_of(material));
  return names;
}

// --- long calls ---

// Runs compute(stop) without the interpreter lock. `stopped` (threading.Event) and Ctrl-C end it, `report` is called
// with the share that is done.
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
  if (const auto* damage = std::get_if<tablebase::Damage>(&opened))
    raise("CorruptTableError", as_path(), damage->reason);
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
  check_needs(distances ? tablebase::needs_of(material) : tablebase::needs_of_captures(material), set, distances);
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

}  // namespace

void bind_tablebase(nb::module_& module) {
  nb::class_<TableFile>(module, "TableFile", "A table file, mapped into memory and checked.")
      .def("__init__",
           checked<"path">(+[](TableFile* self, const std::string& path) { new (self) TableFile(open_table(path)); }),
           "path"_a.none(), nb::sig("def __init__(self, path: str) -> None"),
           "Map and check a file. CorruptTableError if it is damaged, OSError if it cannot be read.")
      .def_prop_ro("name", [](const TableFile& file) { return text_of(file.table->material()); })
      .def_prop_ro("bytes", [](const TableFile& file) { return file.table->bytes(); })
      .def_prop_ro("checksum", &checksum_of, "Sixteen hexadecimal digits.")
      .def_prop_ro("has_distances", [](const TableFile& file) { return file.table->has_distances(); })
      .def_prop_ro(
          "counts", &counts_of, nb::for_getter(nb::sig("def counts(self) -> tuple[tuple[int, int, int], ...]")),
          "Wins, draws and losses of the side to move: for the first side in the name of the table, then for the "
          "second, if its material is different.");
  nb::class_<UnpackedTable>(module, "UnpackedTable", "A table unpacked in memory, captures resolved.")
      .def_prop_ro("name", [](const UnpackedTable& table) { return text_of(table.table->index.material()); })
      .def_prop_ro("bytes", [](const UnpackedTable& table) { return table.table->bytes(); })
      .def_prop_ro("has_distances", [](const UnpackedTable& table) { return table.table->has_distances(); });
  bind_prober(module);
  module.def("placements",
             checked<"table">(+[](std::string_view name) { return tablebase::Index(table_of(name)).size(); }),
             "table"_a.none(), nb::sig("def placements(table: str) -> int"),
             "Return the number of placements of a table, for each side to move.");
  module.def("king_placements", checked<"table">(+[](std::string_view name) {
               return tablebase::Index(table_of(name)).king_placements();
             }),
             "table"_a.none(), nb::sig("def king_placements(table: str) -> int"),
             "Return the number of placements that share their men.");
  module.def("needs",
             checked<"table">(+[](std::string_view name) { return names_of(tablebase::needs_of(table_of(name))); }),
             "table"_a.none(), nb::sig("def needs(table: str) -> list[str]"),
             "Return the other tables that one move can lead to.");
  module.def("capture_needs", checked<"table">(+[](std::string_view name) {
               return names_of(tablebase::needs_of_captures(table_of(name)));
             }),
             "table"_a.none(), nb::sig("def capture_needs(table: str) -> list[str]"),
             "Return the tables that a capture can lead to.");
  module.def("unpack", checked<"file", "tables", "distances", "threads", "stop">(&unpack), "file"_a.none(),
             "tables"_a.none(), nb::kw_only(), "distances"_a.none(), "threads"_a.none(), "stop"_a.none(),
             nb::sig("def unpack(file: TableFile, tables: collections.abc.Sequence[UnpackedTable], *, distances: bool, "
                     "threads: int, stop: object | None) -> UnpackedTable"),
             "Unpack a table in memory. `tables` holds those that a capture can lead to; with distances, those that "
             "any move can lead to.");
  module.def(
      "build", checked<"table", "tables", "distances", "threads", "stop", "report">(&build), "table"_a.none(),
      "tables"_a.none(), nb::kw_only(), "distances"_a.none(), "threads"_a.none(), "stop"_a.none(), "report"_a.none(),
      nb::sig("def build(table: str, tables: collections.abc.Sequence[UnpackedTable], *, distances: bool, threads: "
              "int, stop: object | None, report: object | None) -> tuple[bytes, UnpackedTable]"),
      "Return the bytes of a table file, and the unpacked table. `tables` holds those that one move can lead to.");
  module.def("verify", checked<"table", "tables", "threads", "stop", "report">(&verify), "table"_a.none(),
             "tables"_a.none(), nb::kw_only(), "threads"_a.none(), "stop"_a.none(), "report"_a.none(),
             nb::sig("def verify(table: str, tables: collections.abc.Sequence[UnpackedTable], *, threads: int, stop: "
                     "object | None, report: object | None) -> tuple[tuple[int, int, int], ...] | str"),
             "Return the wins, draws and losses by side to move, as proved; or the first flaw, in words.");
}

}  // namespace outplay::bind
