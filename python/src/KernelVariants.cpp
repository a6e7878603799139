//===- KernelVariants.cpp - Which code a launch runs ----------------------===//

#include "KernelVariants.h"

#include "intel/Runtime/Error.h"

#include <pybind11/stl.h>

namespace py = pybind11;
using namespace triton::intel::runtime;

namespace triton_xe::python {

KernelVariants::KernelVariants(const Conditions &conditions, py::object compile,
                               Numbers nanDescriptors)
    : unchecked(conditions), compile(std::move(compile)),
      nanDescriptors(std::move(nanDescriptors)) {}

static bool isEmpty(const LaunchCall &call) {
  return call.grid[0] == 0 || call.grid[1] == 0 || call.grid[2] == 0;
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
    auto [kernel, itsConditions] =
        compile(Numbers(), call.nanDescriptors)
            .cast<std::pair<py::object, Conditions>>();
    auto itsVariants = std::make_unique<KernelVariants>(itsConditions, compile,
                                                        call.nanDescriptors);
    found = padded
                .try_emplace(call.nanDescriptors, std::move(kernel),
                             std::move(itsVariants))
                .first;
  }
  auto &[kernel, itsVariants] = found->second;
  return itsVariants->chooseLegal(call, kernel);
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
  Numbers illegal;
  conditions->check(call.arguments, illegal);
  if (illegal.empty() || isEmpty(call))
    return function;
  auto found = variants.find(illegal);
  if (found == variants.end()) {
    py::object kernel = compile(illegal, nanDescriptors)
                            .cast<std::pair<py::object, Conditions>>()
                            .first;
    found = variants.try_emplace(std::move(illegal), std::move(kernel)).first;
  }
  return found->second;
}

} // namespace triton_xe::python
