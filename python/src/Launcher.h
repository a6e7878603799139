//===- Launcher.h - From Python arguments to a launch -----------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// The object of `CompiledKernel.run` on SYCL devices.
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_PYTHON_SRC_LAUNCHER_H
#define TRITON_PYTHON_SRC_LAUNCHER_H

#include "ArgumentPacker.h"
#include "KernelVariants.h"
#include "LaunchFunction.h"

#include <string>
#include <vector>

namespace triton::intel::python {

class Launcher {
public:
  /// See ArgumentPacker.h for the first three, KernelVariants.h for the last
  /// two. No kernel is watched here.
  Launcher(pybind11::sequence signature, std::vector<std::string> names,
           std::string deviceType, std::int64_t workGroupSize,
           const LaunchSettings &settings,
           const KernelVariants::Conditions &conditions,
           pybind11::object compileVariant)
      : packer(std::move(signature), std::move(names), std::move(deviceType)),
        variants(conditions, std::move(compileVariant)),
        workGroupSize(workGroupSize), wait(settings.wait),
        isCooperative(settings.isCooperative) {}

  void launch(PythonArguments arguments);

private:
  LaunchCallPool calls;
  ArgumentPacker packer;
  KernelVariants variants;
  std::int64_t workGroupSize;
  bool wait, isCooperative;
};

} // namespace triton::intel::python

#endif // TRITON_PYTHON_SRC_LAUNCHER_H
