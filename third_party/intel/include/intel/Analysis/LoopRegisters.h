//===- LoopRegisters.h - Registers that a loop takes ------------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// Estimates how many bytes of a sub-group's registers are live, apart from
// loads, in each iteration of a loop around dots, and at dots outside of loops.
// Passes use the estimates to decide which values stay in registers and how
// much to load at once.
//
//===----------------------------------------------------------------------===//

#ifndef INTEL_ANALYSIS_LOOPREGISTERS_H
#define INTEL_ANALYSIS_LOOPREGISTERS_H

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Value.h"
#include "llvm/ADT/DenseMap.h"

namespace mlir::triton::gpu::intel {

/// Bytes of a sub-group's registers that a tensor with a layout takes; 0 for
/// flags.
int64_t getRegisterBytes(RankedTensorType type);

/// The same for `value`. 0 if it is no tensor with a layout, and for constants
/// and splats of a scalar, which are operands of instructions.
int64_t getRegisterBytes(Value value);

/// Bytes that are live in every iteration in addition to its loads: values that
/// the loop carries, uses from outside, or computes as operands of its dots.
int64_t getBytesAlive(scf::ForOp loop);

/// For each dot of a block that is in no loop, the bytes that are live there:
/// its operands and its result, and values that are computed before and used
/// after it. Takes one walk over the block.
llvm::DenseMap<Operation *, int64_t> getBytesAliveAtDots(Block &block);

/// The bytes of `registers` registers that tensors can use on the target of
/// `module`. Addresses and uniform values take the others.
int64_t getUsableBytes(ModuleOp module, int64_t registers);

} // namespace mlir::triton::gpu::intel

#endif // INTEL_ANALYSIS_LOOPREGISTERS_H
