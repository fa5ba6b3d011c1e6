#include "tablebase/build.hpp"

#include <algorithm>
#include <mutex>
#include <optional>

#include "base/parallel.hpp"
#include "tablebase/arrangements.hpp"
#include "tablebase/solve.hpp"

namespace outplay::tablebase {
namespace {

constexpr std::uint64_t POSITIONS_AT_ONCE = 1 << 14;  // a thread takes this number, or one arrangement, at a time

template <Goal G>
class Builder {
 public:
  Builder(Unpacked& table, const UnpackedSet& tables, const Stop& stop, Progress& progress)
      : table_(table), tables_(tables), stop_(stop), progress_(progress) {}

  void run(int threads) {
    const std::uint64_t stretch = std::max<std::uint64_t>(1, POSITIONS_AT_ONCE / table_.index.king_placements());
    for (const auto& layer : layers_of(table_.index))
      share_out(threads, layer.size(), stretch, stop_, [&] { return worker(layer); });
  }
  const std::array<Counts, 2>& counts() const { return counts_; }

 private:
  auto worker(const std::vector<std::uint32_t>& layer) {
    return [this, &layer, solver = std::make_unique<Solver<G, UnpackedSet>>(table_.index, tables_, stop_)](
               std::uint64_t begin, std::uint64_t end) {
      for (std::uint64_t at = begin; at < end && !stop_.requested(); ++at) {
        solver->solve(table_.index.men_of(layer[at]));
        if (stop_.requested()) return;  // what was left unsolved has no value
        write(*solver, layer[at]);
      }
      progress_.done += (end - begin) * table_.index.king_placements();
    };
  }

  void write(const Solver<G, UnpackedSet>& solver, std::uint64_t arrangement) {
    const std::uint64_t size = table_.index.king_placements(), begin = arrangement * size;
    for (const Side side : {Side::FIRST, Side::SECOND}) {
      const auto by = static_cast<std::size_t>(side);
      if (by >= static_cast<std::size_t>(table_.sides())) break;
      Counts counts;
      table_.values[by].fill(begin, size, [&](std::uint64_t kings) {
        const Value value = solver.value(side, static_cast<std::uint32_t>(kings));
        counts.add(value);
        return value;
      });
      if constexpr (G == Goal::END)
        for (std::uint64_t kings = 0; kings < size; ++kings)
          table_.distances[by][begin + kings] =
              static_cast<std::uint8_t>(solver.distance(side, static_cast<std::uint32_t>(kings)));
      const std::lock_guard lock(mutex_);
      counts_[by].add(counts);
    }
  }

  Unpacked& table_;
  const UnpackedSet& tables_;
  const Stop& stop_;
  Progress& progress_;
  std::mutex mutex_;
  std::array<Counts, 2> counts_;
};

template <Goal G>
std::array<Counts, 2> fill(Unpacked& table, const UnpackedSet& tables, int threads, const Stop& stop,
                           Progress& progress) {
  Builder<G> builder(table, tables, stop, progress);
  builder.run(threads);
  return builder.counts();
}

}  // namespace

std::optional<Built> build(const Material& material, UnpackedSet tables, bool with_distances, int threads,
                           const Stop& stop, Progress& progress) {
  const auto table = std::make_shared<Unpacked>(material, with_distances);
  progress.all = table->index.size();
  tables.add(table);  // an arrangement of men needs others of the same table
  auto counts = with_distances ? fill<Goal::END>(*table, tables, threads, stop, progress)
                               : fill<Goal::VALUES>(*table, tables, threads, stop, progress);
  if (stop.requested()) return std::nullopt;
  if (material.is_symmetric()) counts[1] = counts[0];
  return Built{table, counts};
}

}  // namespace outplay::tablebase
