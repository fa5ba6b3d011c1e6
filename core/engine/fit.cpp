#include "engine/fit.hpp"

#include <cmath>
#include <limits>
#include <numeric>

#include "base/random.hpp"
#include "engine/features.hpp"

namespace outplay::engine {
namespace {

constexpr int HELD_OUT_RUN = 512;  // neighbouring samples are of the same games: they stay together
constexpr float FIRST_SQUARES = 0.5F;

// A feature while it is learned: its two weights, the sum of their squared slopes (Adagrad: Duchi, Hazan and Singer
// 2011), and how strongly it is drawn to nothing each time it is seen, the rarer the more.
struct Learned {
  float full = 0, empty = 0;
  float full_squares = FIRST_SQUARES, empty_squares = FIRST_SQUARES;
  float pull = 0;
};

struct Active {
  int feature;
  int amount;
};

class ActiveList {
 public:
  explicit ActiveList(const Sample& sample) {
    const bool is_black = sample.side == 0;
    const Pieces pieces{is_black ? sample.black : sample.white, is_black ? sample.white : sample.black, sample.kings};
    const auto add = [this](int feature, int amount) {
      if (amount != 0) list_[size_++] = {feature, amount};
    };
    if (is_black)
      for_each_feature<Side::FIRST>(pieces, add);
    else
      for_each_feature<Side::SECOND>(pieces, add);
    full_share = static_cast<float>(count_bits(pieces.own | pieces.other)) / (2 * checkers::MOST_PIECES);
  }
  const Active* begin() const { return list_.data(); }
  const Active* end() const { return list_.data() + size_; }

  float full_share;

 private:
  std::size_t size_ = 0;
  std::array<Active, 96> list_;
};

double logistic(double x) { return 1 / (1 + std::exp(-x)); }

double cross_entropy(double predicted, double wanted) {
  constexpr double TINY = 1e-9;
  return -wanted * std::log(predicted + TINY) - (1 - wanted) * std::log(1 - predicted + TINY);
}

class Fit {
 public:
  Fit(const std::vector<Sample>& samples, const FitOptions& options)
      : samples_(samples), options_(options), features_(Layout::COUNT), random_(options.seed) {
    for (std::uint32_t index = 0; index < samples.size(); ++index)
      (is_held_out(index) ? held_out_ : training_).push_back(index);
    count_features();
    // A start from which the rest is quickly found: what a man and a king are worth.
    features_[Layout::MAN].full = features_[Layout::MAN].empty = 1;
    features_[Layout::KING].full = features_[Layout::KING].empty = 1.4F;
  }

  // One pass over the training samples in a new order; the mean loss.
  double train(double rate, const Stop& stop) {
    for (std::size_t left = training_.size(); left > 1; --left)
      std::swap(training_[left - 1], training_[random_.below(left)]);
    double loss = 0;
    for (std::size_t index = 0; index < training_.size(); ++index) {
      if (index % 4096 == 0 && stop.requested()) break;
      loss += learn(samples_[training_[index]], static_cast<float>(rate));
    }
    return loss / static_cast<double>(std::max<std::size_t>(1, training_.size()));
  }

  double held_out_loss() const {
    double loss = 0;
    for (const auto index : held_out_) {
      const ActiveList active(samples_[index]);
      loss += cross_entropy(logistic(predict(active)), wanted(samples_[index]));
    }
    return loss / static_cast<double>(std::max<std::size_t>(1, held_out_.size()));
  }

  Weights weights() const {
    auto weights = Weights::plain();
    for (std::size_t index = 0; index < features_.size(); ++index)
      weights.values()[index] = {rounded(features_[index].full), rounded(features_[index].empty)};
    return weights;
  }

 private:
  bool is_held_out(std::uint32_t index) const {
    return index / HELD_OUT_RUN % static_cast<std::uint32_t>(options_.held_out) == 0;
  }

  void count_features() {
    std::vector<std::uint32_t> counts(features_.size());
    for (const auto index : training_)
      for (const auto& active : ActiveList(samples_[index])) ++counts[static_cast<std::size_t>(active.feature)];
    const double prior = 1 / (options_.prior * options_.prior);
    for (std::size_t index = 0; index < counts.size(); ++index)
      features_[index].pull = static_cast<float>(prior / std::max(1u, counts[index]));
    for (const int free : {Layout::MAN, Layout::KING, Layout::TEMPO, Layout::TURN})
      features_[static_cast<std::size_t>(free)].pull = 0;
  }

  // Seen from Black, as the features are.
  double predict(const ActiveList& active) const {
    float full = 0, empty = 0;
    for (const auto& [feature, amount] : active) {
      full += static_cast<float>(amount) * features_[static_cast<std::size_t>(feature)].full;
      empty += static_cast<float>(amount) * features_[static_cast<std::size_t>(feature)].empty;
    }
    return full * active.full_share + empty * (1 - active.full_share);
  }

  double wanted(const Sample& sample) const {
    const double result = sample.result / 2.0, score = logistic(sample.score / options_.scale);
    const double mixed = options_.result_share * result + (1 - options_.result_share) * score;
    return sample.side == 0 ? mixed : 1 - mixed;
  }

  double learn(const Sample& sample, float rate) {
    const ActiveList active(sample);
    const double predicted = logistic(predict(active)), target = wanted(sample);
    const auto slope = static_cast<float>(predicted - target);
    for (const auto& [feature, amount] : active) {
      auto& learned = features_[static_cast<std::size_t>(feature)];
      const float part = slope * static_cast<float>(amount);
      step(learned.full, learned.full_squares, part * active.full_share + learned.pull * learned.full, rate);
      step(learned.empty, learned.empty_squares, part * (1 - active.full_share) + learned.pull * learned.empty, rate);
    }
    return cross_entropy(predicted, target);
  }

  static void step(float& weight, float& squares, float slope, float rate) {
    squares += slope * slope;
    weight -= rate * slope / std::sqrt(squares);
  }

  std::int16_t rounded(float weight) const {
    const double value = weight * options_.scale * WEIGHT_UNIT;
    return static_cast<std::int16_t>(std::lround(std::clamp(value, -32767.0, 32767.0)));
  }

  const std::vector<Sample>& samples_;
  FitOptions options_;
  std::vector<Learned> features_;
  std::vector<std::uint32_t> training_, held_out_;
  Random random_;
};

}  // namespace

std::optional<Weights> fit(const std::vector<Sample>& samples, const FitOptions& options, const Stop& stop,
                           const FitReport& report) {
  Fit fit(samples, options);
  std::optional<Weights> best;
  double least = std::numeric_limits<double>::infinity();
  for (int number = 1; number <= options.epochs; ++number) {
    const double loss = fit.train(options.rate / number, stop);
    if (stop.requested()) break;
    const double held_out = fit.held_out_loss();
    if (report) report({number, loss, held_out});
    if (held_out < least) {
      least = held_out;
      best = fit.weights();
    }
  }
  return best;
}

}  // namespace outplay::engine
