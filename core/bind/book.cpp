#include "solver/book.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cerrno>
#include <memory>

#include "base/mapped_file.hpp"
#include "bind/arguments.hpp"
#include "bind/connect4.hpp"
#include "bind/support.hpp"
#include "solver/deep_book.hpp"
#include "solver/members.hpp"
#include "solver/retrieval.hpp"

using namespace nb::literals;

namespace outplay::bind {
namespace {

using connect4::Position;
using solver::Book;
using solver::DeepBook;
using solver::Members;
using solver::Retrieval;

constexpr int MOST_BOOK_PLIES = 14;

connect4::Size book_size(int width, int height) {
  const connect4::Size size{width, height};
  if (!size.is_possible() || size.bits() > 64)
    throw nb::value_error("a book's board is from 4 x 4, and width * (height + 1) is at most 64");
  return size;
}

std::vector<Book::Position> book_positions(int width, int height, int plies) {
  const connect4::Size size = book_size(width, height);
  check_range("plies", plies, 0, std::min(MOST_BOOK_PLIES, size.cells()));
  auto found = run_interruptibly([&](const Stop& stop) { return Book::positions(size, plies, stop); });
  return std::move(*found);
}

nb::list positions(int width, int height, int plies) {
  nb::list list;
  for (const auto& position : book_positions(width, height, plies)) list.append(NumberedPosition(Position(position)));
  return list;
}

Members members(int width, int height, int plies) {
  const connect4::Size size = book_size(width, height);
  check_range("plies", plies, 0, std::min(MOST_BOOK_PLIES, size.cells()));
  auto found = run_interruptibly([&](const Stop& stop) { return Members::of(size, plies, stop); });
  return std::move(*found);
}

NumberedPosition member(const Members& members, long long index) {
  if (index < 0 || index >= static_cast<long long>(members.count())) throw nb::index_error("there are fewer members");
  return {members.position(static_cast<std::size_t>(index))};
}

Book from_scores(int width, int height, int plies, nb::sequence scores) {
  std::vector<std::int8_t> numbers;
  for (const nb::handle score : scores) {
    const int number = given<int>("a score", score);
    check_range("a score", number, -64, 64);
    numbers.push_back(static_cast<std::int8_t>(number));
  }
  const std::size_t count = book_positions(width, height, plies).size();
  if (numbers.size() != count) throw nb::value_error("there must be one score for each position");
  const nb::gil_scoped_release release;
  return Book::from_scores(book_size(width, height), plies, numbers);
}

std::optional<Book> decode(const nb::bytes& bytes) { return Book::decode({bytes.c_str(), bytes.size()}); }

nb::bytes to_bytes(const std::string& text) { return nb::bytes(text.data(), text.size()); }

nb::bytes encode(const Book& book) { return to_bytes(book.encode()); }

std::span<const std::uint8_t> span_of(const nb::bytes& bytes) {
  return {static_cast<const std::uint8_t*>(bytes.data()), bytes.size()};
}

// One signed byte a score.
std::vector<std::int8_t> scores_of(const nb::bytes& bytes, connect4::Size size, int plies, std::size_t count) {
  const auto* first = static_cast<const std::int8_t*>(bytes.data());
  std::vector<std::int8_t> scores(first, first + bytes.size());
  if (scores.size() != count) throw nb::value_error("there must be one score for each member");
  const auto [least, most] = DeepBook::range(size, plies);
  for (const std::int8_t score : scores) check_range("a score", score, least, most);
  return scores;
}

nb::bytes encode_deep(int width, int height, const std::vector<std::pair<int, nb::bytes>>& levels) {
  const connect4::Size size = book_size(width, height);
  check_range("the number of levels", static_cast<long long>(levels.size()), 1, MOST_BOOK_PLIES + 1);
  std::vector<DeepBook::Scores> all;
  for (const auto& [plies, bytes] : levels) {
    Members listed = members(width, height, plies);
    auto scores = scores_of(bytes, size, plies, listed.count());
    all.push_back({plies, std::move(listed), std::move(scores)});
  }
  return to_bytes(*run_interruptibly([&](const Stop& stop) { return DeepBook::encode(size, all, stop); }));
}

std::optional<DeepBook> decode_deep(const nb::bytes& bytes) {
  const auto kept = std::make_shared<std::vector<std::uint8_t>>(span_of(bytes).begin(), span_of(bytes).end());
  return DeepBook::read(*kept, kept);
}

std::optional<DeepBook> open_deep(const std::string& path) {
  auto opened = MappedFile::open(path);
  if (const int* error_number = std::get_if<int>(&opened)) {
    errno = *error_number;
    PyErr_SetFromErrnoWithFilename(PyExc_OSError, path.c_str());
    throw nb::python_error();
  }
  const auto file = std::make_shared<MappedFile>(std::move(std::get<MappedFile>(opened)));
  return DeepBook::read(file->bytes(), file);
}

nb::bytes deep_scores(const DeepBook& book, int plies) {
  const auto is_near = [plies](int level) { return plies <= level && level <= plies + 2; };
  check_range("plies", plies, 0, MOST_BOOK_PLIES);
  if (std::ranges::none_of(book.levels(), is_near))
    throw nb::value_error("no level has that many discs, or up to two more");
  const auto found = run_interruptibly([&](const Stop& stop) { return book.scores(plies, stop); });
  return nb::bytes(found->data(), found->size());
}

nb::bytes build_retrieval(const std::vector<std::uint64_t>& keys, const nb::bytes& numbers, int bits) {
  check_range("bits", bits, 1, Retrieval::MOST_BITS);
  if (keys.size() != numbers.size()) throw nb::value_error("there must be one number for each key");
  for (const std::uint8_t number : span_of(numbers)) check_range("a number", number, 0, (1 << bits) - 1);
  return to_bytes(Retrieval::build(keys, span_of(numbers), bits));
}

// Look-ups in bytes, for tests.
nb::bytes find_all(const nb::bytes& bytes, const std::vector<std::uint64_t>& keys) {
  const auto retrieval = Retrieval::over(span_of(bytes));
  if (!retrieval) throw nb::value_error("these bytes are not a retrieval structure");
  std::string numbers;
  for (const std::uint64_t key : keys) numbers += static_cast<char>(retrieval->find(key));
  return to_bytes(numbers);
}

}  // namespace

void bind_books(nb::module_& module) {
  nb::class_<Members>(module, "Members", "The positions of a deep book with one number of discs, by key.")
      .def_static("of", checked<"width", "height", "plies">(&members), "width"_a.none(), "height"_a.none(),
                  "plies"_a.none(), nb::sig("def of(width: int, height: int, plies: int) -> Members"),
                  "Return all undecided positions with this number of discs and no immediate win, one of each mirror "
                  "pair.")
      .def("__len__", &Members::count)
      .def("__getitem__", checked<"index">(&member), "index"_a.none(),
           nb::sig("def __getitem__(self, index: int) -> Position"));

  nb::class_<Book>(module, "BookCore", "The positions of an opening book and their scores.")
      .def_static("positions", checked<"width", "height", "plies">(&positions), "width"_a.none(), "height"_a.none(),
                  "plies"_a.none(), nb::sig("def positions(width: int, height: int, plies: int) -> list[Position]"),
                  "Return every undecided position with this number of plies, one of each mirror pair, by key.")
      .def_static(
          "from_scores", checked<"width", "height", "plies", "scores">(&from_scores), "width"_a.none(),
          "height"_a.none(), "plies"_a.none(), "scores"_a.none(),
          nb::sig("def from_scores(width: int, height: int, plies: int, scores: typing.Sequence[int]) -> BookCore"),
          "Make the book from the scores of `positions`; those of positions with fewer discs follow from them.")
      .def_static("decode", checked<"bytes">(&decode), "bytes"_a.none(),
                  nb::sig("def decode(bytes: bytes) -> BookCore | None"),
                  "Read the contents of a file; None if it is damaged or not a book.")
      .def("encode", &encode, nb::sig("def encode(self) -> bytes"), "Return the contents of its file.")
      .def("find",
           checked<"position">(+[](const Book& book, const NumberedPosition& position) { return book.find(position); }),
           "position"_a.none(), nb::sig("def find(self, position: Position) -> int | None"),
           "Return the score of a position; None if it is not in the book.")
      .def_prop_ro("width", [](const Book& book) { return book.size().width; })
      .def_prop_ro("height", [](const Book& book) { return book.size().height; })
      .def_prop_ro("plies", &Book::plies)
      .def("__len__", &Book::count);

  nb::class_<DeepBook>(module, "DeepBookCore", "Scores of all positions with some numbers of discs, without keys.")
      .def_static("encode", checked<"width", "height", "levels">(&encode_deep), "width"_a.none(), "height"_a.none(),
                  "levels"_a.none(),
                  nb::sig("def encode(width: int, height: int, levels: list[tuple[int, bytes]]) -> bytes"),
                  "Return the contents of the file with these levels: discs, and a signed byte for the score of each "
                  "member.")
      .def_static("decode", checked<"bytes">(&decode_deep), "bytes"_a.none(),
                  nb::sig("def decode(bytes: bytes) -> DeepBookCore | None"),
                  "Read the contents of a file; None if it is damaged or not a book.")
      .def_static("open", checked<"path">(&open_deep), "path"_a.none(),
                  nb::sig("def open(path: str) -> DeepBookCore | None"),
                  "Map a file and check it; None if it is damaged or not a book, OSError if it cannot be read.")
      .def("find", checked<"position">(+[](const DeepBook& book, const NumberedPosition& position) {
             return book.find(position);
           }),
           "position"_a.none(), nb::sig("def find(self, position: Position) -> int | None"),
           "Return the score of a position; None if the book does not answer it.")
      .def("scores", checked<"plies">(&deep_scores), "plies"_a.none(), nb::sig("def scores(self, plies: int) -> bytes"),
           "Return the scores of all members with this number of discs: that of a level, or up to two fewer.")
      .def_prop_ro("width", [](const DeepBook& book) { return book.size().width; })
      .def_prop_ro("height", [](const DeepBook& book) { return book.size().height; })
      .def_prop_ro(
          "encoded", [](const DeepBook& book) { return nb::bytes(book.bytes().data(), book.bytes().size()); },
          "The contents of its file.")
      .def_prop_ro("levels", &DeepBook::levels, "Numbers of discs, the highest first.")
      .def("__len__", &DeepBook::count);

  module.def("build_retrieval", checked<"keys", "numbers", "bits">(&build_retrieval), "keys"_a.none(),
             "numbers"_a.none(), "bits"_a.none(),
             nb::sig("def build_retrieval(keys: typing.Sequence[int], numbers: bytes, bits: int) -> bytes"),
             "Build a function from these keys to numbers of `bits` bits, without the keys.");
  module.def("find_all", checked<"retrieval", "keys">(&find_all), "retrieval"_a.none(), "keys"_a.none(),
             nb::sig("def find_all(retrieval: bytes, keys: typing.Sequence[int]) -> bytes"),
             "Return the numbers of keys; ValueError if the bytes do not have the form of such a function.");
}

}  // namespace outplay::bind
