#include "bind/batch_checkers.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/vector.h>

#include "checkers/notation.hpp"

using namespace nb::literals;

namespace outplay::bind {

using checkers::Batch;
using checkers::Move;
using checkers::Position;
using checkers::Squares;
using checkers::Stage;

std::vector<Position> whole_positions(const Batch& batch) {
  std::vector<Position> positions;
  positions.reserve(batch.size());
  for (std::size_t index = 0; index < batch.size(); ++index) {
    if (batch.jumping[index] != 0)
      throw nb::value_error(("position " + std::to_string(index) + " of the batch is in the middle of a jump").c_str());
    positions.push_back(batch.position(index));
  }
  return positions;
}

void refuse_action(const Stage& stage, Side side, std::int64_t action, std::size_t index) {
  // In the middle of a jump, the pieces as they stand.
  const Position shown = stage.position(side);
  const std::string where = " (position " + std::to_string(index) + " of the batch)";
  if (const auto outcome = shown.outcome(); outcome && stage.jumping == 0)
    raise("GameOverError", shown, name_of(outcome->reason) + where);
  if (action < 0 || action >= checkers::ACTION_COUNT)
    raise("IllegalMoveError", action, shown, "actions are 0 to 127" + where);
  const char* const reason =
      stage.jumping != 0 ? "the piece that jumped must jump on" : "this action is not legal: see legal_mask";
  raise("IllegalMoveError", action, shown, reason + where);
}

namespace {

// --- making batches ---

Batch start(long long count) {
  check_count(count);
  Batch batch(static_cast<std::size_t>(count));
  for (std::size_t index = 0; index < batch.size(); ++index) batch.set(index, Position());
  return batch;
}

Batch from_positions(const std::vector<Position>& positions) {
  Batch batch(positions.size());
  for (std::size_t index = 0; index < positions.size(); ++index) batch.set(index, positions[index]);
  return batch;
}

Batch from_fens(const std::vector<std::string>& texts) {
  const nb::object make = nb::type<Position>().attr("from_fen");
  std::vector<Position> positions;
  for (const auto& text : texts) positions.push_back(nb::cast<Position>(make(text)));
  return from_positions(positions);
}

checkers::Setup setup_of(const Batch& batch, std::size_t index) {
  checkers::Setup setup;
  setup.side = batch.side(index);
  for (int square = 0; square < checkers::SQUARE_COUNT; ++square) {
    const Squares bit = checkers::square_bit(square);
    const bool is_king = (batch.kings[index] & bit) != 0;
    if ((batch.black[index] & bit) != 0) setup.pieces.push_back({Side::FIRST, is_king, square + 1});
    if ((batch.white[index] & bit) != 0) setup.pieces.push_back({Side::SECOND, is_king, square + 1});
  }
  return setup;
}

bool is_plainly_good(const Batch& batch, std::size_t index) {
  const Squares black = batch.black[index], white = batch.white[index], kings = batch.kings[index];
  const Squares uncrowned =
      (black & ~kings & checkers::crowning_row(Side::FIRST)) | (white & ~kings & checkers::crowning_row(Side::SECOND));
  return (black & white) == 0 && (kings & ~(black | white)) == 0 && uncrowned == 0 && batch.sides[index] < 2 &&
         count_bits(black) <= checkers::MOST_PIECES && count_bits(white) <= checkers::MOST_PIECES;
}

void check_positions(const Batch& batch) {
  for (std::size_t index = 0; index < batch.size(); ++index) {
    if (is_plainly_good(batch, index) && (batch.black[index] | batch.white[index]) != 0) continue;
    std::vector<std::string> reasons;
    if (batch.sides[index] > 1) reasons.push_back("the side to move must be 0 or 1");
    if ((batch.kings[index] & ~(batch.black[index] | batch.white[index])) != 0)
      reasons.push_back("there is a king where no piece is");
    if (reasons.empty()) reasons = checkers::problems(setup_of(batch, index));
    for (auto& reason : reasons) reason = "position " + std::to_string(index) + " of the batch: " + reason;
    if (!reasons.empty()) raise("IllegalPositionError", to_tuple(reasons));
  }
}

template <class T>
std::vector<T> read_numbers(const char* name, nb::handle given, std::size_t count) {
  const auto array = whole_numbers<T>(name, given, {count});
  return {array.data(), array.data() + count};
}

Batch from_bitboards(nb::handle black, nb::handle white, nb::handle kings, nb::handle sides) {
  const auto first = whole_numbers<std::uint32_t>("black", black);
  const std::size_t count = first.size();
  Batch batch(count);
  batch.black = read_numbers<Squares>("black", black, count);
  batch.white = read_numbers<Squares>("white", white, count);
  batch.kings = read_numbers<Squares>("kings", kings, count);
  batch.sides = read_numbers<std::uint8_t>("sides", sides, count);
  check_positions(batch);
  return batch;
}

Batch from_keys(nb::handle given) {
  const auto array = whole_numbers<std::uint64_t>("keys", given);
  const std::size_t count = array.ndim() == 0 ? 0 : array.shape(0);
  check_shape("keys", shape_of(array), {count, 2});
  Batch batch(count);
  for (std::size_t index = 0; index < count; ++index) {
    const std::uint64_t low = array.data()[2 * index], high = array.data()[2 * index + 1];
    batch.black[index] = static_cast<Squares>(low);
    batch.white[index] = static_cast<Squares>(low >> 32);
    batch.kings[index] = static_cast<Squares>(high);
    batch.sides[index] = static_cast<std::uint8_t>(std::min<std::uint64_t>(high >> 32, 255));
  }
  check_positions(batch);
  return batch;
}

Batch from_rows(nb::handle given, nb::handle sides) {
  const auto array = whole_numbers<std::int64_t>("rows", given);
  const std::size_t count = array.ndim() == 0 ? 0 : array.shape(0);
  check_shape("rows", shape_of(array), {count, 8, 8});
  Batch batch(count);
  if (!sides.is_none()) batch.sides = read_numbers<std::uint8_t>("sides", sides, count);
  for (std::size_t index = 0; index < count; ++index)
    for (int cell = 0; cell < 64; ++cell) {
      const std::int64_t piece = array.data()[64 * index + static_cast<std::size_t>(cell)];
      const int row = cell / 8, column = cell % 8;
      const bool is_dark = (row + column) % 2 == 1;
      if (piece < 0 || piece > 4 || (piece != 0 && !is_dark))
        raise("IllegalPositionError",
              nb::make_tuple("position " + std::to_string(index) + " of the batch: row " + std::to_string(row) +
                             ", column " + std::to_string(column) + " holds " + std::to_string(piece) +
                             (is_dark ? ", not 0 to 4" : ", but pieces stand on dark cells")));
      if (piece == 0) continue;
      const Squares bit = checkers::square_bit(row * 4 + column / 2);
      (piece % 2 == 1 ? batch.black : batch.white)[index] |= bit;
      if (piece > 2) batch.kings[index] |= bit;
    }
  check_positions(batch);
  return batch;
}

Batch at_random(long long count, const nb::object& plies, const nb::object& pieces, std::optional<std::uint64_t> seed,
                int threads) {
  check_count(count);
  if (!plies.is_none() && !pieces.is_none()) throw nb::value_error("give plies or pieces, not both");
  checkers::RandomPositions wanted;
  if (!plies.is_none()) {
    const auto [least, most] = range_of("plies", plies, 0, 300);
    wanted.plies = {least, most};
  }
  if (!pieces.is_none()) {
    const auto [least, most] = range_of("pieces", pieces, 2, 2 * checkers::MOST_PIECES);
    wanted.pieces = {least, most};
  }
  wanted.seed = seed_or_new(seed);
  Batch batch(static_cast<std::size_t>(count));
  fill_at_random(
      batch.size(), threads, [&](std::uint64_t number) { return checkers::random_position(wanted, number); },
      [&](std::size_t index, const Position& position) { batch.set(index, position); });
  return batch;
}

// --- asking them ---

nb::object legal_mask(const Batch& batch) {
  const NewArray<bool> result({batch.size(), checkers::ACTION_COUNT});
  const nb::gil_scoped_release release;
  auto* out = reinterpret_cast<std::uint8_t*>(result.data);
  for (std::size_t index = 0; index < batch.size(); ++index, out += checkers::ACTION_COUNT)
    checkers::write_mask(batch[index].legal_actions(), out);
  return result.object;
}

Batch play(const Batch& batch, nb::handle given) {
  const auto array = whole_numbers<std::int64_t>("actions", given, {batch.size()});
  const auto actions = span_of(array);
  if (const auto wrong = checkers::first_illegal(batch, actions))
    refuse_action(batch[*wrong], batch.side(*wrong), actions[*wrong], *wrong);
  const nb::gil_scoped_release release;
  return checkers::play(batch, actions);
}

nb::object outcomes(const Batch& batch) {
  const NewArray<std::int8_t> result({batch.size()});
  const nb::gil_scoped_release release;
  for (std::size_t index = 0; index < batch.size(); ++index)
    result.data[index] = static_cast<std::int8_t>(checkers::standing_of(batch[index], batch.side(index)));
  return result.object;
}

nb::object keys(const Batch& batch) {
  const NewArray<std::uint64_t> result({batch.size(), 2});
  for (std::size_t index = 0; index < batch.size(); ++index) {
    result.data[2 * index] = std::uint64_t{batch.black[index]} | std::uint64_t{batch.white[index]} << 32;
    result.data[2 * index + 1] = std::uint64_t{batch.kings[index]} | std::uint64_t{batch.sides[index]} << 32;
  }
  return result.object;
}

nb::object rows(const Batch& batch) {
  const NewArray<std::int8_t> result({batch.size(), 8, 8});
  const nb::gil_scoped_release release;
  for (std::size_t index = 0; index < batch.size(); ++index) {
    std::array<std::int8_t, 64> black, white, kings;
    checkers::write_plane(batch.black[index], black.data());
    checkers::write_plane(batch.white[index], white.data());
    checkers::write_plane(batch.kings[index], kings.data());
    for (std::size_t cell = 0; cell < 64; ++cell)
      result.data[64 * index + cell] = static_cast<std::int8_t>(black[cell] + 2 * white[cell] + 2 * kings[cell]);
  }
  return result.object;
}

constexpr std::size_t PLANES_SIZE = checkers::PLANE_COUNT * checkers::PLANE_CELLS;

nb::object planes(const Batch& batch, nb::handle dtype, const std::string& channels, nb::handle out) {
  const bool is_float = is_float32(dtype);
  const bool is_first = channels == "first";
  if (!is_first && channels != "last") throw nb::value_error("channels must be 'first' or 'last'");
  const Shape shape =
      is_first ? Shape{batch.size(), checkers::PLANE_COUNT, 8, 8} : Shape{batch.size(), 8, 8, checkers::PLANE_COUNT};
  const auto fill = [&]<class Number>(nb::handle array) {
    Number* data = array_to_fill<Number>("out", array, shape).data();
    const nb::gil_scoped_release release;
    for (std::size_t index = 0; index < batch.size(); ++index, data += PLANES_SIZE) {
      if constexpr (std::same_as<Number, std::int8_t>)
        if (is_first) {
          checkers::write_planes(batch[index], data);
          continue;
        }
      std::array<std::int8_t, PLANES_SIZE> bytes;
      checkers::write_planes(batch[index], bytes.data());
      for (std::size_t at = 0; at < PLANES_SIZE; ++at) {
        const std::size_t plane = at / checkers::PLANE_CELLS, cell = at % checkers::PLANE_CELLS;
        data[is_first ? at : cell * checkers::PLANE_COUNT + plane] = static_cast<Number>(bytes[at]);
      }
    }
  };
  nb::object result = nb::borrow(out);
  if (is_float) {
    if (out.is_none()) result = NewArray<float>(shape).object;
    fill.operator()<float>(result);
  } else {
    if (out.is_none()) result = NewArray<std::int8_t>(shape).object;
    fill.operator()<std::int8_t>(result);
  }
  return result;
}

// --- as a sequence ---

nb::object member(const Batch& batch, nb::handle index) {
  if (const WholeNumber number = whole_number(index); number.is_number) {
    const auto size = static_cast<long long>(batch.size());
    const long long at = number.value.value_or(size), from_front = at < 0 ? at + size : at;
    if (from_front < 0 || from_front >= size) throw nb::index_error("the batch has no such position");
    const auto place = static_cast<std::size_t>(from_front);
    if (batch.jumping[place] != 0)
      throw nb::value_error(("position " + std::to_string(place) + " of the batch is in the middle of a jump").c_str());
    return nb::cast(batch.position(place));
  }
  const auto members = chosen(index, batch.size());
  Batch result(members.size());
  for (std::size_t at = 0; at < members.size(); ++at) {
    const auto from = static_cast<std::size_t>(members[at]);
    result.set(at, batch[from], batch.side(from));
  }
  return nb::cast(std::move(result));
}

nb::tuple state_of(const Batch& batch) {
  const auto bytes = [](const auto& numbers) {
    return nb::bytes(reinterpret_cast<const char*>(numbers.data()), numbers.size() * sizeof(numbers[0]));
  };
  return nb::make_tuple(bytes(batch.black), bytes(batch.white), bytes(batch.kings), bytes(batch.jumping),
                        bytes(batch.jumped), bytes(batch.sides));
}

Batch from_state(const nb::tuple& state) {
  Batch batch(nb::cast<nb::bytes>(state[5]).size());
  const auto read = [](nb::handle given, auto& numbers) {
    const auto bytes = nb::cast<nb::bytes>(given);
    if (bytes.size() != numbers.size() * sizeof(numbers[0])) throw nb::value_error("the pickled state is damaged");
    std::memcpy(numbers.data(), bytes.c_str(), bytes.size());
  };
  read(state[0], batch.black);
  read(state[1], batch.white);
  read(state[2], batch.kings);
  read(state[3], batch.jumping);
  read(state[4], batch.jumped);
  read(state[5], batch.sides);
  check_positions(batch);
  return batch;
}

template <auto MEMBER>
auto array_of() {
  return [](nb::handle self) {
    const auto& numbers = nb::cast<const Batch&>(self).*MEMBER;
    return view_of(numbers.data(), {numbers.size()}, self);
  };
}

// --- single moves as actions ---

nb::list actions_of(const Position& position, const Move& move) {
  if (!position.is_legal(move))
    raise("IllegalMoveError", checkers::text_of(move), position, "only a legal move can be written as actions");
  nb::list actions;
  for (const int action : checkers::actions_of(position, move)) actions.append(action);
  return actions;
}

Move move_of(const Position& position, const std::vector<std::int64_t>& actions) {
  const auto move = checkers::move_of(position, actions);
  if (!move) raise("IllegalMoveError", nb::cast(actions), position, "these actions are not one legal move");
  return *move;
}

}  // namespace

#define INT8 "numpy.typing.NDArray[numpy.int8]"
#define UINT8 "numpy.typing.NDArray[numpy.uint8]"
#define UINT32 "numpy.typing.NDArray[numpy.uint32]"
#define UINT64 "numpy.typing.NDArray[numpy.uint64]"
#define BOOL "numpy.typing.NDArray[numpy.bool_]"
#define LIKE "numpy.typing.ArrayLike"

void bind_checkers_batch(nb::module_& module) {
  module.attr("ACTION_COUNT") = checkers::ACTION_COUNT;
  module.def(
      "actions_of", checked<"position", "move">(&actions_of), "position"_a.none(), "move"_a.none(),
      nb::sig("def actions_of(position: Position, move: Move) -> list[int]"),
      "Return the actions that make up a legal move: one for a step, one for each jump.\n\nAn action is 32 * "
      "direction + square, both from 0, on the board as the side to move sees it (for White it is turned by half "
      "a turn). The directions are down-left, down-right, up-left and up-right.");
  module.def("move_of", checked<"position", "actions">(&move_of), "position"_a.none(), "actions"_a.none(),
             nb::sig("def move_of(position: Position, actions: collections.abc.Sequence[int]) -> Move"),
             "Return the legal move that these actions make up; IllegalMoveError if they do not.");
  nb::class_<Batch>(
      module, "Positions",
      "Many positions side by side: a value that never changes. Needs NumPy: "
      "`pip install 'outplay[numpy]'`.\n\nArrays have one row for each position. An action is one step or "
      "one jump: see actions_of. A turn of several jumps is several actions by the same side; between "
      "them a position is in the middle of a jump. `positions[3]` is a Position; a slice, an array of "
      "numbers or a mask gives a smaller batch.")
      .def("__init__", checked<"positions">(+[](Batch* self, const std::vector<Position>& positions) {
             new (self) Batch(from_positions(positions));
           }),
           "positions"_a.none(), nb::sig("def __init__(self, positions: collections.abc.Sequence[Position]) -> None"),
           "Make a batch of these positions.")
      .def_static("start", checked<"count">(&start), "count"_a.none(), nb::sig("def start(count: int) -> Positions"),
                  "Return the start position `count` times.")
      .def_static("from_fens", checked<"texts">(&from_fens), "texts"_a.none(),
                  nb::sig("def from_fens(texts: collections.abc.Sequence[str]) -> Positions"),
                  "Return the positions of these texts, as Position.from_fen reads them.")
      .def_static("from_rows", checked<"rows", "sides">(&from_rows), "rows"_a.none(), nb::kw_only(),
                  "sides"_a.none() = nb::none(),
                  nb::sig("def from_rows(rows: " LIKE ", *, sides: " LIKE " | None = None) -> Positions"),
                  "Return the positions of an array of positions x 8 x 8, as Position.matrix writes them. `sides` says "
                  "who is to move: 0 Black, 1 White. Default: Black.")
      .def_static("from_keys", checked<"keys">(&from_keys), "keys"_a.none(),
                  nb::sig("def from_keys(keys: " LIKE ") -> Positions"),
                  "Return the positions with these keys: two numbers each, the lower 64 bits of Position.key first.")
      .def_static("from_bitboards", checked<"black", "white", "kings", "sides">(&from_bitboards), "black"_a.none(),
                  "white"_a.none(), "kings"_a.none(), "sides"_a.none(),
                  nb::sig("def from_bitboards(black: " LIKE ", white: " LIKE ", kings: " LIKE ", sides: " LIKE
                          ") -> Positions"),
                  "Return the positions with these pieces, as bits: bit 0 is square 1.")
      .def_static(
          "random", checked<"count", "plies", "pieces", "seed", "threads">(&at_random), "count"_a.none(), nb::kw_only(),
          "plies"_a.none() = nb::none(), "pieces"_a.none() = nb::none(), "seed"_a.none() = nb::none(),
          "threads"_a.none() = 1,
          nb::sig("def random(count: int, *, plies: int | tuple[int, int] | None = None, pieces: int | tuple[int, int] "
                  "| None = None, seed: int | None = None, threads: int = 1) -> Positions"),
          "Return `count` random positions in which the game is not over. The same seed gives the same positions with "
          "any number of threads. Default for the seed: a new one each time.\n\n`plies` is a number of turns from the "
          "start, "
          "or the least and the most: both sides play actions at random. `pieces` puts that many pieces of any kind on "
          "any squares instead. Without either, both play at random until the game is over, and one of the positions "
          "before its end is taken.")
      .def_prop_ro("black", array_of<&Batch::black>(), nb::for_getter(nb::sig("def black(self) -> " UINT32)),
                   "Black's pieces, as bits; not a copy.")
      .def_prop_ro("white", array_of<&Batch::white>(), nb::for_getter(nb::sig("def white(self) -> " UINT32)),
                   "White's pieces, as bits; not a copy.")
      .def_prop_ro("kings", array_of<&Batch::kings>(), nb::for_getter(nb::sig("def kings(self) -> " UINT32)),
                   "The kings of both sides, as bits; not a copy.")
      .def_prop_ro("sides", array_of<&Batch::sides>(), nb::for_getter(nb::sig("def sides(self) -> " UINT8)),
                   "The side to move, 0 Black and 1 White; not a copy.")
      .def_prop_ro("jumping", array_of<&Batch::jumping>(), nb::for_getter(nb::sig("def jumping(self) -> " UINT32)),
                   "The piece that must jump on, as a bit; 0 unless a position is in the middle of a jump. Not a copy.")
      .def_prop_ro(
          "jumped", array_of<&Batch::jumped>(), nb::for_getter(nb::sig("def jumped(self) -> " UINT32)),
          "The pieces that a jumping piece has captured so far, as bits. They are removed when the turn is over. "
          "Not a copy.")
      .def("keys", &keys, nb::sig("def keys(self) -> " UINT64),
           "Return the key of each position: two numbers, the lower 64 bits first.")
      .def("rows", &rows, nb::sig("def rows(self) -> " INT8),
           "Return positions x 8 x 8 cells, row 0 on top: 0 empty, 1 and 2 Black's and White's men, 3 and 4 their "
           "kings.")
      .def("legal_mask", &legal_mask, nb::sig("def legal_mask(self) -> " BOOL),
           "Return positions x 128: which actions are legal; none of them when the game is over.")
      .def("play", checked<"actions">(&play), "actions"_a.none(),
           nb::sig("def play(self, actions: " LIKE ") -> Positions"),
           "Return the positions after one action each. IllegalMoveError or GameOverError names the first one that "
           "cannot be played.")
      .def("outcomes", &outcomes, nb::sig("def outcomes(self) -> " INT8),
           "Return how each game stands: 0 goes on, 1 won by Black, 2 won by White.")
      .def("planes", checked<"dtype", "channels", "out">(&planes), nb::kw_only(), "dtype"_a.none() = "int8",
           "channels"_a.none() = "first", "out"_a.none() = nb::none(),
           nb::sig("def planes(self, *, dtype: numpy.typing.DTypeLike = 'int8', channels: str = 'first', out: "
                   "numpy.typing.NDArray[typing.Any] | None = None) -> numpy.typing.NDArray[typing.Any]"),
           "Return positions x 6 x 8 x 8 zeros and ones, seen from the side to move, whose men go down: for White the "
           "board is turned by half a turn. The planes: own men, own kings, the other side's men, its kings, the piece "
           "that must jump on, what it took so far. `channels='last'`: positions x 8 x 8 x 6. `dtype` is int8 or "
           "float32; `out` is an array of that type and shape to write to.")
      .def(
          "flip", [](const Batch& batch) { return checkers::flip(batch); },
          "Return every board turned round with the sides exchanged, as Position.flip does.")
      .def("__len__", &Batch::size)
      .def("__iter__", &iterate, nb::sig("def __iter__(self) -> collections.abc.Iterator[Position]"))
      .def("__getitem__", &member, nb::arg().none(),
           nb::sig("def __getitem__(self, index: typing.Any, /) -> typing.Any"))
      .def(
          "__eq__", [](const Batch& a, const Batch& b) { return a == b; }, nb::is_operator(),
          nb::sig("def __eq__(self, other: object, /) -> bool"))
      .def("__repr__", [](const Batch& batch) { return "<checkers.Positions: " + std::to_string(batch.size()) + ">"; })
      .def("__getstate__", &state_of, nb::sig("def __getstate__(self) -> tuple[bytes, ...]"))
      .def(
          "__setstate__", [](Batch& self, const nb::tuple& state) { new (&self) Batch(from_state(state)); },
          nb::sig("def __setstate__(self, state: tuple[bytes, ...], /) -> None"));
  module.attr("Positions").attr("__hash__") = nb::none();
}

}  // namespace outplay::bind
