#include "bind/batch.hpp"

#include <random>

namespace outplay::bind {

std::string text_of(const Shape& shape) {
  std::string text;
  for (const std::size_t size : shape) text += (text.empty() ? "" : " x ") + std::to_string(size);
  return shape.size() == 1 ? text + " numbers" : text;
}

void check_shape(const char* name, const Shape& given, const Shape& wanted) {
  if (given == wanted) return;
  const auto text = std::string(name) + " must be an array of " + text_of(wanted) + ", not " + text_of(given);
  throw nb::value_error(text.c_str());
}

namespace {

// NumPy turns a list with numbers of more than 63 bits into fractions: such a list is read number by number. Nothing if
// they are not whole.
std::optional<nb::object> numbers_of(nb::handle given) {
  const nb::module_ library = numpy();
  const nb::object array = library.attr("asarray")(given);
  const std::string kind = nb::cast<std::string>(array.attr("dtype").attr("kind"));
  if (kind == "i" || kind == "u" || nb::cast<int>(array.attr("size")) == 0) return array;
  if (!nb::isinstance<nb::list>(given)) return std::nullopt;
  const nb::object numbers = library.attr("array")(given, "object");
  for (const nb::handle number : nb::object(numbers.attr("flat")))
    if (PyLong_CheckExact(number.ptr()) == 0) return std::nullopt;
  return numbers;
}

}  // namespace

nb::object to_whole_numbers(const char* name, nb::handle given, const char* dtype, nb::int_ least, nb::int_ most) {
  const auto found = numbers_of(given);
  if (!found) refuse(name, "an array of whole numbers", given);
  const nb::object& array = *found;
  if (nb::cast<int>(array.attr("size")) != 0) {
    const nb::object low = array.attr("min")(), high = array.attr("max")();
    if (nb::int_(low) < least) refuse_number(name, low);
    if (nb::int_(high) > most) refuse_number(name, high);
  }
  return numpy().attr("ascontiguousarray")(array, dtype);
}

namespace {

[[noreturn]] void refuse_value(const char* name, const std::string& wanted, nb::handle given) {
  throw nb::value_error((std::string(name) + " must be " + wanted + ", not " + nb::repr(given).c_str()).c_str());
}

}  // namespace

bool is_float32(nb::handle dtype) {
  const nb::object type_of = numpy().attr("dtype");
  nb::object type = nb::none();
  try {
    type = type_of(dtype);
  } catch (nb::python_error& error) {
    if (!error.matches(PyExc_Exception)) throw;
  }
  if (type.equal(nb::str("float32"))) return true;
  if (!type.equal(nb::str("int8"))) refuse_value("dtype", "int8 or float32", dtype);
  return false;
}

std::vector<std::int64_t> chosen(nb::handle index, std::size_t size) {
  const nb::object members = numpy().attr("arange")(size)[index];
  if (nb::cast<int>(members.attr("ndim")) != 1)
    throw nb::index_error("an index of a batch is a number, a slice, an array of numbers or a mask");
  const auto array = whole_numbers<std::int64_t>("index", members);
  const auto span = span_of(array);
  return {span.begin(), span.end()};
}

std::uint64_t seed_or_new(std::optional<std::uint64_t> seed) {
  if (seed) return *seed;
  std::random_device device;
  return std::uint64_t{device()} << 32 | device();
}

Range range_of(const char* name, nb::handle given, int least, int most) {
  Range range{};
  if (nb::isinstance<nb::tuple>(given) && nb::len(given) == 2) {
    range = {bind::given<int>(name, given[0]), bind::given<int>(name, given[1])};
  } else {
    const WholeNumber number = whole_number(given);
    if (!number.is_number) refuse(name, "a whole number or a pair of them", given);
    const int value = bind::given<int>(name, given);
    range = {value, value};
  }
  check_range(name, range.least, least, most);
  check_range(name, range.most, least, most);
  if (range.least > range.most) refuse_value(name, "the smaller number and then the larger one", given);
  return range;
}

void check_count(long long count) { check_range("count", count, 0, 1'000'000'000); }

}  // namespace outplay::bind
