//===- BlockPointerOrigin.h - Where a block pointer comes from --*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// Block pointers flow through advances, loops, branches and calls. The
// properties of an access depend on every operation that may have made its
// pointer, and on every advance in between.
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_INTEL_ANALYSIS_BLOCKS_BLOCKPOINTERORIGIN_H
#define TRITON_INTEL_ANALYSIS_BLOCKS_BLOCKPOINTERORIGIN_H

#include "triton/Analysis/ValueSources.h"
#include "triton/Dialect/Triton/IR/Dialect.h"

#include "llvm/ADT/SetVector.h"

namespace mlir::triton::gpu::intel {

/// The operations and values that a block pointer comes from.
struct BlockPointerOrigin {
  /// The operations that make the pointer, and those that advance it.
  llvm::SetVector<MakeTensorPtrOp> definitions;
  llvm::SetVector<AdvanceOp> advances;
  /// Every block pointer value in between, and `pointer` itself.
  llvm::SetVector<Value> values;
  /// This is true if these are all, and no argument of a kernel is involved.
  bool isComplete = true;
};

/// The block pointers that `pointer` directly comes from: the one that a
/// `tt.advance` moves, or those that control flow may pass to it. False if
/// `pointer` comes from another operation than these and `tt.make_tensor_ptr`.
bool getBlockPointerSources(Value pointer, ValueSources &sources,
                            SmallVectorImpl<Value> &found);

/// Traces `pointer` back through `tt.advance` and control flow.
BlockPointerOrigin traceBlockPointer(Value pointer, ValueSources &sources);

} // namespace mlir::triton::gpu::intel

#endif // TRITON_INTEL_ANALYSIS_BLOCKS_BLOCKPOINTERORIGIN_H
