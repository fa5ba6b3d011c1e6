// The parts of the search that can be switched off, to see what each is worth. Without any of the first six the score
// at a depth is that of plain minimax with a quiescence of jumps.
#pragma once

#include <array>
#include <string_view>

namespace outplay::engine {

struct Techniques {
  bool cutoffs = true;              // scores from the table end a search
  bool extensions = true;           // a forced move costs no depth
  bool reductions = true;           // moves that come late are looked at less deeply, unless they turn out well
  bool internal_reductions = true;  // so is a position of which the table knows no move
  bool reverse_futility = true;     // far beyond beta near the horizon, the evaluation is believed
  bool futility = true;             // far below alpha near the horizon, plain moves are not tried
  bool aspiration = true;           // the first window is a guess around the last score
  bool history = true;              // moves that were often best come before others
  bool continuation = true;         // ... and those that were often best as an answer to the last move
};

struct TechniqueName {
  std::string_view name;
  bool Techniques::* flag;
};

inline constexpr std::array TECHNIQUE_NAMES{
    TechniqueName{"cutoffs", &Techniques::cutoffs},
    TechniqueName{"extensions", &Techniques::extensions},
    TechniqueName{"reductions", &Techniques::reductions},
    TechniqueName{"internal_reductions", &Techniques::internal_reductions},
    TechniqueName{"reverse_futility", &Techniques::reverse_futility},
    TechniqueName{"futility", &Techniques::futility},
    TechniqueName{"aspiration", &Techniques::aspiration},
    TechniqueName{"history", &Techniques::history},
    TechniqueName{"continuation", &Techniques::continuation},
};

}  // namespace outplay::engine
