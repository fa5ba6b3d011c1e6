#include "engine/network.hpp"

#include "engine/network_layers.hpp"

namespace outplay::engine {
namespace {

struct Plain {
  static void second(const Network::Head& head, const Hidden& hidden, Inner& inner) {
    inner = head.inner_bias;
    for (std::size_t pair = 0; pair < head.inner.size(); ++pair)
      for (std::size_t unit = 0; unit < inner.size(); ++unit)
        inner[unit] += hidden[2 * pair] * head.inner[pair][unit][0] + hidden[2 * pair + 1] * head.inner[pair][unit][1];
  }
};

const bool HAS_VECTOR_PATH = has_vector_path();

}  // namespace

Score Network::evaluate(const ActiveInputs& inputs) const {
  return HAS_VECTOR_PATH ? evaluate_with_vectors(*this, inputs) : evaluate_plainly(inputs);
}

Score Network::evaluate_plainly(const ActiveInputs& inputs) const { return Layers<Plain>::evaluate(*this, inputs); }

}  // namespace outplay::engine
