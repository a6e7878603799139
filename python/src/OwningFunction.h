//===- OwningFunction.h - Functions of Python with a state ------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// Built-in functions that Python calls directly (METH_FASTCALL): it hands them
// the arguments where the caller has them, and needs no tuple.
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_PYTHON_SRC_OWNINGFUNCTION_H
#define TRITON_PYTHON_SRC_OWNINGFUNCTION_H

#include <memory>
#include <pybind11/pybind11.h>

namespace triton::intel::python {

/// The function of `definition`, which lives as long as the program, with
/// `state` as what it is called on: `getState` finds it there.
template <typename State>
pybind11::object makeOwningFunction(PyMethodDef &definition,
                                    std::unique_ptr<State> state) {
  pybind11::capsule owner(
      state.get(), [](void *pointer) { delete static_cast<State *>(pointer); });
  state.release();
  PyObject *result = PyCFunction_New(&definition, owner.ptr());
  if (!result)
    throw pybind11::error_already_set();
  return pybind11::reinterpret_steal<pybind11::object>(result);
}

template <typename State> State &getState(PyObject *self) {
  return *static_cast<State *>(PyCapsule_GetPointer(self, nullptr));
}

/// As a method table wants a function with other parameters.
template <typename Function> PyCFunction toMethod(Function *function) {
  return reinterpret_cast<PyCFunction>(reinterpret_cast<void *>(function));
}

} // namespace triton::intel::python

#endif // TRITON_PYTHON_SRC_OWNINGFUNCTION_H
