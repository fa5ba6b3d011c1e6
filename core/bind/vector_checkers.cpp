// Many games of checkers in step: see checkers/vector_games.hpp.
#include "bind/batch_checkers.hpp"
#include "bind/busy.hpp"
#include "checkers/vector_games.hpp"

using namespace nb::literals;

namespace outplay::bind {
namespace {

using checkers::Batch;

class CheckersGames {
 public:
  CheckersGames(long long count, int draw_plies, nb::handle planes, nb::handle masks, nb::handle rewards,
                nb::handle finished, nb::handle sides)
      : games_(checked_count(count), checked_plies(draw_plies)) {
    const std::size_t size = games_.size();
    const auto keep = [&]<class T>(T*& place, nb::object& object, const char* name, nb::handle given,
                                   const Shape& shape) {
      object = given.is_none() ? NewArray<T>(shape).object : nb::borrow(given);
      place = array_to_fill<T>(name, object, shape).data();
    };
    bool *legal = nullptr, *over = nullptr;
    keep(arrays_.planes, planes_, "planes", planes, {size, checkers::PLANE_COUNT, 8, 8});
    keep(legal, masks_, "masks", masks, {size, checkers::ACTION_COUNT});
    keep(arrays_.rewards, rewards_, "rewards", rewards, {size});
    keep(over, finished_, "finished", finished, {size});
    keep(arrays_.sides, sides_, "sides", sides, {size});
    arrays_.masks = reinterpret_cast<std::uint8_t*>(legal);
    arrays_.finished = reinterpret_cast<std::uint8_t*>(over);
    reset();
  }

  void reset() {
    const Busy busy = alone();
    games_.reset(arrays_);
  }

  void step(nb::handle given) {
    const Busy busy = alone();
    const auto array = whole_numbers<std::int64_t>("actions", given, {games_.size()});
    const auto actions = span_of(array);
    if (const auto wrong = games_.first_illegal(actions))
      refuse_action(games_.stage(*wrong), games_.side(*wrong), actions[*wrong], *wrong);
    const nb::gil_scoped_release release;
    games_.step(actions, arrays_);
  }

  nb::object random_actions(nb::handle out) {
    const Busy busy = alone();
    return filled<std::int64_t>(out, {size()}, [&](std::int64_t* data) { games_.random_actions(random_, data); });
  }
  void seed(std::uint64_t seed) { random_ = Random(seed); }

  Batch positions() const {
    const Busy busy = alone();
    Batch batch(games_.size());
    for (std::size_t index = 0; index < batch.size(); ++index)
      batch.set(index, games_.stage(index), games_.side(index));
    return batch;
  }

  std::size_t size() const { return games_.size(); }
  nb::object planes() const { return planes_; }
  nb::object masks() const { return masks_; }
  nb::object rewards() const { return rewards_; }
  nb::object finished() const { return finished_; }
  nb::object sides() const { return sides_; }

 private:
  Busy alone() const { return {is_busy_, "another thread uses these games: make games for each thread"}; }

  static std::size_t checked_count(long long count) {
    check_range("count", count, 1, 100'000'000);
    return static_cast<std::size_t>(count);
  }
  static int checked_plies(int plies) {
    check_range("draw_plies", plies, 1, 1'000'000);
    return plies;
  }

  checkers::VectorGames games_;
  checkers::VectorGames::Arrays arrays_{};
  nb::object planes_, masks_, rewards_, finished_, sides_;  // ours or the caller's
  Random random_{0};
  mutable bool is_busy_ = false;
};

}  // namespace

#define INT8 "numpy.typing.NDArray[numpy.int8]"
#define UINT8 "numpy.typing.NDArray[numpy.uint8]"
#define BOOL "numpy.typing.NDArray[numpy.bool_]"
#define LIKE "numpy.typing.ArrayLike"

void bind_checkers_games(nb::module_& module) {
  nb::class_<CheckersGames>(module, "VectorGames",
                            "Many games side by side; a game that ends begins again at once. See outplay.envs.")
      .def(
          "__init__",
          checked<"count", "draw_plies", "planes", "masks", "rewards", "finished", "sides">(
              +[](CheckersGames* self, long long count, int draw_plies, nb::handle planes, nb::handle masks,
                  nb::handle rewards, nb::handle finished, nb::handle sides) {
                new (self) CheckersGames(count, draw_plies, planes, masks, rewards, finished, sides);
              }),
          "count"_a.none(), nb::kw_only(), "draw_plies"_a.none() = 80, "planes"_a.none() = nb::none(),
          "masks"_a.none() = nb::none(), "rewards"_a.none() = nb::none(), "finished"_a.none() = nb::none(),
          "sides"_a.none() = nb::none(),
          nb::sig("def __init__(self, count: int, *, draw_plies: int = 80, planes: " INT8 " | None = None, masks: " BOOL
                  " | None = None, rewards: numpy.typing.NDArray[numpy.float32] | None = None, finished: " BOOL
                  " | None = None, sides: " UINT8 " | None = None) -> None"),
          "Begin `count` games. A game is drawn after `draw_plies` in a row without a capture or the move of a man, "
          "and when a position occurs for the third time. Every step writes to the same five arrays: those given here, "
          "or "
          "new ones.")
      .def("reset", &CheckersGames::reset, "Begin every game again.")
      .def("step", checked<"actions">(&CheckersGames::step), "actions"_a.none(),
           nb::sig("def step(self, actions: " LIKE ") -> None"),
           "Play one action in each game and fill the arrays. IllegalMoveError names the first action that is not "
           "legal; then no game has changed.")
      .def("random_actions", checked<"out">(&CheckersGames::random_actions), nb::kw_only(), "out"_a.none() = nb::none(),
           nb::sig("def random_actions(self, *, out: numpy.typing.NDArray[numpy.int64] | None = None) -> "
                   "numpy.typing.NDArray[numpy.int64]"),
           "Return a legal action for each game, at random.")
      .def("seed", checked<"seed">(&CheckersGames::seed), "seed"_a.none(), nb::sig("def seed(self, seed: int) -> None"),
           "Set the seed of random_actions.")
      .def("positions", &CheckersGames::positions, "Return the positions of all games.")
      .def("__len__", &CheckersGames::size)
      .def_prop_ro("planes", &CheckersGames::planes, nb::for_getter(nb::sig("def planes(self) -> " INT8)),
                   "games x 6 x 8 x 8: see Positions.planes.")
      .def_prop_ro("masks", &CheckersGames::masks, nb::for_getter(nb::sig("def masks(self) -> " BOOL)),
                   "games x 128: which actions are legal.")
      .def_prop_ro("rewards", &CheckersGames::rewards,
                   nb::for_getter(nb::sig("def rewards(self) -> numpy.typing.NDArray[numpy.float32]")),
                   "1 where the last action won its game, otherwise 0.")
      .def_prop_ro("finished", &CheckersGames::finished, nb::for_getter(nb::sig("def finished(self) -> " BOOL)),
                   "Whether the last action ended its game: planes and masks are then those of the next one.")
      .def_prop_ro("sides", &CheckersGames::sides, nb::for_getter(nb::sig("def sides(self) -> " UINT8)),
                   "The side to move: 0 Black, 1 White. After a jump that goes on it is the same side.");
}

}  // namespace outplay::bind
