// A table file as Python holds it: whole, checked and shared.
#pragma once

#include <memory>

#include "tablebase/table.hpp"

namespace outplay::bind {

struct TableFile {
  std::shared_ptr<const tablebase::Table> table;
};

}  // namespace outplay::bind
