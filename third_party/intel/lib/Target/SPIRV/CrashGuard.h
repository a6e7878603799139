//===- CrashGuard.h - Run LLVM without ending the process -------*- C++ -*-===//
//
// LLVM's back ends report much of what they cannot do through
// report_fatal_error, and their default diagnostic handler ends the process on
// an error. Both must come back as an llvm::Error when the caller is a Python
// process. This header offers the one place where LLVM may fail.
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_INTEL_LIB_TARGET_SPIRV_CRASHGUARD_H
#define TRITON_INTEL_LIB_TARGET_SPIRV_CRASHGUARD_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/Support/Error.h"

#include <memory>

namespace triton_xe::spirv {

/// Runs `body` on a fresh context and returns what it returns, or the text of
/// the first error that LLVM reported meanwhile: a diagnostic of error
/// severity, a fatal error, or a crash (which is a bug, but not one that may
/// take the process with it). `activity` names the work in the message.
///
/// After a fatal error or a crash the stack of `body` is gone without its
/// destructors having run, so the context and whatever it owns stay allocated.
///
/// Calls are serialized: LLVM's fatal error handler and the SPIR-V backend's
/// list of extensions are state of the process.
llvm::Error
runGuarded(llvm::StringRef activity,
           llvm::function_ref<llvm::Error(llvm::LLVMContext &)> body);

} // namespace triton_xe::spirv

#endif // TRITON_INTEL_LIB_TARGET_SPIRV_CRASHGUARD_H
