#include "tablebase/needs.hpp"

#include <set>

namespace outplay::tablebase {
namespace {

// What FIRST's move can make: a man may be crowned, any of the others may be taken.
void add_moves(const Material& before, bool with_plain_moves, std::set<Material>& found) {
  for (int crowned = 0; crowned <= std::min<int>(1, before.men); ++crowned)
    for (int men = 0; men <= before.other_men; ++men)
      for (int kings = 0; kings <= before.other_kings; ++kings) {
        const bool is_capture = men < before.other_men || kings < before.other_kings;
        const Material after{static_cast<std::uint8_t>(before.men - crowned),
                             static_cast<std::uint8_t>(before.kings + crowned), static_cast<std::uint8_t>(men),
                             static_cast<std::uint8_t>(kings)};
        if (after.is_valid() && (is_capture || (with_plain_moves && crowned == 1))) found.insert(after.table());
      }
}

std::vector<Material> needs(const Material& table, bool with_plain_moves) {
  std::set<Material> found;
  add_moves(table, with_plain_moves, found);
  add_moves(table.other(), with_plain_moves, found);
  return {found.begin(), found.end()};
}

}  // namespace

std::vector<Material> needs_of_captures(const Material& table) { return needs(table, false); }
std::vector<Material> needs_of(const Material& table) { return needs(table, true); }

}  // namespace outplay::tablebase
