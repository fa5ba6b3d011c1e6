// Which tables a table is made from.
#pragma once

#include <vector>

#include "tablebase/material.hpp"

namespace outplay::tablebase {

// The tables that a capture in this one can lead to, in order.
std::vector<Material> needs_of_captures(const Material& table);

// The tables that one move in this one can lead to, itself apart: those, and the ones where a man has been crowned.
std::vector<Material> needs_of(const Material& table);

}  // namespace outplay::tablebase
