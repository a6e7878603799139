//===- Registers.h - Registers that a kernel needs --------------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// The estimate of intel/Analysis/RegisterPressure.h for a kernel in text, the
// LLVM IR that becomes SPIR-V (stage "llir").
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_INTEL_TARGET_REGISTERS_REGISTERS_H
#define TRITON_INTEL_TARGET_REGISTERS_REGISTERS_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <cstdint>
#include <string>

namespace mlir::triton::gpu::intel {

/// What the module's one kernel needs, with the functions that it calls.
struct RegisterEstimate {
  /// Bytes of one thread's registers that hold values at the same time.
  int64_t bytes;
  /// The instruction behind which that is so, as text; empty for none.
  std::string place;
};

/// Fails for a module that is no LLVM IR, or has not one kernel with the size
/// of its sub-groups.
llvm::Expected<RegisterEstimate> estimateRegisters(llvm::StringRef llvmIR);

} // namespace mlir::triton::gpu::intel

#endif // TRITON_INTEL_TARGET_REGISTERS_REGISTERS_H
