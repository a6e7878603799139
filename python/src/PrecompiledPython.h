//===- PrecompiledPython.h - Headers of pybind11 --------------------------===//
// SPDX-License-Identifier: MIT
//
// Included by the build system before the source files of the extension
// modules.
//
//===----------------------------------------------------------------------===//

#include <pybind11/pybind11.h>
#include <pybind11/stl.h>
