#include "tablebase/unpacked.hpp"

namespace outplay::tablebase {

Unpacked::Unpacked(const Material& material, bool with_distances) : index(material) {
  for (std::size_t side = 0; side < static_cast<std::size_t>(sides()); ++side) {
    values[side] = ValueArray(index.size());
    if (with_distances) distances[side] = BigArray<std::uint8_t>(index.size());
  }
}

std::uint64_t Unpacked::bytes() const {
  return values[0].bytes() + values[1].bytes() + distances[0].size() + distances[1].size();
}

}  // namespace outplay::tablebase
