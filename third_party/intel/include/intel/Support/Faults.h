//===- Faults.h - Code that crashes -----------------------------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// Turns faults into errors, so that the process goes on: of kernels that access
// invalid memory or divide by zero, and of the compilers of kernels, ours and
// those of devices.
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_INTEL_SUPPORT_FAULTS_H
#define TRITON_INTEL_SUPPORT_FAULTS_H

#include <csetjmp>
#include <functional>
#include <optional>

namespace triton::intel::support {

/// A fault: a signal, and the address that caused it.
struct Fault {
  /// 0 if the code was left on purpose.
  int signal;
  const void *address;
};

/// As long as one of these exists, SIGSEGV, SIGBUS, SIGFPE, SIGILL and the
/// SIGABRT of std::abort are caught in threads that have a `FaultTarget` for
/// them. In other threads, the previous handlers get them.
class FaultHandlers {
public:
  FaultHandlers();
  ~FaultHandlers();
  FaultHandlers(const FaultHandlers &) = delete;
  FaultHandlers &operator=(const FaultHandlers &) = delete;
};

/// A stack for signal handlers of this thread, because the kernel's stack may
/// overflow. A stack that the thread already has is kept.
class SignalStack {
public:
  SignalStack();
  ~SignalStack();
  SignalStack(const SignalStack &) = delete;
  SignalStack &operator=(const SignalStack &) = delete;

private:
  void *memory = nullptr;
};

/// The point where this thread continues after a fault, and the fault.
struct FaultTarget {
  sigjmp_buf position;
  Fault fault;
  /// This is true if std::abort is caught, too. Kernels do not call it: while
  /// they run, an abort means that the process has found its memory damaged.
  bool catchesAborts;
};

/// From here on, a fault of this thread jumps to `target`, which the caller has
/// set with sigsetjmp; null for none. Returns the target before.
FaultTarget *setFaultTarget(FaultTarget *target);

/// Calls `body` in this thread, and returns the fault or abort that ended it,
/// if one did. An overflow of the stack is a fault, too. After a fault, nothing
/// is cleaned up: locks and memory that `body` held are lost.
std::optional<Fault> catchFaults(const std::function<void()> &body);

/// Ends the innermost `catchFaults` of this thread, whose fault has the signal
/// 0. Returns only if there is none.
void leaveCatchFaults();

} // namespace triton::intel::support

#endif // TRITON_INTEL_SUPPORT_FAULTS_H
