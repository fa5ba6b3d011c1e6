#include "bind/arguments.hpp"

namespace outplay::bind {
namespace {

constexpr Py_ssize_t LONGEST_SHOWN = 40;

std::string shown(nb::handle given) {
  nb::str whole("a value that cannot be shown");
  try {
    whole = nb::repr(given);
  } catch (const nb::python_error&) {  // such as a number of more digits than Python writes
  }
  const nb::object cut = whole.attr("__getitem__")(nb::slice(LONGEST_SHOWN));
  return nb::str(cut).c_str() + std::string(nb::len(whole) > LONGEST_SHOWN ? "..." : "");
}

}  // namespace

std::string name_of_class(nb::handle type) {
  const std::string module = nb::str(type.attr("__module__")).c_str();
  const std::string name = nb::str(type.attr("__qualname__")).c_str();
  const std::string_view ours = "outplay._core.";
  if (module == "builtins") return name;
  return (module.starts_with(ours) ? module.substr(ours.size()) : module) + "." + name;
}

void refuse(const char* name, const std::string& wanted, nb::handle given) {
  std::string text = std::string(name) + " must be " + wanted + ", not " + shown(given);
  if (!given.is_none()) text += " (" + name_of_class(given.type()) + ")";
  throw nb::type_error(text.c_str());
}

void refuse_number(const char* name, nb::handle given) {
  throw nb::value_error((std::string(name) + " is out of range: " + shown(given)).c_str());
}

WholeNumber whole_number(nb::handle given) {
  const nb::object index = PyLong_Check(given.ptr()) ? nb::borrow(given) : nb::steal(PyNumber_Index(given.ptr()));
  if (!index.is_valid()) {
    PyErr_Clear();
    return {};
  }
  int overflow = 0;
  const long long value = PyLong_AsLongLongAndOverflow(index.ptr(), &overflow);
  if (overflow != 0) return {true, std::nullopt};
  return {true, value};
}

namespace detail {

Side side(const char* name, nb::handle given) {
  const WholeNumber number = whole_number(given);
  if (!number.is_number) refuse(name, words<Side>(), given);
  if (!number.value || *number.value < 0 || *number.value > 1)
    throw nb::value_error((std::string(name) + " must be Side.FIRST or Side.SECOND, not " + shown(given)).c_str());
  return static_cast<Side>(*number.value);
}

}  // namespace detail
}  // namespace outplay::bind
