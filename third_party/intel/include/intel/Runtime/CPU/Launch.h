//===- Launch.h - Start a kernel on the CPU device --------------*- C++ -*-===//
//
// Runs the programs of one launch, several at a time, and returns when they
// have ended. Any number of threads may launch kernels at the same time.
//
//===----------------------------------------------------------------------===//

#ifndef INTEL_RUNTIME_CPU_LAUNCH_H
#define INTEL_RUNTIME_CPU_LAUNCH_H

#include "intel/Runtime/Arguments.h"
#include "intel/Runtime/CPU/Kernel.h"
#include "intel/Runtime/Geometry.h"

#include <functional>
#include <vector>

namespace triton::intel::runtime::cpu {

/// Called in the launching thread now and then, between programs. The launch
/// ends early if it returns true.
using StopRequest = std::function<bool()>;

/// Runs `kernel`; an empty grid runs nothing. Throws `Error`:
///   Launch     the geometry is not possible; the kernel crashed, or the launch
///              was interrupted (programs that had not started did not run)
///   Argument   the number of arguments is wrong
///   Assertion  an assertion of the kernel failed
void launch(const Kernel &kernel, const Geometry &geometry,
            const std::vector<Argument> &arguments,
            const StopRequest &shouldStop = {});

/// Ends all launches that run now as soon as their running programs have ended.
void requestInterrupt();

/// Threads that run programs.
unsigned getNumThreads();

/// How often, in all launches of the process, a sub-group got past a barrier
/// that another one would never reach, because it had ended. Hardware may hang.
std::uint64_t getNumDivergentBarriers();

} // namespace triton::intel::runtime::cpu

#endif // INTEL_RUNTIME_CPU_LAUNCH_H
