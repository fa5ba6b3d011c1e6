#include "bind/batch_connect4.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/vector.h>

#include "bind/connect4.hpp"
#include "connect4/notation.hpp"
#include "connect4/planes.hpp"

using namespace nb::literals;

namespace outplay::bind {
namespace {

using connect4::BasicPosition;
using connect4::Channels;
using connect4::Geometry;
using connect4::Size;
using connect4::Standing;

// Calls make(geometry) for the words that fit the size.
template <class Make>
auto for_size(Size size, const Make& make) {
  using Result = Positions;
  return size.bits() <= 64 ? Result{make(connect4::geometry<std::uint64_t>(size))}
                           : Result{make(connect4::geometry<Word128>(size))};
}

template <class Word>
constexpr std::size_t WORDS = sizeof(Word) / 8;  // of 64 bits

template <class Word>
Shape shape_of_words(std::size_t count) {
  return WORDS<Word> == 1 ? Shape{count} : Shape{count, WORDS<Word>};
}

template <class Word>
nb::object view_of_words(const std::vector<Word>& words, nb::handle owner) {
  return view_of(reinterpret_cast<const std::uint64_t*>(words.data()), shape_of_words<Word>(words.size()), owner);
}

// --- making batches ---

Positions start(long long count, const nb::object& width, const nb::object& height) {
  check_count(count);
  return for_size(checked_size(width, height), [&]<class Word>(const Geometry<Word>& board) {
    return Batch<Word>(board, static_cast<std::size_t>(count));
  });
}

Positions from_positions(const std::vector<NumberedPosition>& positions) {
  const Size size = positions.empty() ? Size{7, 6} : connect4::size_of(positions.front());
  return for_size(size, [&]<class Word>(const Geometry<Word>& board) {
    Batch<Word> batch(board, positions.size());
    for (std::size_t index = 0; index < positions.size(); ++index) {
      const connect4::Position& plain = positions[index];
      if (connect4::size_of(plain) != size) throw nb::value_error("the positions of a batch must have the same board");
      batch.set(index, std::get<BasicPosition<Word>>(plain));
    }
    return batch;
  });
}

Positions from_moves(const std::vector<std::string>& texts, const nb::object& width, const nb::object& height) {
  const nb::object make = nb::type<NumberedPosition>().attr("from_moves");
  std::vector<NumberedPosition> positions;
  for (const auto& text : texts) positions.push_back(nb::cast<NumberedPosition>(make(text, width, height)));
  if (positions.empty()) return start(0, width, height);
  return from_positions(positions);
}

template <class Word>
[[noreturn]] void refuse_position(const BasicPosition<Word>& position, std::size_t index) {
  auto reasons = connect4::problems(connect4::rows_of(position), {"the first side", "the second side", 0});
  for (auto& reason : reasons) reason = "position " + std::to_string(index) + " of the batch: " + reason;
  if (reasons.empty()) reasons.push_back("position " + std::to_string(index) + " of the batch is not on the board");
  raise("IllegalPositionError", to_tuple(reasons));
}

// Every position must be possible; with `is_checked` it must be one that a game leads to.
template <class Word>
void check_positions(Batch<Word>& batch, bool is_checked) {
  for (std::size_t index = 0; index < batch.size(); ++index)
    if (!connect4::is_possible(batch[index])) {
      const Word inside = batch.mask[index] & batch.board->board;
      const BasicPosition<Word> shown(*batch.board, batch.own[index] & inside, inside);
      refuse_position(shown, index);
    }
  batch.is_reachable = is_checked;
  if (!is_checked) return;
  const auto wrong = run_interruptibly([&](const Stop& stop) -> std::optional<std::size_t> {
    for (std::size_t index = 0; index < batch.size() && !stop.requested(); ++index)
      if (!connect4::is_reachable(batch[index])) return index;
    return std::nullopt;
  });
  if (wrong) refuse_position(batch[*wrong], *wrong);
}

template <class Word>
std::vector<Word> read_words(const char* name, nb::handle given, std::optional<std::size_t> count) {
  const auto array = whole_numbers<std::uint64_t>(name, given);
  const std::size_t found = array.ndim() == 0 ? 0 : array.shape(0);
  check_shape(name, bind::shape_of(array), shape_of_words<Word>(count.value_or(found)));
  std::vector<Word> words(found);
  std::copy_n(array.data(), found * WORDS<Word>, reinterpret_cast<std::uint64_t*>(words.data()));
  return words;
}

Positions from_keys(nb::handle keys, const nb::object& width, const nb::object& height, bool check) {
  return for_size(checked_size(width, height), [&]<class Word>(const Geometry<Word>& board) {
    const auto words = read_words<Word>("keys", keys, std::nullopt);
    Batch<Word> batch(board, words.size());
    for (std::size_t index = 0; index < words.size(); ++index) {
      const auto position = connect4::from_key(board, words[index]);
      if (!position)
        raise("IllegalPositionError", nb::make_tuple("key " + std::to_string(index) + " is not a position"));
      batch.set(index, *position);
    }
    check_positions(batch, check);
    return batch;
  });
}

Positions from_bitboards(nb::handle own, nb::handle mask, const nb::object& width, const nb::object& height,
                         bool check) {
  return for_size(checked_size(width, height), [&]<class Word>(const Geometry<Word>& board) {
    Batch<Word> batch(board);
    batch.own = read_words<Word>("own", own, std::nullopt);
    batch.mask = read_words<Word>("mask", mask, batch.own.size());
    check_positions(batch, check);
    return batch;
  });
}

Positions from_rows(nb::handle given, int first, bool check) {
  check_range("first", first, 1, 2);
  const auto array = whole_numbers<std::int64_t>("rows", given);
  if (array.ndim() != 3) throw nb::value_error("rows must be an array of positions x height x width");
  const std::size_t count = array.shape(0), height = array.shape(1), width = array.shape(2);
  return for_size(checked_size(nb::int_(width), nb::int_(height)), [&]<class Word>(const Geometry<Word>& board) {
    Batch<Word> batch(board, count);
    const std::int64_t* cell = array.data();
    for (std::size_t index = 0; index < count; ++index) {
      Word discs[2] = {0, 0};  // of the side that began, of the other
      for (int row = board.size.height - 1; row >= 0; --row)
        for (int column = 0; column < board.size.width; ++column, ++cell) {
          if (*cell < 0 || *cell > 2)
            raise("IllegalPositionError",
                  nb::make_tuple("position " + std::to_string(index) + " of the batch: row " +
                                 std::to_string(board.size.height - 1 - row) + ", column " + std::to_string(column) +
                                 " holds " + std::to_string(*cell) + ", not 0, 1 or 2"));
          if (*cell != 0) discs[*cell == first ? 0 : 1] |= board.bit(column, row);
        }
      const bool is_second_to_move = count_bits(static_cast<Word>(discs[0] | discs[1])) % 2 == 1;
      batch.set(index, {board, discs[is_second_to_move ? 1 : 0], discs[0] | discs[1]});
    }
    check_positions(batch, check);
    return batch;
  });
}

Positions at_random(long long count, const nb::object& plies, bool no_immediate_win, std::optional<std::uint64_t> seed,
                    int threads, const nb::object& width, const nb::object& height) {
  check_count(count);
  return for_size(checked_size(width, height), [&]<class Word>(const Geometry<Word>& board) {
    connect4::RandomPositions wanted;
    if (!plies.is_none()) {
      const auto [least, most] = range_of("plies", plies, 0, board.size.cells());
      wanted.plies = {least, most};
    }
    wanted.has_no_win = no_immediate_win;
    wanted.seed = seed_or_new(seed);
    Batch<Word> batch(board, static_cast<std::size_t>(count));
    fill_at_random(
        batch.size(), threads, [&](std::uint64_t number) { return connect4::random_position(board, wanted, number); },
        [&](std::size_t index, const BasicPosition<Word>& position) { batch.set(index, position); });
    return batch;
  });
}

// --- asking them ---

template <class Ask>
auto ask(const Positions& positions, Ask&& question) {
  return std::visit(question, positions.batch);
}

nb::object legal_mask(const Positions& positions) {
  return ask(positions, []<class Word>(const Batch<Word>& batch) {
    const auto& board = *batch.board;
    const NewArray<bool> result({batch.size(), static_cast<std::size_t>(board.size.width)});
    const nb::gil_scoped_release release;
    bool* out = result.data;
    for (std::size_t index = 0; index < batch.size(); ++index) {
      const Word open = connect4::open_columns(batch[index]);
      for (int column = 0; column < board.size.width; ++column) *out++ = (open & board.column(column)) != 0;
    }
    return result.object;
  });
}

Positions play(const Positions& positions, nb::handle given) {
  return ask(positions, [&]<class Word>(const Batch<Word>& batch) {
    const auto array = whole_numbers<std::int64_t>("actions", given, {batch.size()});
    const auto actions = span_of(array);
    if (const auto wrong = connect4::first_illegal(batch, actions))
      refuse_action(batch[*wrong], actions[*wrong], *wrong);
    const nb::gil_scoped_release release;
    return Positions{connect4::play(batch, actions)};
  });
}

template <class Number>
nb::object numbers_of(const Positions& positions, auto&& number_of) {
  return ask(positions, [&]<class Word>(const Batch<Word>& batch) {
    const NewArray<Number> result({batch.size()});
    const nb::gil_scoped_release release;
    for (std::size_t index = 0; index < batch.size(); ++index)
      result.data[index] = static_cast<Number>(number_of(batch[index]));
    return result.object;
  });
}

nb::object outcomes(const Positions& positions) {
  return numbers_of<std::int8_t>(positions, [](const auto& position) { return connect4::standing_of(position); });
}
nb::object plies(const Positions& positions) {
  return numbers_of<std::uint8_t>(positions, [](const auto& position) { return position.plies(); });
}
nb::object sides(const Positions& positions) {
  return numbers_of<std::uint8_t>(positions, [](const auto& position) { return position.side(); });
}

nb::object keys(const Positions& positions) {
  return ask(positions, []<class Word>(const Batch<Word>& batch) {
    const NewArray<std::uint64_t> result(shape_of_words<Word>(batch.size()));
    auto* const out = reinterpret_cast<Word*>(result.data);
    for (std::size_t index = 0; index < batch.size(); ++index) {
      const Word key = batch[index].key();
      std::memcpy(out + index, &key, sizeof(key));
    }
    return result.object;
  });
}

nb::object rows(const Positions& positions) {
  return ask(positions, []<class Word>(const Batch<Word>& batch) {
    const auto& board = *batch.board;
    const NewArray<std::int8_t> result(
        {batch.size(), static_cast<std::size_t>(board.size.height), static_cast<std::size_t>(board.size.width)});
    const nb::gil_scoped_release release;
    std::int8_t* out = result.data;
    for (std::size_t index = 0; index < batch.size(); ++index) {
      const auto position = batch[index];
      const Word first = position.discs(Side::FIRST), second = position.discs(Side::SECOND);
      for (int row = board.size.height - 1; row >= 0; --row)
        for (int column = 0; column < board.size.width; ++column) {
          const int bit = column * board.stride + row;
          *out++ =
              static_cast<std::int8_t>(static_cast<int>(first >> bit & 1) + 2 * static_cast<int>(second >> bit & 1));
        }
    }
    return result.object;
  });
}

Channels channels_of(const std::string& name) {
  if (name != "first" && name != "last") throw nb::value_error("channels must be 'first' or 'last'");
  return name == "first" ? Channels::FIRST : Channels::LAST;
}

nb::object planes(const Positions& positions, nb::handle dtype, const std::string& order, nb::handle out) {
  const bool is_float = is_float32(dtype);
  const Channels channels = channels_of(order);
  return ask(positions, [&]<class Word>(const Batch<Word>& batch) {
    const auto cells = static_cast<std::size_t>(batch.board->size.cells());
    const auto fill = [&](auto* data) {
      const nb::gil_scoped_release release;
      for (std::size_t index = 0; index < batch.size(); ++index, data += 2 * cells)
        connect4::write_planes(*batch.board, batch.own[index], static_cast<Word>(batch.own[index] ^ batch.mask[index]),
                               channels, data);
    };
    const Shape shape = shape_of_planes(batch.size(), batch.board->size, channels);
    return is_float ? filled<float>(out, shape, fill) : filled<std::int8_t>(out, shape, fill);
  });
}

// --- as a sequence ---

nb::object member(const Positions& positions, nb::handle index) {
  return ask(positions, [&]<class Word>(const Batch<Word>& batch) -> nb::object {
    if (const WholeNumber number = whole_number(index); number.is_number) {
      const auto size = static_cast<long long>(batch.size());
      const long long at = number.value.value_or(size), from_front = at < 0 ? at + size : at;
      if (from_front < 0 || from_front >= size) throw nb::index_error("the batch has no such position");
      if (!batch.is_reachable)
        throw nb::value_error("the batch was made with check=False: it may hold positions that no game leads to");
      return nb::cast(NumberedPosition(batch[static_cast<std::size_t>(from_front)]));
    }
    const auto members = chosen(index, batch.size());
    Batch<Word> result(*batch.board, members.size());
    result.is_reachable = batch.is_reachable;
    for (std::size_t at = 0; at < members.size(); ++at) result.set(at, batch[static_cast<std::size_t>(members[at])]);
    return nb::cast(Positions{std::move(result)});
  });
}

Size size_of(const Positions& positions) {
  return ask(positions, [](const auto& batch) { return batch.board->size; });
}

std::string repr(const Positions& positions) {
  const Size size = size_of(positions);
  return "<connect4.Positions: " + std::to_string(positions.count()) + " on " + std::to_string(size.width) + " x " +
         std::to_string(size.height) + ">";
}

nb::tuple state_of(nb::handle self) {
  const auto& positions = nb::cast<const Positions&>(self);
  const Size size = size_of(positions);
  return nb::make_tuple(self.attr("own").attr("copy")(), self.attr("mask").attr("copy")(), size.width, size.height,
                        positions.is_reachable());
}

// What was checked once need not be checked again.
Positions from_state(const nb::tuple& state) {
  Positions positions = from_bitboards(state[0], state[1], state[2], state[3], false);
  std::visit([&](auto& batch) { batch.is_reachable = nb::cast<bool>(state[4]); }, positions.batch);
  return positions;
}

// What one side sees of a single position: height x width x 2 cells, its own discs first, and the columns it may play.
nb::tuple observation(const NumberedPosition& position, Side side) {
  const connect4::Position& plain = position;
  return std::visit(
      [&](const auto& p) {
        const Size size = p.board().size;
        const auto width = static_cast<std::size_t>(size.width);
        const NewArray<std::int8_t> cells({static_cast<std::size_t>(size.height), width, 2}), mask({width});
        connect4::write_planes(p.board(), p.discs(side), p.discs(other(side)), Channels::LAST, cells.data);
        const auto open = p.side() == side ? connect4::open_columns(p) : decltype(p.mask()){0};
        for (int column = 0; column < size.width; ++column)
          mask.data[column] = (open & p.board().column(column)) != 0 ? 1 : 0;
        return nb::make_tuple(cells.object, mask.object);
      },
      plain);
}

}  // namespace

Size checked_size(const nb::object& width, const nb::object& height) {
  return connect4::size_of(nb::cast<NumberedPosition&>(nb::type<NumberedPosition>()(width, height)));
}

Shape shape_of_planes(std::size_t count, Size size, Channels channels) {
  const auto height = static_cast<std::size_t>(size.height), width = static_cast<std::size_t>(size.width);
  return channels == Channels::FIRST ? Shape{count, 2, height, width} : Shape{count, height, width, 2};
}

std::size_t Positions::count() const {
  return std::visit([](const auto& kept) { return kept.size(); }, batch);
}

bool Positions::is_reachable() const {
  return std::visit([](const auto& kept) { return kept.is_reachable; }, batch);
}

#define INT8 "numpy.typing.NDArray[numpy.int8]"
#define UINT8 "numpy.typing.NDArray[numpy.uint8]"
#define UINT64 "numpy.typing.NDArray[numpy.uint64]"
#define BOOL "numpy.typing.NDArray[numpy.bool_]"
#define LIKE "numpy.typing.ArrayLike"

void bind_connect4_batch(nb::module_& module) {
  using P = Positions;
  module.def("observation", checked<"position", "side">(&observation), "position"_a.none(), "side"_a.none(),
             nb::sig("def observation(position: Position, side: Side) -> tuple[" INT8 ", " INT8 "]"),
             "Return what one side sees: height x width x 2 zeros and ones, its own discs first, row 0 on top; and the "
             "columns that it may play, as zeros and ones. Needs NumPy: `pip install 'outplay[numpy]'`.");
  nb::class_<P>(module, "Positions",
                "Many positions of one board size, side by side: a value that never changes. Needs NumPy: "
                "`pip install 'outplay[numpy]'`.\n\nArrays have one row for each position. An action is a column, "
                "from 0. `positions[3]` is a Position; a slice, an array of numbers or a mask gives a smaller batch.")
      .def("__init__", checked<"positions">(+[](P* self, const std::vector<NumberedPosition>& positions) {
             new (self) P(from_positions(positions));
           }),
           "positions"_a.none(), nb::sig("def __init__(self, positions: collections.abc.Sequence[Position]) -> None"),
           "Make a batch of these positions, all of one board size.")
      .def_static("start", checked<"count", "width", "height">(&start), "count"_a.none(), nb::kw_only(),
                  "width"_a.none() = 7, "height"_a.none() = 6,
                  nb::sig("def start(count: int, *, width: int = 7, height: int = 6) -> Positions"),
                  "Return `count` empty boards.")
      .def_static("from_moves", checked<"texts", "width", "height">(&from_moves), "texts"_a.none(), nb::kw_only(),
                  "width"_a.none() = 7, "height"_a.none() = 6,
                  nb::sig("def from_moves(texts: collections.abc.Sequence[str], *, width: int = 7, height: int = 6) -> "
                          "Positions"),
                  "Return the positions after these moves, as Position.from_moves reads them.")
      .def_static(
          "from_rows", checked<"rows", "first", "check">(&from_rows), "rows"_a.none(), nb::kw_only(),
          "first"_a.none() = 1, "check"_a.none() = true,
          nb::sig("def from_rows(rows: " LIKE ", *, first: int = 1, check: bool = True) -> Positions"),
          "Return the positions of an array of positions x height x width, row 0 on top: 0 empty, `first` the side "
          "that "
          "began. IllegalPositionError names the first one that no game leads to. `check=False`: see from_keys.")
      .def_static(
          "from_keys", checked<"keys", "width", "height", "check">(&from_keys), "keys"_a.none(), nb::kw_only(),
          "width"_a.none() = 7, "height"_a.none() = 6, "check"_a.none() = true,
          nb::sig("def from_keys(keys: " LIKE ", *, width: int = 7, height: int = 6, check: bool = True) -> Positions"),
          "Return the positions with these keys: see Position.key. A key of a board of more than 64 bits is two "
          "numbers, the lower half first. IllegalPositionError names the first one that no game leads to.\n\n"
          "`check=False` skips that search: then solvers do not look such positions up in a book, and single ones "
          "cannot be taken out of the batch.")
      .def_static("from_bitboards", checked<"own", "mask", "width", "height", "check">(&from_bitboards), "own"_a.none(),
                  "mask"_a.none(), nb::kw_only(), "width"_a.none() = 7, "height"_a.none() = 6, "check"_a.none() = true,
                  nb::sig("def from_bitboards(own: " LIKE ", mask: " LIKE
                          ", *, width: int = 7, height: int = 6, check: bool = True) -> Positions"),
                  "Return the positions with these discs: `own` are those of the side to move, `mask` those of both "
                  "sides. `check`: see from_keys.")
      .def_static(
          "random", checked<"count", "plies", "no_immediate_win", "seed", "threads", "width", "height">(&at_random),
          "count"_a.none(), nb::kw_only(), "plies"_a.none() = nb::none(), "no_immediate_win"_a.none() = false,
          "seed"_a.none() = nb::none(), "threads"_a.none() = 1, "width"_a.none() = 7, "height"_a.none() = 6,
          nb::sig("def random(count: int, *, plies: int | tuple[int, int] | None = None, no_immediate_win: bool = "
                  "False, seed: int | None = None, threads: int = 1, width: int = 7, height: int = 6) -> Positions"),
          "Return `count` random positions in which the game is not over. The same seed gives the same positions with "
          "any number of threads. Default for the seed: a new one each time.\n\n`plies` is a number of discs, or the "
          "least "
          "and the most: both sides drop discs at random that do not make four. (A full board is a draw.) Without it, "
          "both play at random until the game is over, and one of the positions before its end is taken. "
          "`no_immediate_win` leaves out positions in which the side to move wins with its next disc.")
      .def_prop_ro(
          "own",
          [](nb::handle self) {
            return ask(nb::cast<const P&>(self), [&](const auto& batch) { return view_of_words(batch.own, self); });
          },
          nb::for_getter(nb::sig("def own(self) -> " UINT64)),
          "The discs of the side to move, as bits; not a copy. A board of more than 64 bits has two numbers a "
          "position, "
          "the lower half first.")
      .def_prop_ro(
          "mask",
          [](nb::handle self) {
            return ask(nb::cast<const P&>(self), [&](const auto& batch) { return view_of_words(batch.mask, self); });
          },
          nb::for_getter(nb::sig("def mask(self) -> " UINT64)), "The discs of both sides, as bits; not a copy.")
      .def_prop_ro("width", [](const P& positions) { return size_of(positions).width; })
      .def_prop_ro("height", [](const P& positions) { return size_of(positions).height; })
      .def_prop_ro("is_reachable", &P::is_reachable,
                   "Whether games are known to lead to all of these positions: False after `check=False`.")
      .def("keys", &keys, nb::sig("def keys(self) -> " UINT64), "Return the key of each position.")
      .def("plies", &plies, nb::sig("def plies(self) -> " UINT8), "Return the number of discs on each board.")
      .def("sides", &sides, nb::sig("def sides(self) -> " UINT8),
           "Return the side to move: 0 the side that began, 1 the other.")
      .def("rows", &rows, nb::sig("def rows(self) -> " INT8),
           "Return positions x height x width cells, row 0 on top: 0 empty, 1 the side that began, 2 the other.")
      .def("legal_mask", &legal_mask, nb::sig("def legal_mask(self) -> " BOOL),
           "Return positions x width: which columns may be played; none of them when the game is over.")
      .def("play", checked<"actions">(&play), "actions"_a.none(),
           nb::sig("def play(self, actions: " LIKE ") -> Positions"),
           "Return the positions after one action each. IllegalMoveError or GameOverError names the first one that "
           "cannot be played.")
      .def("outcomes", &outcomes, nb::sig("def outcomes(self) -> " INT8),
           "Return how each game stands: 0 goes on, 1 won by the side that began, 2 by the other, 3 drawn.")
      .def("planes", checked<"dtype", "channels", "out">(&planes), nb::kw_only(), "dtype"_a.none() = "int8",
           "channels"_a.none() = "first", "out"_a.none() = nb::none(),
           nb::sig("def planes(self, *, dtype: numpy.typing.DTypeLike = 'int8', channels: str = 'first', out: "
                   "numpy.typing.NDArray[typing.Any] | None = None) -> numpy.typing.NDArray[typing.Any]"),
           "Return positions x 2 x height x width zeros and ones, row 0 on top: the discs of the side to move, then "
           "those of the other. `channels='last'`: positions x height x width x 2. `dtype` is int8 or float32; `out` "
           "is an array of that type and shape to write to.")
      .def(
          "mirror",
          [](const P& positions) {
            return ask(positions, [](const auto& batch) { return P{connect4::mirror(batch)}; });
          },
          "Return the mirror images, left and right exchanged.")
      .def("__len__", &P::count)
      .def("__iter__", &iterate, nb::sig("def __iter__(self) -> collections.abc.Iterator[Position]"))
      .def("__getitem__", &member, nb::arg().none(),
           nb::sig("def __getitem__(self, index: typing.Any, /) -> typing.Any"))
      .def(
          "__eq__", [](const P& a, const P& b) { return a.batch == b.batch; }, nb::is_operator(),
          nb::sig("def __eq__(self, other: object, /) -> bool"))
      .def("__repr__", &repr)
      .def("__getstate__", &state_of, nb::sig("def __getstate__(self) -> tuple[typing.Any, ...]"))
      .def(
          "__setstate__", [](P& self, const nb::tuple& state) { new (&self) P(from_state(state)); },
          nb::sig("def __setstate__(self, state: tuple[typing.Any, ...], /) -> None"));
  module.attr("Positions").attr("__hash__") = nb::none();
}

}  // namespace outplay::bind
