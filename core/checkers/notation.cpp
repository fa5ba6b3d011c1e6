#include "checkers/notation.hpp"

#include <algorithm>
#include <utility>

#include "base/text.hpp"

namespace outplay::checkers {
namespace {

const char* name_of(Side side) { return side == Side::FIRST ? "Black" : "White"; }

bool is_digit(char c) { return c >= '0' && c <= '9'; }

std::string quoted(std::string_view text) { return "'" + std::string(text) + "'"; }

// Reads a text from left to right; spaces do not count.
class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text) { skip_spaces(); }

  bool is_at_end() const { return at_ == text_.size(); }
  char peek() const { return is_at_end() ? '\0' : text_[at_]; }
  bool accept(std::string_view any) {
    if (is_at_end() || any.find(peek()) == std::string_view::npos) return false;
    ++at_;
    skip_spaces();
    return true;
  }
  std::optional<int> number() {  // of at most three digits, so that it fits
    if (!is_digit(peek())) return std::nullopt;
    int value = 0;
    for (int digits = 0; is_digit(peek()); ++at_, ++digits) {
      if (digits == 3) return std::nullopt;
      value = value * 10 + (peek() - '0');
    }
    skip_spaces();
    return value;
  }
  Unreadable expected(const std::string& what) const {
    const auto found = is_at_end() ? "the end of the text" : quoted(character_at(text_, at_));
    return {"expected " + what + " at " + place_in(text_, at_) + ", found " + found};
  }

 private:
  void skip_spaces() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t' || text_[at_] == '\n' || text_[at_] == '\r'))
      ++at_;
  }
  std::string_view text_;
  std::size_t at_ = 0;
};

std::optional<Side> accept_side(Reader& reader) {
  if (reader.accept("Bb")) return Side::FIRST;
  if (reader.accept("Ww")) return Side::SECOND;
  return std::nullopt;
}

std::optional<Unreadable> read_pieces(Reader& reader, Side side, Setup& setup) {
  if (reader.peek() == ':' || reader.peek() == '.' || reader.is_at_end()) return std::nullopt;  // a side without pieces
  do {
    const bool is_king = reader.accept("Kk");
    const auto first = reader.number();
    if (!first) return reader.expected("a square");
    auto last = first;
    if (reader.accept("-")) last = reader.number();
    if (!last) return reader.expected("the last square of a range");
    if (*last < *first)
      return Unreadable{"the range " + std::to_string(*first) + "-" + std::to_string(*last) + " runs backwards"};
    for (int square = *first; square <= *last; ++square) setup.pieces.push_back({side, is_king, square});
  } while (reader.accept(","));
  return std::nullopt;
}

}  // namespace

std::variant<Setup, Unreadable> read_fen(std::string_view text) {
  Reader reader(text);
  Setup setup;
  const auto to_move = accept_side(reader);
  if (!to_move) return reader.expected("the side to move, B or W");
  setup.side = *to_move;
  bool is_read[2] = {false, false};
  for (int part = 0; part < 2; ++part) {
    if (!reader.accept(":")) return reader.expected("':' before the pieces of a side");
    const auto side = accept_side(reader);
    if (!side) return reader.expected("the owner of the pieces, B or W");
    if (std::exchange(is_read[static_cast<int>(*side)], true))
      return Unreadable{std::string(name_of(*side)) + "'s pieces are given twice"};
    if (auto problem = read_pieces(reader, *side, setup)) return *problem;
  }
  reader.accept(".");
  if (!reader.is_at_end()) return reader.expected("the end of the text");
  return setup;
}

std::vector<std::string> problems(const Setup& setup) {
  std::vector<std::string> reasons;
  Squares seen = 0;
  int count[2] = {0, 0};
  for (const auto& piece : setup.pieces) {
    const std::string square = std::to_string(piece.square);
    if (piece.square < 1 || piece.square > SQUARE_COUNT) {
      reasons.push_back("there is no square " + square + ": squares are 1-32");
      continue;
    }
    const Squares bit = square_bit(piece.square - 1);
    if ((seen & bit) != 0) reasons.push_back("square " + square + " is occupied twice");
    seen |= bit;
    ++count[static_cast<int>(piece.side)];
    if (!piece.is_king && (bit & crowning_row(piece.side)) != 0)
      reasons.push_back(std::string(name_of(piece.side)) + " has a man on square " + square +
                        ", where it would have been crowned");
  }
  for (const auto side : {Side::FIRST, Side::SECOND})
    if (count[static_cast<int>(side)] > MOST_PIECES)
      reasons.push_back(std::string(name_of(side)) + " has " + std::to_string(count[static_cast<int>(side)]) +
                        " pieces: a side has at most 12");
  if (setup.pieces.empty()) reasons.push_back("there are no pieces on the board");
  return reasons;
}

Position position_of(const Setup& setup) {
  Squares pieces[2] = {0, 0}, kings = 0;
  for (const auto& piece : setup.pieces) {
    const Squares bit = square_bit(piece.square - 1);
    pieces[static_cast<int>(piece.side)] |= bit;
    if (piece.is_king) kings |= bit;
  }
  return {pieces[0], pieces[1], kings, setup.side};
}

std::string fen(const Position& position) {
  const auto list = [&](Squares pieces) {  // men first, then kings
    std::string text;
    for (Squares squares : {pieces & ~position.kings(), pieces & position.kings()})
      for (; squares != 0; squares &= squares - 1) {
        if (!text.empty()) text += ',';
        if ((position.kings() & lowest_bit(squares)) != 0) text += 'K';
        text += std::to_string(lowest_index(squares) + 1);
      }
    return text;
  };
  return std::string(position.side() == Side::FIRST ? "B" : "W") + ":W" + list(position.white()) + ":B" +
         list(position.black());
}

