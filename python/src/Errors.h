//===- Errors.h - Failures of the runtime in Python -------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef TRITON_PYTHON_SRC_ERRORS_H
#define TRITON_PYTHON_SRC_ERRORS_H

namespace triton::intel::python {

/// From now on, an `Error` of the runtime that leaves a function of this module
/// becomes the exception of its kind in `triton_xe.errors`.
void registerErrors();

/// For functions that Python calls directly: sets the Python exception that the
/// one being handled becomes.
void setCurrentPythonError();

} // namespace triton::intel::python

#endif // TRITON_PYTHON_SRC_ERRORS_H
