#include "solver/book.hpp"

#include <algorithm>
#include <cassert>

#include "solver/solver.hpp"

namespace outplay::solver {

namespace {

constexpr std::string_view MAGIC = "outplay book 1\n";
constexpr std::size_t CHECKSUM_BYTES = 8;

using Position = Book::Position;

Position canonical(const Position& position) {
  const Position mirrored = position.mirror();
  return mirrored.key() < position.key() ? mirrored : position;
}

template <class Use>
void for_each_move(const Position& position, Use&& use) {
  for (int column = 0; column < position.board().size.width; ++column)
    if (position.is_open(column)) use(position.play(column));
}

// FNV-1a.
std::uint64_t checksum(std::string_view bytes) {
  std::uint64_t sum = 0xCBF29CE484222325;
  for (const char byte : bytes) sum = (sum ^ static_cast<unsigned char>(byte)) * 0x100000001B3;
  return sum;
}

void append(std::string& bytes, std::uint64_t number, std::size_t length) {
  for (std::size_t index = 0; index < length; ++index) bytes += static_cast<char>(number >> (8 * index) & 255);
}

std::uint64_t fixed(std::string_view bytes) {
  std::uint64_t number = 0;
  for (std::size_t index = 0; index < bytes.size(); ++index)
    number |= static_cast<std::uint64_t>(static_cast<unsigned char>(bytes[index])) << (8 * index);
  return number;
}

// Seven bits a byte, the lowest first; the highest bit says that more follow.
void append_short(std::string& bytes, std::uint64_t number) {
  for (; number >= 128; number >>= 7) bytes += static_cast<char>((number & 127) | 128);
  bytes += static_cast<char>(number);
}

std::optional<std::uint64_t> take_short(std::string_view& bytes) {
  std::uint64_t number = 0;
  for (int shift = 0; shift < 64 && !bytes.empty(); shift += 7) {
    const auto byte = static_cast<unsigned char>(bytes.front());
    bytes.remove_prefix(1);
    number |= static_cast<std::uint64_t>(byte & 127) << shift;
    if (byte < 128) return number;
  }
  return std::nullopt;
}

}  // namespace

std::optional<std::vector<Position>> Book::positions(connect4::Size size, int plies, const Stop& stop) {
  assert(size.bits() <= 64);
  std::vector<Position> level{Position(connect4::geometry<std::uint64_t>(size))}, next;
  const auto by_key = [](const Position& a, const Position& b) { return a.key() < b.key(); };
  for (int ply = 0; ply < plies; ++ply) {
    next.clear();
    for (const Position& position : level) {
      if (stop.requested()) return std::nullopt;
      for_each_move(position, [&](const Position& after) {
        if (!after.outcome()) next.push_back(canonical(after));
      });
    }
    std::sort(next.begin(), next.end(), by_key);
    next.erase(std::unique(next.begin(), next.end()), next.end());
    std::swap(level, next);
  }
  return level;
}

Book Book::from_scores(connect4::Size size, int plies, std::span<const std::int8_t> scores) {
  Book book(size, plies);
  std::vector<std::pair<std::uint64_t, std::int8_t>> all;
  const Stop never;
  for (int ply = plies; ply >= 0; --ply) {
    const std::vector<Position> level = *positions(size, ply, never);
    for (std::size_t index = 0; index < level.size(); ++index) {
      const int score = ply == plies ? scores[index] : book.score_by_looking_ahead(level[index]);
      all.emplace_back(level[index].key(), static_cast<std::int8_t>(score));
    }
    std::sort(all.begin(), all.end());
    book.keys_.clear();
    book.scores_.clear();
    for (const auto& [key, score] : all) book.keys_.push_back(key), book.scores_.push_back(score);
  }
  return book;
}

int Book::score_by_looking_ahead(const Position& position) const {
  const int cells = size_.cells();
  int best = -cells;
  for_each_move(position, [&](const Position& after) {
    if (after.is_won())
      best = std::max(best, winning_score(cells, position.plies()));
    else if (after.is_full())
      best = std::max(best, 0);
    else
      best = std::max(best, -*find(after));
  });
  return best;
}

std::optional<int> Book::find(const connect4::Position& position) const {
  const auto* narrow = std::get_if<Position>(&position);
  if (narrow == nullptr || !(narrow->board().size == size_) || narrow->plies() > plies_) return std::nullopt;
  const std::uint64_t key = canonical(*narrow).key();
  const auto place = std::lower_bound(keys_.begin(), keys_.end(), key);
  if (place == keys_.end() || *place != key) return std::nullopt;  // no game leads there
  return scores_[static_cast<std::size_t>(place - keys_.begin())];
}

std::string Book::encode() const {
  std::string bytes(MAGIC);
  append(bytes, static_cast<std::uint64_t>(size_.width), 1);
  append(bytes, static_cast<std::uint64_t>(size_.height), 1);
  append(bytes, static_cast<std::uint64_t>(plies_), 1);
  append(bytes, keys_.size(), 4);
  std::uint64_t last = 0;
  for (const std::uint64_t key : keys_) append_short(bytes, key - std::exchange(last, key));
  for (const std::int8_t score : scores_) bytes += static_cast<char>(score);
  append(bytes, checksum(bytes), CHECKSUM_BYTES);
  return bytes;
}

std::optional<Book> Book::decode(std::string_view bytes) {
  constexpr std::size_t HEADER = MAGIC.size() + 7;
  if (bytes.size() < HEADER + CHECKSUM_BYTES || !bytes.starts_with(MAGIC)) return std::nullopt;
  if (checksum(bytes.substr(0, bytes.size() - CHECKSUM_BYTES)) != fixed(bytes.substr(bytes.size() - CHECKSUM_BYTES)))
    return std::nullopt;
  const auto number = [&](std::size_t from, std::size_t length) {
    return fixed(bytes.substr(MAGIC.size() + from, length));
  };
  const connect4::Size size{static_cast<int>(number(0, 1)), static_cast<int>(number(1, 1))};
  if (!size.is_possible() || size.bits() > 64) return std::nullopt;
  Book book(size, static_cast<int>(number(2, 1)));
  const auto count = static_cast<std::size_t>(number(3, 4));
  std::string_view left = bytes.substr(HEADER, bytes.size() - HEADER - CHECKSUM_BYTES);
  if (left.size() < count * 2) return std::nullopt;
  std::uint64_t key = 0;
  book.keys_.reserve(count);
  for (std::size_t index = 0; index < count; ++index) {
    const auto step = take_short(left);
    if (!step) return std::nullopt;
    book.keys_.push_back(key += *step);
  }
  if (left.size() != count) return std::nullopt;
  book.scores_.assign(left.begin(), left.end());
  return book;
}

}  // namespace outplay::solver
