//===- HostDescriptors.h - Tensor descriptors made quickly ------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// `TensorDescriptor.from_tensor` of Triton is a dataclass with checks in
// Python, and takes as long as a fifth of a launch. Kernels take several
// descriptors, which are created for each launch.
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_PYTHON_SRC_HOSTDESCRIPTORS_H
#define TRITON_PYTHON_SRC_HOSTDESCRIPTORS_H

#include <pybind11/pybind11.h>

namespace triton::intel::python {

/// Gives `module` the function `make_descriptor_function(type, from_tensor,
/// max_elements)`. It returns a function of the arguments of `from_tensor`,
/// `type.from_tensor`, that gives the same objects: made here where all of
/// Triton's checks hold (`max_elements` of a block at most), by `from_tensor`
/// where not, which then reports the error.
void bindDescriptors(pybind11::module_ &module);

} // namespace triton::intel::python

#endif // TRITON_PYTHON_SRC_HOSTDESCRIPTORS_H
