#include "bind/rows.hpp"

namespace outplay::bind {
namespace {

constexpr std::size_t MOST = 128;  // rows or columns: nothing longer can be a board

nb::object iterate(nb::handle object, const std::string& what) {
  PyObject* const iterator = PyUnicode_Check(object.ptr()) ? nullptr : PyObject_GetIter(object.ptr());
  PyErr_Clear();
  if (iterator == nullptr) refuse_board({what + " is not a sequence of cells"});
  return nb::steal(iterator);
}

}  // namespace

void refuse_board(const std::vector<std::string>& reasons) { raise("IllegalPositionError", to_tuple(reasons)); }

std::optional<int> number_of_cell(nb::handle cell) {
  if (PyUnicode_Check(cell.ptr()) != 0 || PyBytes_Check(cell.ptr()) != 0) return std::nullopt;
  const nb::object number = nb::steal(PyNumber_Float(cell.ptr()));
  const double value = number.is_valid() ? PyFloat_AsDouble(number.ptr()) : -1;
  PyErr_Clear();
  for (int whole = 0; whole < 10; ++whole)
    if (value == whole) return whole;
  return std::nullopt;
}

std::vector<std::vector<int>> read_rows(nb::handle nested, const std::string& wanted,
                                        const std::function<std::optional<int>(nb::handle)>& read) {
  std::vector<std::vector<int>> rows;
  std::vector<std::string> reasons;
  const nb::object outer = iterate(nested, "the board");
  while (const nb::object row = nb::steal(PyIter_Next(outer.ptr()))) {
    const std::string name = "row " + std::to_string(rows.size());  // from 0, as Python counts them
    if (rows.size() == MOST) refuse_board({"the board has more than 128 rows"});
    rows.emplace_back();
    const nb::object inner = iterate(row, name);
    while (const nb::object cell = nb::steal(PyIter_Next(inner.ptr()))) {
      if (rows.back().size() == MOST) refuse_board({name + " has more than 128 cells"});
      const auto number = read(cell);
      rows.back().push_back(number.value_or(0));
      if (!number) {
        const nb::object plain = nb::hasattr(cell, "item") ? cell.attr("item")() : cell;  // 7 instead of np.int64(7)
        reasons.push_back(name + ", column " + std::to_string(rows.back().size() - 1) + " holds " +
                          nb::repr(plain).c_str() + ", not " + wanted);
      }
    }
    if (PyErr_Occurred()) throw nb::python_error();
  }
  if (PyErr_Occurred()) throw nb::python_error();
  if (!reasons.empty()) refuse_board(reasons);
  return rows;
}

nb::list to_lists(const std::vector<std::vector<int>>& rows) {
  nb::list result;
  for (const auto& row : rows) {
    nb::list cells;
    for (const int number : row) cells.append(number);
    result.append(cells);
  }
  return result;
}

}  // namespace outplay::bind
