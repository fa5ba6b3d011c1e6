// The tables as Python holds them, for the bindings of whatever asks them.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "bind/batch_checkers.hpp"
#include "bind/support.hpp"
#include "checkers/position.hpp"
#include "tablebase/guide.hpp"
#include "tablebase/probe.hpp"
#include "tablebase/table.hpp"

namespace outplay::bind {

std::string text_of(const tablebase::Material& material);  // four digits
tablebase::Material table_of(std::string_view name);       // NotationError if no table file is called so
[[noreturn]] void raise_missing(const tablebase::Material& material);
void check_threads(int threads);

// A table file, mapped and checked.
struct TableFile {
  std::shared_ptr<const tablebase::Table> table;
};

// Tables that can be asked.
class Prober {
 public:
  Prober(const std::vector<TableFile>& files, std::uint64_t cache_bytes);
  explicit Prober(std::unique_ptr<tablebase::Prober> prober);
  static std::unique_ptr<Prober> unpacked(const std::vector<TableFile>& files, int threads);

  const tablebase::Prober& tables() const { return *prober_; }

  int find(const checkers::Position& position) const;
  std::vector<int> find_all(const std::vector<checkers::Position>& positions) const;
  nb::tuple probe_many(const checkers::Batch& batch, int threads, const std::optional<nb::callable>& progress) const;
  checkers::Move best(const checkers::Position& position);
  int plies_to_conversion(const checkers::Position& position);
  double measure(int pieces, int count, std::uint64_t seed, bool is_together) const;

 private:
  std::optional<tablebase::Answer> ask(const checkers::Position& position) const;

  std::unique_ptr<tablebase::Prober> prober_;
  tablebase::Guide guide_;
  bool is_unpacked_ = false;
};

void bind_prober(nb::module_& module);

}  // namespace outplay::bind
