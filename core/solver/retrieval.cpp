#include "solver/retrieval.hpp"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cstring>
#include <stdexcept>
#include <tuple>

#include "base/bits.hpp"

namespace outplay::solver {

namespace {

constexpr std::uint64_t WIDTH = 64;    // columns of a ribbon
constexpr std::uint64_t BUCKET = 255;  // columns: so a threshold is a byte, and 255 leaves all keys to the next layer
constexpr std::uint64_t MOST_LAYERS = 16;  // six hold millions of keys
constexpr std::uint64_t HEADER_WORDS = 3;

struct Ribbon {
  std::uint64_t start, bits;

  std::uint64_t bucket() const { return start / BUCKET; }
  std::uint64_t offset() const { return start % BUCKET; }
};

// The finalizer of splitmix64: a bijection, so different keys stay different.
std::uint64_t mix(std::uint64_t word) {
  word = (word ^ word >> 30) * 0xBF58476D1CE4E5B9;
  word = (word ^ word >> 27) * 0x94D049BB133111EB;
  return word ^ word >> 31;
}

// No ribbon ends with the last column: so a reader may always take the word of the first column and the next one.
constexpr std::uint64_t starts(std::uint64_t columns) { return columns - WIDTH; }

Ribbon ribbon_of(std::uint64_t key, std::uint64_t layer, std::uint64_t columns) {
  const std::uint64_t hash = mix(key + (layer + 1) * 0x9E3779B97F4A7C15);
  return {static_cast<std::uint64_t>(Word128{hash} * starts(columns) >> 64), mix(~hash) | 1};
}

constexpr std::uint64_t plane_bytes(std::uint64_t columns, std::uint64_t bits) { return columns / 8 * bits; }
constexpr std::uint64_t bucket_count(std::uint64_t columns) { return (starts(columns) + BUCKET - 1) / BUCKET; }
constexpr std::uint64_t threshold_bytes(std::uint64_t columns) { return (bucket_count(columns) + 7) / 8 * 8; }

std::uint64_t word_at(const std::uint8_t* bytes) {
  std::uint64_t word;
  std::memcpy(&word, bytes, sizeof word);
  return word;
}

void append(std::string& bytes, std::uint64_t word) { bytes.append(reinterpret_cast<const char*>(&word), sizeof word); }

struct Entry {
  std::uint64_t key;
  std::uint8_t number;
};

// The equations of one layer, solved.
class System {
 public:
  System(std::span<const Entry> entries, std::uint64_t layer)
      : columns_(columns_for(entries.size())), thresholds_(threshold_bytes(columns_)), rows_(columns_) {
    std::vector<Equation> equations;
    for (const Entry& entry : entries) equations.push_back({ribbon_of(entry.key, layer, columns_), entry});
    // Bucket by bucket, from the right to the left in each: what fails first is what lies leftmost.
    std::ranges::sort(equations, [](const Equation& a, const Equation& b) {
      const auto place = [](const Ribbon& r) { return std::tuple(r.bucket(), BUCKET - r.offset(), r.bits); };
      return place(a.ribbon) < place(b.ribbon);
    });
    for (std::size_t from = 0; from < equations.size();) {
      std::size_t to = from;
      while (to < equations.size() && equations[to].ribbon.bucket() == equations[from].ribbon.bucket()) ++to;
      add_bucket(std::span(equations).subspan(from, to - from));
      from = to;
    }
  }

  std::uint64_t columns() const { return columns_; }
  const std::vector<std::uint8_t>& thresholds() const { return thresholds_; }
  const std::vector<Entry>& bumped() const { return bumped_; }

  // The planes, found from the last column to the first; a column without an equation is free, and 0.
  std::vector<std::uint64_t> planes(std::uint64_t bits) const {
    std::vector<std::uint64_t> words(columns_ / WIDTH * bits);
    std::vector<std::uint64_t> window(bits);  // the 64 columns from this one on, of each plane
    for (std::uint64_t column = columns_; column-- > 0;) {
      const Row& row = rows_[column];
      for (std::uint64_t plane = 0; plane < bits; ++plane) {
        window[plane] <<= 1;
        const bool parity = count_bits(row.bits & window[plane]) % 2 != 0;
        if (row.bits != 0 && parity != ((row.number >> plane & 1) != 0)) window[plane] |= 1;
        if (column % WIDTH == 0) words[column / WIDTH * bits + plane] = window[plane];
      }
    }
    return words;
  }

 private:
  struct Equation {
    Ribbon ribbon;
    Entry entry;
  };
  struct Row {  // an equation whose first column is this one; no bits if there is none
    std::uint64_t bits = 0;
    std::uint8_t number = 0;
  };

  // A twentieth fewer columns than keys, so that hardly one stays free; small layers are to take all keys.
  static std::uint64_t columns_for(std::uint64_t keys) {
    const std::uint64_t columns = keys < 1000 ? keys + keys / 2 + WIDTH : keys - keys / 20;
    return (columns + 2 * WIDTH - 1) / WIDTH * WIDTH;
  }

