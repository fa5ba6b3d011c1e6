#include "bind/arguments.hpp"
#include "bind/support.hpp"

namespace outplay::bind {

nb::object ours(const char* module, const char* name) { return nb::module_::import_(module).attr(name); }

nb::module_ numpy() {
  try {
    return nb::module_::import_("numpy");
  } catch (const nb::python_error& error) {
    if (!error.matches(PyExc_ModuleNotFoundError)) throw;
    ours("outplay.extras", "require")("numpy", "numpy");  // raises: it names the extra
    throw;
  }
}

const char* name_of(Reason reason) {
  switch (reason) {
    case Reason::FOUR_IN_A_ROW: return "four in a row";
    case Reason::BOARD_FULL: return "board full";
    case Reason::NO_MOVES: return "no moves";
    default: return "no pieces";
  }
}

namespace {

// The words of outplay.outcome, looked up once and kept for the life of the process.
struct Words {
  nb::object side, reason, outcome;
  nb::object sides[2], reasons[4];

  Words()
      : side(ours("outplay.outcome", "Side")),
        reason(ours("outplay.outcome", "Reason")),
        outcome(ours("outplay.outcome", "Outcome")) {
    for (int index = 0; index < 2; ++index) sides[index] = side(index);
    for (int index = 0; index < 4; ++index) reasons[index] = reason(name_of(static_cast<Reason>(index)));
  }
};

const Words& words() {
  static const Words* const instance = new Words;
  return *instance;
}

}  // namespace

nb::object to_python(Side side) { return words().sides[static_cast<int>(side)]; }

std::optional<Side> side_from(nb::handle given) {
  for (const Side side : {Side::FIRST, Side::SECOND})
    if (given.is(words().sides[static_cast<int>(side)])) return side;
  return std::nullopt;
}

nb::object to_python(const Outcome& outcome, nb::tuple lines) {
  const nb::object winner = outcome.winner ? to_python(*outcome.winner) : nb::none();
  return words().outcome(winner, words().reasons[static_cast<int>(outcome.reason)], lines);
}

nb::int_ to_python(Word128 word) {
  const nb::int_ low(static_cast<std::uint64_t>(word)), high(static_cast<std::uint64_t>(word >> 64));
  if (static_cast<std::uint64_t>(word >> 64) == 0) return low;
  return nb::int_((high << nb::int_(64)) | low);
}

}  // namespace outplay::bind

NB_MODULE(_core, module) {
  nb::set_leak_warnings(false);  // the words of outplay.outcome live as long as the process
  module.doc() = "The compiled core. Use it through outplay.connect4, outplay.checkers and outplay.tablebase.";
  nb::module_ connect4 = module.def_submodule("connect4", "Connect Four: the rules and the solver.");
  outplay::bind::bind_connect4(connect4);
  outplay::bind::bind_connect4_batch(connect4);
  outplay::bind::bind_connect4_games(connect4);
  outplay::bind::bind_books(connect4);
  outplay::bind::bind_solver(connect4);
  nb::module_ checkers = module.def_submodule("checkers", "Checkers (English draughts): the rules.");
  outplay::bind::bind_checkers(checkers);
  outplay::bind::bind_checkers_batch(checkers);
  outplay::bind::bind_checkers_games(checkers);
  nb::module_ tablebase = module.def_submodule("tablebase", "Checkers endgame tables.");
  outplay::bind::bind_tablebase(tablebase);
  outplay::bind::bind_engine(checkers);
  // The stub generator imports the module by its bare name, and is to see each function with one signature.
  if (nb::str(module.attr("__name__")).c_str() == std::string_view("_core")) return;
  for (nb::module_* part : {&connect4, &checkers, &tablebase}) outplay::bind::explain_calls(*part);
}
