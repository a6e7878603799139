//===- KernelVariants.h - Which code a launch runs --------------*- C++ -*-===//
//
// A kernel that addresses tensors by 2D block messages is right for launches
// whose tensors these messages can address. Other launches take a variant that
// gives the tensors in question ordinary accesses. Kernels are compiled for
// descriptors that pad with zero; launches with others take a variant, too,
// which has conditions of its own. Variants are compiled when a launch first
// needs them.
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_XE_PYTHON_SRC_KERNELVARIANTS_H
#define TRITON_XE_PYTHON_SRC_KERNELVARIANTS_H

#include "ArgumentPacker.h"

#include "intel/Runtime/LaunchConditions.h"

#include <map>
#include <memory>
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
  using Numbers = std::vector<std::int64_t>;

  /// `compile` takes a list of surfaces that 2D block messages must not address
  /// and one of the descriptors that pad with NaN; it returns the kernel (the
  /// `function` of a call of `run`) and its conditions.
  KernelVariants(const Conditions &conditions, pybind11::object compile,
                 Numbers nanDescriptors = {});

  /// The kernel for this launch: usually the one that the call names.
  pybind11::handle choose(const LaunchCall &call);

private:
  /// The kernel for this launch's tensors, `function` or a variant of it.
  pybind11::handle chooseLegal(const LaunchCall &call,
                               pybind11::handle function);

  Conditions unchecked;
  std::optional<triton::intel::runtime::LaunchConditions> conditions;
  pybind11::object compile;
  Numbers nanDescriptors;
  /// By the surfaces that 2D block messages cannot address.
  std::map<Numbers, pybind11::object> variants;
  /// By the descriptors that pad with NaN: a kernel and its variants.
  std::map<Numbers,
           std::pair<pybind11::object, std::unique_ptr<KernelVariants>>>
      padded;
};

} // namespace triton_xe::python

#endif // TRITON_XE_PYTHON_SRC_KERNELVARIANTS_H
