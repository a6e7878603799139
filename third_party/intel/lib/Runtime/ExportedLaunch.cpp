//===- ExportedLaunch.cpp - Exported kernels on SYCL devices --------------===//
// SPDX-License-Identifier: MIT
//
// The functions `triton_xe_sycl_*` of triton_xe/triton_xe.h. A kernel is built
// once for each device and context that it is launched on.
//
//===----------------------------------------------------------------------===//

#include "intel/Runtime/Error.h"
#include "intel/Runtime/ExportedKernel.h"
#include "intel/Runtime/Launch.h"

#include <list>
#include <mutex>
#include <string_view>
#include <utility>

namespace triton::intel::runtime {

namespace {
/// The state that is kept of a kernel.
class ExportedState {
public:
  explicit ExportedState(LaunchConditions conditions)
      : conditions(std::move(conditions)) {}

  /// Returns the kernel as the queue's device runs it.
  const Kernel &load(const triton_xe_kernel &kernel, const sycl::queue &queue) {
    sycl::context context = queue.get_context();
    sycl::device device = queue.get_device();
    // Held while the device's compiler runs: other threads want the same.
    std::lock_guard<std::mutex> lock(mutex);
    for (const Loaded &one : loaded)
      if (one.context == context && one.device == device)
        return one.kernel;
    Device opened = Device::fromQueue(reinterpret_cast<std::uintptr_t>(&queue));
    std::string_view binary(reinterpret_cast<const char *>(kernel.binary),
                            kernel.binary_size);
    loaded.push_back(
        {context, device, Module(opened, binary).getKernel(kernel.name)});
    return loaded.back().kernel;
  }

  const LaunchConditions conditions;

private:
  struct Loaded {
    sycl::context context;
    sycl::device device;
    Kernel kernel;
  };
  std::mutex mutex;
  /// Others are added, none moves.
  std::list<Loaded> loaded;
};
} // namespace

/// Throws `Error` of kind `Argument` if there is none.
static void checkQueue(const sycl::queue *queue) {
  if (!queue)
    throw Error(ErrorKind::Argument,
                "expected a `sycl::queue`, found a null pointer");
}

/// Throws `Error`, or `sycl::exception` for a queue that cannot be used.
static void launchExported(triton_xe_kernel &kernel, sycl::queue *queue,
                           const std::array<std::int64_t, 3> &grid,
                           const void *const *values,
                           const std::size_t *sizes) {
  checkQueue(queue);
  std::vector<Argument> arguments = readArguments(kernel, values);
  Geometry geometry{grid, kernel.work_group_size};
  // No reason to build anything, unless the grid is wrong as well.
  checkGeometry(kernel.name, kernel.work_group_size, geometry);
  if (geometry.isEmpty())
    return;
  triton_xe_kernel &variant =
      chooseVariant<ExportedState>(kernel, arguments, grid, sizes);
  geometry.workGroupSize = variant.work_group_size;
  auto &state = getState<ExportedState>(variant);
  launch(*queue, state.load(variant, *queue), geometry, arguments,
         /*wait=*/false);
}

/// Throws like `launchExported`.
static void loadExported(triton_xe_kernel &kernel, const sycl::queue *queue) {
  checkQueue(queue);
  for (triton_xe_kernel *one = &kernel; one; one = one->fallback) {
    checkVersion(*one);
    getState<ExportedState>(*one).load(*one, *queue);
  }
}

} // namespace triton::intel::runtime

triton_xe_status triton_xe_sycl_load(triton_xe_kernel *kernel, void *queue) {
  using namespace triton::intel::runtime;
  return catchErrors(
      [&] { loadExported(*kernel, static_cast<sycl::queue *>(queue)); });
}

triton_xe_status triton_xe_sycl_launch(triton_xe_kernel *kernel, void *queue,
                                       int64_t grid_x, int64_t grid_y,
                                       int64_t grid_z,
                                       const void *const *values) {
  return triton_xe_sycl_launch_sized(kernel, queue, grid_x, grid_y, grid_z,
                                     values, /*sizes=*/nullptr);
}

triton_xe_status triton_xe_sycl_launch_sized(triton_xe_kernel *kernel,
                                             void *queue, int64_t grid_x,
                                             int64_t grid_y, int64_t grid_z,
                                             const void *const *values,
                                             const size_t *sizes) {
  using namespace triton::intel::runtime;
  return catchErrors([&] {
    launchExported(*kernel, static_cast<sycl::queue *>(queue),
                   {grid_x, grid_y, grid_z}, values, sizes);
  });
}

const char *triton_xe_sycl_error_message(void) {
  return triton::intel::runtime::getErrorMessage();
}
