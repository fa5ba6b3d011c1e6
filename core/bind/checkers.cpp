#include <array>

#include "bind/arguments.hpp"
#include "bind/quick.hpp"
#include "bind/rows.hpp"
#include "bind/support.hpp"
#include "checkers/notation.hpp"
#include "checkers/perft.hpp"
#include "checkers/position.hpp"

using namespace nb::literals;

namespace outplay::bind {
namespace {

using checkers::Move;
using checkers::Position;
using checkers::Unreadable;

constexpr int MOST_DEPTH = 40;

// What was read, or our own error about the text.
template <class Read>
auto readable(std::string_view text, const std::variant<Read, Unreadable>& result) {
  if (const auto* problem = std::get_if<Unreadable>(&result))
    raise("NotationError", nb::str(text.data(), text.size()), problem->reason);
  return std::get<Read>(result);
}

Position position_from(const checkers::Setup& setup) {
  if (const auto reasons = checkers::problems(setup); !reasons.empty()) refuse_board(reasons);
  return checkers::position_of(setup);
}

Position from_fen(const nb::str& given) {
  const std::string_view text = utf8_of(given);
  return position_from(readable(text, checkers::read_fen(text)));
}

// --- rows: 8 x 8 cells, row 0 on top, the pieces as letters or numbers ---

constexpr int ROWS = 8;
constexpr std::array<const char*, 5> LETTERS{".", "b", "w", "B", "W"};  // by number: empty, men, kings

constexpr bool is_dark(int row, int column) { return (row + column) % 2 == 1; }
constexpr int square_index(int row, int column) { return row * 4 + column / 2; }

// The number of the piece in a cell: a letter (r and R are White's too), a number, or any way to say "empty".
std::optional<int> piece_of(nb::handle cell) {
  if (cell.is_none()) return 0;
  if (PyUnicode_Check(cell.ptr()) == 0) {
    const auto number = number_of_cell(cell);
    return number && *number < static_cast<int>(LETTERS.size()) ? number : std::nullopt;
  }
  const nb::str text = nb::borrow<nb::str>(cell);
  const std::string_view letter = utf8_of(text);
  if (letter.empty() || letter == " ") return 0;
  if (letter == "r") return 2;
  if (letter == "R") return 4;
  const auto found = std::ranges::find(LETTERS, letter);
  return found == LETTERS.end() ? std::nullopt : std::optional(static_cast<int>(found - LETTERS.begin()));
}

Position from_rows(nb::handle nested, std::optional<Side> side) {
  const auto rows = read_rows(nested, "., b, w, B, W or 0 to 4", piece_of);
  const auto is_whole = [](const auto& row) { return row.size() == ROWS; };
  if (rows.size() != ROWS || !std::ranges::all_of(rows, is_whole)) refuse_board({"the board must be 8 x 8"});
  checkers::Setup setup;
  setup.side = side.value_or(Side::FIRST);
  std::vector<std::string> reasons;
  for (int row = 0; row < ROWS; ++row)
    for (int column = 0; column < ROWS; ++column) {
      const int piece = rows[static_cast<std::size_t>(row)][static_cast<std::size_t>(column)];
      if (piece == 0) continue;
      if (!is_dark(row, column))
        reasons.push_back("the piece at row " + std::to_string(row) + ", column " + std::to_string(column) +
                          " is on a light square");
      else
        setup.pieces.push_back({piece % 2 == 1 ? Side::FIRST : Side::SECOND, piece > 2, square_index(row, column) + 1});
    }
  if (!reasons.empty()) refuse_board(reasons);
  return position_from(setup);
}

std::vector<std::vector<int>> numbers_of(const Position& position) {
  std::vector<std::vector<int>> rows(ROWS, std::vector<int>(ROWS, 0));
  for (int row = 0; row < ROWS; ++row)
    for (int column = 0; column < ROWS; ++column) {
      const auto bit = is_dark(row, column) ? checkers::square_bit(square_index(row, column)) : 0;
      const int man = (position.black() & bit) != 0 ? 1 : (position.white() & bit) != 0 ? 2 : 0;
      rows[static_cast<std::size_t>(row)][static_cast<std::size_t>(column)] =
          (position.kings() & bit) != 0 ? man + 2 : man;
    }
  return rows;
}

nb::list rows_of(const Position& position) {
  nb::list result;
  for (const auto& row : numbers_of(position)) {
    nb::list cells;
    for (const int number : row) cells.append(LETTERS[static_cast<std::size_t>(number)]);
    result.append(cells);
  }
  return result;
}

nb::object matrix_of(const Position& position) {
  const nb::module_ library = numpy();
  return library.attr("array")(to_lists(numbers_of(position)), "dtype"_a = library.attr("int8"));
}

// --- moves ---

void check_not_over(const Position& position) {
  if (const auto outcome = position.outcome()) raise("GameOverError", position, name_of(outcome->reason));
}

Move parse(const Position& position, const nb::str& given) {
  const std::string_view text = utf8_of(given);
  const auto squares = readable(text, checkers::read_squares(text));
  check_not_over(position);
  const auto moves = checkers::matching_moves(position, squares);
  if (moves.empty()) raise("IllegalMoveError", given, position, checkers::refusal(position, squares));
  // Two paths with one and the same result need no choice.
  for (const auto& move : moves)
    if (move.captures() != moves.front().captures())
      raise("IllegalMoveError", given, position,
            "it is ambiguous: " + checkers::text_of(moves.front()) + " or " + checkers::text_of(move));
  return moves.front();
}

const Move& move_of(nb::handle given) {
  const Move* move = nullptr;
  if (!nb::try_cast(given, move) || move == nullptr) refuse("move", "a checkers.Move (parse() reads text)", given);
  return *move;
}

bool is_legal(const Position& position, nb::handle given) { return position.is_legal(move_of(given)); }

Position play(const Position& position, nb::handle given) {
  const Move& move = move_of(given);
  if (!position.is_legal(move)) {
    check_not_over(position);
    std::vector<int> squares;
    for (int index = 0; index < move.length(); ++index) squares.push_back(move.square(index));
    raise("IllegalMoveError", checkers::text_of(move), position, checkers::refusal(position, squares));
  }
  return position.play(move);
}

Move read_move(const nb::str& given) {
  const std::string_view text = utf8_of(given);
  const auto squares = readable(text, checkers::read_squares(text));
  const auto move = checkers::move_of(squares);
  if (!move) raise("NotationError", given, "its squares are neither one step nor jumps apart");
  return *move;
}

nb::tuple path_of(const Move& move) {
  nb::list path;
  for (int index = 0; index < move.length(); ++index) path.append(move.square(index) + 1);
  return nb::tuple(path);
}

nb::tuple captures_of(const Move& move) {
  nb::list captures;
  for (int index = 1; move.is_capture() && index < move.length(); ++index)
    captures.append(lowest_index(checkers::between(move.square(index - 1), move.square(index))) + 1);
  return nb::tuple(captures);
}

nb::dict pieces_of(const Position& position) {
  nb::dict pieces;
  for (int index = 0; index < checkers::SQUARE_COUNT; ++index) {
    const auto bit = checkers::square_bit(index);
    const bool is_king = (position.kings() & bit) != 0;
    if ((position.black() & bit) != 0) pieces[nb::int_(index + 1)] = is_king ? "B" : "b";
    if ((position.white() & bit) != 0) pieces[nb::int_(index + 1)] = is_king ? "W" : "w";
  }
  return pieces;
}

nb::list legal_moves(const Position& position, std::optional<Side> side) {
  nb::list moves;
  const Position turn(position.black(), position.white(), position.kings(), side.value_or(position.side()));
  for (const auto& move : turn.legal_moves()) moves.append(move);
  return moves;
}

bool is_win(const Position& position, Side side) {
  const auto result = position.outcome();
  return result && result->winner == side;
}

nb::object outcome(const Position& position) {
  const auto result = position.outcome();
  return result ? to_python(*result, nb::tuple()) : nb::none();
}

std::uint64_t perft(const Position& position, int depth, bool merged) {
  check_range("depth", depth, 0, MOST_DEPTH);
  const auto captures = merged ? checkers::Captures::MERGED : checkers::Captures::PATHS;
  return run_interruptibly([&](const Stop& stop) { return checkers::perft(position, depth, captures, stop); }).value();
}

void bind_move(nb::module_& module) {
  nb::class_<Move>(module, "Move",
                   "One whole turn: every square the piece touches and every piece it takes. Squares are 1-32.")
      .def("__init__", checked<"text">(+[](Move* self, const nb::str& text) { new (self) Move(read_move(text)); }),
           "text"_a.none(), nb::sig("def __init__(self, text: str) -> None"),
           "Read a move from its path, as in 11-15 or 22x15x8. Only a position can say whether it is legal.")
      .def_prop_ro("path", &path_of, nb::for_getter(nb::sig("def path(self) -> tuple[int, ...]")),
                   "Every square the piece touches, the first included.")
      .def_prop_ro("captures", &captures_of, nb::for_getter(nb::sig("def captures(self) -> tuple[int, ...]")),
                   "The squares of the pieces taken, in the order of the jumps.")
      .def_prop_ro("is_capture", &Move::is_capture, "Whether the move takes a piece.")
      .def(
          "__eq__", [](const Move& a, const Move& b) { return a == b; }, nb::is_operator(),
          nb::sig("def __eq__(self, other: object, /) -> bool"))
      .def("__hash__",
           [](const Move& move) {
             Word128 key = move.captures();
             for (int index = 0; index < move.length(); ++index)
               key = key * 37 + static_cast<unsigned>(move.square(index) + 1);
             return hash_of(key);
           })
      .def("__str__", &checkers::text_of)
      .def("__repr__", [](const Move& move) { return "checkers.Move('" + checkers::text_of(move) + "')"; })
      .def(
          "__reduce__",
          [](nb::handle self) {
            return nb::make_tuple(self.type(), nb::make_tuple(checkers::text_of(nb::cast<const Move&>(self))));
          },
          nb::sig("def __reduce__(self) -> tuple[typing.Any, ...]"));
}

}  // namespace

void bind_checkers(nb::module_& module) {
  bind_move(module);
  static PyMethodDef methods[] = {
      quick_moves<Position, &legal_moves>(
          "Return every legal move: jumps only, if there is a jump; an empty list when the game is over.\n\nWith "
          "`side`, return the moves as if it were that side's turn."),
      quick_play<Position, &play>("Return the position after this move. IllegalMoveError says which rule forbids it, "
                                  "GameOverError that the game "
                                  "is over."),
      quick_outcome<Position, &outcome>(
          "Return how the game ended: a side without a piece or a move has lost. None while it goes on."),
      {}};
  static PyType_Slot slots[] = {{Py_tp_methods, methods}, {0, nullptr}};
  nb::class_<Position>(module, "Position", nb::type_slots(slots),
                       "A checkers position: a value that never changes. Black is Side.FIRST and moves first.\n\n"
                       "Squares are numbered 1-32 as in the rule book; bit 0 of a bitboard is square 1.")
      .def(nb::init<>(), "Make the start position.")
      .def_static(
          "start", [] { return Position(); },
          "Return the start position: Black on 1-12, White on 21-32, Black to move.")
      .def_static("from_fen", checked<"text">(&from_fen), "text"_a.none(),
                  nb::sig("def from_fen(text: str) -> Position"),
                  "Return the position of a PDN FEN such as B:W18,24,27,K10:B12,16. IllegalPositionError lists every "
                  "reason why the position is impossible.")
      .def_static(
          "from_rows", checked<"rows", "side">(&from_rows), "rows"_a.none(), nb::kw_only(),
          "side"_a.none() = nb::none(),
          nb::sig("def from_rows(rows: collections.abc.Iterable[collections.abc.Iterable[typing.Any]], *, "
                  "side: Side | None = None) -> Position"),
          "Return the position on this board of 8 x 8 cells, with `side` to move (default: Side.FIRST). Row 0 is on "
          "top, and square 1 "
          "is in row 0, column 1.\n\nA cell holds what `rows()` or `matrix()` writes: `.`, `b`, `w`, `B`, `W`, or "
          "0 to 4. `r` and `R` are read as White's, and a space, an empty text or None as an empty cell. "
          "IllegalPositionError lists every reason why the board is impossible.")
      .def("rows", &rows_of, nb::sig("def rows(self) -> list[list[str]]"),
           "Return the board as 8 rows of 8 letters, row 0 on top: `b` and `w` for men, `B` and `W` for kings, `.` for "
           "an "
           "empty cell.")
      .def(
          "matrix", &matrix_of, nb::sig("def matrix(self) -> numpy.typing.NDArray[numpy.int8]"),
          "Return the board as an 8 x 8 NumPy array, a copy, row 0 on top: 0 empty, 1 and 2 Black's and White's men, 3 "
          "and 4 their kings. Needs NumPy: `pip install 'outplay[numpy]'`.")
      .def("fen", &checkers::fen, "Return the position as PDN FEN.")
      .def_prop_ro(
          "side", [](const Position& p) { return to_python(p.side()); },
          nb::for_getter(nb::sig("def side(self) -> Side")), "The side to move.")
      .def_prop_ro("black", &Position::black, "Black's pieces, as bits.")
      .def_prop_ro("white", &Position::white, "White's pieces, as bits.")
      .def_prop_ro("kings", &Position::kings, "The kings of both sides, as bits.")
      .def_prop_ro("own", &Position::own, "Pieces of the side to move, as bits.")
      .def_prop_ro("other", &Position::other, "Pieces of the side that moved last, as bits.")
      .def_prop_ro(
          "key", [](const Position& p) { return to_python(p.key()); },
          "A number that is equal exactly when two positions are equal.")
      .def("is_legal", &is_legal, nb::arg().none(), nb::sig("def is_legal(self, move: Move, /) -> bool"),
           "Return whether `play` would accept this move. Anything but a Move is a TypeError, as it is for `play`.")
      .def("is_win", checked<"side">(&is_win), "side"_a.none(), nb::sig("def is_win(self, side: Side) -> bool"),
           "Return whether this side has won.")
      .def("parse", checked<"text">(&parse), "text"_a.none(), nb::sig("def parse(self, text: str) -> Move"),
           "Return the legal move that a text names: 11-15, 22x15x8, or only the first and last square where that is "
           "enough.")
      .def(
          "format", [](const Position&, nb::handle move) { return checkers::text_of(move_of(move)); }, "move"_a.none(),
          nb::sig("def format(self, move: Move) -> str"), "Return the text of a move: its whole path.")
      .def("flip", &Position::flip,
           "Return the board turned round with the sides exchanged: the same game for the other side.")
      .def("pieces", &pieces_of, nb::sig("def pieces(self) -> dict[int, str]"),
           "Return the occupied squares 1-32 with their pieces: b and w for men, B and W for kings.")
      .def("perft", checked<"depth", "merged">(&perft), "depth"_a.none(), nb::kw_only(), "merged"_a.none() = false,
           nb::sig("def perft(self, depth: int, *, merged: bool = False) -> int"),
           "Count the move sequences of this length. `merged` counts captures of the same pieces between the same "
           "squares once, whatever their path.")
      .def(
          "__eq__", [](const Position& a, const Position& b) { return a == b; }, nb::is_operator(),
          nb::sig("def __eq__(self, other: object, /) -> bool"))
      .def("__hash__", [](const Position& p) { return hash_of(p.key()); })
      .def("__repr__", [](const Position& p) { return "checkers.Position.from_fen('" + checkers::fen(p) + "')"; })
      .def(
          "__str__", [](const Position& p) { return ours("outplay.draw", "checkers_text")(pieces_of(p)); },
          nb::sig("def __str__(self) -> str"))
      .def(
          "_repr_svg_", [](const Position& p) { return ours("outplay.draw", "checkers_svg")(pieces_of(p)); },
          nb::sig("def _repr_svg_(self) -> str"))
      .def("__getstate__", &checkers::fen)
      .def("__setstate__", [](Position& self, const nb::str& text) { new (&self) Position(from_fen(text)); });
}

}  // namespace outplay::bind
