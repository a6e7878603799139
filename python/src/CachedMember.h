//===- CachedMember.h - Members of types, by their names --------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// Python finds a method or a property through the object, its type and the
// type's bases each time. A type that did not change finds the same again;
// where that is a function of C, as with torch's tensors, it is called
// directly.
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_PYTHON_SRC_CACHEDMEMBER_H
#define TRITON_PYTHON_SRC_CACHEDMEMBER_H

#include "Reference.h"

#include <pybind11/pybind11.h>

namespace triton::intel::python {

class CachedMember {
public:
  enum class Kind { Method, Property };

  CachedMember(Kind kind, const char *name);

  /// The value of the property, or what the method returns without arguments.
  /// Null, with Python's error set, if there is none or it fails.
  Reference read(PyObject *object) {
    PyTypeObject *owner = Py_TYPE(object);
    if (owner != type || owner->tp_version_tag != version)
      lookUp(owner);
    if (method)
      return Reference(method(object, nullptr));
    if (property)
      return Reference(property(object, closure));
    return readSlowly(object);
  }

private:
  Reference readSlowly(PyObject *object);
  void lookUp(PyTypeObject *owner);
  void setMethod(PyObject *found);
  void setProperty(PyObject *found);

  Kind kind;
  pybind11::object name;
  /// The type of the last query, usually the only one, and its version by then.
  PyTypeObject *type = nullptr;
  unsigned version = 0;
  /// At most one of these; none where Python has to be queried.
  PyCFunction method = nullptr;
  PyCFunctionWithKeywords methodWithKeywords = nullptr;
  getter property = nullptr;
  void *closure = nullptr;
};

} // namespace triton::intel::python

#endif // TRITON_PYTHON_SRC_CACHEDMEMBER_H
