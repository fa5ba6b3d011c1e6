// Methods that programs call at every ply, as plain functions of the type: the binding library would look at names,
// defaults and overloads each time, which costs a tenth of a random game (bench/random_games.py).
//
//     PyMethodDef METHODS[] = {quick_moves<P, &legal_moves>("..."), quick_play<P, &play>("..."), {}};
//     PyType_Slot SLOTS[] = {{Py_tp_methods, METHODS}, {0, nullptr}};
//     nb::class_<P>(module, "Position", nb::type_slots(SLOTS))
//
// Their signatures stand in stub.pat.
#pragma once

#include <nanobind/nanobind.h>

#include <optional>

#include "base/outcome.hpp"
#include "bind/arguments.hpp"

namespace outplay::bind {

// Runs work() and gives its answer to Python, or raises what it threw.
template <class Work>
PyObject* guarded(Work work) noexcept {
  try {
    return work().release().ptr();
  } catch (nb::python_error& error) {
    error.restore();
  } catch (const nb::builtin_exception& error) {
    const bool is_type = error.type() == nb::exception_type::type_error;
    PyErr_SetString(is_type ? PyExc_TypeError : PyExc_ValueError, error.what());
  } catch (const std::exception& error) {
    PyErr_SetString(PyExc_RuntimeError, error.what());
  }
  return nullptr;
}

// The position behind `self`. Python has checked its class, but not that __init__ ran.
template <class Position>
const Position& self_of(PyObject* self) {
  if (!nb::inst_ready(self)) throw nb::type_error("this position was not initialised: call Position()");
  return *nb::inst_ptr<Position>(self);
}

// The side of legal_moves(side=...), the only argument it takes.
inline std::optional<Side> side_given(PyObject* const* values, Py_ssize_t count, PyObject* names) {
  if (count == 0 && names == nullptr) return std::nullopt;
  const bool is_side = count == 0 && PyTuple_Size(names) == 1 &&
                       PyUnicode_CompareWithASCIIString(PyTuple_GetItem(names, 0), "side") == 0;
  if (!is_side) throw nb::type_error("legal_moves() takes one argument by its name: side");
  return given<std::optional<Side>>("side", values[0]);
}

template <class Position, nb::list (*MOVES)(const Position&, std::optional<Side>)>
PyMethodDef quick_moves(const char* words) {
  PyObject* (*const call)(PyObject*, PyObject* const*, Py_ssize_t,
                          PyObject*) = [](PyObject* self, PyObject* const* values, Py_ssize_t count, PyObject* names) {
    return guarded([&] { return MOVES(self_of<Position>(self), side_given(values, count, names)); });
  };
  return {"legal_moves", reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(call)),
          METH_FASTCALL | METH_KEYWORDS, words};
}

template <class Position, Position (*PLAY)(const Position&, nb::handle)>
PyMethodDef quick_play(const char* words) {
  PyCFunction const call = [](PyObject* self, PyObject* move) {
    return guarded([&] { return nb::cast(PLAY(self_of<Position>(self), nb::handle(move))); });
  };
  return {"play", call, METH_O, words};
}

template <class Position, nb::object (*OUTCOME)(const Position&)>
PyMethodDef quick_outcome(const char* words) {
  PyCFunction const call = [](PyObject* self, PyObject*) {
    return guarded([&] { return OUTCOME(self_of<Position>(self)); });
  };
  return {"outcome", call, METH_NOARGS, words};
}

}  // namespace outplay::bind
