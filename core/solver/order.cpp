#include "solver/order.hpp"

namespace outplay::solver {

const std::array<std::array<Weights, CLASSES>, 2> WEIGHTS{{
    {{
        {64, 64, 16, 4, 0, 8, 4, 64, 12},
        {64, 48, 16, 4, 0, 8, 4, 48, 12},
        {64, 48, 16, 4, 0, 8, 4, 48, 12},
        {64, 64, 21, 4, 0, 8, 4, 48, 12},
    }},
    {{
        {64, 48, 16, 4, 0, 8, 4, 48, 32},
        {64, 48, 16, 2, 2, 8, 4, 48, 32},
        {43, 48, 16, 4, 0, 8, 4, 48, 32},
        {64, 48, 16, 4, 0, 8, 4, 48, 32},
    }},
}};

}  // namespace outplay::solver
