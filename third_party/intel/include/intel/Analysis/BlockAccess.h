//===- BlockAccess.h - Can an access be a 2D block message? -----*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// The one place that decides whether a load, store or prefetch through a block
// pointer satisfies the rules of the 2D block messages of the target, and that
// says why not. The answer is about memory only; whether the layout of the
// registers fits a message is the question of BlockTile.h.
//
//===----------------------------------------------------------------------===//

#ifndef INTEL_ANALYSIS_BLOCKACCESS_H
#define INTEL_ANALYSIS_BLOCKACCESS_H

#include "intel/Analysis/LaunchCondition.h"
#include "intel/Analysis/NonNegative.h"
#include "triton/Analysis/AxisInfo.h"
#include "triton/Dialect/Triton/IR/Dialect.h"

#include <string>

namespace mlir::triton::gpu::intel {

/// Why an access is no 2D block message. Remarks carry their names.
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
  PickedColumns,
  NanPadding,
  Volatile,
  Masked,
  Layout,
  SurfaceSize,
  NegativeOffset,
  SurfaceUnknown,
  SurfaceRefused,
  OtherAccess,
  RewriteAll,
};

/// Name of an obstacle in remarks, e.g. "pitch-alignment".
StringRef stringify(BlockAccessObstacle obstacle);

/// What the launch has to say about the surface behind one block pointer.
struct SurfaceCondition {
  MakeTensorPtrOp maker;
  LaunchCondition condition;
};

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
  /// Whether the number of rows is nothing that a launch knows. There may be
  /// none, or more than a surface has.
  bool hasUnknownRows = false;
  /// What the answer depends on: surfaces that are legal under a condition.
  SmallVector<SurfaceCondition, 1> conditions;
  /// Nothing is in the way but that sizes or addresses of these tensors are not
  /// known before the kernel runs.
  SmallVector<MakeTensorPtrOp, 1> unknownSurfaces;

  explicit operator bool() const {
    return obstacle == BlockAccessObstacle::None;
  }
};

/// Decides for `op`, whose pointer is a block pointer. What divides addresses,
/// extents and offsets is asked of `axisInfo`, an analysis of op's module as it
/// is, and where they come from of `sources`.
BlockAccess analyzeBlockAccess(BlockAccessOpInterface op,
                               ModuleAxisInfoAnalysis &axisInfo,
                               ValueSources &sources);

/// The dimension in which the memory behind `maker` is contiguous; the last one
/// that has a stride of 1. A dimension of extent 1 has no stride to speak of.
std::optional<unsigned> getContiguousDim(MakeTensorPtrOp maker);

} // namespace mlir::triton::gpu::intel

#endif // INTEL_ANALYSIS_BLOCKACCESS_H
