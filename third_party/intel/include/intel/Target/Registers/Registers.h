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

/// The registers that the module's one kernel and its callees need.
struct RegisterEstimate {
  /// Bytes of one thread's registers that are live at the same time.
  int64_t bytes;
  /// The instruction after which they are live, as text; empty for none.
  std::string place;
};

/// Fails if the module is no LLVM IR, or does not have exactly one kernel with
/// a sub-group size.
llvm::Expected<RegisterEstimate> estimateRegisters(llvm::StringRef llvmIR);

} // namespace mlir::triton::gpu::intel

#endif // TRITON_INTEL_TARGET_REGISTERS_REGISTERS_H
