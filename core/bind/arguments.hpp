// Arguments from Python: each is checked under its name, so that a wrong one is refused in words and never by the
// binding library, whose message lists C++ overloads.
//
//     .def("perft", checked<"depth">(&perft), "depth"_a.none())
//
// takes any object for `depth` and says "depth must be a whole number, not 'x' (str)". `.none()` lets None come this
// far. What stands before the named arguments, such as self, is left as it is. `explain_calls` adds what is said of a
// missing argument, or of one too many.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <concepts>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "base/outcome.hpp"
#include "bind/support.hpp"

namespace outplay::bind {

// A name as a template argument.
template <std::size_t SIZE>
struct Name {
  char text[SIZE];
  consteval Name(const char (&given)[SIZE]) { std::copy_n(given, SIZE, text); }
};

[[noreturn]] void refuse(const char* name, const std::string& wanted, nb::handle given);  // TypeError
[[noreturn]] void refuse_number(const char* name, nb::handle given);  // ValueError: no machine word holds it
void explain_calls(nb::module_& module);     // for all functions of a module and of its classes
std::string name_of_class(nb::handle type);  // "connect4.Position"

// The whole number that an object stands for. `value` is empty if it does not fit 64 bits.
struct WholeNumber {
  bool is_number = false;
  std::optional<long long> value;
};
WholeNumber whole_number(nb::handle given);

namespace detail {

template <class T>
struct IsOptional : std::false_type {};
template <class T>
struct IsOptional<std::optional<T>> : std::true_type {};
template <class T>
struct IsVector : std::false_type {};
template <class T>
struct IsVector<std::vector<T>> : std::true_type {};
template <class T>
concept Text = std::same_as<T, nb::str> || std::same_as<T, std::string> || std::same_as<T, std::string_view>;

// What the members of a sequence must be, in words.
template <class T>
std::string plural() {
  if constexpr (nb::detail::is_base_caster_v<nb::detail::make_caster<T>>)
    return name_of_class(nb::type<T>());
  else if constexpr (std::integral<T>)
    return "whole numbers";
  else if constexpr (Text<T>)
    return "texts";
  else
    return "bytes";
}

// What an argument must be, in words.
template <class T>
std::string words() {
  if constexpr (IsOptional<T>::value)
    return words<typename T::value_type>() + " or None";
  else if constexpr (IsVector<T>::value)
    return "a sequence of " + plural<typename T::value_type>();
  else if constexpr (std::same_as<T, bool>)
    return "True or False";
  else if constexpr (std::same_as<T, Side>)
    return "a Side";
  else if constexpr (std::integral<T>)
    return "a whole number";
  else if constexpr (std::floating_point<T>)
    return "a number";
  else if constexpr (Text<T>)
    return "a str";
  else if constexpr (std::same_as<T, nb::bytes>)
    return "bytes";
  else if constexpr (std::same_as<T, nb::callable>)
    return "a function";
  else if constexpr (std::same_as<T, nb::sequence>)
    return "a sequence";
  else
    return "a " + name_of_class(nb::type<T>());
}

template <std::integral T>
T number(const char* name, nb::handle given) {
  const WholeNumber number = whole_number(given);
  if (!number.is_number) refuse(name, words<T>(), given);
  if constexpr (std::same_as<T, std::uint64_t>)
    if (std::uint64_t large = 0; !number.value && nb::try_cast(given, large)) return large;
  if (!number.value || !std::in_range<T>(*number.value)) refuse_number(name, given);
  return static_cast<T>(*number.value);
}

Side side(const char* name, nb::handle given);  // only a Side: as a plain number, 1 could mean either

}  // namespace detail

// The argument as a function wants it.
template <class Wanted>
decltype(auto) given(const char* name, nb::handle object) {
  using T = std::remove_cvref_t<Wanted>;
  if constexpr (std::same_as<T, nb::handle>) {
    return object;
  } else if constexpr (detail::IsOptional<T>::value) {
    if (object.is_none()) return T();
    return T(given<typename T::value_type>(name, object));
  } else if constexpr (std::is_pointer_v<T>) {
    using Class = std::remove_const_t<std::remove_pointer_t<T>>;
    return object.is_none() ? nullptr : &given<Class&>(name, object);
  } else if constexpr (std::same_as<T, Side>) {
    return detail::side(name, object);
  } else if constexpr (std::integral<T> && !std::same_as<T, bool>) {
    return detail::number<T>(name, object);
  } else if constexpr (nb::detail::is_base_caster_v<nb::detail::make_caster<T>>) {
    T* found = nullptr;
    if (!nb::try_cast(object, found) || found == nullptr) refuse(name, detail::words<T>(), object);
    return static_cast<T&>(*found);  // it lives as long as the call
  } else if constexpr (std::derived_from<T, nb::handle>) {
    if (!nb::isinstance<T>(object)) refuse(name, detail::words<T>(), object);
    return nb::borrow<T>(object);
  } else {
    T value;
    if (!nb::try_cast(object, value)) refuse(name, detail::words<T>(), object);
    return value;
  }
}

namespace detail {

template <class Function>
struct Signature;
template <class Result, class... All>
struct Signature<Result (*)(All...)> {
  using Arguments = std::tuple<All...>;
};
template <class Result, class Class, class... All>
struct Signature<Result (Class::*)(All...)> {
  using Arguments = std::tuple<Class&, All...>;
};
template <class Result, class Class, class... All>
struct Signature<Result (Class::*)(All...) const> {
  using Arguments = std::tuple<const Class&, All...>;
};

template <std::size_t>
using Object = nb::handle;

template <class Arguments, Name... NAMES, class Function, std::size_t... SELF, std::size_t... INDEX>
auto check_named(Function function, std::index_sequence<SELF...>, std::index_sequence<INDEX...>) {
  return [function](std::tuple_element_t<SELF, Arguments>... self, Object<INDEX>... objects) {
    return std::invoke(function, self...,
                       given<std::tuple_element_t<sizeof...(SELF) + INDEX, Arguments>>(NAMES.text, objects)...);
  };
}

}  // namespace detail

// The function with its last arguments checked under these names.
template <Name... NAMES, class Function>
auto checked(Function function) {
  using Arguments = typename detail::Signature<Function>::Arguments;
  constexpr std::size_t NAMED = sizeof...(NAMES), ALL = std::tuple_size_v<Arguments>;
  return detail::check_named<Arguments, NAMES...>(function, std::make_index_sequence<ALL - NAMED>(),
                                                  std::make_index_sequence<NAMED>());
}

}  // namespace outplay::bind
