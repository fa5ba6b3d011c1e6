#include "engine/fit_network.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "base/random.hpp"
#include "engine/turn.hpp"

namespace outplay::engine {
namespace {

constexpr int HIDDEN = Network::HIDDEN, INNER = Network::INNER, HEADS = Network::HEADS;
constexpr int LEAST_STEPS = 500;  // of an epoch
constexpr float MOST_WEIGHT = 4;  // in the second layer: more would not fit into the sums

// Eight numbers that are computed with at once; the compiler knows how, on any machine.
typedef float Lanes __attribute__((vector_size(32), may_alias));
constexpr int LANES = 8, INNER_LANES = INNER / LANES;

// All numbers of a network, or their slopes, or the moments of these.
struct alignas(64) Numbers {
  float first[Network::INPUTS][HIDDEN], first_bias[HIDDEN];
  float inner[HEADS][HIDDEN][INNER], inner_bias[HEADS][INNER];
  float outer[HEADS][INNER], outer_bias[HEADS];

  float* begin() { return first[0]; }
  static constexpr std::size_t count() { return sizeof(Numbers) / sizeof(float); }
};

// What one position makes of the network.
struct alignas(64) Pass {
  float hidden[HIDDEN];  // before and after the cut-off
  float hidden_cut[HIDDEN];
  float inner[INNER], inner_cut[INNER];
  float answer;
};

float cut(float value) { return value < 0 ? 0 : value > 1 ? 1 : value; }
double logistic(double x) { return 1 / (1 + std::exp(-x)); }

double cross_entropy(double predicted, double wanted) {
  constexpr double TINY = 1e-9;
  return -wanted * std::log(predicted + TINY) - (1 - wanted) * std::log(1 - predicted + TINY);
}

Pieces pieces_of(const Sample& sample) {
  return sample.side == 0 ? Pieces{sample.black, sample.white, sample.kings}
                          : Pieces{sample.white, sample.black, sample.kings};
}

ActiveInputs inputs_of(const Sample& sample) {
  const auto pieces = pieces_of(sample);
  return sample.side == 0 ? ActiveInputs::of<Side::FIRST>(pieces) : ActiveInputs::of<Side::SECOND>(pieces);
}

// Tells whether a position was there before.
class Seen {
 public:
  explicit Seen(std::size_t most) : places_(std::bit_ceil(2 * most + 1)) {}

  bool insert(const Sample& sample) {
    const auto pieces = pieces_of(sample);
    const auto hash = (sample.side == 0 ? hash_of<Side::FIRST>(pieces) : hash_of<Side::SECOND>(pieces)) | 1;
    const auto mask = places_.size() - 1;
    std::size_t place = (hash >> 20) & mask;
    for (; places_[place] != 0; place = (place + 1) & mask)
      if (places_[place] == hash) return false;
    places_[place] = hash;
    return true;
  }

 private:
  std::vector<std::uint64_t> places_;
};

class NetworkFit {
 public:
  NetworkFit(const std::vector<Sample>& samples, const NetworkFitOptions& options)
      : samples_(samples), options_(options), random_(options.seed) {
    divide();
    options_.batch = std::clamp(static_cast<int>(training_.size() / LEAST_STEPS), 1, options.batch);
    begin();
    steps_ = static_cast<double>(training_.size() / batch()) * options.epochs;
  }

  // One pass over the training samples in a new order; the mean loss.
  double train(const Stop& stop) {
    for (std::size_t left = training_.size(); left > 1; --left)
      std::swap(training_[left - 1], training_[random_.below(left)]);
    double loss = 0;
    for (std::size_t first = 0; first + batch() <= training_.size() && !stop.requested(); first += batch()) {
      std::fill_n(slopes_->begin(), Numbers::count(), 0.0F);
      for (std::size_t index = first; index < first + batch(); ++index) loss += learn(samples_[training_[index]]);
      step();
    }
    return loss / static_cast<double>(std::max<std::size_t>(1, training_.size()));
  }

  double held_out_loss() {
    double loss = 0;
    for (const auto index : held_out_) {
      forward(inputs_of(samples_[index]));
      loss += cross_entropy(logistic(pass_.answer), wanted(samples_[index]));
    }
    return loss / static_cast<double>(std::max<std::size_t>(1, held_out_.size()));
  }

