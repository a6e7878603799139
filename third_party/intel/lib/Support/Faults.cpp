//===- Faults.cpp - Code that crashes -------------------------------------===//
// SPDX-License-Identifier: MIT
//
// Each extension module of the process has handlers of its own, and so have
// other libraries. Handlers form a stack: the last ones that were installed are
// on top, but may be removed first, or may not pass on signals that are not
// theirs. So handlers are installed on top whenever they are needed and are not
// on top already, even if they are further down in the stack, and are removed
// if they are on top. If a signal that a handler has passed on comes back to
// it, it goes to the handler that was installed before the previous
// installation.
//
//===----------------------------------------------------------------------===//

#include "intel/Support/Faults.h"
#include "intel/Support/ProcessMutex.h"

#include <algorithm>
#include <csignal>
#include <mutex>
#include <sys/mman.h>
#include <unistd.h>

namespace triton::intel::support {

namespace {
/// The signals that processors and std::abort send.
constexpr int signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
constexpr int numSignals = sizeof(signals) / sizeof(signals[0]);

/// The registers of AVX-512 alone take 2.5 KB of it.
constexpr std::size_t signalStackBytes = 1 << 16;

/// Null while this thread runs no kernel, or must not be left.
thread_local FaultTarget *currentTarget = nullptr;

/// The number of users of the handlers; guarded by the process's mutex.
unsigned numUsers = 0;
/// Times that the handlers of a signal may be in place, above each other.
constexpr int maxLevels = 8;
/// The actions that were there each time, to be restored, and called for
/// foreign faults.
struct sigaction previousActions[numSignals][maxLevels];
int numLevels[numSignals];
/// The number of times that a signal of this thread has come back from those it
/// was handed to.
thread_local int numReturns = 0;

/// Gives a signal to whoever handled it before. The instruction is repeated
/// after a return from here, which makes the default action happen.
void chain(int signal, siginfo_t *info, void *context) {
  for (int i = 0; i < numSignals; ++i) {
    if (signals[i] != signal)
      continue;
    struct sigaction previous = {};
    previous.sa_handler = SIG_DFL;
    if (numReturns < numLevels[i])
      previous = previousActions[i][numLevels[i] - 1 - numReturns];
    ++numReturns;
    if (previous.sa_flags & SA_SIGINFO)
      previous.sa_sigaction(signal, info, context);
    else if (previous.sa_handler != SIG_DFL && previous.sa_handler != SIG_IGN)
      previous.sa_handler(signal);
    else
      // The default action cannot be called.
      sigaction(signal, &previous, nullptr);
    --numReturns;
  }
}

/// A signal that was sent is not about the code that runs, unless that code is
/// std::abort, which sends it to its own thread.
bool isOwnFault(int signal, const siginfo_t *info, const FaultTarget &target) {
  // Sent by tgkill, as std::abort does it, from this process. So does LLVM's
  // handler hand on a fault of a thread that it does not know: the wheel of
  // Triton has it in place while its own passes run.
  if (info->si_code == SI_TKILL && info->si_pid == getpid())
    return target.catchesAborts;
  if (signal == SIGABRT)
    return false;
  // Positive codes are the kernel's own; a signal that was sent has others.
  return info->si_code > 0;
}

/// Leaves the code that faulted by a jump, unless nobody waits for that.
void handle(int signal, siginfo_t *info, void *context) {
  FaultTarget *target = currentTarget;
  if (!target || !isOwnFault(signal, info, *target))
    return chain(signal, info, context);
  // A fault on the way back must not come here again.
  currentTarget = nullptr;
  numReturns = 0;
  target->fault = {signal, info->si_addr};
  siglongjmp(target->position, 1);
}

/// Returns whether the handler of this module is the one that a signal comes
/// to.
bool isOnTop(int signal) {
  struct sigaction current;
  return sigaction(signal, nullptr, &current) == 0 &&
         (current.sa_flags & SA_SIGINFO) && current.sa_sigaction == &handle;
}

/// Jumps from faults to a target as long as it exists.
class ScopedFaultTarget {
public:
  explicit ScopedFaultTarget(FaultTarget &target)
      : previous(setFaultTarget(&target)) {}
  ~ScopedFaultTarget() { setFaultTarget(previous); }
  ScopedFaultTarget(const ScopedFaultTarget &) = delete;
  ScopedFaultTarget &operator=(const ScopedFaultTarget &) = delete;

private:
  FaultTarget *previous;
};
} // namespace

/// Installs the handlers, for all threads of the process, unless they are on
/// top.
FaultHandlers::FaultHandlers() {
  std::lock_guard<std::mutex> lock(getProcessMutex());
  ++numUsers;
  struct sigaction action = {};
  action.sa_sigaction = &handle;
  // Not blocked in the handler, as that is left by a jump.
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
  sigemptyset(&action.sa_mask);
  for (int i = 0; i < numSignals; ++i)
    if (!isOnTop(signals[i])) {
      // Beyond the last level the latest one that was there counts.
      int level = std::min(numLevels[i], maxLevels - 1);
      if (sigaction(signals[i], &action, &previousActions[i][level]) == 0)
        numLevels[i] = level + 1;
    }
}

/// The last one restores what was there, unless somebody came on top since.
FaultHandlers::~FaultHandlers() {
  std::lock_guard<std::mutex> lock(getProcessMutex());
  if (--numUsers > 0)
    return;
  for (int i = 0; i < numSignals; ++i)
    if (numLevels[i] > 0 && isOnTop(signals[i]))
      sigaction(signals[i], &previousActions[i][--numLevels[i]], nullptr);
}

SignalStack::SignalStack() {
  stack_t current;
  // A stack that is there already, Python's faulthandler has one, is kept.
  if (sigaltstack(nullptr, &current) != 0 || !(current.ss_flags & SS_DISABLE))
    return;
  void *mapping = mmap(nullptr, signalStackBytes, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (mapping == MAP_FAILED)
    return;
  stack_t stack = {};
  stack.ss_sp = mapping;
  stack.ss_size = signalStackBytes;
  sigaltstack(&stack, nullptr);
  memory = mapping;
}

SignalStack::~SignalStack() {
  if (!memory)
    return;
  stack_t current;
  // Unless somebody else has set another one since.
  if (sigaltstack(nullptr, &current) == 0 && current.ss_sp == memory) {
    stack_t none = {};
    none.ss_flags = SS_DISABLE;
    sigaltstack(&none, nullptr);
  }
  munmap(memory, signalStackBytes);
}

FaultTarget *setFaultTarget(FaultTarget *target) {
  FaultTarget *previous = currentTarget;
  currentTarget = target;
  return previous;
}

/// For compilers that crash: a stack and handlers of its own.
std::optional<Fault> catchFaults(const std::function<void()> &body) {
  SignalStack stack;
  FaultHandlers handlers;
  FaultTarget target = {};
  target.catchesAborts = true;
  // Calls may be nested: a fault of `body` is not one of what called this.
  FaultTarget *const outer = currentTarget;
  // The mask of signals is saved: std::abort unblocks its own.
  if (sigsetjmp(target.position, 1) != 0) {
    setFaultTarget(outer);
    return target.fault;
  }
  ScopedFaultTarget scope(target);
  body();
  return std::nullopt;
}

void leaveCatchFaults() {
  FaultTarget *target = setFaultTarget(nullptr);
  if (!target)
    return;
  target->fault = {0, nullptr};
  siglongjmp(target->position, 1);
}

} // namespace triton::intel::support
