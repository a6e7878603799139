//===- ProcessMutex.h - For what the process has once -----------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef INTEL_SUPPORT_PROCESSMUTEX_H
#define INTEL_SUPPORT_PROCESSMUTEX_H

#include <mutex>

namespace triton::intel::support {

/// Guards what exists once in the process: the debugger's list, signal
/// handlers, the launches that run. Held for moments only, and by nobody else
/// while the process forks, so that it is free in the child.
std::mutex &getProcessMutex();

} // namespace triton::intel::support

#endif // INTEL_SUPPORT_PROCESSMUTEX_H
