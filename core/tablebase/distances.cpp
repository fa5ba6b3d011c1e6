#include "tablebase/distances.hpp"

#include "tablebase/captures.hpp"

namespace outplay::tablebase {

std::vector<std::uint8_t> pack_distances(const Unpacked& table, Side side) {
  const auto by = static_cast<std::size_t>(side);
  RangeEncoder encoder;
  DistanceModel model;
  for_each_placement(table.index, 0, table.index.size(), [&](std::uint64_t at, const Placement& placement) {
    if (table.values[by][at] == Value::LOSS && !must_capture(placement, side))
      model.write(table.distances[by][at], encoder);
  });
  return encoder.finish();
}

}  // namespace outplay::tablebase
