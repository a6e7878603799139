//===- InvariantLoads.h - Load again instead of keeping ---------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// A block that stays the same in all iterations is loaded before a loop,
// such as the queries of flash attention, or the keys and values of its
// gradient. If the registers do not suffice, the device compiler keeps some of
// the live values in scratch memory. A message can load the block again instead
// of that.
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_INTEL_LIB_DIALECT_LLVMIR_TRANSFORMS_SCHEDULE_INVARIANTLOADS_H
#define TRITON_INTEL_LIB_DIALECT_LLVMIR_TRANSFORMS_SCHEDULE_INVARIANTLOADS_H

#include "MemoryOrder.h"

#include "intel/Analysis/Registers/FragmentRegisters.h"
#include "intel/Dialect/TritonIntelGPU/IR/Dialect.h"

namespace mlir::triton::gpu::intel {

/// Returns messages before a loop whose results are live at the operation at
/// `position` of the loop's body but not used there, and which the body can
/// send again, since memory stays the same: nothing else uses the result,
/// except for another branch that is executed instead of the loop, and for what
/// comes after the loop and can send it again, too. These are the largest ones,
/// until they have `needed` bytes, or all. With `onlyParts` they are messages
/// of which the body uses a part. `order` has the numbers of the operations.
SmallVector<BlockLoadOp> findReloadable(Block &body,
                                        const BlockLiveness &liveness,
                                        ArrayRef<unsigned> order,
                                        size_t position, MemoryOrder &memory,
                                        int64_t needed, bool onlyParts = false);

/// Lets operations of the loop's body use the results of separate messages
/// instead of `load`: one for those before the operation at `position`, and one
/// for those after it. Each later loop and the operations after the loop get
/// one, too. A message has no rows or blocks that its users do not need. Erases
/// what is dead then, `load` among it unless another branch uses it.
void reload(BlockLoadOp load, Block &body, const BlockLiveness &liveness,
            ArrayRef<unsigned> order, size_t position,
            FragmentRegisters &registers, MemoryOrder &memory);

} // namespace mlir::triton::gpu::intel

#endif // TRITON_INTEL_LIB_DIALECT_LLVMIR_TRANSFORMS_SCHEDULE_INVARIANTLOADS_H
