//===- HostDescriptors.h - Tensor descriptors made quickly ------*- C++ -*-===//
//
// `TensorDescriptor.from_tensor` of Triton is a dataclass with checks in
// Python, and takes as long as a fifth of a launch. Kernels take several
// descriptors, which are made anew for each launch.
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_XE_PYTHON_SRC_HOSTDESCRIPTORS_H
#define TRITON_XE_PYTHON_SRC_HOSTDESCRIPTORS_H

#include <cstdint>
#include <pybind11/pybind11.h>

namespace triton_xe::python {

/// A function of the arguments of `fromTensor`, `type.from_tensor`, that gives
/// the same objects: made here where all of Triton's checks hold
/// (`maxElements` of a block at most), by `fromTensor` where not, which then
/// says what is wrong.
pybind11::object makeDescriptorFunction(pybind11::type type,
                                        pybind11::object fromTensor,
                                        std::int64_t maxElements);

} // namespace triton_xe::python

#endif // TRITON_XE_PYTHON_SRC_HOSTDESCRIPTORS_H
