#include "bind/connect4.hpp"

#include <cmath>

#include "base/text.hpp"
#include "bind/arguments.hpp"
#include "bind/quick.hpp"
#include "bind/rows.hpp"
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

Size checked_size(long long width, long long height) {
  const bool is_small = std::in_range<std::int8_t>(width) && std::in_range<std::int8_t>(height);
  const Size size = is_small ? Size{static_cast<int>(width), static_cast<int>(height)} : Size{0, 0};
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

int plies_of(const Position& position) {
  return std::visit([](const auto& p) { return p.plies(); }, position);
}

Side side_of(const Position& position) {
  return std::visit([](const auto& p) { return p.side(); }, position);
}

Position play(const Position& position, int column) {
  return std::visit([&](const auto& p) -> Position { return p.play(column); }, position);
}

// How a message counts columns: from 0 for a number that Python gave, from 1 for text.
enum class Count { FROM_0, FROM_1 };

std::string column_name(int column, Count count) {
  return count == Count::FROM_0 ? std::to_string(column) : std::string(1, connect4::text_of(column));
}

void check_column(const NumberedPosition& position, long long column, const nb::object& as_given, Count count) {
  const int width = connect4::size_of(position).width;
  if (column < 0 || column >= width)
    raise("IllegalMoveError", as_given, position,
          "the board has columns " + column_name(0, count) + " to " + column_name(width - 1, count));
}

void check_open(const NumberedPosition& position, long long column, const nb::object& as_given, Count count) {
  check_column(position, column, as_given, count);
  if (!is_open(position, static_cast<int>(column)))
    raise("IllegalMoveError", as_given, position,
          "column " + column_name(static_cast<int>(column), count) + " is full");
}

void check_move(const NumberedPosition& position, long long column, const nb::object& as_given, Count count) {
  if (const auto outcome = outcome_of(position)) raise("GameOverError", position, name_of(outcome->reason));
  check_open(position, column, as_given, count);
}

// A column as Python gives it; -1 for a number that no word holds, since no board has that column either.
long long column_of(const char* name, nb::handle given) {
  const WholeNumber number = whole_number(given);
  if (!number.is_number) refuse(name, "a column, counted from 0 (parse() reads text)", given);
  return number.value.value_or(-1);
}

NumberedPosition play_checked(const NumberedPosition& position, nb::handle move) {
  const long long column = column_of("move", move);
  return std::visit(
      [&](const auto& p) -> NumberedPosition {
        const bool is_good = column >= 0 && column < p.board().size.width && p.is_open(static_cast<int>(column));
        if (!is_good || p.is_won()) check_move(position, column, nb::borrow(move), Count::FROM_0);
        return {p.play(static_cast<int>(column)), position.is_begun_by_2};
      },
      static_cast<const Position&>(position));
}

bool is_legal(const NumberedPosition& position, nb::handle move) {
  const long long column = column_of("move", move);
  if (column < 0 || column >= connect4::size_of(position).width) return false;
  return !outcome_of(position) && is_open(position, static_cast<int>(column));
}

int discs_in(const Position& position, int column) {
  return std::visit([&](const auto& p) { return count_bits(p.mask() & p.board().column(column)); }, position);
}

// For questions about a column, which are no moves.
void check_on_board(const NumberedPosition& position, long long column, nb::handle given) {
  const int width = connect4::size_of(position).width;
  if (column < 0 || column >= width)
    throw nb::value_error((std::string("there is no column ") + nb::str(given).c_str() +
                           ": the board has columns 0 to " + std::to_string(width - 1))
                              .c_str());
}

int height_of(const NumberedPosition& position, nb::handle given) {
  const long long column = column_of("column", given);
  check_on_board(position, column, given);
  return discs_in(position, static_cast<int>(column));
}

int landing_row(const NumberedPosition& position, nb::handle given) {
  const long long column = column_of("column", given);
  check_on_board(position, column, given);
  if (!is_open(position, static_cast<int>(column)))
    throw nb::value_error(("column " + std::to_string(column) + " is full: no disc lands there").c_str());
  return connect4::size_of(position).height - 1 - discs_in(position, static_cast<int>(column));
}

NumberedPosition play_text(NumberedPosition position, const nb::str& given) {
  const std::string_view text = utf8_of(given);
  for (std::size_t index = 0; index < text.size(); ++index) {
    const auto column = connect4::column_of(text[index]);
    if (!column) raise("NotationError", given, place_in(text, index) + " is not a column: 1-9, then a, b, ...");
    check_move(position, *column, nb::str(&text[index], 1), Count::FROM_1);
    position = {play(position, *column), position.is_begun_by_2};
  }
  return position;
}

NumberedPosition from_moves(const nb::str& given, long long width, long long height) {
  return play_text(connect4::start(checked_size(width, height)), given);
}

NumberedPosition play_all(NumberedPosition position, const nb::object& moves) {
  constexpr auto WANTED = "columns, counted from 0, or a text such as \"4453\"";
  if (nb::isinstance<nb::str>(moves)) return play_text(std::move(position), nb::borrow<nb::str>(moves));
  if (!nb::isinstance<nb::iterable>(moves)) refuse("moves", WANTED, moves);
  for (const nb::handle move : moves) {
    if (!whole_number(move).is_number) refuse("moves", WANTED, move);
    position = play_checked(position, move);
  }
  return position;
}

std::optional<int> disc_of(nb::handle cell) {
  const auto number = number_of_cell(cell);
  return number && *number <= 2 ? number : std::nullopt;
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
  if (const auto reasons = connect4::problems(rows, names); !reasons.empty()) refuse_board(reasons);
  return connect4::from_rows(rows);
}

NumberedPosition from_rows(nb::handle nested, int first) {
  check_first(first);
  const std::string number = std::to_string(first), other = std::to_string(3 - first);
  return {position_from(read_rows(nested, "0, 1 or 2", disc_of), first, {"player " + number, "player " + other, 0}),
          first == 2};
}

NumberedPosition from_fen(const nb::str& given, int first) {
  check_first(first);
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
  return {position_from(std::move(rows), 1, {"Red", "Yellow"}), first == 2};
}

nb::list rows_of(const NumberedPosition& position, std::optional<int> first) {
  if (first) check_first(*first);
  Rows rows = connect4::rows_of(position);
  swap_numbers(rows, first.value_or(position.first()));
  return to_lists(rows);
}

nb::object matrix_of(const NumberedPosition& position, std::optional<int> first) {
  const nb::module_ library = numpy();
  return library.attr("array")(rows_of(position, first), "dtype"_a = library.attr("int8"));
}

// Row and column of a bit, row 0 on top.
template <class Word>
nb::tuple cell_of_bit(const connect4::Geometry<Word>& board, int bit) {
  return nb::make_tuple(board.size.height - 1 - bit % board.stride, bit / board.stride);
}

nb::tuple lines_of(const Position& position) {
  return std::visit(
      [](const auto& p) {
        nb::list lines;
        for (const auto& four : p.fours(p.other())) {
          nb::list cells;
          for (int index = 0; index < 4; ++index) cells.append(cell_of_bit(p.board(), four.start + index * four.step));
          lines.append(nb::tuple(cells));
        }
        return nb::tuple(lines);
      },
      position);
}

nb::object outcome(const NumberedPosition& position) {
  const auto result = outcome_of(position);
  return result ? to_python(*result, lines_of(position)) : nb::none();
}

bool is_win(const Position& position, Side side) {
  const auto result = outcome_of(position);
  return result && result->winner == side;
}

nb::list threats(const Position& position, Side side) {
  return std::visit(
      [&](const auto& p) {
        nb::list cells;
        const auto discs = p.discs(side);
        if (!p.is_won())
          for (auto empty = p.board().board & ~p.mask(); empty != 0; empty &= empty - 1)
            if (p.has_four(discs | lowest_bit(empty))) cells.append(cell_of_bit(p.board(), lowest_index(empty)));
        return cells;
      },
      position);
}

bool can_win_next(const Position& position, std::optional<Side> side) {
  return std::visit(
      [&](const auto& p) {
        const auto discs = p.discs(side.value_or(side_of(position)));
        for (int column = 0; !p.is_won() && column < p.board().size.width; ++column)
          if (p.is_open(column) && p.has_four(discs | (p.play(column).mask() & ~p.mask()))) return true;
        return false;
      },
      position);
}

// The side does not matter: both drop into the same columns.
nb::list legal_moves(const NumberedPosition& position, std::optional<Side>) {
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
      static_cast<const Position&>(position));
}

