// What every binding file needs: errors of ours, words of ours, big integers, and long calls that can be interrupted.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>

#include <chrono>
#include <exception>
#include <future>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/bits.hpp"
#include "base/outcome.hpp"
#include "base/stop.hpp"

namespace nb = nanobind;

namespace outplay::bind {

// Python modules of ours are imported when first needed: the extension itself loads alone.
nb::object ours(const char* module, const char* name);

template <class... Args>
[[noreturn]] void raise(const char* error, Args&&... args) {
  const nb::object type = ours("outplay.errors", error);
  const nb::object instance = type(std::forward<Args>(args)...);
  PyErr_SetObject(type.ptr(), instance.ptr());
  throw nb::python_error();
}

// The bytes of a text; our own error for one that is no text (Python's str may hold half a character).
inline std::string_view utf8_of(const nb::str& text) {
  Py_ssize_t size = 0;
  const char* const bytes = PyUnicode_AsUTF8AndSize(text.ptr(), &size);
  if (bytes == nullptr) {
    PyErr_Clear();
    raise("NotationError", text.attr("encode")("utf-8", "replace").attr("decode")(),
          "it holds half of a character (a lone surrogate)");
  }
  return {bytes, static_cast<std::size_t>(size)};
}

inline nb::tuple to_tuple(const std::vector<std::string>& texts) {
  nb::list list;
  for (const auto& text : texts) list.append(text);
  return nb::tuple(list);
}

nb::module_ numpy();  // ModuleNotFoundError says how to install it

nb::object to_python(Side side);                                // outplay.outcome.Side
std::optional<Side> side_from(nb::handle given);                // nothing if it is not one of these
nb::object to_python(const Outcome& outcome, nb::tuple lines);  // outplay.outcome.Outcome
nb::int_ to_python(Word128 word);
inline nb::int_ to_python(std::uint64_t word) { return nb::int_(word); }

const char* name_of(Reason reason);

inline Py_hash_t hash_of(Word128 key) {
  auto mix = [](std::uint64_t x) {
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9;
    x = (x ^ (x >> 27)) * 0x94D049BB133111EB;
    return x ^ (x >> 31);
  };
  const auto hash =
      static_cast<Py_hash_t>(mix(static_cast<std::uint64_t>(key) + mix(static_cast<std::uint64_t>(key >> 64))));
  return hash == -1 ? -2 : hash;  // -1 means "error" to Python
}

inline void check_range(const char* what, long long value, long long least, long long most) {
  if (value < least || value > most) {
    const auto text = std::string(what) + " must be from " + std::to_string(least) + " to " + std::to_string(most) +
                      ", not " + std::to_string(value);
    throw nb::value_error(text.c_str());
  }
}

// Runs compute(stop) on a thread of its own without the interpreter lock; Ctrl-C stops it and is raised. Now and then
// meanwhile() is called, with the lock; what it throws stops the computation, too.
template <class Compute, class Meanwhile>
auto run_interruptibly(Stop& stop, Compute&& compute, Meanwhile&& meanwhile) {
  std::exception_ptr failure;
  auto future = [&] {
    const nb::gil_scoped_release release;
    return std::async(std::launch::async, [&] { return compute(std::as_const(stop)); });
  }();
  for (;;) {
    {
      const nb::gil_scoped_release release;
      if (future.wait_for(std::chrono::milliseconds(20)) == std::future_status::ready) break;
    }
    try {
      if (PyErr_CheckSignals() != 0) throw nb::python_error();
      meanwhile();
    } catch (...) {
      failure = std::current_exception();
      stop.request();
      const nb::gil_scoped_release release;
      future.wait();
      break;
    }
  }
  if (failure) std::rethrow_exception(failure);
  return future.get();
}

template <class Compute>
auto run_interruptibly(Stop& stop, Compute&& compute) {
  return run_interruptibly(stop, std::forward<Compute>(compute), [] {});
}

template <class Compute>
auto run_interruptibly(Compute&& compute) {
  Stop stop;
  return run_interruptibly(stop, std::forward<Compute>(compute));
}

// With a flag of its own, which meanwhile(stop) may raise.
template <class Compute, class Meanwhile>
  requires(!std::is_same_v<std::remove_cvref_t<Compute>, Stop>)
auto run_interruptibly(Compute&& compute, Meanwhile&& meanwhile) {
  Stop stop;
  return run_interruptibly(stop, std::forward<Compute>(compute), [&] { meanwhile(stop); });
}

void bind_connect4(nb::module_& module);
void bind_connect4_batch(nb::module_& module);  // after bind_connect4, into the same module
void bind_connect4_games(nb::module_& module);  // after that
void bind_books(nb::module_& module);           // into the module of Connect Four
void bind_solver(nb::module_& module);          // after bind_books, into the same module
void bind_checkers(nb::module_& module);
void bind_checkers_batch(nb::module_& module);  // after bind_checkers, into the same module
void bind_checkers_games(nb::module_& module);  // after that
void bind_engine(nb::module_& module);          // after bind_checkers, into the same module
void bind_tablebase(nb::module_& module);

}  // namespace outplay::bind
