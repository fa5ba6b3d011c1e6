#include "tablebase/unpack.hpp"

#include "base/parallel.hpp"
#include "tablebase/captures.hpp"
#include "tablebase/distances.hpp"

namespace outplay::tablebase {
namespace {

constexpr std::uint64_t BLOCKS_AT_ONCE = 4;

// What the side to move makes of its moves, told one after the other.
class Best {
 public:
  void add(const Answer& answer) {  // for the opponent, after a move
    const Value value = opposite(answer.value);
    const int distance = answer.distance + 1;
    const bool is_better =
        value > best_.value || (value == best_.value && (value == Value::WIN) == (distance < best_.distance));
    if (!has_move_ || is_better) best_ = {value, distance};
    has_move_ = true;
  }
  const Answer& answer() const { return best_; }

 private:
  Answer best_{Value::LOSS, 0};
  bool has_move_ = false;
};

template <bool DISTANCES, Side S>
Answer after_captures(const Placement& placement, Squares jumping, const UnpackedSet& tables) {
  Best best;
  for_each_capture<S>(placement, jumping,
                      [&](const Placement& after) { best.add(tables.ask<DISTANCES>(after, other(S))); });
  return best.answer();
}

template <bool DISTANCES>
class Unpacker {
 public:
  Unpacker(const Table& file, const UnpackedSet& tables, int threads, const Stop& stop)
      : file_(file), tables_(tables), threads_(threads), stop_(stop) {
    table_ = std::make_shared<Unpacked>(file.material(), DISTANCES);
  }

  std::shared_ptr<const Unpacked> run() {
    values<Side::FIRST>();
    if (table_->sides() == 2) values<Side::SECOND>();
    if constexpr (DISTANCES) {
      wins<Side::FIRST>();
      if (table_->sides() == 2) wins<Side::SECOND>();
    }
    return stop_.requested() ? nullptr : table_;
  }

 private:
  // Calls work(begin, end) for whole blocks of positions, in several threads.
  template <class Work>
  void for_all(Work&& work) {
    const std::uint64_t size = table_->index.size();
    share_out(threads_, (size + BLOCK - 1) / BLOCK, BLOCKS_AT_ONCE, stop_, [&] {
      return [&](std::uint64_t begin, std::uint64_t end) {
        for (std::uint64_t block = begin; block < end; ++block)
          work(block * BLOCK, std::min(size, (block + 1) * BLOCK));
      };
    });
  }

  // Every value; the distances of losses and of positions with a capture.
  template <Side S>
  void values() {
    constexpr auto BY = static_cast<std::size_t>(S);
    if constexpr (DISTANCES) table_->distances[BY] = unpack_losses(file_, S, stop_);
    for_all([&](std::uint64_t begin, std::uint64_t end) {
      Block block;
      file_.values(S).unpack(begin / BLOCK, block);
      std::array<Value, BLOCK> values;
      for_each_placement(table_->index, begin, end, [&](std::uint64_t at, const Placement& placement) {
        const Squares jumping = checkers::all_jumpers<S>(pieces_of(placement, S));
        const Answer answer = jumping == 0 ? Answer{value_in(block, at - begin), 0}
                                           : after_captures<DISTANCES, S>(placement, jumping, tables_);
        values[at - begin] = answer.value;
        if (DISTANCES && jumping != 0 && answer.value != Value::DRAW)
          table_->distances[BY][at] = static_cast<std::uint8_t>(answer.distance);
      });
      table_->values[BY].fill(begin, end - begin, [&](std::uint64_t at) { return values[at]; });
    });
  }

  // The distances of wins without a capture: one ply more than the soonest loss they lead to.
  template <Side S>
  void wins() {
    constexpr auto BY = static_cast<std::size_t>(S);
    UnpackedSet tables = tables_;
    tables.add(table_);
    for_all([&](std::uint64_t begin, std::uint64_t end) {
      for_each_placement(table_->index, begin, end, [&](std::uint64_t at, const Placement& placement) {
        if (table_->values[BY][at] != Value::WIN || must_capture<S>(placement)) return;
        Best best;
        checkers::for_each_step<S>(pieces_of(placement, S), [&](Squares from, Squares to) {
          best.add(tables.ask<true>(after_move<S>(placement, from, to, 0), other(S)));
        });
        table_->distances[BY][at] = static_cast<std::uint8_t>(best.answer().distance);
      });
    });
  }

  const Table& file_;
  const UnpackedSet& tables_;
  int threads_;
  const Stop& stop_;
  std::shared_ptr<Unpacked> table_;
};

}  // namespace

std::shared_ptr<const Unpacked> unpack(const Table& file, const UnpackedSet& tables, bool with_distances, int threads,
                                       const Stop& stop) {
  return with_distances ? Unpacker<true>(file, tables, threads, stop).run()
                        : Unpacker<false>(file, tables, threads, stop).run();
}

BigArray<std::uint8_t> unpack_losses(const Table& file, Side side, const Stop& stop) {
  const std::uint64_t size = file.index().size();
  BigArray<std::uint8_t> distances(size);
  RangeDecoder decoder(file.distances(side));
  DistanceModel model;
  Block block;
  for (std::uint64_t begin = 0; begin < size && !stop.requested(); begin += BLOCK) {
    file.values(side).unpack(begin / BLOCK, block);
    for_each_placement(file.index(), begin, std::min(size, begin + BLOCK),
                       [&](std::uint64_t at, const Placement& placement) {
                         if (value_in(block, at - begin) == Value::LOSS && !must_capture(placement, side))
                           distances[at] = static_cast<std::uint8_t>(model.read(decoder));
                       });
  }
  return distances;
}

}  // namespace outplay::tablebase
