// A table file: its form, and the file as it lies mapped into memory.
//
//     0  "outplayT"        16  size of the file     32  wins, draws, losses with FIRST to move, then with SECOND
//     8  version (2 bytes) 24  CRC-64/XZ, counted   80  begin and size of each section: values of FIRST and SECOND
//    10  flags   (2 bytes)     with these eight         to move, distances of FIRST and SECOND to move
//    12  the four digits       bytes as zeros      144  the sections
//        of the name
//
// Numbers are little-endian, of eight bytes where nothing else is said. A section that is not there has size 0.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "base/mapped_file.hpp"
#include "tablebase/build.hpp"
#include "tablebase/codec.hpp"
#include "tablebase/index.hpp"
#include "tablebase/values.hpp"

namespace outplay::tablebase {

// Why a file is no good table.
struct Damage {
  std::string reason;
};
struct Unopened {
  int error_number;  // of the system
};

class Table {
 public:
  static std::variant<Table, Damage, Unopened> open(const std::string& path);

  const Material& material() const { return index_.material(); }
  const Index& index() const { return index_; }
  int sides() const { return material().is_symmetric() ? 1 : 2; }
  const Counts& counts(Side side) const { return counts_[static_cast<std::size_t>(side)]; }
  std::uint64_t bytes() const { return file_.bytes().size(); }
  std::uint64_t checksum() const { return checksum_; }
  bool has_distances() const { return !distances_[0].empty(); }

  // By side to move; of a symmetric material FIRST's alone. What is free may have any value.
  const PackedValues& values(Side side) const { return values_[static_cast<std::size_t>(side)]; }
  std::span<const std::uint8_t> distances(Side side) const { return distances_[static_cast<std::size_t>(side)]; }

 private:
  Table(MappedFile file, const Material& material) : file_(std::move(file)), index_(material) {}
  std::optional<Damage> read();

  MappedFile file_;
  Index index_;
  std::uint64_t checksum_ = 0;
  std::array<Counts, 2> counts_;
  std::array<PackedValues, 2> values_;
  std::array<std::span<const std::uint8_t>, 2> distances_;
};

// The bytes of a table file; nothing if stopped.
std::optional<std::vector<std::uint8_t>> write_table(const Built& built, int threads, const Stop& stop);

}  // namespace outplay::tablebase
