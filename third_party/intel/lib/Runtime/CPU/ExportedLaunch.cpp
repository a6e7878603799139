//===- ExportedLaunch.cpp - Exported kernels on the CPU device ------------===//
// SPDX-License-Identifier: MIT
//
// The functions `triton_xe_cpu_*` of triton_xe/triton_xe.h: what
// libtriton_xe_cpu.so exports.
//
//===----------------------------------------------------------------------===//

#include "intel/Runtime/CPU/Launch.h"
#include "intel/Runtime/Descriptors.h"
#include "intel/Runtime/ExportedKernel.h"

#include <mutex>
#include <optional>
#include <string_view>
#include <utility>

namespace triton::intel::runtime::cpu {

namespace {
/// The state that is kept of a kernel.
class ExportedState {
public:
  explicit ExportedState(LaunchConditions conditions)
      : conditions(std::move(conditions)) {}

  const Kernel &load(const triton_xe_kernel &kernel) {
    // A load that fails is tried again by the next launch.
    std::call_once(once, [&] {
      std::string_view binary(reinterpret_cast<const char *>(kernel.binary),
                              kernel.binary_size);
      loaded.emplace(binary, kernel.name);
    });
    return *loaded;
  }

  const LaunchConditions conditions;

private:
  std::once_flag once;
  std::optional<Kernel> loaded;
};

/// Returns the memory of pointers, for a kernel that checks itself: only the
/// program knows its extent.
std::vector<ArgumentMemory>
describeMemory(const triton_xe_kernel &kernel,
               const std::vector<Argument> &arguments) {
  std::vector<ArgumentMemory> memory;
  std::size_t position = 0;
  for (std::size_t i = 0; i < kernel.num_arguments; ++i) {
    const triton_xe_argument &argument = kernel.arguments[i];
    if (argument.hint == 1)
      continue;
    if (argument.type == TRITON_XE_POINTER ||
        argument.type == TRITON_XE_DESCRIPTOR)
      memory.push_back({argument.name, position, arguments[position].bits,
                        /*begin=*/0, /*size=*/0, /*elementBytes=*/1,
                        /*isKnown=*/false});
    position += argument.type == TRITON_XE_DESCRIPTOR
                    ? getNumDescriptorArguments(argument.rank)
                    : 1;
  }
  return memory;
}

void launchExported(triton_xe_kernel &kernel,
                    const std::array<std::int64_t, 3> &grid,
                    const void *const *values, const std::size_t *sizes) {
  std::vector<Argument> arguments = readArguments(kernel, values);
  Geometry geometry{grid, kernel.work_group_size};
  // No reason to load anything, unless the grid is wrong as well.
  checkGeometry(kernel.name, Kernel::maxWorkGroupSize, geometry);
  if (geometry.isEmpty())
    return;
  triton_xe_kernel &variant =
      chooseVariant<ExportedState>(kernel, arguments, grid, sizes);
  geometry.workGroupSize = variant.work_group_size;
  const Kernel &loaded = getState<ExportedState>(variant).load(variant);
  std::vector<ArgumentMemory> memory;
  if (loaded.hasChecks())
    memory = describeMemory(variant, arguments);
  launch(loaded, geometry, arguments, /*shouldStop=*/{}, memory);
}

void loadExported(triton_xe_kernel &kernel) {
  for (triton_xe_kernel *one = &kernel; one; one = one->fallback) {
    checkVersion(*one);
    getState<ExportedState>(*one).load(*one);
  }
}
} // namespace
} // namespace triton::intel::runtime::cpu

triton_xe_status triton_xe_cpu_load(triton_xe_kernel *kernel) {
  using namespace triton::intel::runtime;
  return catchErrors([&] { cpu::loadExported(*kernel); });
}

triton_xe_status triton_xe_cpu_launch(triton_xe_kernel *kernel, int64_t grid_x,
                                      int64_t grid_y, int64_t grid_z,
                                      const void *const *values) {
  return triton_xe_cpu_launch_sized(kernel, grid_x, grid_y, grid_z, values,
                                    /*sizes=*/nullptr);
}

triton_xe_status triton_xe_cpu_launch_sized(triton_xe_kernel *kernel,
                                            int64_t grid_x, int64_t grid_y,
                                            int64_t grid_z,
                                            const void *const *values,
                                            const size_t *sizes) {
  using namespace triton::intel::runtime;
  return catchErrors([&] {
    cpu::launchExported(*kernel, {grid_x, grid_y, grid_z}, values, sizes);
  });
}

const char *triton_xe_cpu_error_message(void) {
  return triton::intel::runtime::getErrorMessage();
}

uint64_t triton_xe_cpu_version(void) {
  return (std::uint64_t(TRITON_XE_KERNEL_VERSION) << 32) |
         triton::intel::abi::abiVersion;
}