  // Equations of one bucket, the rightmost first. When one contradicts, all up to its column are left out.
  void add_bucket(std::span<const Equation> equations) {
    std::vector<std::pair<std::uint64_t, std::uint64_t>> rows;  // those made here, with the offset they came from
    std::uint64_t threshold = 0;
    for (const auto& [ribbon, entry] : equations) {
      const auto row = add(ribbon, entry.number);
      if (!row) {
        threshold = ribbon.offset() + 1;
        break;
      }
      if (*row < columns_) rows.emplace_back(*row, ribbon.offset());
    }
    if (threshold == 0) return;
    thresholds_[equations.front().ribbon.bucket()] = static_cast<std::uint8_t>(threshold);
    for (const auto& [row, offset] : rows)
      if (offset < threshold) rows_[row] = {};
    for (const auto& [ribbon, entry] : equations)
      if (ribbon.offset() < threshold) bumped_.push_back(entry);
  }

  // The row an equation became, `columns_` if it follows from others, nothing if it contradicts them.
  std::optional<std::uint64_t> add(Ribbon ribbon, std::uint8_t number) {
    for (;;) {
      Row& row = rows_[ribbon.start];
      if (row.bits == 0) {
        row = {ribbon.bits, number};
        return ribbon.start;
      }
      ribbon.bits ^= row.bits;
      number ^= row.number;
      if (ribbon.bits == 0) return number == 0 ? std::optional(columns_) : std::nullopt;
      const int step = lowest_index(ribbon.bits);
      ribbon.bits >>= step;
      ribbon.start += static_cast<std::uint64_t>(step);
    }
  }

  std::uint64_t columns_;
  std::vector<std::uint8_t> thresholds_;
  std::vector<Row> rows_;
  std::vector<Entry> bumped_;
};

}  // namespace

std::string Retrieval::build(std::span<const std::uint64_t> keys, std::span<const std::uint8_t> numbers, int bits) {
  assert(keys.size() == numbers.size() && bits >= 1 && bits <= MOST_BITS);
  const auto planes_each = static_cast<std::uint64_t>(bits);
  std::vector<Entry> entries;
  for (std::size_t index = 0; index < keys.size(); ++index) entries.push_back({keys[index], numbers[index]});
  std::string columns, layers;
  std::uint64_t count = 0;
  for (; !entries.empty(); ++count) {
    if (count == MOST_LAYERS) throw std::invalid_argument("a key is there twice, with two numbers");
    const System system(entries, count);
    append(columns, system.columns());
    for (const std::uint64_t word : system.planes(planes_each)) append(layers, word);
    layers.append(reinterpret_cast<const char*>(system.thresholds().data()), system.thresholds().size());
    entries = system.bumped();
  }
  std::string bytes;
  for (const std::uint64_t word : {std::uint64_t{keys.size()}, planes_each, count}) append(bytes, word);
  return bytes + columns + layers;
}

std::optional<Retrieval> Retrieval::over(std::span<const std::uint8_t> bytes) {
  const auto word = [&](std::uint64_t index) { return word_at(bytes.data() + 8 * index); };
  if (bytes.size() < 8 * HEADER_WORDS) return std::nullopt;
  Retrieval retrieval;
  retrieval.count_ = word(0);
  retrieval.bits_ = word(1);
  const std::uint64_t layers = word(2);
  if (retrieval.bits_ < 1 || retrieval.bits_ > MOST_BITS || layers > MOST_LAYERS) return std::nullopt;
  std::uint64_t at = 8 * (HEADER_WORDS + layers);
  if (bytes.size() < at) return std::nullopt;
  for (std::uint64_t layer = 0; layer < layers; ++layer) {
    const std::uint64_t columns = word(HEADER_WORDS + layer);
    if (columns <= WIDTH || columns % WIDTH != 0 || columns / 8 > bytes.size()) return std::nullopt;
    const std::uint64_t planes = plane_bytes(columns, retrieval.bits_), all = planes + threshold_bytes(columns);
    if (bytes.size() - at < all) return std::nullopt;
    retrieval.layers_.push_back({columns, bytes.data() + at, bytes.data() + at + planes});
    at += all;
  }
  return at == bytes.size() ? std::optional(retrieval) : std::nullopt;
}

int Retrieval::find(std::uint64_t key) const {
  for (std::uint64_t index = 0; index < layers_.size(); ++index) {
    const Layer& layer = layers_[index];
    const Ribbon ribbon = ribbon_of(key, index, layer.columns);
    if (ribbon.offset() < layer.thresholds[ribbon.bucket()]) continue;
    const std::uint8_t* const words = layer.planes + ribbon.start / WIDTH * bits_ * 8;
    const std::uint64_t shift = ribbon.start % WIDTH;
    int number = 0;
    for (std::uint64_t plane = 0; plane < bits_; ++plane) {
      const std::uint64_t low = word_at(words + 8 * plane), high = word_at(words + 8 * (bits_ + plane));
      const std::uint64_t window = low >> shift | high << 1 << (WIDTH - 1 - shift);
      number |= count_bits(window & ribbon.bits) % 2 << plane;
    }
    return number;
  }
  return 0;
}

}  // namespace outplay::solver
