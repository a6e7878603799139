//===- ProcessMutex.h - For what the process has once -----------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef TRITON_INTEL_SUPPORT_PROCESSMUTEX_H
#define TRITON_INTEL_SUPPORT_PROCESSMUTEX_H

#include <mutex>

namespace triton::intel::support {

/// Guards global state of the process: the debugger's list, signal handlers,
/// the running launches. It is held for moments only. While the process forks,
/// no other thread holds it, so that it is free in the child.
std::mutex &getProcessMutex();

} // namespace triton::intel::support

#endif // TRITON_INTEL_SUPPORT_PROCESSMUTEX_H
