//===- CrashGuard.cpp - Run the compiler without ending the process -------===//
// SPDX-License-Identifier: MIT

#include "intel/Target/CrashGuard.h"

#include "intel/Support/Faults.h"
#include "intel/Support/ProcessMutex.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/PrettyStackTrace.h"
#include "llvm/Support/raw_ostream.h"

#include <csignal>
#include <cstring>
#include <mutex>

namespace support = triton::intel::support;

namespace triton::intel {

char CrashError::ID = 0;

namespace {

/// LLVM's message of a fatal error in this thread; null while the thread runs
/// nothing guarded.
thread_local std::string *fatalError = nullptr;

/// LLVM's handler of errors that it cannot report. In a thread that is not
/// guarded it returns, and LLVM ends the process.
void handleFatalError(void *, const char *reason, bool) {
  if (!fatalError)
    return;
  *fatalError = reason;
  support::leaveCatchFaults();
}

/// As long as one of these exists, the handler is in place: LLVM has one for
/// all threads.
class FatalErrorHandler {
public:
  FatalErrorHandler() {
    std::lock_guard<std::mutex> lock(support::getProcessMutex());
    if (numUsers++ == 0)
      llvm::install_fatal_error_handler(handleFatalError);
  }
  ~FatalErrorHandler() {
    std::lock_guard<std::mutex> lock(support::getProcessMutex());
    if (--numUsers == 0)
      llvm::remove_fatal_error_handler();
  }

private:
  static unsigned numUsers;
};

unsigned FatalErrorHandler::numUsers = 0;

} // namespace

std::optional<Crash> runGuarded(llvm::function_ref<void()> body) {
  FatalErrorHandler handler;
  // Out of the way of the jump that ends a fatal error.
  std::string reason;
  std::string *outer = std::exchange(fatalError, &reason);
  // A list in the frames of functions that run, per thread.
  const void *frames = llvm::SavePrettyStackState();
  std::optional<support::Fault> fault = support::catchFaults([&] { body(); });
  fatalError = outer;
  if (!fault)
    return std::nullopt;
  llvm::RestorePrettyStackState(frames);
  if (fault->signal == 0)
    return Crash{reason, /*isFatalError=*/true};
  return Crash{strsignal(fault->signal), /*isFatalError=*/false};
}

void CrashError::log(llvm::raw_ostream &os) const {
  os << activity << ": ";
  if (!crash.isFatalError)
    os << "internal error: ";
  os << crash.reason;
}

} // namespace triton::intel