int parse(const NumberedPosition& position, const nb::str& given) {
  const std::string_view text = utf8_of(given);
  const auto is_space = [](char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; };
  std::string_view trimmed = text;
  while (!trimmed.empty() && is_space(trimmed.front())) trimmed.remove_prefix(1);
  while (!trimmed.empty() && is_space(trimmed.back())) trimmed.remove_suffix(1);
  const auto column = trimmed.size() == 1 ? connect4::column_of(trimmed.front()) : std::nullopt;
  if (!column)
    raise("NotationError", given,
          "a move is one column, 1 to " + std::string(1, connect4::text_of(connect4::size_of(position).width - 1)));
  check_move(position, *column, nb::str(trimmed.data(), trimmed.size()), Count::FROM_1);
  return *column;
}

std::string format(const NumberedPosition& position, nb::handle move) {
  const long long column = column_of("move", move);
  check_column(position, column, nb::borrow(move), Count::FROM_0);
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

NumberedPosition mirror(const NumberedPosition& position) {
  return {std::visit([](const auto& p) -> Position { return p.mirror(); }, static_cast<const Position&>(position)),
          position.is_begun_by_2};
}

// What pickle keeps.
nb::tuple state_of(const NumberedPosition& position) {
  return nb::make_tuple(connect4::fen(position), position.first());
}

NumberedPosition from_state(const nb::tuple& state) {
  return from_fen(nb::cast<nb::str>(state[0]), nb::cast<int>(state[1]));
}

std::string repr(const NumberedPosition& position) {
  return "connect4.Position.from_fen('" + connect4::fen(position) + (position.is_begun_by_2 ? "', first=2)" : "')");
}

// With the numbers of the position: the discs of player 1 are always drawn alike.
nb::object text(const NumberedPosition& position) {
  const nb::object board = ours("outplay.draw", "connect4_text")(rows_of(position, std::nullopt));
  return position.is_begun_by_2 ? nb::object(board + nb::str("\n\u25CF began")) : board;
}

nb::object svg(const NumberedPosition& position) {
  return ours("outplay.draw", "connect4_svg")(rows_of(position, 1), "lines"_a = lines_of(position));
}

template <class Get>
auto bitboard(Get get) {
  return [get](const NumberedPosition& position) {
    return std::visit([&](const auto& p) { return to_python(get(p)); }, static_cast<const Position&>(position));
  };
}

}  // namespace

