#include "bind/support.hpp"

namespace outplay::bind {

nb::object ours(const char* module, const char* name) { return nb::module_::import_(module).attr(name); }

nb::object to_python(Side side) {
  static PyObject* const sides[] = {ours("outplay.outcome", "Side")(0).release().ptr(),
                                    ours("outplay.outcome", "Side")(1).release().ptr()};
  return nb::borrow(sides[static_cast<int>(side)]);
}

const char* name_of(Reason reason) {
  switch (reason) {
    case Reason::FOUR_IN_A_ROW: return "four in a row";
    case Reason::BOARD_FULL: return "board full";
    case Reason::NO_MOVES: return "no moves";
    default: return "no pieces";
  }
}

nb::object to_python(const Outcome& outcome, nb::tuple lines) {
  const nb::object winner = outcome.winner ? to_python(*outcome.winner) : nb::none();
  const nb::object reason = ours("outplay.outcome", "Reason")(name_of(outcome.reason));
  return ours("outplay.outcome", "Outcome")(winner, reason, lines);
}

nb::int_ to_python(Word128 word) {
  const nb::int_ low(static_cast<std::uint64_t>(word)), high(static_cast<std::uint64_t>(word >> 64));
  if (static_cast<std::uint64_t>(word >> 64) == 0) return low;
  return nb::int_((high << nb::int_(64)) | low);
}

}  // namespace outplay::bind

NB_MODULE(_core, module) {
  nb::set_leak_warnings(false);  // the cached Side members live as long as the process
  module.doc() = "The compiled core. Use it through outplay.connect4 and outplay.checkers.";
  nb::module_ connect4 = module.def_submodule("connect4", "Connect Four: the rules.");
  outplay::bind::bind_connect4(connect4);
  nb::module_ checkers = module.def_submodule("checkers", "Checkers (English draughts): the rules.");
  outplay::bind::bind_checkers(checkers);
}
