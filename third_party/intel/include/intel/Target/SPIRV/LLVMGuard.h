//===- LLVMGuard.h - Run LLVM without ending the process --------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// LLVM's back ends report much of what they cannot do through
// report_fatal_error, and their default diagnostic handler ends the process on
// an error. Both must come back as an llvm::Error when the caller is a Python
// process. All of LLVM that may fail runs in here.
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_INTEL_TARGET_SPIRV_LLVMGUARD_H
#define TRITON_INTEL_TARGET_SPIRV_LLVMGUARD_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/Support/Error.h"

#include <memory>

namespace triton::intel::spirv {

/// Runs `body` on a fresh context and returns what it returns, or the text of
/// the first error that LLVM reported meanwhile: a diagnostic of error
/// severity, or a CrashError (intel/Target/CrashGuard.h). `activity` names the
/// work in the message.
///
/// After a fatal error or a crash the stack of `body` is gone without its
/// destructors having run, so the context and whatever it owns stay allocated.
///
/// Calls are serialized: the SPIR-V backend's list of extensions is state of
/// the process.
llvm::Error
runGuarded(llvm::StringRef activity,
           llvm::function_ref<llvm::Error(llvm::LLVMContext &)> body);

} // namespace triton::intel::spirv

#endif // TRITON_INTEL_TARGET_SPIRV_LLVMGUARD_H
