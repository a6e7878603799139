//===- LaunchFunction.h - A launcher as a function of Python ----*- C++ -*-===//
//
// Python calls `CompiledKernel.run` once per launch. A built-in function takes
// the arguments where the caller has them (METH_FASTCALL), where a class with
// `__call__` gets a tuple made for it.
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_XE_PYTHON_SRC_LAUNCHFUNCTION_H
#define TRITON_XE_PYTHON_SRC_LAUNCHFUNCTION_H

#include "ArgumentPacker.h"
#include "Errors.h"

#include <memory>
#include <pybind11/pybind11.h>
#include <utility>

namespace triton_xe::python {

/// The function that calls `launcher->launch(arguments)` and returns None. It
/// owns the launcher. What the launcher throws becomes a Python exception.
template <typename LauncherType>
pybind11::object makeLaunchFunction(std::unique_ptr<LauncherType> launcher) {
  auto call = [](PyObject *self, PyObject *const *arguments,
                 Py_ssize_t count) -> PyObject * {
    auto *launcher =
        static_cast<LauncherType *>(PyCapsule_GetPointer(self, nullptr));
    try {
      launcher->launch({arguments, static_cast<std::size_t>(count)});
    } catch (...) {
      setCurrentPythonError();
      return nullptr;
    }
    Py_RETURN_NONE;
  };
  PyObject *(*function)(PyObject *, PyObject *const *, Py_ssize_t) = call;
  static PyMethodDef definition = {
      "launch",
      reinterpret_cast<PyCFunction>(reinterpret_cast<void *>(function)),
      METH_FASTCALL,
      "Packs arguments by a signature and runs a kernel: the grid's three "
      "extents, stream, kernel, packed metadata, launch metadata, hooks before "
      "and after, and the arguments of the Python function."};
  pybind11::capsule owner(launcher.get(), [](void *pointer) {
    delete static_cast<LauncherType *>(pointer);
  });
  launcher.release();
  PyObject *result = PyCFunction_New(&definition, owner.ptr());
  if (!result)
    throw pybind11::error_already_set();
  return pybind11::reinterpret_steal<pybind11::object>(result);
}

} // namespace triton_xe::python

#endif // TRITON_XE_PYTHON_SRC_LAUNCHFUNCTION_H
