// Checkers as text: positions as PDN FEN, moves as squares, and why a move is refused.
#pragma once

#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "checkers/position.hpp"

namespace outplay::checkers {

// The text cannot be read.
struct Unreadable {
  std::string reason;
};

// What a FEN says, before anybody asked whether it can be: squares as written, possibly off the board.
struct Setup {
  struct Piece {
    Side side;
    bool is_king;
    int square;  // 1-32 on the board
  };
  Side side = Side::FIRST;
  std::vector<Piece> pieces;
};

// "B:W18,24,27,K10:B12,16": side to move, then each side's squares, kings with a K; ranges as in "1-12".
// Spaces and a final dot are forgiven.
std::variant<Setup, Unreadable> read_fen(std::string_view text);

// Every reason why the set-up cannot be a position; empty if it can.
std::vector<std::string> problems(const Setup& setup);

Position position_of(const Setup& setup);  // one without problems

std::string fen(const Position& position);

// Squares 1-32 with "-" for a plain move and "x" for captures, every square of the path: "11-15", "22x15x8".
std::string text_of(const Move& move);

// The squares a text names, from 0; at least two.
std::variant<std::vector<int>, Unreadable> read_squares(std::string_view text);

// The move on this path, captures found between its squares; nothing if it is neither a step nor a row of jumps.
std::optional<Move> move_of(const std::vector<int>& path);

// Every legal move that begins and ends on the named squares and touches those named between, in order.
MoveList matching_moves(const Position& position, const std::vector<int>& squares);

// Why no legal move matches these squares, by the rule that forbids it.
std::string refusal(const Position& position, const std::vector<int>& squares);

}  // namespace outplay::checkers
