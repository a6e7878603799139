//===- SimulatedCode.h - Pieces of machine code on the simulator *- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// Runs instructions without a kernel around them, for tests: registers go in
// and come out.
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_PYTHON_SRC_SIMULATEDCODE_H
#define TRITON_PYTHON_SRC_SIMULATEDCODE_H

#include <pybind11/pybind11.h>

namespace triton::intel::python {

/// Gives `module` the function `run_code`.
void bindSimulatedCode(pybind11::module_ &module);

} // namespace triton::intel::python

#endif // TRITON_PYTHON_SRC_SIMULATEDCODE_H
