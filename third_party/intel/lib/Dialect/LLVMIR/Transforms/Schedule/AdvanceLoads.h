//===- AdvanceLoads.h - Ordinary loads before they are needed ---*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// The order of a block has each load right before the instruction that needs
// it, so that it takes no registers before. Blocks are in the cache by then,
// since earlier iterations prefetch them. Nothing prefetches what lanes load
// from separate addresses: such loads come earlier, as far as registers are
// free all the way, and until the work in between takes as long as the load.
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_INTEL_LIB_DIALECT_LLVMIR_TRANSFORMS_SCHEDULE_ADVANCELOADS_H
#define TRITON_INTEL_LIB_DIALECT_LLVMIR_TRANSFORMS_SCHEDULE_ADVANCELOADS_H

#include "MemoryOrder.h"

#include "intel/Analysis/Registers/FragmentRegisters.h"

namespace mlir::triton::gpu::intel {

/// Moves the loads of operands that are no blocks towards the beginning of
/// `order`, each with the computation of its address, while no more than
/// `maxLive` bytes are live anywhere, of which `above` are not the block's.
/// Returns whether it has moved any.
bool advanceLoads(const BlockLiveness &liveness, SmallVector<unsigned> &order,
                  const FragmentRegisters &registers, MemoryOrder &memory,
                  int64_t above, int64_t maxLive);

} // namespace mlir::triton::gpu::intel

#endif // TRITON_INTEL_LIB_DIALECT_LLVMIR_TRANSFORMS_SCHEDULE_ADVANCELOADS_H
