//===- LaunchFunction.h - A launcher as a function of Python ----*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// The function that Triton keeps as `CompiledKernel.run` and calls once per
// launch.
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_PYTHON_SRC_LAUNCHFUNCTION_H
#define TRITON_PYTHON_SRC_LAUNCHFUNCTION_H

#include "ArgumentPacker.h"
#include "Errors.h"
#include "KernelVariants.h"
#include "OwningFunction.h"

#include <pybind11/stl.h>
#include <string>
#include <utility>
#include <vector>

namespace triton::intel::python {

/// Calls `LauncherType::launch` with the arguments and returns None. Its
/// exceptions become Python exceptions.
template <typename LauncherType>
PyObject *callLauncher(PyObject *self, PyObject *const *arguments,
                       Py_ssize_t count) {
  try {
    getState<LauncherType>(self).launch(
        {arguments, static_cast<std::size_t>(count)});
  } catch (...) {
    setCurrentPythonError();
    return nullptr;
  }
  Py_RETURN_NONE;
}

/// How a launcher launches.
struct LaunchSettings {
  /// This is true if a launch returns when the kernel has ended.
  bool wait;
  /// This is true if the kernel is watched, where a device can do that.
  bool checks;
  /// This is true if all programs have to run at a time.
  bool isCooperative;
};

/// Gives `module` the function `make_launcher`, whose arguments are those of
/// the launcher's constructor and which returns a function that launches.
template <typename LauncherType>
void bindLauncher(pybind11::module_ &module, const char *description) {
  namespace py = pybind11;
  static PyMethodDef definition = {
      "launch", toMethod(&callLauncher<LauncherType>), METH_FASTCALL,
      "Packs arguments by a signature and runs a kernel: the grid's three "
      "extents, stream, kernel, packed metadata, launch metadata, hooks before "
      "and after, and the arguments of the Python function."};
  module.def(
      "make_launcher",
      [](py::sequence signature, std::vector<std::string> names,
         std::string deviceType, std::int64_t workGroupSize, bool wait,
         const KernelVariants::Conditions &conditions,
         py::object compileVariant, bool checks, bool isCooperative) {
        return makeOwningFunction(
            definition,
            std::make_unique<LauncherType>(
                std::move(signature), std::move(names), std::move(deviceType),
                workGroupSize, LaunchSettings{wait, checks, isCooperative},
                conditions, std::move(compileVariant)));
      },
      description, py::arg("signature"), py::arg("names"),
      py::arg("device_type"), py::arg("work_group_size"), py::arg("wait"),
      py::arg("conditions") = KernelVariants::Conditions(),
      py::arg("compile_variant") = py::none(), py::arg("checks") = false,
      py::arg("cooperative") = false);
}

} // namespace triton::intel::python

#endif // TRITON_PYTHON_SRC_LAUNCHFUNCTION_H
