//===- AddressRegisters.h - Registers for addresses in loops ----*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// The scheduler's model of registers (Schedule.cpp) writes its result into the
// IR. The registers that it leaves can hold addresses of 2D block messages in
// all of a loop.
//
//===----------------------------------------------------------------------===//

#ifndef INTEL_LIB_TARGET_SPIRV_ADDRESSREGISTERS_H
#define INTEL_LIB_TARGET_SPIRV_ADDRESSREGISTERS_H

#include "intel/Target/KnownTargets.h"

#include "llvm/IR/Function.h"

namespace triton_xe::spirv {

/// Returns how many registers the values of a kernel leave for addresses, by
/// its attributes; 0 if it has none.
size_t
countAddressRegisters(const llvm::Function &function,
                      const mlir::triton::gpu::intel::KnownTarget &target);

/// Notes in the attributes that `count` of these registers are taken.
void takeAddressRegisters(llvm::Function &function,
                          const mlir::triton::gpu::intel::KnownTarget &target,
                          size_t count);

} // namespace triton_xe::spirv

#endif // INTEL_LIB_TARGET_SPIRV_ADDRESSREGISTERS_H
