//===- Faults.h - Kernels that crash ----------------------------*- C++ -*-===//
//
// A kernel that touches memory it must not, or divides by zero, ends with an
// error and not with the process. So does a compiler of kernels.
//
//===----------------------------------------------------------------------===//

#ifndef INTEL_LIB_RUNTIME_CPU_FAULTS_H
#define INTEL_LIB_RUNTIME_CPU_FAULTS_H

#include <csetjmp>
#include <functional>
#include <optional>

namespace triton::intel::runtime::cpu {

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
/// one did. Nothing is cleaned up then: locks and memory that it held are lost.
std::optional<Fault> catchFaults(const std::function<void()> &body);

} // namespace triton::intel::runtime::cpu

#endif // INTEL_LIB_RUNTIME_CPU_FAULTS_H
