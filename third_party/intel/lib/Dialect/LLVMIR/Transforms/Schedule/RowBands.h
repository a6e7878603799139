//===- RowBands.h - Some rows of a loop's tiles at a time -------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// The rows of attention do not need each other: scores, weights and sums of
// some rows can be computed before the others begin, so that only the scores of
// those rows are live at the same time. Each band of rows loads the blocks that
// all of them use, such as keys and values, by itself.
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_INTEL_LIB_DIALECT_LLVMIR_TRANSFORMS_SCHEDULE_ROWBANDS_H
#define TRITON_INTEL_LIB_DIALECT_LLVMIR_TRANSFORMS_SCHEDULE_ROWBANDS_H

#include "intel/Analysis/Registers/FragmentRegisters.h"
#include "intel/Dialect/TritonIntelGPU/IR/Dialect.h"

namespace mlir::triton::gpu::intel {

/// The operations of a block that need results of the systolic array, by bands
/// that do not need each other, and all others.
struct RowBands {
  SmallVector<SmallVector<Operation *>> bands;
  SmallVector<Operation *> others;
  /// Messages of the block whose results several bands use as they are.
  SmallVector<BlockLoadOp> shared;
};

/// Returns `count` bands of a block; none if it has fewer, if no message is
/// shared, if an operation has effects that depend on the order, or if no two
/// bands have values at the operation at `position` of `order` that end in the
/// block.
std::optional<RowBands> findRowBands(const BlockLiveness &liveness,
                                     ArrayRef<unsigned> order, size_t position,
                                     unsigned count);

/// Orders the block by bands, and lets each but the first use separate
/// messages.
void separate(const RowBands &bands, FragmentRegisters &registers);

} // namespace mlir::triton::gpu::intel

#endif // TRITON_INTEL_LIB_DIALECT_LLVMIR_TRANSFORMS_SCHEDULE_ROWBANDS_H