void bind_connect4(nb::module_& module) {
  using P = NumberedPosition;
  static PyMethodDef methods[] = {
      quick_moves<P, &legal_moves>(
          "Return the columns that are not full, from the left; an empty list when the game is over.\n\nWith `side`, "
          "return the moves as if it were that side's turn. In Connect Four they are the same for both sides."),
      quick_play<P, &play_checked>(
          "Return the position after dropping a disc in this column. IllegalMoveError if the column is full or not on "
          "the board, GameOverError if the game is over."),
      quick_outcome<P, &outcome>("Return how the game ended, with the winning line or lines; None while it goes on."),
      {}};
  static PyType_Slot slots[] = {{Py_tp_methods, methods}, {0, nullptr}};
  nb::class_<P>(
      module, "Position", nb::type_slots(slots),
      "A Connect Four position: a value that never changes. Columns are numbered from 0 at the left, rows from 0 "
      "at the top.\n\n"
      "Any board from 4 x 4 with width * (height + 1) <= 128. The side that began is Side.FIRST (Red).")
      .def("__init__", checked<"width", "height">(+[](P* self, long long width, long long height) {
             new (self) P(connect4::start(checked_size(width, height)));
           }),
           "width"_a.none() = 7, "height"_a.none() = 6,
           nb::sig("def __init__(self, width: int = 7, height: int = 6) -> None"), "Make an empty board.")
      .def_static("from_moves", checked<"moves", "width", "height">(&from_moves), "moves"_a.none(),
                  "width"_a.none() = 7, "height"_a.none() = 6,
                  nb::sig("def from_moves(moves: str, width: int = 7, height: int = 6) -> Position"),
                  "Return the position after these moves, one character each: columns 1-9, then a, b, ...")
      .def_static(
          "from_rows", checked<"rows", "first">(&from_rows), "rows"_a.none(), nb::kw_only(), "first"_a.none() = 1,
          nb::sig("def from_rows(rows: collections.abc.Iterable[collections.abc.Iterable[typing.Any]], *, "
                  "first: int = 1) -> Position"),
          "Return the position on this board: rows from the top, 0 empty, 1 and 2 the players.\n\n"
          "`first` is the number of the player that began. The position keeps the numbers: `rows()` and "
          "`matrix()` give back what went in, also after more moves. Equality, `key`, `fen()`, solvers and books "
          "do not depend on them.\n\nRows may be any nested sequence or array. IllegalPositionError lists every "
          "reason why the board cannot arise in a game.")
      .def_static(
          "from_fen", checked<"text", "first">(&from_fen), "text"_a.none(), nb::kw_only(), "first"_a.none() = 1,
          nb::sig("def from_fen(text: str, *, first: int = 1) -> Position"),
          "Return the position that `fen()` wrote.\n\nIn the text 1 is the side that began. `first` is the number "
          "that `rows()` and `matrix()` give to it.")
      .def_prop_ro(
          "width", [](const P& p) { return connect4::size_of(p).width; }, "Number of columns.")
      .def_prop_ro(
          "height", [](const P& p) { return connect4::size_of(p).height; }, "Number of rows.")
      .def_prop_ro(
          "plies", [](const P& p) { return plies_of(p); }, "Number of discs on the board.")
      .def_prop_ro(
          "side", [](const P& p) { return to_python(side_of(p)); }, nb::for_getter(nb::sig("def side(self) -> Side")),
          "The side to move.")
      .def_prop_ro(
          "key", [](const P& p) { return key(p); },
          "A number that is equal exactly when two positions of one board size are equal.")
      .def_prop_ro("first", bitboard([](const auto& p) { return p.discs(Side::FIRST); }),
                   "Discs of the side that began, as bits: column * (height + 1) + row from the bottom.")
      .def_prop_ro("second", bitboard([](const auto& p) { return p.discs(Side::SECOND); }),
                   "Discs of the other side, as bits.")
      .def_prop_ro("own", bitboard([](const auto& p) { return p.own(); }), "Discs of the side to move, as bits.")
      .def_prop_ro("other", bitboard([](const auto& p) { return p.other(); }),
                   "Discs of the side that moved last, as bits.")
      .def("is_legal", &is_legal, nb::arg().none(), nb::sig("def is_legal(self, move: int, /) -> bool"),
           "Return whether `play` would accept this move. Any whole number is allowed; anything else is a "
           "TypeError, as it is for `play`.")
      .def("landing_row", &landing_row, nb::arg().none(), nb::sig("def landing_row(self, column: int, /) -> int"),
           "Return the row in which the next disc in this column lands, counted as in `rows()`: 0 on top. "
           "ValueError if the column is full or not on the board.")
      .def(
          "height_of", &height_of, nb::arg().none(), nb::sig("def height_of(self, column: int, /) -> int"),
          "Return the number of discs in this column. Its top disc is in row `height - height_of(column)` of `rows()`.")
      .def("is_win", checked<"side">(+[](const P& p, Side side) { return is_win(p, side); }), "side"_a.none(),
           nb::sig("def is_win(self, side: Side) -> bool"), "Return whether this side has won.")
      .def("threats", checked<"side">(+[](const P& p, Side side) { return threats(p, side); }), "side"_a.none(),
           nb::sig("def threats(self, side: Side) -> list[tuple[int, int]]"),
           "Return the empty cells in which a disc would complete four in a row for this side, whether or not it is to "
           "move: each as row (0 on top) and column. An empty list when the game is won.")
      .def("can_win_next", checked<"side">(+[](const P& p, std::optional<Side> side) { return can_win_next(p, side); }),
           nb::kw_only(), "side"_a.none() = nb::none(),
           nb::sig("def can_win_next(self, *, side: Side | None = None) -> bool"),
           "Return whether one more disc of this side completes four in a row. Default: the side to move.")
      .def("play_all", checked<"moves">(&play_all), "moves"_a.none(),
           nb::sig("def play_all(self, moves: str | collections.abc.Iterable[int]) -> Position"),
           "Return the position after several moves: columns counted from 0, or a text such as \"4453\", in which they "
           "are counted from 1. IllegalMoveError if one of them cannot be played; this position stays as it is.")
      .def("parse", checked<"text">(&parse), "text"_a.none(), nb::sig("def parse(self, text: str) -> int"),
           "Return the column that a text names, counted from 1 in the text. IllegalMoveError if it cannot be played "
           "here.")
      .def("format", &format, "move"_a.none(), nb::sig("def format(self, move: int) -> str"),
           "Return the text of a column: 1-9, then a, b, ...")
      .def("mirror", &mirror, "Return the mirror image: left and right exchanged.")
      .def("rows", checked<"first">(&rows_of), nb::kw_only(), "first"_a.none() = nb::none(),
           nb::sig("def rows(self, *, first: int | None = None) -> list[list[int]]"),
           "Return the board as rows from the top: 0 empty, 1 and 2 the players.\n\n`first` is the number for the side "
           "that began. Default: the number that `from_rows` was given, otherwise 1.")
      .def("matrix", checked<"first">(&matrix_of), nb::kw_only(), "first"_a.none() = nb::none(),
           nb::sig("def matrix(self, *, first: int | None = None) -> numpy.typing.NDArray[numpy.int8]"),
           "Return `rows()` as a NumPy array, a copy. Needs NumPy: `pip install 'outplay[numpy]'`.")
      .def(
          "fen", [](const P& p) { return connect4::fen(p); },
          "Return the position as text: rows from the top, '/' between, '.' empty, 1 the side that began, 2 the other.")
      .def("perft", checked<"depth">(+[](const P& p, int depth) { return perft(p, depth); }), "depth"_a.none(),
           nb::sig("def perft(self, depth: int) -> int"), "Count the move sequences of this length.")
      .def("count_positions", checked<"plies">(+[](const P& p, int plies) { return count_positions(p, plies); }),
           "plies"_a.none(), nb::sig("def count_positions(self, plies: int) -> int"),
           "Count the different positions after this number of plies.")
      .def(
          "__eq__",
          [](const P& a, const P& b) { return static_cast<const Position&>(a) == static_cast<const Position&>(b); },
          nb::is_operator(), nb::sig("def __eq__(self, other: object, /) -> bool"))
      .def("__hash__", [](const P& p) { return hash(p); })
      .def("__repr__", [](const P& p) { return repr(p); })
      .def("__str__", &text, nb::sig("def __str__(self) -> str"))
      .def("_repr_svg_", &svg, nb::sig("def _repr_svg_(self) -> str"))
      .def("__getstate__", &state_of, nb::sig("def __getstate__(self) -> tuple[str, int]"))
      .def(
          "__setstate__", [](P& self, const nb::tuple& state) { new (&self) P(from_state(state)); },
          nb::sig("def __setstate__(self, state: tuple[str, int], /) -> None"));
}

}  // namespace outplay::bind
