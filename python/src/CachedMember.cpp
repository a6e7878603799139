//===- CachedMember.cpp - Members of types, by their names ----------------===//
// SPDX-License-Identifier: MIT

#include "CachedMember.h"

namespace py = pybind11;

namespace triton::intel::python {

/// Attribute names are compared by address when they are interned.
CachedMember::CachedMember(Kind kind, const char *name)
    : kind(kind), name(py::reinterpret_steal<py::object>(
                      PyUnicode_InternFromString(name))) {}

/// A method of C that takes nothing, or nothing but what it may do without.
void CachedMember::setMethod(PyObject *found) {
  // A method written in Python may do anything: it is called as such.
  if (!Py_IS_TYPE(found, &PyMethodDescr_Type))
    return;
  PyMethodDef *definition =
      reinterpret_cast<PyMethodDescrObject *>(found)->d_method;
  if (definition->ml_flags == METH_NOARGS)
    method = definition->ml_meth;
  else if (definition->ml_flags == (METH_VARARGS | METH_KEYWORDS))
    methodWithKeywords = reinterpret_cast<PyCFunctionWithKeywords>(
        reinterpret_cast<void *>(definition->ml_meth));
}

void CachedMember::setProperty(PyObject *found) {
  if (!Py_IS_TYPE(found, &PyGetSetDescr_Type))
    return;
  PyGetSetDef *definition =
      reinterpret_cast<PyGetSetDescrObject *>(found)->d_getset;
  property = definition->get;
  closure = definition->closure;
}

/// Set also if nothing is found, so that it is not looked for again.
void CachedMember::lookUp(PyTypeObject *owner) {
  type = owner;
  method = nullptr;
  property = nullptr;
  methodWithKeywords = nullptr;
  // Looking up gives a type its version; 0 is that of types that Python does
  // not track. Objects that define their own look-up are queried.
  PyObject *found = _PyType_Lookup(owner, name.ptr());
  version = owner->tp_version_tag;
  if (!found || version == 0 || owner->tp_getattro != PyObject_GenericGetAttr)
    return;
  kind == Kind::Method ? setMethod(found) : setProperty(found);
}

Reference CachedMember::readSlowly(PyObject *object) {
  if (methodWithKeywords) {
    // The one empty tuple that Python has.
    Reference nothing(PyTuple_New(0));
    return Reference(methodWithKeywords(object, nothing.get(), nullptr));
  }
  return Reference(kind == Kind::Method
                       ? PyObject_CallMethodNoArgs(object, name.ptr())
                       : PyObject_GetAttr(object, name.ptr()));
}

} // namespace triton::intel::python
