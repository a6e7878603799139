//===- BlockTile.h - Tiles of 2D block messages -----------------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// Which 2D block messages move a block between memory and the registers of a
// layout? A message hands out a stream of bytes to lanes and registers, which
// makes it a linear layout of its own: (register, lane) -> (row, column). It
// serves a tensor if the lanes agree and its registers are among those of the
// tensor's layout; the registers that are left over say where further messages
// go. Nothing in the planning knows encodings.
//
//===----------------------------------------------------------------------===//

#ifndef INTEL_ANALYSIS_BLOCKTILE_H
#define INTEL_ANALYSIS_BLOCKTILE_H

#include "intel/Target/KnownTargets.h"
#include "mlir/Support/LLVM.h"
#include "triton/Dialect/Triton/IR/Dialect.h"
#include "triton/Tools/LinearLayout.h"

#include <string>

namespace mlir::triton::gpu::intel {

/// In what order a message hands out its tile.
enum class BlockTileMode {
  /// Row by row.
  Plain,
  /// Groups of rows as high as 32 bits hold elements: a lane gets such a piece
  /// of a column as one value ("VNNI", OpenCL's "transform"). Loads only.
  Vnni,
  /// Column by column. Loads of 32-bit elements only.
  Transposed,
  /// The same in two messages, one for rows with even numbers and one for those
  /// with odd ones: a lane gets two neighbours of a column. To the messages two
  /// rows of memory are one, in which those with odd numbers begin a pitch
  /// later.
  TransposedPairs,
};

/// One 2D block message, or two (TransposedPairs). Sizes are in elements of the
/// message, which may be wider than those of the tensor: then one holds several
/// neighbours of a row.
struct BlockTile {
  BlockTileMode mode = BlockTileMode::Plain;
  unsigned elementBits = 0;
  /// Columns and rows of a block in memory.
  unsigned width = 0;
  unsigned height = 0;
  /// Blocks side by side.
  unsigned numBlocks = 1;

  /// Bits of one value that a lane gets.
  unsigned getValueBits() const {
    return mode == BlockTileMode::Vnni ? 32 : elementBits;
  }
  unsigned getBytes() const {
    return width * height * numBlocks * elementBits / 8;
  }
  unsigned getNumMessages() const {
    return mode == BlockTileMode::TransposedPairs ? 2 : 1;
  }
  /// Rows of one message.
  unsigned getMessageRows() const { return height / getNumMessages(); }
  bool isTransposed() const {
    return mode == BlockTileMode::Transposed ||
           mode == BlockTileMode::TransposedPairs;
  }
};

/// What a plan is asked for.
struct BlockTileRequest {
  bool isStore = false;
  /// Width of the tensor's elements.
  unsigned elementBits = 0;
  /// Memory is contiguous along the second last dimension, not the last one.
  bool isColumnMajor = false;
  /// Prefer values that hold several rows, which the right operand of DPAS is
  /// made of.
  bool prefersVnni = false;
  /// At most so many rows and blocks in a message; 0 for no limit.
  unsigned maxRows = 0;
  unsigned maxBlocks = 0;
  /// At most so many bytes, in whole matrices of DPAS with so many rows in
  /// memory; 0 for no limit.
  unsigned maxBytes = 0;
  unsigned matrixRows = 0;
};

/// How a tensor moves: equal messages at different places.
struct BlockTilePlan {
  BlockTile tile;
  /// Tensor dimensions that are the rows and columns of memory.
  unsigned rowDim = 0;
  unsigned columnDim = 0;
  /// Tensor elements that a lane gets from one message.
  unsigned elementsPerLane = 0;
  /// Per message, the register that holds the first element of its tile: the
  /// place of the tile is where the layout puts lane 0 of this register.
  SmallVector<unsigned> origins;
  /// Per register, the element that it holds, counted through all messages
  /// (`elementsPerLane` each) in the order in which a lane gets them.
  SmallVector<unsigned> sources;

  /// The reverse: the register behind every element. Of copies, the first one.
  SmallVector<unsigned> getRegisters() const;
};

/// The fewest messages of the target that move a tensor of this layout, or why
/// there are none. Rows and columns are the last two dimensions of the layout.
FailureOr<BlockTilePlan> planBlockAccess(const LinearLayout &layout,
                                         const BlockTileRequest &request,
                                         const TargetDesc &target,
                                         std::string *reason = nullptr);

/// How a block is fetched into the cache: the sub-groups share the work,
/// whatever layout its registers will have. No message has more than `maxRows`
/// rows of memory, if that is not 0.
struct BlockPrefetchPlan {
  BlockTile tile;
  unsigned rowDim = 0;
  unsigned columnDim = 0;
  /// (register, warp) -> first element of a tile, one message per register.
  LinearLayout origins;
};

BlockPrefetchPlan planBlockPrefetch(ArrayRef<int64_t> shape,
                                    unsigned elementBits, bool isColumnMajor,
                                    unsigned numWarps, const TargetDesc &target,
                                    int64_t maxRows = 0);

/// How many rows of the block of `op` are in one page; 0 if it is in one piece.
int64_t getBlockPageSize(BlockAccessOpInterface op);

/// What the lowering of `op`, a load or store through a block pointer, asks
/// for if the block has this layout; by default that which it has.
BlockTileRequest getBlockTileRequest(BlockAccessOpInterface op,
                                     bool isColumnMajor, Attribute layout = {});

/// Whether memory is contiguous along the second last dimension, not the last
/// one, by what `op` is marked with (`ttig.block_io`). Fails, with a diagnostic
/// on `op`, if it is not marked as a 2D block access.
FailureOr<bool> isMarkedColumnMajor(BlockAccessOpInterface op);

/// The messages of `op`, a load or store through a block pointer, as the
/// lowering emits them. Fails, with a diagnostic on `op`, if no message does
/// what it asks for: an access without a mark or a layout, with a mask, or with
/// NaN outside of the tensor.
FailureOr<BlockTilePlan> getBlockTilePlan(BlockAccessOpInterface op);

/// Whether the lowering finds messages for `op`, a load, store or prefetch
/// through a block pointer whose pointee has a layout.
bool hasBlockTile(BlockAccessOpInterface op, bool isColumnMajor,
                  std::string *reason = nullptr);

} // namespace mlir::triton::gpu::intel

#endif // INTEL_ANALYSIS_BLOCKTILE_H
