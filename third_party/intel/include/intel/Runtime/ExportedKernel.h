//===- ExportedKernel.h - Kernels in programs without Python ----*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// The part of launches of exported kernels (triton_xe/triton_xe.h) that is the
// same on all devices: it checks the arguments, and chooses between the kernel
// and the fallback for launches that do not satisfy the kernel's conditions.
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_INTEL_RUNTIME_EXPORTEDKERNEL_H
#define TRITON_INTEL_RUNTIME_EXPORTEDKERNEL_H

#include "intel/Runtime/Arguments.h"
#include "intel/Runtime/LaunchConditions.h"
#include "triton_xe/triton_xe.h"

#include <array>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace triton::intel::runtime {

/// Throws `Error` of kind `Binary` if the description has a version that is not
/// known, so that none of its other fields can be read.
void checkVersion(const triton_xe_kernel &kernel);

/// Returns the arguments of a launch in the form that the kernel takes;
/// `values` points to a value per argument of the description. Throws `Error`
/// of kind `Argument` for values that the kernel was not compiled for, `Binary`
/// for a description that cannot be read.
std::vector<Argument> readArguments(const triton_xe_kernel &kernel,
                                    const void *const *values);

/// Returns the spans of the arguments that `arguments` holds, by position.
/// A descriptor has its own span. The span of a pointer comes from `sizes`,
/// which is null or has a size for each argument of the description.
std::vector<ArgumentSpan> readSpans(const triton_xe_kernel &kernel,
                                    const std::vector<Argument> &arguments,
                                    const std::size_t *sizes);

/// Returns the conditions of a kernel. Throws like the constructor.
LaunchConditions readConditions(const triton_xe_kernel &kernel);

/// Calls `body`. An exception becomes a status, with a message for
/// `getErrorMessage` in this thread.
triton_xe_status catchErrors(const std::function<void()> &body);
const char *getErrorMessage();

/// Returns the `State` that a device's library keeps for a kernel. It is
/// created from the conditions at the first use, and lives as long as the
/// process, because launches may still run when the process ends.
template <typename State> State &getState(triton_xe_kernel &kernel) {
  if (void *state = __atomic_load_n(&kernel.state, __ATOMIC_ACQUIRE))
    return *static_cast<State *>(state);
  auto fresh = std::make_unique<State>(readConditions(kernel));
  void *current = nullptr;
  // Of threads that come here at the same time, one wins.
  if (__atomic_compare_exchange_n(&kernel.state, &current, fresh.get(),
                                  /*weak=*/false, __ATOMIC_ACQ_REL,
                                  __ATOMIC_ACQUIRE))
    return *fresh.release();
  return *static_cast<State *>(current);
}

/// Throws `Error` of kind `Binary`, because no version of the code fits the
/// launch.
[[noreturn]] void failWithoutVariant(const triton_xe_kernel &kernel);

/// Returns the kernel itself if the launch satisfies its conditions, and the
/// fallback otherwise. See `readSpans` for `sizes`.
template <typename State>
triton_xe_kernel &chooseVariant(triton_xe_kernel &kernel,
                                const std::vector<Argument> &arguments,
                                const std::array<std::int64_t, 3> &grid,
                                const std::size_t *sizes) {
  triton_xe_kernel *variant = &kernel;
  std::vector<std::int64_t> illegal;
  std::vector<ArgumentSpan> spans;
  while (true) {
    const LaunchConditions &conditions = getState<State>(*variant).conditions;
    if (!conditions.getSpanned().empty() && spans.empty())
      spans = readSpans(kernel, arguments, sizes);
    conditions.check(arguments, grid, spans, illegal);
    if (illegal.empty())
      return *variant;
    illegal.clear();
    variant = variant->fallback;
    if (!variant)
      failWithoutVariant(kernel);
  }
}

} // namespace triton::intel::runtime

#endif // TRITON_INTEL_RUNTIME_EXPORTEDKERNEL_H
