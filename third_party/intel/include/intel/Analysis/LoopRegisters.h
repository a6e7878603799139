//===- LoopRegisters.h - Registers that a loop takes ------------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// How many registers of a sub-group the iterations of a loop around dots have
// in use whatever they load, and what a dot in no loop has around it:
// estimates, in bytes, for passes that decide what to keep in registers and how
// much to load at once.
//
//===----------------------------------------------------------------------===//

#ifndef INTEL_ANALYSIS_LOOPREGISTERS_H
#define INTEL_ANALYSIS_LOOPREGISTERS_H

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Value.h"
#include "llvm/ADT/DenseMap.h"

namespace mlir::triton::gpu::intel {

/// Bytes of a sub-group's registers for a tensor with a layout; 0 for flags.
int64_t getRegisterBytes(RankedTensorType type);

/// The same of `value`; 0 for what is no tensor with a layout, and for
/// constants and copies of a scalar, which instructions read in place.
int64_t getRegisterBytes(Value value);

/// What every iteration has in registers besides its loads: what the loop
/// carries, what it uses from outside, and what it computes for its dots.
int64_t getBytesAlive(scf::ForOp loop);

/// What is in registers where the dots of a block that is in no loop run: their
/// operands and results, and what the block has computed before for uses behind
/// them. In one walk over the block.
llvm::DenseMap<Operation *, int64_t> getBytesAliveAtDots(Block &block);

/// Bytes of `registers` registers that can be planned with: addresses, and
/// values of all lanes, take the rest. `module` says for which target.
int64_t getUsableBytes(ModuleOp module, int64_t registers);

} // namespace mlir::triton::gpu::intel

#endif // INTEL_ANALYSIS_LOOPREGISTERS_H
