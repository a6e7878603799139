//===- TargetMachine.h - LLVM's SPIR-V target -------------------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// Target machines of LLVM's SPIR-V backend. Call from inside runGuarded only:
// the list of extensions is a command-line option of LLVM, hence global.
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_INTEL_TARGET_SPIRV_TARGETMACHINE_H
#define TRITON_INTEL_TARGET_SPIRV_TARGETMACHINE_H

#include "llvm/IR/Module.h"
#include "llvm/Support/Error.h"
#include "llvm/Target/TargetMachine.h"

#include <memory>

namespace triton::intel::spirv {

/// Makes a target machine for `spirv64v1.4` that may use the given SPIR-V
/// extensions (`+SPV_A,+SPV_B`).
llvm::Expected<std::unique_ptr<llvm::TargetMachine>>
createSPIRVTargetMachine(llvm::StringRef extensions);

/// Gives the module the target's triple and data layout. The triple is the one
/// without a version, so that IR dumps do not depend on it.
void setSPIRVTarget(llvm::Module &module, const llvm::TargetMachine &machine);

} // namespace triton::intel::spirv

#endif // TRITON_INTEL_TARGET_SPIRV_TARGETMACHINE_H
