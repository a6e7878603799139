//===- CrashGuard.h - Run the compiler without ending the process *- C++-*-===//
// SPDX-License-Identifier: MIT
//
// The compiler runs in the process of a user, whose other work must go on when
// the compiler has a fault. What may have one, passes over MLIR and LLVM as
// well as code generators, runs in here: a signal, a failed assertion, an
// overflow of the stack or an error that LLVM calls fatal ends the work and not
// the process.
//
//===----------------------------------------------------------------------===//

#ifndef INTEL_TARGET_CRASHGUARD_H
#define INTEL_TARGET_CRASHGUARD_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/Error.h"

#include <optional>
#include <string>

namespace triton_xe {

/// How guarded work ended before its end.
struct Crash {
  /// What LLVM said of it, or the name of the signal.
  std::string reason;
  /// Whether LLVM said that it cannot go on. Such an error may be the user's;
  /// all others are bugs of the compiler.
  bool isFatalError;
};

/// Runs `body`; nothing if it came to its end. Otherwise its stack is gone and
/// no destructor on it has run: what it made, or was about to change, must stay
/// allocated and must not be used. Any number of threads may run guarded work.
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
  /// What crashed, as "x86 back end".
  std::string activity;
  Crash crash;
};

} // namespace triton_xe

#endif // INTEL_TARGET_CRASHGUARD_H