  Weights weights() const {
    auto network = std::make_shared<Network>();
    constexpr double ONE = Network::ONE, WEIGHT = Network::WEIGHT_ONE;
    for (std::size_t input = 0; input < network->first.size(); ++input)
      for (std::size_t unit = 0; unit < HIDDEN; ++unit)
        network->first[input][unit] = rounded<std::int16_t>(numbers_->first[input][unit] * ONE);
    for (std::size_t unit = 0; unit < HIDDEN; ++unit)
      network->first_bias[unit] = rounded<std::int16_t>(numbers_->first_bias[unit] * ONE);
    for (std::size_t each = 0; each < HEADS; ++each) {
      auto& head = network->heads[each];
      for (std::size_t unit = 0; unit < INNER; ++unit) {
        for (std::size_t hidden = 0; hidden < HIDDEN; ++hidden)
          head.inner[hidden / 2][unit][hidden % 2] =
              rounded<std::int16_t>(numbers_->inner[each][hidden][unit] * WEIGHT);
        head.inner_bias[unit] = rounded<std::int32_t>(numbers_->inner_bias[each][unit] * ONE * WEIGHT);
        head.outer[unit] = rounded<std::int16_t>(numbers_->outer[each][unit] * WEIGHT);
      }
      head.outer_bias = rounded<std::int32_t>(numbers_->outer_bias[each] * ONE * WEIGHT);
    }
    return Weights(network);
  }

 private:
  std::size_t batch() const { return static_cast<std::size_t>(options_.batch); }

  // Every position once; whole games are held out.
  void divide() {
    Seen seen(samples_.size());
    int game = 0, pieces_before = 0;
    for (std::uint32_t index = 0; index < samples_.size(); ++index) {
      const int pieces = count_bits(samples_[index].black | samples_[index].white);
      if (pieces > pieces_before) ++game;
      pieces_before = pieces;
      if (pieces > 0 && seen.insert(samples_[index]))
        (game % options_.held_out == 0 ? held_out_ : training_).push_back(index);
    }
  }

  // Random weights near nothing; all heads begin alike.
  void begin() {
    const auto random = [this](double most) {
      return static_cast<float>(most * (static_cast<double>(random_.next() >> 11) * 0x1p-52 - 1));
    };
    for (auto& row : numbers_->first)
      for (auto& number : row) number = random(0.25);
    for (auto& number : numbers_->first_bias) number = 0.2F + random(0.2);
    for (auto& row : numbers_->inner[0])
      for (auto& number : row) number = random(std::sqrt(3.0 / HIDDEN));
    for (auto& number : numbers_->inner_bias[0]) number = 0.3F + random(0.1);
    for (auto& number : numbers_->outer[0]) number = random(1);
    for (int head = 1; head < HEADS; ++head) {
      std::copy_n(numbers_->inner[0][0], HIDDEN * INNER, numbers_->inner[head][0]);
      std::copy_n(numbers_->inner_bias[0], INNER, numbers_->inner_bias[head]);
      std::copy_n(numbers_->outer[0], INNER, numbers_->outer[head]);
    }
  }

  double wanted(const Sample& sample) const {
    const double result = sample.result / 2.0;
    if (sample.score == IS_KNOWN) return result;
    const double score = logistic(static_cast<double>(sample.score) / SCORE_UNIT);
    return options_.result_share * result + (1 - options_.result_share) * score;
  }

  double learn(const Sample& sample) {
    const auto inputs = inputs_of(sample);
    forward(inputs);
    const double predicted = logistic(pass_.answer), target = wanted(sample);
    backward(inputs, static_cast<float>(predicted - target));
    return cross_entropy(predicted, target);
  }

  void forward(const ActiveInputs& inputs) {
    const auto& numbers = *numbers_;
    const int head = inputs.head();
    std::copy_n(numbers.first_bias, HIDDEN, pass_.hidden);
    for (int index = 0; index < inputs.size(); ++index) {
      const float* const row = numbers.first[inputs[index]];
      for (int unit = 0; unit < HIDDEN; ++unit) pass_.hidden[unit] += row[unit];
    }
    Lanes sums[INNER_LANES];
    for (int lane = 0; lane < INNER_LANES; ++lane) sums[lane] = lanes(numbers.inner_bias[head])[lane];
    for (int unit = 0; unit < HIDDEN; ++unit) {
      const float value = pass_.hidden_cut[unit] = cut(pass_.hidden[unit]);
      if (value == 0) continue;
      for (int lane = 0; lane < INNER_LANES; ++lane) sums[lane] += value * lanes(numbers.inner[head][unit])[lane];
    }
    for (int lane = 0; lane < INNER_LANES; ++lane) lanes(pass_.inner)[lane] = sums[lane];
    pass_.answer = numbers.outer_bias[head];
    for (int unit = 0; unit < INNER; ++unit) {
      pass_.inner_cut[unit] = cut(pass_.inner[unit]);
      pass_.answer += pass_.inner_cut[unit] * numbers.outer[head][unit];
    }
  }