std::string text_of(const Move& move) {
  std::string text = std::to_string(move.from() + 1);
  for (int index = 1; index < move.length(); ++index)
    text += (move.is_capture() ? 'x' : '-') + std::to_string(move.square(index) + 1);
  return text;
}

std::variant<std::vector<int>, Unreadable> read_squares(std::string_view text) {
  Reader reader(text);
  std::vector<int> squares;
  do {
    const auto square = reader.number();
    if (!square) return reader.expected("a square");
    if (*square < 1 || *square > SQUARE_COUNT)
      return Unreadable{"there is no square " + std::to_string(*square) + ": squares are 1-32"};
    squares.push_back(*square - 1);
  } while (reader.accept("-xX:"));
  if (!reader.is_at_end()) return reader.expected("'-' or 'x' and a square");
  if (squares.size() < 2) return Unreadable{"a move names at least two squares, as in 11-15"};
  if (squares.size() > Move::LONGEST) return Unreadable{"a move has at most 12 jumps"};
  return squares;
}

std::optional<Move> move_of(const std::vector<int>& path) {
  if (path.size() < 2 || path.size() > Move::LONGEST) return std::nullopt;
  for (const auto direction : DIRECTIONS)
    if (path.size() == 2 && step(square_bit(path[0]), direction) == square_bit(path[1])) return Move(path[0], path[1]);
  Move move(path[0]);
  for (std::size_t index = 1; index < path.size(); ++index) {
    const Squares over = between(path[index - 1], path[index]);
    if (over == 0 || (move.captures() & over) != 0) return std::nullopt;
    move.push_jump(path[index], over);
  }
  return move;
}

MoveList matching_moves(const Position& position, const std::vector<int>& squares) {
  MoveList moves = position.legal_moves();
  std::erase_if(moves, [&](const Move& move) {
    if (move.from() != squares.front() || move.to() != squares.back()) return true;
    std::size_t found = 0;
    for (int index = 0; index < move.length() && found < squares.size(); ++index)
      if (move.square(index) == squares[found]) ++found;
    return found < squares.size();
  });
  const auto is_exact = [&](const Move& move) { return static_cast<std::size_t>(move.length()) == squares.size(); };
  if (const auto exact = std::ranges::find_if(moves, is_exact); exact != moves.end()) return {*exact};
  return moves;
}

namespace {

std::string list_moves(const MoveList& moves) {
  std::vector<std::string> texts;
  for (const auto& move : moves)
    if (const auto text = text_of(move); std::ranges::find(texts, text) == texts.end()) texts.push_back(text);
  constexpr std::size_t MOST = 4;
  const std::size_t shown = std::min(texts.size(), MOST);
  std::string list;
  for (std::size_t index = 0; index < shown; ++index) {
    if (index > 0) list += index + 1 == shown && shown == texts.size() ? " or " : ", ";
    list += texts[index];
  }
  return shown < texts.size() ? list + " or another" : list;
}

// Does this move go on from where the text stops?
bool starts_with(const Move& move, const std::vector<int>& squares) {
  if (static_cast<std::size_t>(move.length()) <= squares.size()) return false;
  for (std::size_t index = 0; index < squares.size(); ++index)
    if (move.square(static_cast<int>(index)) != squares[index]) return false;
  return true;
}

}  // namespace

std::string refusal(const Position& position, const std::vector<int>& squares) {
  const std::string from = std::to_string(squares.front() + 1), to = std::to_string(squares.back() + 1);
  const Squares first = square_bit(squares.front()), last = square_bit(squares.back());
  const Side side = position.side();
  if ((position.empty() & first) != 0) return "there is no piece on " + from;
  if ((position.other() & first) != 0)
    return "the piece on " + from + " is " + name_of(other(side)) + "'s and it is " + name_of(side) + "'s move";

  const MoveList moves = position.legal_moves();
  if (!moves.empty() && moves.front().is_capture()) {
    MoveList longer = moves;
    std::erase_if(longer, [&](const Move& move) { return !starts_with(move, squares); });
    if (!longer.empty()) return "the jump must be finished: " + list_moves(longer);
    const bool is_man = (position.kings() & first) == 0;
    for (std::size_t index = 1; index + 1 < squares.size(); ++index)
      if (is_man && (square_bit(squares[index]) & crowning_row(side)) != 0)
        return "a man that is crowned on " + std::to_string(squares[index] + 1) + " stops there";
    if (moves.size() == 1) return text_of(moves.front()) + " is a jump and must be taken";
    return "a jump must be taken: " + list_moves(moves);
  }

  if (squares.size() > 2) return "there is nothing to jump on this way";
  if ((position.empty() & last) == 0) return to + " is occupied";
  const bool is_backward = (squares.back() > squares.front()) != (side == Side::FIRST);
  const bool is_step = std::ranges::any_of(DIRECTIONS, [&](auto direction) { return step(first, direction) == last; });
  if (is_step && is_backward) return "men move forward only";
  if (const Squares over = between(squares.front(), squares.back()); over != 0) {
    const std::string middle = std::to_string(lowest_index(over) + 1);
    if ((over & position.own()) != 0)
      return "the piece on " + middle + " is " + name_of(side) + "'s own and cannot be jumped";
    if ((over & position.other()) != 0) return "men jump forward only";
    return "there is no piece on " + middle + " to jump";
  }
  return to + " is not a diagonal step away from " + from;
}

}  // namespace outplay::checkers
