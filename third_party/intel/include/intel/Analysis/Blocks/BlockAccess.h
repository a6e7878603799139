//===- BlockAccess.h - Can an access be a 2D block message? -----*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// Decides whether an access of a block satisfies the rules of the target's 2D
// block messages, and gives the reason if it does not. No other code decides
// this. The answer is about memory only; BlockTile.h decides whether a message
// delivers the layout of the registers.
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_INTEL_ANALYSIS_BLOCKS_BLOCKACCESS_H
#define TRITON_INTEL_ANALYSIS_BLOCKS_BLOCKACCESS_H

#include "intel/Analysis/Blocks/SurfaceRules.h"
#include "intel/Analysis/Symbolic/LaunchCondition.h"
#include "intel/Dialect/TritonIntelGPU/IR/Dialect.h"
#include "triton/Analysis/ValueSources.h"
#include "triton/Dialect/Triton/IR/Dialect.h"

#include <string>

namespace mlir::triton::gpu::intel {

/// The reason why an access is no 2D block message. Remarks show its name.
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
  GatheredColumns,
  NanPadding,
  Volatile,
  Masked,
  Layout,
  SurfaceSize,
  NegativeOffset,
  SurfaceUnknown,
  SurfaceRefused,
};

/// Returns the name of an obstacle in remarks, e.g. "pitch-alignment".
StringRef stringify(BlockAccessObstacle obstacle);

/// The access that is analyzed.
struct BlockAccessQuery {
  Operation *op = nullptr;
  RankedTensorType block;
  bool isStore = false, isPrefetch = false, isVolatile = false;
  /// The dimensions in which elements may lie outside of the tensor, and what
  /// these read as.
  SmallVector<int32_t> boundaryCheck;
  std::optional<PaddingOption> padding;
  /// See BlockAccessOpInterface.
  Value rows, mask;
  SmallVector<Value> pages;
  unsigned pageDim = 0;
  /// The shape of each message, if the author of the kernel has stated it.
  std::optional<BlockMessageShape> stated;
  /// The tensor; null if it is not known.
  SurfaceOp surface;
  /// The offsets of the block in the tensor.
  SmallVector<Value> offsets;
  /// The results of the access, or of another one that it is to replace.
  SmallVector<Value> loaded;

  explicit BlockAccessQuery(BlockAccessOpInterface op);
};

/// The result of the analysis of one access.
struct BlockAccess {
  BlockAccessObstacle obstacle = BlockAccessObstacle::None;
  /// Text for remarks: the obstacle with the numbers of this access.
  std::string reason;
  /// This is true if memory is contiguous along the second last dimension
  /// instead of the last one.
  bool isColumnMajor = false;
  /// This is true if the block may begin before the rows of a surface
  /// whose base had to be rounded down. Such a message would access memory
  /// before the base. No message does so in part.
  bool mayPrecedeRows = false;
  /// This is true if the launch does not know the number of rows. It may be
  /// zero, or more than a surface can have.
  bool hasUnknownRows = false;
  /// The answer is for launches that satisfy this.
  LaunchCondition condition;
  /// This is true if the only obstacle is that sizes or the address of the
  /// tensor are not known before the kernel runs.
  bool isSurfaceUnknown = false;

  explicit operator bool() const {
    return obstacle == BlockAccessObstacle::None;
  }
};

/// Analyzes what no number of a launch changes: the operation, the order of its
/// tensor, and the dots that use what it loads.
BlockAccess analyzeBlockForm(const BlockAccessQuery &query,
                             ValueSources &sources);

/// Analyzes an access. `sources` knows where addresses, extents and offsets
/// come from.
BlockAccess analyzeBlockAccess(const BlockAccessQuery &query,
                               ValueSources &sources);
inline BlockAccess analyzeBlockAccess(BlockAccessOpInterface op,
                                      ValueSources &sources) {
  return analyzeBlockAccess(BlockAccessQuery(op), sources);
}

/// Returns the dimension in which the memory of a tensor with these strides is
/// contiguous: the last one with a stride of 1. The stride of a dimension of
/// extent 1 does not matter.
std::optional<unsigned> getContiguousDim(ValueRange strides);

} // namespace mlir::triton::gpu::intel

#endif // TRITON_INTEL_ANALYSIS_BLOCKS_BLOCKACCESS_H
