//===- CrashGuard.h - Run the compiler without ending the process *- C++-*-===//
// SPDX-License-Identifier: MIT
//
// The compiler runs in the process of a user, which must go on when the
// compiler crashes. Passes over MLIR and LLVM and code generators therefore run
// under a guard: a signal, a failed assertion, a stack overflow or a fatal
// error of LLVM ends the guarded work, but not the process.
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_INTEL_TARGET_CRASHGUARD_H
#define TRITON_INTEL_TARGET_CRASHGUARD_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/Error.h"

#include <optional>
#include <string>

namespace triton::intel {

/// The reason why guarded work did not finish.
struct Crash {
  /// The message of LLVM, or the name of the signal.
  std::string reason;
  /// This is true if it was a fatal error of LLVM, which the user's code may
  /// have caused. All others are bugs of the compiler.
  bool isFatalError;
};

/// Runs `body`, and returns none if it finished. Otherwise its stack is gone,
/// and no destructor on it has run: objects that it created or was changing
/// must stay allocated, and must not be used. Any number of threads may run
/// guarded work.
std::optional<Crash> runGuarded(llvm::function_ref<void()> body);

/// A crash as an error of LLVM.
class CrashError : public llvm::ErrorInfo<CrashError> {
public:
  static char ID;

  CrashError(std::string activity, Crash crash)
      : activity(std::move(activity)), crash(std::move(crash)) {}

  void log(llvm::raw_ostream &os) const override;
  std::error_code convertToErrorCode() const override {
    return llvm::inconvertibleErrorCode();
  }

private:
  /// The part of the compiler that crashed, such as "x86 back end".
  std::string activity;
  Crash crash;
};

} // namespace triton::intel

#endif // TRITON_INTEL_TARGET_CRASHGUARD_H
