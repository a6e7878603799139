//===- Faults.h - Code that crashes -----------------------------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// A kernel that touches memory it must not, or divides by zero, ends with an
// error and not with the process. So do compilers of kernels, ours and those of
// devices.
//
//===----------------------------------------------------------------------===//

#ifndef INTEL_SUPPORT_FAULTS_H
#define INTEL_SUPPORT_FAULTS_H

#include <csetjmp>
#include <functional>
#include <optional>

namespace triton::intel::support {

/// What went wrong: a signal, and the address that it is about.
struct Fault {
  /// 0 if the code was left on purpose.
  int signal;
  const void *address;
};

/// As long as one of these exists, SIGSEGV, SIGBUS, SIGFPE, SIGILL and the
/// SIGABRT of std::abort are caught in threads that have a `FaultTarget` for
/// them; others go to whoever handled them before.
class FaultHandlers {
public:
  FaultHandlers();
  ~FaultHandlers();
  FaultHandlers(const FaultHandlers &) = delete;
  FaultHandlers &operator=(const FaultHandlers &) = delete;
};

/// A stack for signal handlers of this thread: the kernel's may have overflown.
/// One that the thread has already is kept.
class SignalStack {
public:
  SignalStack();
  ~SignalStack();
  SignalStack(const SignalStack &) = delete;
  SignalStack &operator=(const SignalStack &) = delete;

private:
  void *memory = nullptr;
};

/// Where this thread goes on after a fault, and what it was.
struct FaultTarget {
  sigjmp_buf position;
  Fault fault;
  /// Whether std::abort comes here, too. Kernels have none: there it is the
  /// process that found its memory damaged.
  bool catchesAborts;
};

/// From here on, a fault of this thread jumps to `target`, which the caller has
/// set with sigsetjmp; null for none. Returns the target before.
FaultTarget *setFaultTarget(FaultTarget *target);

/// Calls `body` in this thread and returns the fault or abort that ended it, if
/// one did, an overflow of the stack among them. Nothing is cleaned up then:
/// locks and memory that it held are lost.
std::optional<Fault> catchFaults(const std::function<void()> &body);

/// Ends the innermost `catchFaults` of this thread, whose fault has the signal
/// 0. Returns only if there is none.
void leaveCatchFaults();

} // namespace triton::intel::support

#endif // INTEL_SUPPORT_FAULTS_H
