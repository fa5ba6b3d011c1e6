#include <cmath>

#include "base/text.hpp"
#include "bind/support.hpp"
#include "connect4/notation.hpp"
#include "connect4/position.hpp"

using namespace nb::literals;

namespace outplay::bind {
namespace {

using connect4::Position;
using connect4::Rows;
using connect4::Size;

constexpr int MOST_DEPTH = 40;
constexpr std::uint64_t MOST_POSITIONS = 32'000'000;  // half a GiB of 64-bit positions

Size checked_size(int width, int height) {
  const Size size{width, height};
  if (!size.is_possible())
    raise("IllegalPositionError",
          nb::make_tuple("a board of " + std::to_string(width) + " x " + std::to_string(height) +
                         " does not fit: from 4 x 4, and width * (height + 1) at most 128"));
  return size;
}

std::optional<Outcome> outcome_of(const Position& position) {
  return std::visit([](const auto& p) { return p.outcome(); }, position);
}

bool is_open(const Position& position, int column) {
  return std::visit([&](const auto& p) { return p.is_open(column); }, position);
}

Position play(const Position& position, int column) {
  return std::visit([&](const auto& p) -> Position { return p.play(column); }, position);
}

// A column as people write it, also one that no board has.
std::string text_of_any(long long column) {
  const bool is_possible = column >= 0 && column < 26 + 9;
  return is_possible ? std::string(1, connect4::text_of(static_cast<int>(column))) : std::to_string(column + 1);
}

void check_move(const Position& position, long long column, const nb::object& as_given) {
  if (const auto outcome = outcome_of(position)) raise("GameOverError", position, name_of(outcome->reason));
  const int width = connect4::size_of(position).width;
  if (column < 0 || column >= width)
    raise("IllegalMoveError", as_given, position,
          "the board has columns 1 to " + std::string(1, connect4::text_of(width - 1)));
  if (!is_open(position, static_cast<int>(column)))
    raise("IllegalMoveError", as_given, position,
          "column " + std::string(1, connect4::text_of(static_cast<int>(column))) + " is full");
}

Position play_checked(const Position& position, long long column) {
  return std::visit(
      [&](const auto& p) -> Position {
        const bool is_good = column >= 0 && column < p.board().size.width && p.is_open(static_cast<int>(column));
        if (!is_good || p.is_won()) check_move(position, column, nb::str(text_of_any(column).c_str()));
        return p.play(static_cast<int>(column));
      },
      position);
}

Position from_moves(const nb::str& given, int width, int height) {
  const std::string_view text = utf8_of(given);
  Position position = connect4::start(checked_size(width, height));
  for (std::size_t index = 0; index < text.size(); ++index) {
    const auto column = connect4::column_of(text[index]);
    if (!column) raise("NotationError", given, place_in(text, index) + " is not a column: 1-9, then a, b, ...");
    check_move(position, *column, nb::str(&text[index], 1));
    position = play(position, *column);
  }
  return position;
}

// A cell of somebody's matrix: whole numbers of any kind, 1.0 included.
std::optional<int> cell_of(nb::handle cell) {
  double value = -1;
  if (PyUnicode_Check(cell.ptr()) == 0 && PyBytes_Check(cell.ptr()) == 0) {
    const nb::object number = nb::steal(PyNumber_Float(cell.ptr()));
    if (number.is_valid()) value = PyFloat_AsDouble(number.ptr());
    PyErr_Clear();
  }
  if (value == 0 || value == 1 || value == 2) return static_cast<int>(value);
  return std::nullopt;
}

[[noreturn]] void refuse(const std::vector<std::string>& reasons) { raise("IllegalPositionError", to_tuple(reasons)); }

Rows rows_from(nb::handle nested) {
  constexpr std::size_t MOST = 128;  // rows or columns: nothing longer can be a board
  Rows rows;
  std::vector<std::string> reasons;
  const auto iterate = [](nb::handle object, const char* what) {
    PyObject* iterator = PyUnicode_Check(object.ptr()) ? nullptr : PyObject_GetIter(object.ptr());
    PyErr_Clear();
    if (iterator == nullptr) refuse({std::string(what) + " is not a sequence of cells"});
    return nb::steal(iterator);
  };
  const nb::object outer = iterate(nested, "the board");
  while (const nb::object row = nb::steal(PyIter_Next(outer.ptr()))) {
    const std::string name = "row " + std::to_string(rows.size() + 1);
    if (rows.size() == MOST) refuse({"the board has more than 128 rows"});
    rows.emplace_back();
    const nb::object inner = iterate(row, name.c_str());
    while (const nb::object cell = nb::steal(PyIter_Next(inner.ptr()))) {
      if (rows.back().size() == MOST) refuse({name + " has more than 128 cells"});
      const auto disc = cell_of(cell);
      rows.back().push_back(disc.value_or(0));
      if (!disc)
        reasons.push_back(name + ", column " + std::to_string(rows.back().size()) + " holds " + nb::repr(cell).c_str() +
                          ", not 0, 1 or 2");
    }
    if (PyErr_Occurred()) throw nb::python_error();
  }
  if (PyErr_Occurred()) throw nb::python_error();
  if (!reasons.empty()) refuse(reasons);
  return rows;
}

void check_first(int first) { check_range("first", first, 1, 2); }

// Between the caller's numbers and ours, in which the side that began is 1.
void swap_numbers(Rows& rows, int first) {
  if (first == 2)
    for (auto& row : rows)
      for (auto& disc : row) disc = disc == 0 ? 0 : 3 - disc;
}

Position position_from(Rows rows, int first, const connect4::Names& names) {
  swap_numbers(rows, first);
  if (const auto reasons = connect4::problems(rows, names); !reasons.empty()) refuse(reasons);
  return connect4::from_rows(rows);
}

Position from_rows(nb::handle nested, int first) {
  check_first(first);
  const std::string number = std::to_string(first), other = std::to_string(3 - first);
  return position_from(rows_from(nested), first, {"player " + number, "player " + other});
}

Position from_fen(const nb::str& given) {
  const std::string_view text = utf8_of(given);
  Rows rows(1);
  for (std::size_t index = 0; index < text.size(); ++index) {
    const char c = text[index];
    if (c == '/')
      rows.emplace_back();
    else if (c == '.' || c == '1' || c == '2')
      rows.back().push_back(c == '.' ? 0 : c - '0');
    else
      raise("NotationError", given, place_in(text, index) + " is not one of . 1 2 /");
  }
  return position_from(std::move(rows), 1, {"Red", "Yellow"});
}

nb::list to_lists(const Rows& rows) {
  nb::list result;
  for (const auto& row : rows) {
    nb::list cells;
    for (const int disc : row) cells.append(disc);
    result.append(cells);
  }
  return result;
}

nb::list rows_of(const Position& position, int first) {
  check_first(first);
  Rows rows = connect4::rows_of(position);
  swap_numbers(rows, first);
  return to_lists(rows);
}

nb::object matrix_of(const Position& position, int first) {
  const nb::object numpy = nb::module_::import_("numpy");
  return numpy.attr("array")(rows_of(position, first), "dtype"_a = numpy.attr("int8"));
}

nb::tuple lines_of(const Position& position) {
  return std::visit(
      [](const auto& p) {
        nb::list lines;
        const int stride = p.board().stride, top = p.board().size.height - 1;
        for (const auto& four : p.fours(p.other())) {
          nb::list cells;
          for (int index = 0; index < 4; ++index) {
            const int bit = four.start + index * four.step;
            cells.append(nb::make_tuple(top - bit % stride, bit / stride));
          }
          lines.append(nb::tuple(cells));
        }
        return nb::tuple(lines);
      },
      position);
}

nb::object outcome(const Position& position) {
  const auto result = outcome_of(position);
  return result ? to_python(*result, lines_of(position)) : nb::none();
}

nb::list legal_moves(const Position& position) {
  return std::visit(
      [](const auto& p) {
        int columns[128], count = 0;
        if (!p.is_won())
          for (int column = 0; column < p.board().size.width; ++column)
            if (p.is_open(column)) columns[count++] = column;
        // filled by hand: half the time of appending, and random play asks for it at every ply
        PyObject* const moves = PyList_New(count);
        if (moves == nullptr) throw nb::python_error();
        for (int index = 0; index < count; ++index) NB_LIST_SET_ITEM(moves, index, PyLong_FromLong(columns[index]));
        return nb::steal<nb::list>(moves);
      },
      position);
}

int parse(const Position& position, const nb::str& given) {
  const std::string_view text = utf8_of(given);
  const auto is_space = [](char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; };
  std::string_view trimmed = text;
  while (!trimmed.empty() && is_space(trimmed.front())) trimmed.remove_prefix(1);
  while (!trimmed.empty() && is_space(trimmed.back())) trimmed.remove_suffix(1);
  const auto column = trimmed.size() == 1 ? connect4::column_of(trimmed.front()) : std::nullopt;
  if (!column)
    raise("NotationError", given,
          "a move is one column, 1 to " + std::string(1, connect4::text_of(connect4::size_of(position).width - 1)));
  check_move(position, *column, nb::str(trimmed.data(), trimmed.size()));
  return *column;
}

std::string format(const Position& position, long long column) {
  if (column < 0 || column >= connect4::size_of(position).width)
    check_move(position, column, nb::str(text_of_any(column).c_str()));
  return std::string(1, connect4::text_of(static_cast<int>(column)));
}

nb::int_ key(const Position& position) {
  return std::visit([](const auto& p) { return to_python(p.key()); }, position);
}

Py_hash_t hash(const Position& position) {
  return std::visit(
      [](const auto& p) {
        return hash_of(Word128{p.key()} ^ Word128(p.board().size.width * 131 + p.board().stride) << 120);
      },
      position);
}

std::uint64_t perft(const Position& position, int depth) {
  check_range("depth", depth, 0, MOST_DEPTH);
  return run_interruptibly([&](const Stop& stop) { return connect4::perft(position, depth, stop); }).value();
}

std::uint64_t count_positions(const Position& position, int plies) {
  const Size size = connect4::size_of(position);
  check_range("plies", plies, 0, size.cells());
  const auto count = run_interruptibly(
      [&](const Stop& stop) { return connect4::count_positions(position, plies, MOST_POSITIONS, stop); });
  if (!count) throw nb::value_error("more than 32,000,000 different positions on the way: too many to hold in memory");
  return *count;
}

std::string repr(const Position& position) { return "connect4.Position.from_fen('" + connect4::fen(position) + "')"; }

nb::object draw(const Position& position, const char* how) { return ours("outplay.draw", how)(rows_of(position, 1)); }

nb::object svg(const Position& position) {
  return ours("outplay.draw", "connect4_svg")(rows_of(position, 1), "lines"_a = lines_of(position));
}

template <class Get>
auto bitboard(Get get) {
  return [get](const Position& position) {
    return std::visit([&](const auto& p) { return to_python(get(p)); }, position);
  };
}

}  // namespace

void bind_connect4(nb::module_& module) {
  nb::class_<Position>(
      module, "Position",
      "A Connect Four position: a value that never changes. Columns are numbered from 0 at the left.\n\n"
      "Any board from 4 x 4 with width * (height + 1) <= 128. The side that began is Side.FIRST (Red).")
      .def(
          "__init__",
          [](Position* self, int width, int height) {
            new (self) Position(connect4::start(checked_size(width, height)));
          },
          "width"_a = 7, "height"_a = 6, "The empty board.")
      .def_static("from_moves", &from_moves, "moves"_a, "width"_a = 7, "height"_a = 6,
                  "The position after these moves, one character each: columns 1-9, then a, b, ...")
      .def_static("from_rows", &from_rows, "rows"_a.none(), nb::kw_only(), "first"_a = 1,
                  nb::sig("def from_rows(rows: collections.abc.Iterable[collections.abc.Iterable[typing.Any]], *, "
                          "first: int = 1) -> Position"),
                  "The position on this board: rows from the top, 0 empty, 1 and 2 the players; `first` is the number "
                  "of the player that began.\n\nAny nested sequence or array. IllegalPositionError tells every reason "
                  "why no game leads to it.")
      .def_static("from_fen", &from_fen, "text"_a, "The position that `fen()` wrote.")
      .def_prop_ro(
          "width", [](const Position& p) { return connect4::size_of(p).width; }, "Number of columns.")
      .def_prop_ro(
          "height", [](const Position& p) { return connect4::size_of(p).height; }, "Number of rows.")
      .def_prop_ro(
          "plies", [](const Position& p) { return std::visit([](const auto& q) { return q.plies(); }, p); },
          "Number of discs on the board.")
      .def_prop_ro(
          "side", [](const Position& p) { return to_python(std::visit([](const auto& q) { return q.side(); }, p)); },
          nb::for_getter(nb::sig("def side(self) -> Side")), "The side to move.")
      .def_prop_ro("key", &key, "A number: equal exactly when two positions of one board size are equal.")
      .def_prop_ro("first", bitboard([](const auto& p) { return p.discs(Side::FIRST); }),
                   "Discs of the side that began, as bits: column * (height + 1) + row from the bottom.")
      .def_prop_ro("second", bitboard([](const auto& p) { return p.discs(Side::SECOND); }),
                   "Discs of the other side, as bits.")
      .def_prop_ro("own", bitboard([](const auto& p) { return p.own(); }), "Discs of the side to move, as bits.")
      .def_prop_ro("other", bitboard([](const auto& p) { return p.other(); }),
                   "Discs of the side that moved last, as bits.")
      .def("legal_moves", &legal_moves, nb::sig("def legal_moves(self) -> list[int]"),
           "The columns that take a disc, from the left; none when the game is over.")
      .def("play", &play_checked, nb::sig("def play(self, move: int, /) -> Position"),
           "The position after dropping a disc in this column. IllegalMoveError or GameOverError if it cannot be.")
      .def("outcome", &outcome, nb::sig("def outcome(self) -> Outcome | None"),
           "How the game ended, with the winning line or lines; None while it goes on.")
      .def("parse", &parse, "text"_a, "The column that a text names, if it can be played here.")
      .def("format", &format, "move"_a, "The text of a column: 1-9, then a, b, ...")
      .def(
          "mirror",
          [](const Position& p) { return std::visit([](const auto& q) -> Position { return q.mirror(); }, p); },
          "The position seen in a mirror: left and right exchanged.")
      .def("rows", &rows_of, nb::kw_only(), "first"_a = 1,
           nb::sig("def rows(self, *, first: int = 1) -> list[list[int]]"),
           "The board as rows from the top: 0 empty, `first` the side that began, the other number the other side.")
      .def("matrix", &matrix_of, nb::kw_only(), "first"_a = 1,
           nb::sig("def matrix(self, *, first: int = 1) -> typing.Any"),
           "The same as a NumPy array, a copy. Needs NumPy: `pip install outplay[numpy]`.")
      .def("fen", &connect4::fen,
           "The position as text: rows from the top, '/' between, '.' empty, 1 began, 2 answered.")
      .def("perft", &perft, "depth"_a, "The number of move sequences of this length.")
      .def("count_positions", &count_positions, "plies"_a, "The number of different positions that many plies on.")
      .def(
          "__eq__", [](const Position& a, const Position& b) { return a == b; }, nb::is_operator(),
          nb::sig("def __eq__(self, other: object, /) -> bool"))
      .def("__hash__", &hash)
      .def("__repr__", &repr)
      .def(
          "__str__", [](const Position& p) { return draw(p, "connect4_text"); }, nb::sig("def __str__(self) -> str"))
      .def("_repr_svg_", &svg, nb::sig("def _repr_svg_(self) -> str"))
      .def("__getstate__", &connect4::fen)
      .def("__setstate__", [](Position& self, const nb::str& text) { new (&self) Position(from_fen(text)); });
}

}  // namespace outplay::bind
