//===- BlockAccess.h - Can an access be a 2D block message? -----*- C++ -*-===//
//
// The one place that decides whether a load, store or prefetch through a block
// pointer satisfies the rules of the 2D block messages of the target, and that
// says why not. The answer is about memory only; whether the layout of the
// registers fits a message is the question of BlockTile.h.
//
//===----------------------------------------------------------------------===//

#ifndef INTEL_ANALYSIS_BLOCKACCESS_H
#define INTEL_ANALYSIS_BLOCKACCESS_H

#include "mlir/IR/Value.h"
#include "triton/Analysis/AxisInfo.h"
#include "triton/Dialect/Triton/IR/Dialect.h"

#include "llvm/ADT/SetVector.h"

#include <string>

namespace mlir::triton::gpu::intel {

/// Why an access cannot be a 2D block message. Tools count these, so new
/// reasons are added at the end.
enum class BlockAccessObstacle {
  None,
  TargetHasNoBlockIO,
  UnknownOrigin,
  Rank,
  ElementWidth,
  NoUnitStride,
  UnitStrideNotInner,
  BaseAlignment,
  WidthAlignment,
  OffsetAlignment,
  UnknownPitch,
  PitchAlignment,
  ColumnMajorWidth,
  ColumnMajorStore,
  TransposedOperandA,
  NanPadding,
  Volatile,
  Masked,
  Layout,
  SurfaceSize,
  NegativeOffset,
};

/// Name of an obstacle for counting, e.g. "pitch-alignment".
StringRef stringify(BlockAccessObstacle obstacle);

/// The result of the analysis of one access.
struct BlockAccess {
  BlockAccessObstacle obstacle = BlockAccessObstacle::None;
  /// For the reader: the obstacle with the numbers of this access.
  std::string reason;
  /// Whether memory is contiguous along the second last dimension instead of
  /// the last one.
  bool isColumnMajor = false;
  /// Whether the block may begin in front of the rows of a surface whose base
  /// had to be rounded down. A message there would find what lies in front of
  /// the base; no message does so in part.
  bool mayPrecedeRows = false;

  explicit operator bool() const {
    return obstacle == BlockAccessObstacle::None;
  }
};

/// Where a block pointer comes from.
struct BlockPointerOrigin {
  /// The operations that make the pointer, and those that move it on the way.
  llvm::SetVector<MakeTensorPtrOp> makers;
  llvm::SetVector<AdvanceOp> advances;
  /// Every block pointer value on the way, `pointer` included.
  llvm::SetVector<Value> values;
  /// Whether nothing else (a function argument, a call) is involved.
  bool isComplete = true;
};

/// The block pointers that `pointer` is directly made from: the one that it
/// advances, what a branch yields, what a loop starts with and carries. False
/// if it is neither one of these nor made by `tt.make_tensor_ptr`.
bool getBlockPointerSources(Value pointer, SmallVectorImpl<Value> &sources);

/// Traces `pointer` back through `tt.advance`, loop-carried values and
/// branches.
BlockPointerOrigin traceBlockPointer(Value pointer);

/// Decides for `op`, whose pointer is a block pointer. What divides addresses,
/// extents and offsets is asked of `axisInfo`, an analysis of op's module as it
/// is.
BlockAccess analyzeBlockAccess(BlockAccessOpInterface op,
                               ModuleAxisInfoAnalysis &axisInfo);

/// Whether the signed integer `value` is proved to be zero or more, provided
/// that its arithmetic does not overflow.
bool isKnownNonNegative(Value value);

} // namespace mlir::triton::gpu::intel

#endif // INTEL_ANALYSIS_BLOCKACCESS_H
