// The parts of the search that can be switched off, to see what each is worth. Without any of the first five the score
// at a depth is that of plain minimax with the same quiescence.
#pragma once

#include <array>
#include <string_view>

namespace outplay::engine {

struct Techniques {
  bool cutoffs = true;       // scores from the table end a search
  bool extensions = true;    // a forced move costs no depth
  bool reductions = true;    // moves that come late are looked at less deeply, unless they turn out well
  bool probcut = true;       // far beyond beta, a shallow search is believed
  bool futility = true;      // far below alpha near the horizon, plain moves are not tried
  bool aspiration = true;    // the first window is a guess around the last score
  bool killers = true;       // moves that refuted something at the same ply come early
  bool history = true;       // moves that were often best come before others
  bool continuation = true;  // ... and those that were often best as an answer to the last move
  bool pending = true;       // quiescence plays on where the opponent threatens to jump
};

struct TechniqueName {
  std::string_view name;
  bool Techniques::* flag;
};

inline constexpr std::array TECHNIQUE_NAMES{
    TechniqueName{"cutoffs", &Techniques::cutoffs},           TechniqueName{"extensions", &Techniques::extensions},
    TechniqueName{"reductions", &Techniques::reductions},     TechniqueName{"probcut", &Techniques::probcut},
    TechniqueName{"futility", &Techniques::futility},         TechniqueName{"aspiration", &Techniques::aspiration},
    TechniqueName{"killers", &Techniques::killers},           TechniqueName{"history", &Techniques::history},
    TechniqueName{"continuation", &Techniques::continuation}, TechniqueName{"pending", &Techniques::pending},
};

}  // namespace outplay::engine
