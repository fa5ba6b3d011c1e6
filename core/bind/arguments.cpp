#include "bind/arguments.hpp"

namespace outplay::bind {
namespace {

constexpr Py_ssize_t LONGEST_SHOWN = 40;

std::string shown(nb::handle given) {
  nb::str whole("a value that cannot be shown");
  try {
    whole = nb::str(nb::str(" ").attr("join")(nb::repr(given).attr("split")()));  // an array has many lines
  } catch (const nb::python_error&) {  // such as a number of more digits than Python writes
  }
  const nb::object cut = whole.attr("__getitem__")(nb::slice(LONGEST_SHOWN));
  return nb::str(cut).c_str() + std::string(nb::len(whole) > LONGEST_SHOWN ? "..." : "");
}

// A last overload of a function, called when no other one takes the arguments.
void explain(nb::object scope, const char* name, nb::handle function) {
  const nb::object signature = function.attr("__nb_signature__")[0][0];
  const bool is_method = nb::type_name(function.type()).c_str() == std::string_view("nanobind.nb_method");
  const nb::object shown = name == std::string_view("__init__") ? scope.attr("__name__") : nb::str(name);
  const auto refuse = [signature, shown](const nb::args& values, const nb::kwargs& named) {
    const nb::object error = ours("outplay.errors", "wrong_call")(shown, signature, values, named);
    PyErr_SetObject(error.type().ptr(), error.ptr());
    throw nb::python_error();
  };
  if (is_method)
    nb::cpp_function_def(refuse, nb::scope(scope), nb::name(name), nb::is_method());
  else
    nb::cpp_function_def(refuse, nb::scope(scope), nb::name(name));
}

void explain_all(nb::object scope) {
  const nb::dict members = nb::cast<nb::dict>(scope.attr("__dict__").attr("copy")());
  for (const auto& [key, value] : members) {
    const std::string name = nb::str(key).c_str();
    const bool is_special = name.starts_with("__") && name != "__init__";
    if (nb::hasattr(value, "__nb_signature__") && !is_special)
      explain(scope, name.c_str(), value);
    else if (PyType_Check(value.ptr()))
      explain_all(nb::borrow(value));
  }
}

}  // namespace

void explain_calls(nb::module_& module) { explain_all(module); }

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
  const std::optional<Side> side = side_from(given);
  if (!side) refuse(name, words<Side>(), given);
  return *side;
}

}  // namespace detail
}  // namespace outplay::bind
