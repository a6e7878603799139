//===- CachedMember.cpp - What a type answers to a name -------------------===//

#include "CachedMember.h"

namespace py = pybind11;

namespace triton_xe::python {

/// Attribute names are compared by address when they are interned.
CachedMember::CachedMember(Kind kind, const char *name)
    : kind(kind), name(py::reinterpret_steal<py::object>(
                      PyUnicode_InternFromString(name))) {}

/// A method of C that takes nothing, or nothing but what it may do without.
bool CachedMember::lookUpMethod(PyTypeObject *owner) {
  PyObject *found = _PyType_Lookup(owner, name.ptr());
  // A method written in Python may do anything: it is called as such.
  if (!found || !Py_IS_TYPE(found, &PyMethodDescr_Type))
    return false;
  PyMethodDef *definition =
      reinterpret_cast<PyMethodDescrObject *>(found)->d_method;
  if (definition->ml_flags == METH_NOARGS)
    method = definition->ml_meth;
  else if (definition->ml_flags == (METH_VARARGS | METH_KEYWORDS))
    methodWithKeywords = reinterpret_cast<PyCFunctionWithKeywords>(
        reinterpret_cast<void *>(definition->ml_meth));
  return method || methodWithKeywords;
}

bool CachedMember::lookUpProperty(PyTypeObject *owner) {
  PyObject *found = _PyType_Lookup(owner, name.ptr());
  if (!found || !Py_IS_TYPE(found, &PyGetSetDescr_Type))
    return false;
  PyGetSetDef *definition =
      reinterpret_cast<PyGetSetDescrObject *>(found)->d_getset;
  property = definition->get;
  closure = definition->closure;
  return property;
}

/// Set also if nothing is found, so that it is not looked for again.
void CachedMember::lookUp(PyTypeObject *owner) {
  method = nullptr;
  methodWithKeywords = nullptr;
  property = nullptr;
  type = owner;
  // Objects that answer for themselves are asked.
  if (owner->tp_getattro == PyObject_GenericGetAttr)
    kind == Kind::Method ? lookUpMethod(owner) : lookUpProperty(owner);
  // Looking up gives a type its version.
  version = owner->tp_version_tag;
}

Reference CachedMember::read(PyObject *object) {
  PyTypeObject *owner = Py_TYPE(object);
  if (owner != type || owner->tp_version_tag != version)
    lookUp(owner);
  // Version 0 is that of types that Python does not track.
  if (version != 0) {
    if (method)
      return Reference(method(object, nullptr));
    if (property)
      return Reference(property(object, closure));
    if (methodWithKeywords) {
      // The one empty tuple that Python has.
      Reference nothing(PyTuple_New(0));
      return Reference(methodWithKeywords(object, nothing.get(), nullptr));
    }
  }
  return Reference(kind == Kind::Method
                       ? PyObject_CallMethodNoArgs(object, name.ptr())
                       : PyObject_GetAttr(object, name.ptr()));
}

} // namespace triton_xe::python
