#include "tablebase/table.hpp"

#include <cstring>

#include "base/checksum.hpp"
#include "tablebase/captures.hpp"
#include "tablebase/distances.hpp"

namespace outplay::tablebase {
namespace {

constexpr std::string_view MAGIC = "outplayT";
constexpr std::uint16_t VERSION = 1, HAS_DISTANCES = 1;

struct Section {
  std::uint64_t begin = 0, size = 0;
};

struct Head {
  std::array<char, 8> magic{};
  std::uint16_t version = VERSION, flags = 0;
  std::array<std::uint8_t, 4> digits{};
  std::uint64_t size = 0, checksum = 0;
  std::array<std::array<std::uint64_t, 3>, 2> counts{};  // wins, draws, losses
  std::array<Section, 4> sections{};
};
static_assert(sizeof(Head) == 144 && offsetof(Head, checksum) == 24);

// The checksum of a whole file, its own field taken as zeros.
std::uint64_t checksum_of(std::span<const std::uint8_t> bytes) {
  constexpr std::size_t FIELD = offsetof(Head, checksum), AFTER = FIELD + sizeof(Head::checksum);
  Checksum checksum;
  checksum.add(bytes.first(FIELD));
  checksum.add(std::array<std::uint8_t, AFTER - FIELD>{});
  checksum.add(bytes.subspan(AFTER));
  return checksum.value();
}

Material material_of(const Head& head) {
  const auto& digits = head.digits;
  for (const auto digit : digits)
    if (digit > MOST_PIECES) return {};
  return {digits[0], digits[1], digits[2], digits[3]};
}

// What can be told without knowing the material.
std::optional<Damage> problem_of(const Head& head, std::span<const std::uint8_t> bytes) {
  if (std::memcmp(head.magic.data(), MAGIC.data(), MAGIC.size()) != 0)
    return Damage{"it is not a table file of outplay"};
  if (head.version != VERSION) return Damage{"its version is " + std::to_string(head.version) + ", not 1"};
  if (head.size != bytes.size())
    return Damage{"it has " + std::to_string(bytes.size()) + " bytes instead of " + std::to_string(head.size)};
  if (head.checksum != checksum_of(bytes)) return Damage{"its checksum does not match"};
  const Material material = material_of(head);
  if (!material.is_valid() || material.table() != material) return Damage{"its material is not valid"};
  return std::nullopt;
}

std::vector<std::uint8_t> assemble(Head head, const std::array<std::vector<std::uint8_t>, 4>& sections) {
  std::vector<std::uint8_t> bytes(sizeof head);
  for (std::size_t index = 0; index < sections.size(); ++index) {
    if (sections[index].empty()) continue;
    head.sections[index] = {bytes.size(), sections[index].size()};
    bytes.insert(bytes.end(), sections[index].begin(), sections[index].end());
  }
  head.size = bytes.size();
  std::memcpy(bytes.data(), &head, sizeof head);
  head.checksum = checksum_of(bytes);
  std::memcpy(bytes.data(), &head, sizeof head);
  return bytes;
}

// Values in order, those with a compulsory capture free.
Source source_of(const Unpacked& table, Side side) {
  return [&table, side](std::uint64_t begin, std::span<std::uint8_t> values) {
    const ValueArray& stored = table.values[static_cast<std::size_t>(side)];
    for_each_placement(table.index, begin, begin + values.size(), [&](std::uint64_t at, const Placement& placement) {
      values[at - begin] = must_capture(placement, side) ? FREE : static_cast<std::uint8_t>(stored[at]);
    });
  };
}

}  // namespace

std::variant<Table, Damage, Unopened> Table::open(const std::string& path) {
  auto opened = MappedFile::open(path);
  if (const int* error_number = std::get_if<int>(&opened)) return Unopened{*error_number};
  auto& file = std::get<MappedFile>(opened);
  Head head;
  if (file.bytes().size() < sizeof head) return Damage{"it is too short for a table"};
  std::memcpy(&head, file.bytes().data(), sizeof head);
  if (const auto problem = problem_of(head, file.bytes())) return *problem;
  Table table(std::move(file), material_of(head));
  if (const auto problem = table.read()) return *problem;
  return table;
}

std::optional<Damage> Table::read() {
  Head head;
  const auto bytes = file_.bytes();
  std::memcpy(&head, bytes.data(), sizeof head);
  checksum_ = head.checksum;
  for (const Section& section : head.sections)
    if (section.begin > bytes.size() || section.size > bytes.size() - section.begin)
      return Damage{"a section lies outside the file"};
  const auto bytes_of = [&](std::size_t index) {
    return bytes.subspan(head.sections[index].begin, head.sections[index].size);
  };
  for (std::size_t side = 0; side < static_cast<std::size_t>(sides()); ++side) {
    counts_[side].add(Value::WIN, head.counts[side][0]);
    counts_[side].add(Value::DRAW, head.counts[side][1]);
    counts_[side].add(Value::LOSS, head.counts[side][2]);
    if (counts_[side].positions() != index_.size()) return Damage{"its counts do not add up"};
    auto values = PackedValues::open(bytes_of(side), index_.size());
    if (!values) return Damage{"its values cannot be unpacked"};
    values_[side] = std::move(*values);
    if ((head.flags & HAS_DISTANCES) == 0) continue;
    if (head.sections[side + 2].size == 0) return Damage{"its distances are missing"};
    distances_[side] = bytes_of(side + 2);
  }
  return std::nullopt;
}

std::optional<std::vector<std::uint8_t>> write_table(const Built& built, int threads, const Stop& stop) {
  const Unpacked& table = *built.table;
  const Material& material = table.index.material();
  Head head;
  std::memcpy(head.magic.data(), MAGIC.data(), MAGIC.size());
  head.flags = table.has_distances() ? HAS_DISTANCES : 0;
  head.digits = {material.men, material.kings, material.other_men, material.other_kings};
  std::array<std::vector<std::uint8_t>, 4> sections;
  for (std::size_t by = 0; by < static_cast<std::size_t>(table.sides()); ++by) {
    const Counts& counts = built.counts[by];
    head.counts[by] = {counts[Value::WIN], counts[Value::DRAW], counts[Value::LOSS]};
    const auto side = static_cast<Side>(by);
    auto values = pack(table.index.size(), [&] { return source_of(table, side); }, threads, stop);
    if (!values) return std::nullopt;
    sections[by] = std::move(*values);
    if (table.has_distances()) sections[by + 2] = pack_distances(table, side);
  }
  return stop.requested() ? std::nullopt : std::optional(assemble(head, sections));
}

}  // namespace outplay::tablebase
