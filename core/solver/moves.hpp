// The moves of a position and what they lead to, all at once: the beginning of every search.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>

#include "solver/bounds.hpp"

namespace outplay::solver {

// A position in which the side to move cannot win at once.
template <class Word>
struct Node {
  Word own, mask, other_threats;  // winning cells of the other side
};

// Whether the side to move completes a four with its next disc.
template <class Board, class Word = typename Board::Word>
inline bool can_win(const Board& board, Word own, Word mask) {
  return (winning_cells(board, own, mask) & (mask + board.bottom())) != 0;
}

// Moves that do not lose at once; none if all do.
template <class Board, class Word = typename Board::Word>
inline Word safe_moves(const Board& board, const Node<Word>& node) {
  const Word playable = (node.mask + board.bottom()) & board.board();
  const Word forced = playable & node.other_threats;
  if ((forced & (forced - 1)) != 0) return 0;
  return (forced != 0 ? forced : playable) & ~(node.other_threats >> 1);
}

// Moves in packs of as many as `Cells` has lanes; a lane without a move has an empty cell.
template <class Word, class Cells, std::size_t PACKS>
struct Moves {
  static constexpr std::size_t EACH = LANES_OF<Word, Cells>;

  const int count;
  std::array<Cells, PACKS> cell;
  std::array<Followed<Cells>, PACKS> after;  // the positions after the moves

  explicit Moves(Word cells) : count(count_bits(cells)) {
    for (std::size_t pack = 0; pack < packs(); ++pack) cell[pack] = take_bits<Cells>(cells);
  }
  std::size_t packs() const { return PACKS == 1 ? 1 : (static_cast<std::size_t>(count) + EACH - 1) / EACH; }
  unsigned filled_lanes(std::size_t pack) const {
    if constexpr (PACKS == 1) return (1U << count) - 1;
    return (1U << std::min(EACH, static_cast<std::size_t>(count) - pack * EACH)) - 1;
  }
  Word cell_at(std::size_t index) const { return lane(cell[index / EACH], index); }

  // The position after a move, for the other side to move.
  Node<Word> child(const Node<Word>& node, std::size_t index) const {
    return {node.own ^ node.mask, node.mask | cell_at(index), lane(after[index / EACH].threats, index)};
  }

 protected:
  static Word lane(const Cells& words, std::size_t index) {
    if constexpr (requires { words.at(index); })
      return words.at(index % EACH);
    else
      return apart<Word>(words)[index % EACH];
  }
};

// Calls `visit` with the kind of lanes and the number of packs for so many moves: with vectors as many lanes as there
// are moves, else one after the other.
template <class Board, bool IS_VECTOR, class Visit>
[[gnu::always_inline]] inline auto by_lanes(typename Board::Word moves, const Visit& visit) {
  using Word = typename Board::Word;
  if constexpr (IS_VECTOR) {
    const int count = count_bits(moves);
    if (count == 1) return visit.template operator()<Word, 1>();
    if (count <= 4) return visit.template operator()<FourOf<Word>, 1>();
    if (Board::LANES <= 8 || count <= 8) return visit.template operator()<EightOf<Word>, 1>();
    return visit.template operator()<EightOf<Word>, (Board::LANES + 7) / 8>();
  } else {
    return visit.template operator()<Word, Board::LANES>();
  }
}

// Looks at the position after each move; true if one of them is lost for the other side.
template <class Board, class Word, class Cells, std::size_t PACKS>
inline bool look_ahead(const Board& board, Moves<Word, Cells, PACKS>& moves, const Node<Word>& node) {
  const Word other = node.own ^ node.mask;
  for (std::size_t pack = 0; pack < moves.packs(); ++pack) {
    const Cells cell = moves.cell[pack];
    Followed<Cells>& p = moves.after[pack];
    p.follower = cell | node.own;
    p.leader = Cells{} | other;
    p.mask = cell | node.mask;
    p.playable = (p.mask + board.bottom()) & board.board();
    p.threats = winning_cells(board, p.follower, p.mask);
    const Cells forced = p.threats & p.playable;
    p.replies = (forced | (p.playable & if_empty(forced))) & ~(p.threats >> 1);
    if (any((if_empty(p.replies) | ~if_empty(forced & (forced - 1))) & ~if_empty(cell))) return true;
  }
  return false;
}

}  // namespace outplay::solver
