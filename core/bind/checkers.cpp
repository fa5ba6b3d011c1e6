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

Position from_fen(const nb::str& given) {
  const std::string_view text = utf8_of(given);
  const auto setup = readable(text, checkers::read_fen(text));
  if (const auto reasons = checkers::problems(setup); !reasons.empty())
    raise("IllegalPositionError", to_tuple(reasons));
  return checkers::position_of(setup);
}

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

Position play(const Position& position, const Move& move) {
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

nb::list legal_moves(const Position& position) {
  nb::list moves;
  for (const auto& move : position.legal_moves()) moves.append(move);
  return moves;
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
      .def(
          "__init__", [](Move* self, const nb::str& text) { new (self) Move(read_move(text)); }, "text"_a,
          "The move with this path, as in 11-15 or 22x15x8. Whether it is legal only a position can say.")
      .def_prop_ro("path", &path_of, nb::for_getter(nb::sig("def path(self) -> tuple[int, ...]")),
                   "Every square the piece touches, the first included.")
      .def_prop_ro("captures", &captures_of, nb::for_getter(nb::sig("def captures(self) -> tuple[int, ...]")),
                   "The squares of the pieces taken, in the order of the jumps.")
      .def_prop_ro("is_capture", &Move::is_capture)
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
  nb::class_<Position>(module, "Position",
                       "A checkers position: a value that never changes. Black is Side.FIRST and moves first.\n\n"
                       "Squares are numbered 1-32 as in the rule book; bit 0 of a bitboard is square 1.")
      .def(nb::init<>(), "The start position.")
      .def_static(
          "start", [] { return Position(); }, "The start position: Black on 1-12, White on 21-32, Black to move.")
      .def_static("from_fen", &from_fen, "text"_a,
                  "The position of a PDN FEN such as B:W18,24,27,K10:B12,16. IllegalPositionError tells every reason "
                  "why it cannot be.")
      .def("fen", &checkers::fen, "The position as PDN FEN.")
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
          "A number: equal exactly when two positions are equal.")
      .def("legal_moves", &legal_moves, nb::sig("def legal_moves(self) -> list[Move]"),
           "Every legal move: jumps only, if there is a jump; none when the game is over.")
      .def("play", &play, nb::sig("def play(self, move: Move, /) -> Position"),
           "The position after this move. IllegalMoveError or GameOverError if it cannot be.")
      .def("outcome", &outcome, nb::sig("def outcome(self) -> Outcome | None"),
           "How the game ended: a side without a piece or a move has lost. None while it goes on.")
      .def("parse", &parse, "text"_a,
           "The legal move that a text names: 11-15, 22x15x8, or only first and last square where that is enough.")
      .def(
          "format", [](const Position&, const Move& move) { return checkers::text_of(move); }, "move"_a,
          "The text of a move: its whole path.")
      .def("flip", &Position::flip,
           "The board turned round with the sides exchanged: the same game for the other side.")
      .def("pieces", &pieces_of, nb::sig("def pieces(self) -> dict[int, str]"),
           "The occupied squares 1-32: b and w for men, B and W for kings.")
      .def("perft", &perft, "depth"_a, nb::kw_only(), "merged"_a = false,
           "The number of move sequences of this length. `merged` counts captures of the same pieces between the same "
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