  // Adds the slopes of one position; `slope` is that of its loss by the answer.
  void backward(const ActiveInputs& inputs, float slope) {
    const auto& numbers = *numbers_;
    auto& slopes = *slopes_;
    const int head = inputs.head();
    alignas(64) float inner[INNER], hidden[HIDDEN];
    slopes.outer_bias[head] += slope;
    for (int unit = 0; unit < INNER; ++unit) {
      slopes.outer[head][unit] += slope * pass_.inner_cut[unit];
      const bool is_free = pass_.inner[unit] > 0 && pass_.inner[unit] < 1;
      inner[unit] = is_free ? slope * numbers.outer[head][unit] : 0;
      slopes.inner_bias[head][unit] += inner[unit];
    }
    for (int unit = 0; unit < HIDDEN; ++unit) {
      hidden[unit] = 0;
      const float value = pass_.hidden_cut[unit];
      if (value == 0) continue;
      Lanes sum{};
      for (int lane = 0; lane < INNER_LANES; ++lane) {
        sum += lanes(inner)[lane] * lanes(numbers.inner[head][unit])[lane];
        lanes(slopes.inner[head][unit])[lane] += value * lanes(inner)[lane];
      }
      if (value < 1)
        for (int lane = 0; lane < LANES; ++lane) hidden[unit] += sum[lane];
    }
    for (int unit = 0; unit < HIDDEN; ++unit) slopes.first_bias[unit] += hidden[unit];
    for (int index = 0; index < inputs.size(); ++index) {
      float* const row = slopes.first[inputs[index]];
      for (int unit = 0; unit < HIDDEN; ++unit) row[unit] += hidden[unit];
    }
  }

  void step() {
    constexpr float FIRST = 0.9F, SECOND = 0.999F, TINY = 1e-8F;
    step_ += 1;
    const double share = 0.5 + 0.5 * std::cos(std::numbers::pi * step_ / steps_);
    const auto rate = static_cast<float>(options_.rate * share / (1 - std::pow(FIRST, step_)));
    const auto second_share = static_cast<float>(1 / (1 - std::pow(SECOND, step_)));
    const float batch_share = 1.0F / static_cast<float>(options_.batch);
    float *number = numbers_->begin(), *first = first_moments_->begin(), *second = second_moments_->begin();
    const float* slope = slopes_->begin();
    for (std::size_t index = 0; index < Numbers::count(); ++index) {
      const float mean = slope[index] * batch_share;
      first[index] = FIRST * first[index] + (1 - FIRST) * mean;
      second[index] = SECOND * second[index] + (1 - SECOND) * mean * mean;
      number[index] -= rate * first[index] / (std::sqrt(second[index] * second_share) + TINY);
    }
    float* const inner = numbers_->inner[0][0];
    for (int index = 0; index < HEADS * HIDDEN * INNER; ++index)
      inner[index] = std::clamp(inner[index], -MOST_WEIGHT, MOST_WEIGHT);
  }

  template <class Number>
  static Number rounded(double value) {
    constexpr double MOST = std::numeric_limits<Number>::max();
    return static_cast<Number>(std::lround(std::clamp(value, -MOST, MOST)));
  }
  static Lanes* lanes(float* numbers) { return reinterpret_cast<Lanes*>(numbers); }
  static const Lanes* lanes(const float* numbers) { return reinterpret_cast<const Lanes*>(numbers); }

  const std::vector<Sample>& samples_;
  NetworkFitOptions options_;
  std::vector<std::uint32_t> training_, held_out_;
  Random random_;
  std::unique_ptr<Numbers> numbers_ = std::make_unique<Numbers>(), slopes_ = std::make_unique<Numbers>();
  std::unique_ptr<Numbers> first_moments_ = std::make_unique<Numbers>(), second_moments_ = std::make_unique<Numbers>();
  Pass pass_;
  double step_ = 0, steps_ = 0;
};

}  // namespace

std::optional<Weights> fit_network(const std::vector<Sample>& samples, const NetworkFitOptions& options,
                                   const Stop& stop, const FitReport& report) {
  NetworkFit fit(samples, options);
  for (int number = 1; number <= options.epochs; ++number) {
    const double loss = fit.train(stop);
    if (stop.requested()) return std::nullopt;
    if (report) report({number, loss, fit.held_out_loss()});
  }
  return fit.weights();
}

}  // namespace outplay::engine
