//===- KernelVariants.h - Which code a launch runs --------------*- C++ -*-===//
//
// A kernel that addresses tensors by 2D block messages is right for launches
// whose tensors these messages can address. Other launches take a variant that
// gives the tensors in question ordinary accesses; it is compiled when a launch
// first needs it.
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_XE_PYTHON_SRC_KERNELVARIANTS_H
#define TRITON_XE_PYTHON_SRC_KERNELVARIANTS_H

#include "ArgumentPacker.h"

#include "intel/Runtime/LaunchConditions.h"

#include <map>
#include <optional>
#include <pybind11/pybind11.h>
#include <utility>
#include <vector>

namespace triton_xe::python {

class KernelVariants {
public:
  /// (surface, code) as in LaunchConditions.h.
  using Conditions =
      std::vector<std::pair<std::int64_t, std::vector<std::int64_t>>>;

  /// `compile` takes a list of surfaces and returns the kernel (the `function`
  /// of a call of `run`) that does not address them by 2D block messages.
  KernelVariants(const Conditions &conditions, pybind11::object compile);

  /// The kernel for this launch: usually the one that the call names.
  pybind11::handle choose(const LaunchCall &call);

private:
  Conditions unchecked;
  std::optional<triton::intel::runtime::LaunchConditions> conditions;
  pybind11::object compile;
  /// By the surfaces that 2D block messages cannot address.
  std::map<std::vector<std::int64_t>, pybind11::object> variants;
};

} // namespace triton_xe::python

#endif // TRITON_XE_PYTHON_SRC_KERNELVARIANTS_H
