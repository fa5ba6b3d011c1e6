// Many games of Connect Four in step: see connect4/vector_games.hpp.
#include "bind/batch_connect4.hpp"
#include "bind/busy.hpp"
#include "connect4/vector_games.hpp"

using namespace nb::literals;

namespace outplay::bind {
namespace {

using connect4::Channels;
using connect4::Size;

class Connect4Games {
 public:
  Connect4Games(long long count, const nb::object& width, const nb::object& height, nb::handle planes, nb::handle masks,
                nb::handle rewards, nb::handle finished) {
    check_range("count", count, 1, 100'000'000);
    const Size size = checked_size(width, height);
    const auto games = static_cast<std::size_t>(count);
    if (size.bits() <= 64)
      games_.emplace<connect4::VectorGames<std::uint64_t>>(connect4::geometry<std::uint64_t>(size), games);
    else
      games_.emplace<connect4::VectorGames<Word128>>(connect4::geometry<Word128>(size), games);
    const auto keep = [](auto& place, nb::object& object, const char* name, nb::handle given, const Shape& shape) {
      using T = std::remove_pointer_t<std::remove_reference_t<decltype(place)>>;
      object = given.is_none() ? NewArray<T>(shape).object : nb::borrow(given);
      place = array_to_fill<T>(name, object, shape).data();
    };
    bool *open = nullptr, *over = nullptr;
    std::int8_t* cells = nullptr;
    float* earned = nullptr;
    keep(cells, planes_, "planes", planes, shape_of_planes(games, size, Channels::FIRST));
    keep(open, masks_, "masks", masks, {games, static_cast<std::size_t>(size.width)});
    keep(earned, rewards_, "rewards", rewards, {games});
    keep(over, finished_, "finished", finished, {games});
    arrays_ = {cells, reinterpret_cast<std::uint8_t*>(open), earned, reinterpret_cast<std::uint8_t*>(over)};
    reset();
  }

  void reset() {
    const Busy busy = alone();
    std::visit([&](auto& games) { games.reset(arrays_of(games)); }, games_);
  }

  void step(nb::handle given) {
    const Busy busy = alone();
    const auto step_all = [&](auto& games) {
      const auto array = whole_numbers<std::int64_t>("actions", given, {games.size()});
      const auto actions = span_of(array);
      if (const auto wrong = games.first_illegal(actions)) refuse_action(games[*wrong], actions[*wrong], *wrong);
      const nb::gil_scoped_release release;
      games.step(actions, arrays_of(games));
    };
    std::visit(step_all, games_);
  }

  nb::object random_actions(nb::handle out) {
    const Busy busy = alone();
    return filled<std::int64_t>(out, {size()}, [&](std::int64_t* data) {
      std::visit([&](const auto& games) { games.random_actions(random_, data); }, games_);
    });
  }
  void seed(std::uint64_t seed) { random_ = Random(seed); }

  Positions positions() const {
    const Busy busy = alone();
    return std::visit(
        [](const auto& games) {
          Batch<std::remove_cvref_t<decltype(games.board().board)>> batch(games.board(), games.size());
          for (std::size_t index = 0; index < games.size(); ++index) batch.set(index, games[index]);
          return Positions{std::move(batch)};
        },
        games_);
  }

  std::size_t size() const {
    return std::visit([](const auto& games) { return games.size(); }, games_);
  }
  nb::object planes() const { return planes_; }
  nb::object masks() const { return masks_; }
  nb::object rewards() const { return rewards_; }
  nb::object finished() const { return finished_; }

 private:
  Busy alone() const { return {is_busy_, "another thread uses these games: make games for each thread"}; }

  struct Arrays {
    std::int8_t* planes;
    std::uint8_t* masks;
    float* rewards;
    std::uint8_t* finished;
  };
  template <class Games>
  typename Games::Arrays arrays_of(const Games&) const {
    return {arrays_.planes, arrays_.masks, arrays_.rewards, arrays_.finished};
  }

  std::variant<connect4::VectorGames<std::uint64_t>, connect4::VectorGames<Word128>> games_{
      connect4::VectorGames<std::uint64_t>(connect4::STANDARD, 0)};
  Arrays arrays_{};
  nb::object planes_, masks_, rewards_, finished_;  // ours or the caller's
  Random random_{0};
  mutable bool is_busy_ = false;
};

}  // namespace

#define INT8 "numpy.typing.NDArray[numpy.int8]"
#define BOOL "numpy.typing.NDArray[numpy.bool_]"
#define LIKE "numpy.typing.ArrayLike"

void bind_connect4_games(nb::module_& module) {
  nb::class_<Connect4Games>(module, "VectorGames",
                            "Many games side by side; a game that ends begins again at once. See outplay.envs.")
      .def("__init__",
           checked<"count", "width", "height", "planes", "masks", "rewards", "finished">(
               +[](Connect4Games* self, long long count, const nb::object& width, const nb::object& height,
                   nb::handle planes, nb::handle masks, nb::handle rewards, nb::handle finished) {
                 new (self) Connect4Games(count, width, height, planes, masks, rewards, finished);
               }),
           "count"_a.none(), nb::kw_only(), "width"_a.none() = 7, "height"_a.none() = 6, "planes"_a.none() = nb::none(),
           "masks"_a.none() = nb::none(), "rewards"_a.none() = nb::none(), "finished"_a.none() = nb::none(),
           nb::sig("def __init__(self, count: int, *, width: int = 7, height: int = 6, planes: " INT8
                   " | None = None, masks: " BOOL " | None = None, rewards: numpy.typing.NDArray[numpy.float32] | None "
                   "= None, finished: " BOOL " | None = None) -> None"),
           "Begin `count` games. Every step writes to the same four arrays: those given here, or new ones.")
      .def("reset", &Connect4Games::reset, "Begin every game again.")
      .def("step", checked<"actions">(&Connect4Games::step), "actions"_a.none(),
           nb::sig("def step(self, actions: " LIKE ") -> None"),
           "Play one action in each game and fill the arrays. IllegalMoveError names the first action that is not "
           "legal; then no game has changed.")
      .def("random_actions", checked<"out">(&Connect4Games::random_actions), nb::kw_only(), "out"_a.none() = nb::none(),
           nb::sig("def random_actions(self, *, out: numpy.typing.NDArray[numpy.int64] | None = None) -> "
                   "numpy.typing.NDArray[numpy.int64]"),
           "Return a legal action for each game, at random.")
      .def("seed", checked<"seed">(&Connect4Games::seed), "seed"_a.none(), nb::sig("def seed(self, seed: int) -> None"),
           "Set the seed of random_actions.")
      .def("positions", &Connect4Games::positions, "Return the positions of all games.")
      .def("__len__", &Connect4Games::size)
      .def_prop_ro("planes", &Connect4Games::planes, nb::for_getter(nb::sig("def planes(self) -> " INT8)),
                   "games x 2 x height x width: see Positions.planes.")
      .def_prop_ro("masks", &Connect4Games::masks, nb::for_getter(nb::sig("def masks(self) -> " BOOL)),
                   "games x width: which columns are open.")
      .def_prop_ro("rewards", &Connect4Games::rewards,
                   nb::for_getter(nb::sig("def rewards(self) -> numpy.typing.NDArray[numpy.float32]")),
                   "1 where the last action won its game, otherwise 0.")
      .def_prop_ro("finished", &Connect4Games::finished, nb::for_getter(nb::sig("def finished(self) -> " BOOL)),
                   "Whether the last action ended its game: planes and masks are then those of the next one.");
}

}  // namespace outplay::bind
