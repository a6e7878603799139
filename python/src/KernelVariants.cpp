//===- KernelVariants.cpp - Which code a launch runs ----------------------===//
// SPDX-License-Identifier: MIT

#include "KernelVariants.h"

#include "intel/Runtime/Error.h"

#include <algorithm>
#include <pybind11/stl.h>

namespace py = pybind11;
using triton::intel::abi::launchAssumption;
using namespace triton::intel::runtime;

namespace triton::intel::python {

/// `conditions` belong to this kernel, for which `illegal` surfaces and
/// `nanDescriptors` were compiled already.
KernelVariants::KernelVariants(const Conditions &conditions, py::object compile,
                               Numbers nanDescriptors, bool assumesLaunch)
    : unchecked(conditions), compile(std::move(compile)),
      nanDescriptors(std::move(nanDescriptors)), assumesLaunch(assumesLaunch) {}

/// Returns whether the launch has no programs at all.
static bool isEmpty(const LaunchCall &call) {
  return call.grid[0] == 0 || call.grid[1] == 0 || call.grid[2] == 0;
}

/// Compiles through Python, with the interpreter's lock held. The new kernel
/// may have separate conditions.
KernelVariants::Variant
KernelVariants::compileVariant(const Numbers &surfaces,
                               const Numbers &descriptors, bool assumes) {
  auto [kernel, itsConditions] = compile(surfaces, descriptors, assumes)
                                     .cast<std::pair<py::object, Conditions>>();
  return {std::move(kernel), std::make_unique<KernelVariants>(
                                 itsConditions, compile, descriptors, assumes)};
}

/// The kernel for this call. Descriptors come first, as they change what
/// accesses return; then what the launch satisfies.
py::handle KernelVariants::choose(LaunchCall &call,
                                  const ArgumentPacker &packer,
                                  PythonArguments arguments) {
  // Nothing runs in an empty grid: no reason to compile.
  if (call.nanDescriptors.empty() || isEmpty(call))
    return chooseLegal(call, packer, arguments, call.function);
  auto found = padded.find(call.nanDescriptors);
  if (found == padded.end()) {
    if (compile.is_none())
      throw Error(ErrorKind::Argument,
                  "descriptors that pad with NaN: the kernel's source, which "
                  "such launches compile again, is not known");
    // Other threads may get here while Python compiles: first come, first kept.
    Variant variant =
        compileVariant(Numbers(), call.nanDescriptors, assumesLaunch);
    found = padded.try_emplace(call.nanDescriptors, std::move(variant)).first;
  }
  return found->second.variants->chooseLegal(call, packer, arguments,
                                             found->second.kernel);
}

/// Needs `conditions`.
void KernelVariants::check(LaunchCall &call, const ArgumentPacker &packer,
                           PythonArguments arguments, Numbers &found) const {
  using Kind = ArgumentPacker::SpanKind;
  const std::vector<std::size_t> &spanned = conditions->getSpanned();
  bool isExact = spanned.empty() || packer.readSpans(arguments, spanned,
                                                     Kind::WithinStorage, call);
  conditions->check(call.arguments, call.grid, call.spans, found);
  if (isExact || found.empty())
    return;
  // Tensors of one storage need not overlap.
  packer.readSpans(arguments, spanned, Kind::Exact, call);
  found.clear();
  conditions->check(call.arguments, call.grid, call.spans, found);
}

/// `function` itself if all of its conditions hold, a variant otherwise.
py::handle KernelVariants::chooseLegal(LaunchCall &call,
                                       const ArgumentPacker &packer,
                                       PythonArguments arguments,
                                       py::handle function) {
  if (unchecked.empty())
    return function;
  if (!conditions) {
    // The number of arguments is known from the first launch on.
    std::vector<SurfaceCondition> surfaces;
    for (const auto &[surface, code] : unchecked)
      surfaces.push_back({surface, code});
    conditions.emplace(std::move(surfaces), call.arguments.size());
  }
  Numbers found;
  check(call, packer, arguments, found);
  // Also where nothing runs: any kernel will do.
  if (found.empty() || isEmpty(call))
    return function;
  // Tensors have other numbers in a kernel that assumes less.
  if (std::find(found.begin(), found.end(), launchAssumption) != found.end()) {
    if (!unassumed) {
      Variant variant = compileVariant(Numbers(), nanDescriptors, false);
      // As above.
      if (!unassumed)
        unassumed = std::move(variant);
    }
    return unassumed->variants->chooseLegal(call, packer, arguments,
                                            unassumed->kernel);
  }
  auto variant = variants.find(found);
  if (variant == variants.end()) {
    py::object kernel =
        compileVariant(found, nanDescriptors, assumesLaunch).kernel;
    variant = variants.try_emplace(std::move(found), std::move(kernel)).first;
  }
  return variant->second;
}

} // namespace triton::intel::python
