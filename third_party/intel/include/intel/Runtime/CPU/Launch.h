//===- Launch.h - Start a kernel on the CPU device --------------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// Runs the programs of one launch, several at a time, and returns when they
// have ended. Any number of threads may launch kernels at the same time.
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_INTEL_RUNTIME_CPU_LAUNCH_H
#define TRITON_INTEL_RUNTIME_CPU_LAUNCH_H

#include "intel/Runtime/Arguments.h"
#include "intel/Runtime/CPU/Kernel.h"
#include "intel/Runtime/Geometry.h"

#include <functional>
#include <vector>

namespace triton::intel::runtime::cpu {

/// Called in the launching thread from time to time, between programs and
/// between iterations of their loops. The launch ends early if it returns true.
using StopRequest = std::function<bool()>;

/// Runs `kernel`; an empty grid runs nothing. Throws `Error`:
///   Launch     the geometry is not possible; the kernel crashed, or the launch
///              was interrupted (programs end at the next iteration of a loop)
///   Argument   the number of arguments is wrong
///   Assertion  an assertion of the kernel failed
///   Access, Race, Barrier: the checks of a kernel that checks itself failed
///
/// The programs of such a kernel run one by one. `memory` is the memory of its
/// arguments.
void launch(const Kernel &kernel, const Geometry &geometry,
            const std::vector<Argument> &arguments,
            const StopRequest &shouldStop = {},
            const std::vector<ArgumentMemory> &memory = {});

/// Ends all launches that run now, as soon as their running programs come to
/// the next iteration of a loop, or end.
void requestInterrupt();

/// Returns the number of threads that run programs.
unsigned getNumThreads();

/// Returns how often, in all launches of the process, a sub-group passed a
/// barrier that another one never reached, because it had ended. Hardware may
/// hang then.
std::uint64_t getNumDivergentBarriers();

} // namespace triton::intel::runtime::cpu

#endif // TRITON_INTEL_RUNTIME_CPU_LAUNCH_H
