//===- KernelVariants.h - Which code a launch runs --------------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// A kernel that addresses tensors by 2D block messages is right for launches
// whose tensors these messages can address. Other launches take a variant that
// gives the tensors in question ordinary accesses. Kernels are compiled for
// descriptors that pad with zero, and may assume something of all launches;
// launches with other descriptors, or that are not as assumed, take a variant,
// too, which has separate conditions. Variants are compiled when a launch first
// needs them.
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_PYTHON_SRC_KERNELVARIANTS_H
#define TRITON_PYTHON_SRC_KERNELVARIANTS_H

#include "ArgumentPacker.h"

#include "intel/Runtime/LaunchConditions.h"

#include <map>
#include <memory>
#include <optional>
#include <pybind11/pybind11.h>
#include <utility>
#include <vector>

namespace triton::intel::python {

class KernelVariants {
public:
  /// (surface, code) as in LaunchConditions.h.
  using Conditions =
      std::vector<std::pair<std::int64_t, std::vector<std::int64_t>>>;
  using Numbers = std::vector<std::int64_t>;

  /// `compile` takes a list of surfaces that 2D block messages must not
  /// address, one of the descriptors that pad with NaN, and whether anything
  /// may be assumed of launches; it returns the kernel (the `function` of a
  /// call of `run`) and its conditions. The last two are what the kernel of
  /// this object was compiled with.
  KernelVariants(const Conditions &conditions, pybind11::object compile,
                 Numbers nanDescriptors = {}, bool assumesLaunch = true);

  /// The kernel for this launch: usually the one that the call names. `packer`
  /// has read the call from `arguments`, and is queried for the spans of
  /// tensors if a condition is about them.
  pybind11::handle choose(LaunchCall &call, const ArgumentPacker &packer,
                          PythonArguments arguments);

private:
  /// A kernel with separate conditions.
  struct Variant {
    pybind11::object kernel;
    std::unique_ptr<KernelVariants> variants;
  };

  Variant compileVariant(const Numbers &surfaces, const Numbers &descriptors,
                         bool assumes);
  /// Appends the surfaces that are illegal for this launch to `found`, and
  /// `launchAssumption` if it is not as assumed.
  void check(LaunchCall &call, const ArgumentPacker &packer,
             PythonArguments arguments, Numbers &found) const;
  /// The kernel for this launch's tensors, `function` or a variant of it.
  pybind11::handle chooseLegal(LaunchCall &call, const ArgumentPacker &packer,
                               PythonArguments arguments,
                               pybind11::handle function);

  Conditions unchecked;
  std::optional<triton::intel::runtime::LaunchConditions> conditions;
  pybind11::object compile;
  Numbers nanDescriptors;
  bool assumesLaunch;
  /// By the surfaces that 2D block messages cannot address.
  std::map<Numbers, pybind11::object> variants;
  /// By the descriptors that pad with NaN.
  std::map<Numbers, Variant> padded;
  /// The one that assumes nothing.
  std::optional<Variant> unassumed;
};

} // namespace triton::intel::python

#endif // TRITON_PYTHON_SRC_KERNELVARIANTS_H
