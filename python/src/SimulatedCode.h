//===- SimulatedCode.h - Pieces of machine code on the simulator *- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// Runs instructions without a kernel around them, for tests: registers go in
// and come out.
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_XE_PYTHON_SRC_SIMULATEDCODE_H
#define TRITON_XE_PYTHON_SRC_SIMULATEDCODE_H

#include <pybind11/pybind11.h>

namespace triton_xe::python {

/// Gives `module` the function `run_code`.
void bindSimulatedCode(pybind11::module_ &module);

} // namespace triton_xe::python

#endif // TRITON_XE_PYTHON_SRC_SIMULATEDCODE_H
