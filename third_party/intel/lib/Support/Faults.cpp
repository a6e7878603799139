//===- Faults.cpp - Code that crashes -------------------------------------===//
// SPDX-License-Identifier: MIT
//
// Each extension module of the process has separate handlers, and so have other
// libraries. Handlers form a stack: the last ones that were installed are on
// top, but may be removed first, or may not pass on signals that are not
// theirs. So handlers are installed on top whenever they are needed and are not
// on top already, even if they are further down in the stack, and are removed
// if they are on top. Each installation is a level with a separate function,
// which passes signals on to the handlers from before this level. If a handler
// in between has removed itself, by restoring the function of a lower level,
// the levels above that one are gone with it.
//
//===----------------------------------------------------------------------===//

#include "intel/Support/Faults.h"
#include "intel/Support/ProcessMutex.h"

#include <algorithm>
#include <array>
#include <csignal>
#include <mutex>
#include <sys/mman.h>
#include <unistd.h>
#include <utility>

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
/// The actions from before each level, to be restored, and called for foreign
/// faults.
struct sigaction previousActions[numSignals][maxLevels];
/// The levels that may be in place, from the lowest one on.
int numLevels[numSignals];

/// This thread hands the fault itself to previous handlers, also if one
/// of them raises the signal once more, which has no address.
struct HandedFault {
  siginfo_t *info;
  void *context;
};
thread_local const HandedFault *handed = nullptr;

bool isRaised(const siginfo_t *info) {
  return info->si_code == SI_TKILL && info->si_pid == getpid();
}

/// Gives a signal to the handler from before this level. The instruction is
/// repeated after a return from here, which makes the default action happen.
void chain(int level, int signal, siginfo_t *info, void *context) {
  HandedFault fault = {info, context};
  const HandedFault *outer = handed;
  if (outer && isRaised(info) && outer->info->si_signo == signal)
    fault = *outer;
  handed = &fault;
  for (int i = 0; i < numSignals; ++i) {
    if (signals[i] != signal)
      continue;
    const struct sigaction &previous = previousActions[i][level];
    if (previous.sa_flags & SA_SIGINFO)
      previous.sa_sigaction(signal, fault.info, fault.context);
    else if (previous.sa_handler != SIG_DFL && previous.sa_handler != SIG_IGN)
      previous.sa_handler(signal);
    else
      // The default action cannot be called.
      sigaction(signal, &previous, nullptr);
  }
  handed = outer;
}

/// A signal that was sent is not about the code that runs, unless that code is
/// std::abort, which sends it to its own thread.
bool isOwnFault(int signal, const siginfo_t *info, const FaultTarget &target) {
  // Sent by tgkill, as std::abort does it, from this process. So does LLVM's
  // handler pass on a fault of a thread that it does not know: the wheel of
  // Triton has it in place while its own passes run.
  if (isRaised(info))
    return target.catchesAborts;
  if (signal == SIGABRT)
    return false;
  // Positive codes are the kernel's own; a signal that was sent has others.
  return info->si_code > 0;
}

/// Leaves the code that faulted by a jump, unless nothing waits for that.
void handle(int level, int signal, siginfo_t *info, void *context) {
  FaultTarget *target = currentTarget;
  if (!target || !isOwnFault(signal, info, *target))
    return chain(level, signal, info, context);
  // A fault on the way back must not come here again.
  currentTarget = nullptr;
  handed = nullptr;
  target->fault = {signal, info->si_addr};
  siglongjmp(target->position, 1);
}

using Handler = void (*)(int, siginfo_t *, void *);

template <int level> void handleAt(int signal, siginfo_t *info, void *context) {
  handle(level, signal, info, context);
}

template <int... levels>
constexpr std::array<Handler, maxLevels>
listHandlers(std::integer_sequence<int, levels...>) {
  return {&handleAt<levels>...};
}

constexpr std::array<Handler, maxLevels> handlers =
    listHandlers(std::make_integer_sequence<int, maxLevels>());

/// Returns the level of this module whose handler a signal comes to, or -1 if
/// it comes to another one.
int findLevelOnTop(int signal) {
  struct sigaction current;
  if (sigaction(signal, nullptr, &current) != 0 ||
      !(current.sa_flags & SA_SIGINFO))
    return -1;
  auto found =
      std::find(handlers.begin(), handlers.end(), current.sa_sigaction);
  return found == handlers.end() ? -1 : found - handlers.begin();
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
  // Not blocked in the handler, as that is left by a jump.
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
  sigemptyset(&action.sa_mask);
  for (int i = 0; i < numSignals; ++i) {
    if (int level = findLevelOnTop(signals[i]); level >= 0) {
      numLevels[i] = level + 1;
      continue;
    }
    // Beyond the last level the latest existing one counts.
    int level = std::min(numLevels[i], maxLevels - 1);
    action.sa_sigaction = handlers[level];
    if (sigaction(signals[i], &action, &previousActions[i][level]) == 0)
      numLevels[i] = level + 1;
  }
}

/// The last one restores the previous ones, unless others were installed on top
/// since.
FaultHandlers::~FaultHandlers() {
  std::lock_guard<std::mutex> lock(getProcessMutex());
  if (--numUsers > 0)
    return;
  for (int i = 0; i < numSignals; ++i)
    if (int level = findLevelOnTop(signals[i]); level >= 0) {
      struct sigaction removed = {};
      sigaction(signals[i], &previousActions[i][level], &removed);
      if (removed.sa_sigaction == handlers[level])
        numLevels[i] = level;
      else
        // Another handler was installed or removed in between.
        sigaction(signals[i], &removed, nullptr);
    }
}

SignalStack::SignalStack() {
  stack_t current;
  // An existing stack, Python's faulthandler has one, is kept.
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
  // Unless other code has set another one since.
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

/// For compilers that crash: a separate stack and handlers.
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
