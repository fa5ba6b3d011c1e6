// The last discs before it is too late: can the attacker still win in time?
//
// A search asks whether a score is reached, so one side, the attacker, must win by a certain disc. When he has only two
// or three discs left until then, a table and an order of moves cost more than they save: mostly the defender holds,
// and by the first move he tries.
#pragma once

#include "solver/moves.hpp"

namespace outplay::solver {

template <class Board, bool IS_VECTOR>
class Sprint {
 public:
  using Word = typename Board::Word;

  static constexpr int MOST_DISCS = 3;

  // `nodes` counts the positions looked at.
  Sprint(const Board& board, std::uint64_t& nodes) : board_(board), nodes_(nodes) {}

  // Whether the side to move wins with one of its next discs, two or three of them. `moves` are its safe ones.
  bool wins(const Node<Word>& node, Word moves, int discs) {
    return by_lanes<Board, IS_VECTOR>(moves, [&]<class Cells, std::size_t PACKS>() {
      Moves<Word, Cells, PACKS> all(moves);
      if (look_ahead(board_, all, node)) return true;
      return discs > 2 && wins_with_third(node, all);
    });
  }

  // Whether the side to move is not yet beaten after the other side has dropped two or three more discs, as given.
  bool holds(const Node<Word>& node, Word moves, int discs) {
    for (; moves != 0; moves &= moves - 1) {
      const Word cell = lowest(moves), own = node.own | cell, mask = node.mask | cell;
      const Node<Word> child{node.own ^ node.mask, mask, winning_cells(board_, own, mask)};
      const Word replies = safe_moves(board_, child);
      if (replies == 0) return true;
      ++nodes_;
      if (!wins(child, replies, discs)) return true;
    }
    return false;
  }

 private:
  template <class Cells, std::size_t PACKS>
  bool wins_with_third(const Node<Word>& node, const Moves<Word, Cells, PACKS>& moves) {
    for (std::size_t pack = 0; pack < moves.packs(); ++pack) {
      unsigned open = negative(~is_parried(moves.after[pack])) & moves.filled_lanes(pack);
      for (; open != 0; open &= open - 1) {
        const std::size_t index = pack * moves.EACH + static_cast<std::size_t>(lowest_index(open));
        const Node<Word> child = moves.child(node, index);
        ++nodes_;
        if (!holds(child, safe_moves(board_, child), 2)) return true;
      }
    }
    return false;
  }

  // All ones where the attacker, who just moved, certainly does not win with the second of his next discs.
  //
  // Let the defender play the first of his safe moves. PLAYABLE is what can be played then, THREATS are the attacker's
  // winning cells: none of them is playable. He plays some x, and wins with the disc after it only if the defender has
  // no answer to x: two winning cells are playable, or one and the cell above it wins too, or every reply lies under a
  // winning cell.
  //
  //   1. A winning cell beside x that is new and playable completes a four out of discs, x and itself. So it is there
  //      only if the discs and PLAYABLE hold a four, and not an upright one.
  //   2. Without any, the only winning cell that may be playable is the one above x: it is in THREATS, or lies upon x
  //      and two discs. The answer there fails only if the next cell above wins, too. That one is in THREATS: a four
  //      of it and x is upright and lacks the cell between.
  //   3. Or no winning cell is playable, and every reply lies under one. For the reply above x this is the cell two
  //      above x, again one of THREATS, unless x is in the top row. And it is not so if two cells are SAFE, which no
  //      four out of discs and PLAYABLE wants the cell above of: x takes only one of them.
  template <class Cells>
  Cells is_parried(const Followed<Cells>& p) const {
    const int stride = board_.stride();
    const Cells answer = lowest(p.replies), mask = p.mask | answer;
    const Cells playable = (mask + board_.bottom()) & board_.board(), threats = p.threats & ~answer;
    const Cells discs = p.follower | playable;
    const Cells beside = fours(discs, stride) | fours(discs, stride + 1) | fours(discs, stride - 1);
    const Cells upon_two = (p.follower & (p.follower << 1)) << 2;
    const Cells stacked = ((playable << 1) & (threats | upon_two)) << 1 & threats;
    const Cells cornering = (playable & board_.top()) | ((playable << 2) & threats);
    const Cells safe = playable & ~(winning_cells(board_, discs, mask) >> 1);
    return if_empty(beside | stacked) & (if_empty(cornering) | ~if_empty(safe & (safe - 1)));
  }

  const Board& board_;
  std::uint64_t& nodes_;
};

}  // namespace outplay::solver
