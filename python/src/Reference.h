//===- Reference.h - Objects of Python, without pybind11 --------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// For what runs in every launch: a pointer and nothing else, null where a
// function of Python failed.
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_PYTHON_SRC_REFERENCE_H
#define TRITON_PYTHON_SRC_REFERENCE_H

#include <pybind11/pybind11.h>
#include <utility>

namespace triton::intel::python {

/// A new reference that is released with the object.
class Reference {
public:
  explicit Reference(PyObject *object) : object(object) {}
  ~Reference() { Py_XDECREF(object); }
  Reference(Reference &&other) : object(std::exchange(other.object, nullptr)) {}
  Reference(const Reference &) = delete;
  Reference &operator=(const Reference &) = delete;
  PyObject *get() const { return object; }
  /// Hands the reference on.
  PyObject *release() { return std::exchange(object, nullptr); }
  explicit operator bool() const { return object; }

private:
  PyObject *object;
};

} // namespace triton::intel::python

#endif // TRITON_PYTHON_SRC_REFERENCE_H
