//===- KernelVariants.cpp - Which code a launch runs ----------------------===//

#include "KernelVariants.h"

#include "intel/Runtime/Error.h"

#include <algorithm>
#include <pybind11/stl.h>

namespace py = pybind11;
using triton::intel::abi::launchAssumption;
using namespace triton::intel::runtime;

namespace triton_xe::python {

KernelVariants::KernelVariants(const Conditions &conditions, py::object compile,
                               Numbers illegal, Numbers nanDescriptors)
    : unchecked(conditions), compile(std::move(compile)),
      illegal(std::move(illegal)), nanDescriptors(std::move(nanDescriptors)) {}

static bool isEmpty(const LaunchCall &call) {
  return call.grid[0] == 0 || call.grid[1] == 0 || call.grid[2] == 0;
}

KernelVariants::Variant
KernelVariants::compileVariant(const Numbers &surfaces,
                               const Numbers &descriptors) {
  auto [kernel, itsConditions] =
      compile(surfaces, descriptors).cast<std::pair<py::object, Conditions>>();
  return {std::move(kernel),
          std::make_unique<KernelVariants>(itsConditions, compile, surfaces,
                                           descriptors)};
}

py::handle KernelVariants::choose(const LaunchCall &call) {
  // Nothing runs in an empty grid: no reason to compile.
  if (call.nanDescriptors.empty() || isEmpty(call))
    return chooseLegal(call, call.function);
  auto found = padded.find(call.nanDescriptors);
  if (found == padded.end()) {
    if (compile.is_none())
      throw Error(ErrorKind::Argument,
                  "descriptors that pad with NaN: the kernel's source, which "
                  "such launches compile again, is not known");
    // Other threads may get here while Python compiles: first come, first kept.
    Variant variant = compileVariant(Numbers(), call.nanDescriptors);
    found = padded.try_emplace(call.nanDescriptors, std::move(variant)).first;
  }
  return found->second.variants->chooseLegal(call, found->second.kernel);
}

py::handle KernelVariants::chooseLegal(const LaunchCall &call,
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
  conditions->check(call.arguments, call.grid, found);
  if (found.empty() || isEmpty(call))
    return function;
  // Tensors have other numbers in a kernel that assumes less.
  if (std::find(found.begin(), found.end(), launchAssumption) != found.end()) {
    if (!unassumed) {
      Variant variant = compileVariant({launchAssumption}, nanDescriptors);
      // As above.
      if (!unassumed)
        unassumed = std::move(variant);
    }
    return unassumed->variants->chooseLegal(call, unassumed->kernel);
  }
  found.insert(found.begin(), illegal.begin(), illegal.end());
  auto variant = variants.find(found);
  if (variant == variants.end()) {
    py::object kernel = compileVariant(found, nanDescriptors).kernel;
    variant = variants.try_emplace(std::move(found), std::move(kernel)).first;
  }
  return variant->second;
}

} // namespace triton_xe::python
