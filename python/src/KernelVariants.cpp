//===- KernelVariants.cpp - Which code a launch runs ----------------------===//

#include "KernelVariants.h"

#include <pybind11/stl.h>

namespace py = pybind11;
using namespace triton::intel::runtime;

namespace triton_xe::python {

KernelVariants::KernelVariants(const Conditions &conditions, py::object compile)
    : unchecked(conditions), compile(std::move(compile)) {}

py::handle KernelVariants::choose(const LaunchCall &call) {
  if (unchecked.empty())
    return call.function;
  if (!conditions) {
    // The number of arguments is known from the first launch on.
    std::vector<SurfaceCondition> surfaces;
    for (const auto &[surface, code] : unchecked)
      surfaces.push_back({surface, code});
    conditions.emplace(std::move(surfaces), call.arguments.size());
  }
  std::vector<std::int64_t> illegal;
  conditions->check(call.arguments, illegal);
  // Nothing runs in an empty grid: no reason to compile.
  bool isEmpty = call.grid[0] == 0 || call.grid[1] == 0 || call.grid[2] == 0;
  if (illegal.empty() || isEmpty)
    return call.function;
  auto found = variants.find(illegal);
  if (found == variants.end()) {
    // Other threads may get here while Python compiles: first come, first kept.
    py::object kernel = compile(illegal);
    found = variants.try_emplace(std::move(illegal), std::move(kernel)).first;
  }
  return found->second;
}

} // namespace triton_xe::python
