//===- SplitLoads.h - Smaller messages where too much is live ---*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// The largest message costs the least per byte, but all of its result is live
// until its last part has been used. Where more is live than the registers have
// room for, a message can be split in two: half of its rows each, or half of
// its blocks. The halves are loaded where they are used.
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_INTEL_LIB_DIALECT_LLVMIR_TRANSFORMS_SCHEDULE_SPLITLOADS_H
#define TRITON_INTEL_LIB_DIALECT_LLVMIR_TRANSFORMS_SCHEDULE_SPLITLOADS_H

#include "intel/Analysis/Registers/FragmentRegisters.h"
#include "intel/Dialect/TritonIntelGPU/IR/Dialect.h"

namespace mlir::triton::gpu::intel {

/// How a message is split.
struct LoadSplit {
  BlockLoadOp load;
  /// Each half has half of the rows if this is true, otherwise half of the
  /// blocks.
  bool byRows;
};

/// Returns the last ones of the largest messages of a block of which one half
/// need not be live at some operation where more than `maxLive` bytes are, with
/// the way to split each: only those that have to be split in any case. `order`
/// has the numbers of the operations, and `pressure` the bytes that are live at
/// each of them.
SmallVector<LoadSplit> findSplits(const BlockLiveness &liveness,
                                  ArrayRef<unsigned> order,
                                  ArrayRef<int64_t> pressure, int64_t maxLive);

/// Replaces a message by two at its place.
void splitLoad(const LoadSplit &split, FragmentRegisters &registers);

/// Replaces a message of which only some rows or blocks are used by one that
/// brings no others, if there is one.
void narrowLoad(BlockLoadOp load, FragmentRegisters &registers);

} // namespace mlir::triton::gpu::intel

#endif // TRITON_INTEL_LIB_DIALECT_LLVMIR_TRANSFORMS_SCHEDULE_SPLITLOADS_H
