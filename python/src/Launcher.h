//===- Launcher.h - From Python arguments to a launch -----------*- C++ -*-===//
//
// The object behind `CompiledKernel.run` on SYCL devices. Nothing is compiled
// when a kernel is launched.
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_XE_PYTHON_SRC_LAUNCHER_H
#define TRITON_XE_PYTHON_SRC_LAUNCHER_H

#include "ArgumentPacker.h"

#include <string>
#include <vector>

namespace triton_xe::python {

class Launcher {
public:
  /// See ArgumentPacker.h for the first three. `wait`: a launch returns when
  /// the kernel is done.
  Launcher(pybind11::sequence signature, std::vector<std::string> names,
           std::string deviceType, std::int64_t workGroupSize, bool wait)
      : packer(std::move(signature), std::move(names), std::move(deviceType)),
        workGroupSize(workGroupSize), wait(wait) {}

  void operator()(pybind11::args arguments);

private:
  ArgumentPacker packer;
  std::int64_t workGroupSize;
  bool wait;
};

} // namespace triton_xe::python

#endif // TRITON_XE_PYTHON_SRC_LAUNCHER_H
