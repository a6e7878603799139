//===- KernelHandle.h - A loaded kernel as Python holds it ------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef TRITON_PYTHON_SRC_KERNELHANDLE_H
#define TRITON_PYTHON_SRC_KERNELHANDLE_H

#include "intel/Runtime/Module.h"

namespace triton::intel::python {

/// A kernel with the device it was built for, and thereby the device's own
/// queue.
struct KernelHandle {
  triton::intel::runtime::Device device;
  triton::intel::runtime::Kernel kernel;
};

} // namespace triton::intel::python

#endif // TRITON_PYTHON_SRC_KERNELHANDLE_H
