//===- Watcher.h - Interrupts of long launches ------------------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// The thread that launches a kernel runs programs, too, and cannot check
// whether to stop while it is in one. The watcher is a thread that raises a
// flag now and then, for as long as there are launches; loops of kernels poll
// it.
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_INTEL_LIB_RUNTIME_CPU_WATCHER_H
#define TRITON_INTEL_LIB_RUNTIME_CPU_WATCHER_H

#include <chrono>
#include <cstdint>

namespace triton::intel::runtime::cpu {

/// The interval at which the launching thread checks whether to stop.
constexpr std::chrono::milliseconds stopInterval(50);

/// As long as one of these exists, `*flag` becomes 1 every `stopInterval`.
class WatchedFlag {
public:
  explicit WatchedFlag(std::int32_t *flag);
  ~WatchedFlag();
  WatchedFlag(const WatchedFlag &) = delete;
  WatchedFlag &operator=(const WatchedFlag &) = delete;

private:
  std::int32_t *flag;
};

} // namespace triton::intel::runtime::cpu

#endif // TRITON_INTEL_LIB_RUNTIME_CPU_WATCHER_H
