#include "engine/weights.hpp"

#include <cstring>

#include "engine/features.hpp"

namespace outplay::engine {
namespace {

constexpr std::string_view MAGIC = "OUTPLAYW";
constexpr std::uint32_t PATTERNS = 1, NETWORK = 2;
constexpr std::size_t HEAD = 24;

std::uint64_t checksum(std::string_view bytes) {
  std::uint64_t sum = 0xCBF29CE484222325;
  for (const char byte : bytes) sum = (sum ^ static_cast<unsigned char>(byte)) * 0x100000001B3;
  return sum;
}

template <class Number>
void put(std::string& text, Number number) {
  for (std::size_t place = 0; place < sizeof number; ++place)
    text += static_cast<char>(static_cast<std::uint64_t>(number) >> 8 * place);
}

template <class Number>
Number take(std::string_view text, std::size_t at) {
  std::uint64_t number = 0;
  for (std::size_t place = 0; place < sizeof(Number); ++place)
    number |= static_cast<std::uint64_t>(static_cast<unsigned char>(text[at + place])) << 8 * place;
  return static_cast<Number>(number);
}

// Calls visit(number) for every number of a network, in the order of the file.
template <class AnyNetwork, class Visit>
void for_each_number(AnyNetwork& network, Visit&& visit) {
  for (auto& row : network.first)
    for (auto& number : row) visit(number);
  for (auto& number : network.first_bias) visit(number);
  for (auto& head : network.heads) {
    for (auto& pairs : head.inner)
      for (auto& pair : pairs)
        for (auto& number : pair) visit(number);
    for (auto& number : head.inner_bias) visit(number);
    for (auto& number : head.outer) visit(number);
    visit(head.outer_bias);
  }
}

std::string body_of(const Network& network) {
  std::string body;
  for_each_number(network, [&](auto number) { put(body, number); });
  return body;
}

std::shared_ptr<const Network> read_network(std::string_view body) {
  auto network = std::make_shared<Network>();
  std::size_t at = 0;
  for_each_number(*network, [&]<class Number>(Number& number) {
    if (at + sizeof number <= body.size()) number = take<Number>(body, at);
    at += sizeof number;
  });
  return at == body.size() ? network : nullptr;
}

}  // namespace

Weights::Weights() : values_(Layout::COUNT) {}

Weights Weights::plain() {
  Weights weights;
  const auto set = [&](int feature, int worth) {
    const auto value = static_cast<std::int16_t>(worth * WEIGHT_UNIT);
    weights.values_[static_cast<std::size_t>(feature)] = {value, value};
  };
  set(Layout::MAN, 100);
  set(Layout::KING, 140);
  set(Layout::TEMPO, 2);
  return weights;
}

std::string Weights::write() const {
  std::string body;
  if (network_) body = body_of(*network_);
  for (const auto& weight : values_) {
    put(body, weight.full);
    put(body, weight.empty);
  }
  std::string text(MAGIC);
  put(text, network_ ? NETWORK : PATTERNS);
  put(text, network_ ? std::uint32_t{Network::HIDDEN} : static_cast<std::uint32_t>(values_.size()));
  put(text, checksum(body));
  return text + body;
}

std::optional<Weights> Weights::read(std::string_view bytes, std::string& problem) {
  Weights weights;
  const auto refuse = [&](std::string reason) {
    problem = std::move(reason);
    return std::nullopt;
  };
  if (bytes.size() < HEAD || bytes.substr(0, MAGIC.size()) != MAGIC) return refuse("it is not a file of weights");
  const auto version = take<std::uint32_t>(bytes, 8), count = take<std::uint32_t>(bytes, 12);
  if (version != PATTERNS && version != NETWORK)
    return refuse("its version is " + std::to_string(version) + ", not 1 or 2");
  const auto body = bytes.substr(HEAD);
  const bool is_right_sum = take<std::uint64_t>(bytes, 16) == checksum(body);
  if (version == NETWORK) {
    auto network = count == Network::HIDDEN ? read_network(body) : nullptr;
    if (!network)
      return refuse("it does not hold a network with " + std::to_string(Network::HIDDEN) + " hidden values");
    if (!is_right_sum) return refuse("its checksum is wrong");
    return Weights(std::move(network));
  }
  if (count != weights.values_.size() || body.size() != 4 * weights.values_.size())
    return refuse("it does not hold " + std::to_string(weights.values_.size()) + " weights");
  if (!is_right_sum) return refuse("its checksum is wrong");
  std::size_t at = HEAD;
  for (auto& weight : weights.values_) {
    weight = {take<std::int16_t>(bytes, at), take<std::int16_t>(bytes, at + 2)};
    at += 4;
  }
  return weights;
}

}  // namespace outplay::engine
