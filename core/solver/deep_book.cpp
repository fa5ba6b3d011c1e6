#include "solver/deep_book.hpp"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cstring>
#include <string_view>

#include "base/checksum.hpp"
#include "solver/moves.hpp"
#include "solver/solver.hpp"

namespace outplay::solver {

namespace {

constexpr std::string_view MAGIC = "outplay deep 1\n";
constexpr std::size_t WORD = 8;

void append(std::string& bytes, std::uint64_t word) { bytes.append(reinterpret_cast<const char*>(&word), sizeof word); }

std::uint64_t word_at(std::span<const std::uint8_t> bytes, std::size_t at) {
  std::uint64_t word;
  std::memcpy(&word, bytes.data() + at, sizeof word);
  return word;
}

std::uint64_t checksum(std::span<const std::uint8_t> bytes) {
  Checksum sum;
  sum.add(bytes);
  return sum.value();
}

std::span<const std::uint8_t> bytes_of(const std::string& text) {
  return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}

constexpr std::size_t whole_words(std::size_t bytes) { return (bytes + WORD - 1) / WORD * WORD; }

}  // namespace

DeepBook::Range DeepBook::range(connect4::Size size, int plies) {
  const int cells = size.cells();
  return {plies + 2 > cells ? 0 : -winning_score(cells, plies + 1),
          plies + 3 > cells ? 0 : winning_score(cells, plies + 2)};
}

std::optional<std::string> DeepBook::encode(connect4::Size size, std::span<const Scores> levels, const Stop& stop) {
  std::string bytes(MAGIC);
  for (const auto number : {static_cast<std::size_t>(size.width), static_cast<std::size_t>(size.height), levels.size()})
    bytes += static_cast<char>(number);
  for (const Scores& level : levels) bytes += static_cast<char>(level.plies);
  bytes.resize(whole_words(bytes.size()));
  for (const auto& [plies, members, scores] : levels) {
    if (stop.requested()) return std::nullopt;
    const auto [least, most] = range(size, plies);
    std::vector<std::uint8_t> numbers;
    for (const std::int8_t score : scores) numbers.push_back(static_cast<std::uint8_t>(score - least));
    const int bits = std::max(1, static_cast<int>(std::bit_width(static_cast<unsigned>(most - least))));
    const std::string retrieval = Retrieval::build(members.keys(), numbers, bits);
    append(bytes, retrieval.size());
    bytes += retrieval;
  }
  append(bytes, checksum(bytes_of(bytes)));
  return bytes;
}

std::optional<DeepBook> DeepBook::read(std::span<const std::uint8_t> bytes, std::shared_ptr<const void> owner) {
  constexpr std::size_t HEADER = MAGIC.size() + 3;
  if (bytes.size() < whole_words(HEADER) + WORD || !std::equal(MAGIC.begin(), MAGIC.end(), bytes.begin()))
    return std::nullopt;
  std::span<const std::uint8_t> left = bytes.first(bytes.size() - WORD);
  if (checksum(left) != word_at(bytes, left.size())) return std::nullopt;
  const connect4::Size size{bytes[MAGIC.size()], bytes[MAGIC.size() + 1]};
  const std::size_t levels = bytes[MAGIC.size() + 2];
  if (!size.is_possible() || size.bits() > 64) return std::nullopt;
  if (levels == 0 || left.size() < whole_words(HEADER + levels)) return std::nullopt;
  left = left.subspan(whole_words(HEADER + levels));
  DeepBook book(size);
  for (std::size_t index = 0; index < levels; ++index) {
    const int plies = bytes[HEADER + index];
    if (plies > size.cells() || left.size() < WORD || left.size() - WORD < word_at(left, 0)) return std::nullopt;
    const auto length = static_cast<std::size_t>(word_at(left, 0));
    const auto scores = Retrieval::over(left.subspan(WORD, length));
    if (!scores) return std::nullopt;
    book.levels_.push_back({plies, range(size, plies).least, *scores});
    left = left.subspan(WORD + length);
  }
  if (!left.empty()) return std::nullopt;
  book.bytes_ = bytes;
  book.owner_ = std::move(owner);
  return book;
}

std::optional<int> DeepBook::find(const connect4::Position& position) const {
  const auto* narrow = std::get_if<connect4::Position64>(&position);
  if (narrow == nullptr || !(narrow->board().size == size_) || narrow->outcome()) return std::nullopt;
  const int plies = narrow->plies();
  if (level_of(plies) == nullptr && level_of(plies + 1) == nullptr) return std::nullopt;
  return answer(narrow->own(), narrow->mask(), plies);
}

std::optional<std::vector<std::int8_t>> DeepBook::scores(int plies, const Stop& stop) const {
  const auto members = Members::of(size_, plies, stop);
  if (!members) return std::nullopt;
  std::vector<std::int8_t> found;
  for (std::size_t index = 0; index < members->count() && !stop.requested(); ++index) {
    const auto position = members->position(index);
    found.push_back(static_cast<std::int8_t>(answer(position.own(), position.mask(), plies)));
  }
  return stop.requested() ? std::nullopt : std::optional(std::move(found));
}

std::vector<int> DeepBook::levels() const {
  std::vector<int> plies;
  for (const Level& level : levels_) plies.push_back(level.plies);
  return plies;
}

std::uint64_t DeepBook::count() const {
  std::uint64_t total = 0;
  for (const Level& level : levels_) total += level.scores.count();
  return total;
}

const DeepBook::Level* DeepBook::level_of(int plies) const {
  const auto found = std::ranges::find(levels_, plies, &Level::plies);
  return found == levels_.end() ? nullptr : &*found;
}

int DeepBook::answer(std::uint64_t own, std::uint64_t mask, int plies) const {
  const int cells = size_.cells();
  if (can_win(board_, own, mask)) return winning_score(cells, plies);
  if (plies + 1 == cells) return 0;
  if (const Level* level = level_of(plies)) return level->least + level->scores.find(common_key(own + mask));
  int best = -cells;
  for (std::uint64_t left = (mask + board_.bottom()) & board_.board(); left != 0; left &= left - 1)
    best = std::max(best, -answer(own ^ mask, mask | lowest_bit(left), plies + 1));
  return best;
}

// The smaller key of a position and its mirror image, whose columns are the same from right to left.
std::uint64_t DeepBook::common_key(std::uint64_t key) const {
  std::uint64_t mirrored = 0;
  for (int column = 0, last = (size_.width - 1) * board_.stride(); column <= last; column += board_.stride())
    mirrored |= (key >> column & ((std::uint64_t{1} << board_.stride()) - 1)) << (last - column);
  return std::min(key, mirrored);
}

}  // namespace outplay::solver
