//===- BlockTile.h - Tiles of 2D block messages -----------------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// Finds the 2D block messages that move a block between memory and the
// registers of a layout. A message distributes its bytes to lanes and
// registers, so it is a linear layout itself: (register, lane) -> (row,
// column). It delivers a part of a tensor's layout if the lanes agree, and if
// its registers are among those of that layout. The other registers of the
// layout determine the positions of further messages. No encodings are
// inspected.
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_INTEL_ANALYSIS_BLOCKS_BLOCKTILE_H
#define TRITON_INTEL_ANALYSIS_BLOCKS_BLOCKTILE_H

#include "intel/Analysis/Blocks/BlockAccess.h"
#include "intel/Dialect/TritonIntelGPU/IR/Dialect.h"
#include "intel/Target/KnownTargets.h"
#include "mlir/Support/LLVM.h"
#include "triton/Dialect/Triton/IR/Dialect.h"
#include "triton/Tools/LinearLayout.h"

#include <string>

namespace mlir::triton::gpu::intel {

// The modes of messages (`BlockTileMode`):
// - Plain: row by row.
// - Vnni: groups of rows, one for each element that fits in 32 bits: a lane
//   gets such a piece of a column as one value (OpenCL's "transform"). Loads
//   only.
// - Transposed: column by column. Loads of 32-bit elements only.
// - TransposedPairs: two such messages, one for even and one for odd rows: a
//   lane gets two neighbours of a column. The messages treat two rows of memory
//   as one, in which the odd row begins one pitch later.

/// One 2D block message, or two (TransposedPairs). Sizes are in elements of the
/// message. These may be wider than the tensor's elements: one of them then
/// holds several neighbours of a row.
struct BlockTile {
  BlockTileMode mode = BlockTileMode::Plain;
  unsigned elementBits = 0;
  /// Columns and rows of a block in memory.
  unsigned width = 0;
  unsigned height = 0;
  /// Blocks side by side.
  unsigned numBlocks = 1;

  /// Returns the number of bits of one value that a lane gets.
  unsigned getValueBits() const {
    return mode == BlockTileMode::Vnni ? 32 : elementBits;
  }
  unsigned getBytes() const {
    return width * height * numBlocks * elementBits / 8;
  }
  unsigned getNumMessages() const {
    return mode == BlockTileMode::TransposedPairs ? 2 : 1;
  }
  /// Returns the number of rows of one message.
  unsigned getMessageRows() const { return height / getNumMessages(); }
  bool isTransposed() const {
    return mode == BlockTileMode::Transposed ||
           mode == BlockTileMode::TransposedPairs;
  }
};

/// The input of a plan.
struct BlockTileRequest {
  bool isStore = false;
  /// Width of the tensor's elements.
  unsigned elementBits = 0;
  /// Memory is contiguous along the second last dimension, not the last one.
  bool isColumnMajor = false;
  /// Prefer values that hold several rows, as the right operand of DPAS has
  /// them.
  bool prefersVnni = false;
  /// The most rows in a message; 0 for no limit.
  unsigned maxRows = 0;
  /// The shape of each message, if the author of the kernel has stated it.
  std::optional<BlockMessageShape> stated;
};

/// A plan to move a tensor: equal messages at different positions.
struct BlockTilePlan {
  BlockTile tile;
  /// Tensor dimensions that are the rows and columns of memory.
  unsigned rowDim = 0;
  unsigned columnDim = 0;
  /// Tensor elements that a lane gets from one message.
  unsigned elementsPerLane = 0;
  /// Per message, the register that holds the first element of its tile. The
  /// layout maps lane 0 of this register to the position of the tile.
  SmallVector<unsigned> origins;
  /// Per register, the element that it holds. Elements are numbered across all
  /// messages (`elementsPerLane` each), in the order in which a lane gets them.
  SmallVector<unsigned> sources;

  /// The reverse: the register that holds each element. Of copies, the first
  /// one.
  SmallVector<unsigned> getRegisters() const;
};

/// Returns the plan with the fewest messages of the target that move a tensor
/// of this layout, or the reason why there is none. Rows and columns are the
/// last two dimensions of the layout.
FailureOr<BlockTilePlan> planBlockAccess(const LinearLayout &layout,
                                         const BlockTileRequest &request,
                                         const TargetDesc &target,
                                         std::string *reason = nullptr);

/// Returns the tile of the messages that fetch a block into the cache:
/// `numWarps` sub-groups share them, independently of the layout of the block.
/// Unless `maxRows` is 0, no message has more rows of memory than that.
BlockTile choosePrefetchTile(ArrayRef<int64_t> shape, unsigned elementBits,
                             bool isColumnMajor, unsigned numWarps,
                             const BlockIOLimits &limits, int64_t maxRows = 0);

/// A plan to fetch a block into the cache.
struct BlockPrefetchPlan {
  BlockTile tile;
  unsigned rowDim = 0;
  unsigned columnDim = 0;
  /// (register, warp) -> first element of a tile, one message per register.
  LinearLayout origins;
};

/// Distributes the tiles of a block among `numWarps` sub-groups.
BlockPrefetchPlan planBlockPrefetch(ArrayRef<int64_t> shape,
                                    unsigned elementBits, bool isColumnMajor,
                                    unsigned numWarps, const BlockTile &tile);

/// Returns the number of rows of the block in each page; 0 without pages.
int64_t getBlockPageSize(const BlockAccessQuery &query);

/// Returns the input of the plan for a load or store whose block has this
/// layout; by default its own.
BlockTileRequest getBlockTileRequest(const BlockAccessQuery &query,
                                     bool isColumnMajor, Attribute layout = {});

/// Returns the messages of the target for an access: those that move a block of
/// its layout or, for a prefetch, those that fetch the block. Fails, with the
/// reason, if there are none. If there are none of a stated shape, the reason
/// lists those that are possible.
FailureOr<MessagesAttr> chooseMessages(const BlockAccessQuery &query,
                                       bool isColumnMajor,
                                       std::string *reason = nullptr);

/// Returns the plan of a load or store by its `messages`, which
/// `tritonintelgpu-rewrite-tensor-pointer` has chosen. Fails, with a diagnostic
/// on `op`, if there are none, or if they are not messages of the target that
/// move a block of this layout.
FailureOr<BlockTilePlan> getBlockTilePlan(BlockAccessOpInterface op);

/// Returns the plan of a prefetch by its `messages`. Fails, with a diagnostic
/// on `op`, if there are none, or if the target does not have them.
FailureOr<BlockPrefetchPlan> getBlockPrefetchPlan(PrefetchBlockOp op);

} // namespace mlir::triton::gpu::intel

#endif // TRITON_INTEL_ANALYSIS_BLOCKS_BLOCKTILE_H
