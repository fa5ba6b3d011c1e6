// Arrays from and to NumPy, for the bindings of batches.
#pragma once

#include <nanobind/ndarray.h>

#include <atomic>
#include <concepts>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "base/parallel.hpp"
#include "bind/arguments.hpp"
#include "bind/support.hpp"

namespace outplay::bind {

template <class T>
using Array = nb::ndarray<T, nb::c_contig, nb::device::cpu>;

template <class T>
const char* dtype_name() {
  if constexpr (std::same_as<T, float>) return "float32";
  if constexpr (std::same_as<T, bool>) return "bool";
  if constexpr (std::same_as<T, std::int8_t>) return "int8";
  if constexpr (std::same_as<T, std::int16_t>) return "int16";
  if constexpr (std::same_as<T, std::int32_t>) return "int32";
  if constexpr (std::same_as<T, std::int64_t>) return "int64";
  if constexpr (std::same_as<T, std::uint8_t>) return "uint8";
  if constexpr (std::same_as<T, std::uint32_t>) return "uint32";
  if constexpr (std::same_as<T, std::uint64_t>) return "uint64";
}

using Shape = std::vector<std::size_t>;

std::string text_of(const Shape& shape);  // "3 x 7"
void check_shape(const char* name, const Shape& given, const Shape& wanted);

template <class T>
Shape shape_of(const Array<T>& array) {
  Shape shape;
  for (std::size_t index = 0; index < array.ndim(); ++index) shape.push_back(array.shape(index));
  return shape;
}

// A new array that NumPy owns, and where it lies.
template <class T>
struct NewArray {
  nb::object object;
  T* data;

  explicit NewArray(const Shape& shape) {
    nb::list sizes;
    for (const std::size_t size : shape) sizes.append(size);
    object = numpy().attr("empty")(nb::tuple(sizes), dtype_name<T>());
    data = nb::cast<Array<T>>(object).data();
  }
};

// Whole numbers of any type, as an array of these; TypeError or ValueError name the argument.
nb::object to_whole_numbers(const char* name, nb::handle given, const char* dtype, nb::int_ least, nb::int_ most);

template <std::integral T>
Array<const T> whole_numbers(const char* name, nb::handle given) {
  Array<const T> array;
  if (nb::try_cast(given, array, false)) return array;
  using Limits = std::numeric_limits<T>;
  return nb::cast<Array<const T>>(
      to_whole_numbers(name, given, dtype_name<T>(), nb::int_(Limits::min()), nb::int_(Limits::max())));
}

template <std::integral T>
Array<const T> whole_numbers(const char* name, nb::handle given, const Shape& shape) {
  auto array = whole_numbers<T>(name, given);
  check_shape(name, shape_of(array), shape);
  return array;
}

// The caller's own array to write to: it must be of this type and shape and lie in one piece.
template <class T>
Array<T> array_to_fill(const char* name, nb::handle given, const Shape& shape) {
  Array<T> array;
  if (!nb::try_cast(given, array, false))
    refuse(name, "an array of " + std::string(dtype_name<T>()) + " that can be written to and lies in one piece",
           given);
  check_shape(name, shape_of(array), shape);
  return array;
}

// Calls fill(array) for the array of the caller, or a new one.
template <class Number>
nb::object filled(nb::handle out, const Shape& shape, auto&& fill) {
  if (!out.is_none()) {
    auto array = array_to_fill<Number>("out", out, shape);
    fill(array.data());
    return nb::borrow(out);
  }
  const NewArray<Number> array(shape);
  fill(array.data);
  return array.object;
}

template <class T>
std::span<const T> span_of(const Array<const T>& array) {
  return {array.data(), array.size()};
}

// Whether planes are wanted as float32, not as int8. `dtype` is a name, or a type as NumPy has them.
bool is_float32(nb::handle dtype);

// The array in which a batch keeps its numbers: not a copy, and read-only. `owner` keeps it alive.
template <class T>
nb::object view_of(const T* data, const Shape& shape, nb::handle owner) {
  numpy();
  return nb::cast(nb::ndarray<nb::numpy, const T>(data, shape.size(), shape.data(), owner));
}

// The members an index chooses: a slice, numbers, or a mask.
std::vector<std::int64_t> chosen(nb::handle index, std::size_t size);

// The members one by one.
inline nb::object iterate(nb::handle batch) { return nb::steal(PySeqIter_New(batch.ptr())); }

// A seed as given, or a new one.
std::uint64_t seed_or_new(std::optional<std::uint64_t> seed);

struct Range {
  int least, most;
};
// A number, or a pair of the least and the most.
Range range_of(const char* name, nb::handle given, int least, int most);

void check_count(long long count);

// Positions of a sample, made by several threads; what `make(number)` cannot make is an error.
template <class Make, class Set>
void fill_at_random(std::size_t count, int threads, const Make& make, const Set& set) {
  check_range("threads", threads, 1, 256);
  std::atomic<bool> is_missing{false};
  run_interruptibly([&](const Stop& stop) {
    share_out(threads, count, 1024, stop, [&] {
      return [&](std::uint64_t begin, std::uint64_t end) {
        for (auto index = begin; index < end && !is_missing && !stop.requested(); ++index) {
          if (const auto position = make(index))
            set(index, *position);
          else
            is_missing = true;
        }
      };
    });
    return 0;
  });
  if (is_missing) throw nb::value_error("no such position was found: ask for fewer plies or pieces");
}

// Runs work(begin, end, stop) for stretches of `count` on several threads. `progress` is called with how many are done,
// and of how many; `is_stopped()` ends it early.
template <class MakeWork, class IsStopped>
void run_batch(int threads, std::uint64_t count, std::uint64_t stretch, const std::optional<nb::callable>& progress,
               const IsStopped& is_stopped, const MakeWork& make_work) {
  Stop stop;
  std::atomic<std::uint64_t> done{0};
  const auto compute = [&](const Stop& flag) {
    share_out(threads, count, stretch, flag, [&] {
      return [&, work = make_work()](std::uint64_t begin, std::uint64_t end) mutable {
        work(begin, end, flag);
        done.fetch_add(end - begin, std::memory_order_relaxed);
      };
    });
    return 0;
  };
  run_interruptibly(stop, compute, [&, turn = 0]() mutable {
    if (is_stopped()) stop.request();
    if (progress && ++turn % 5 == 0) (*progress)(done.load(), count);
  });
  if (progress) (*progress)(done.load(), count);
}

}  // namespace outplay::bind
