//===- BlockPointerOrigin.h - Where a block pointer comes from --*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// Block pointers flow through advances, loops, branches and calls. What holds
// for an access depends on every operation that may have made its pointer, and
// on every step on the way.
//
//===----------------------------------------------------------------------===//

#ifndef INTEL_ANALYSIS_BLOCKPOINTERORIGIN_H
#define INTEL_ANALYSIS_BLOCKPOINTERORIGIN_H

#include "triton/Analysis/ValueSources.h"
#include "triton/Dialect/Triton/IR/Dialect.h"

#include "llvm/ADT/SetVector.h"

namespace mlir::triton::gpu::intel {

/// Where a block pointer comes from.
struct BlockPointerOrigin {
  /// The operations that make the pointer, and those that move it on the way.
  llvm::SetVector<MakeTensorPtrOp> makers;
  llvm::SetVector<AdvanceOp> advances;
  /// Every block pointer value on the way, `pointer` included.
  llvm::SetVector<Value> values;
  /// Whether nothing else (an argument of a kernel) is involved.
  bool isComplete = true;
};

/// The block pointers that `pointer` is directly made from: the one that it
/// advances, or those of which it is one. False if it is none of these nor made
/// by `tt.make_tensor_ptr`.
bool getBlockPointerSources(Value pointer, ValueSources &sources,
                            SmallVectorImpl<Value> &found);

/// Traces `pointer` back through `tt.advance` and whatever hands it on.
BlockPointerOrigin traceBlockPointer(Value pointer, ValueSources &sources);

} // namespace mlir::triton::gpu::intel

#endif // INTEL_ANALYSIS_BLOCKPOINTERORIGIN_H
