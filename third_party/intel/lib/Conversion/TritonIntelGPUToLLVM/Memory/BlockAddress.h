//===- BlockAddress.h - Surfaces and places of 2D block messages *- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef TRITON_INTEL_LIB_CONVERSION_TRITONINTELGPUTOLLVM_MEMORY_BLOCKADDRESS_H
#define TRITON_INTEL_LIB_CONVERSION_TRITONINTELGPUTOLLVM_MEMORY_BLOCKADDRESS_H

#include "GatheredRows.h"
#include "LoweredSurface.h"
#include "intel/Analysis/Blocks/BlockTile.h"
#include "mlir/IR/PatternMatch.h"

#include <map>
#include <optional>

namespace mlir::triton::gpu::intel {

/// The address operands of a 2D block message.
struct BlockAddress {
  /// The surface: pointer, bytes per row, rows, and bytes from row to row.
  Value base, width, height, pitch;
  /// The tile's first element, in elements of the message and in rows.
  Value x, y;
};

/// The pages of a block that consists of several parts.
struct BlockPages {
  /// Pointers to the first rows of its parts; none if it is in one piece.
  SmallVector<Value> pointers;
  /// Rows of a part.
  int32_t numRows = 0;
};

/// Makes the addresses of the messages of one access.
///
/// The surface is the matrix in which the block lies: for a tensor of higher
/// rank one of many, chosen by the leading coordinates. Everything but the
/// block's own offsets is computed apart from them, so that it moves out of a
/// loop that advances the memory.
class BlockAddressBuilder {
public:
  /// `origins` maps (register, warp) to the place of a tile in the block. With
  /// `mayPrecedeRows` tiles at negative columns are out of range although the
  /// surface begins before the rows. With `hasUnknownRows`, the tensor may
  /// have more rows than a surface, or none. With `gathersRows`, every tile is
  /// a row that is passed to `getAddress`. With `pages`, no tile has rows of
  /// two.
  BlockAddressBuilder(RewriterBase &rewriter, Location loc,
                      const LoweredSurface &memory, const LinearLayout &origins,
                      const BlockTile &tile, unsigned rowDim,
                      unsigned columnDim, unsigned elementBits,
                      ArrayRef<int32_t> checkedDims,
                      const BlockIOLimits &limits, bool mayPrecedeRows,
                      bool hasUnknownRows, bool gathersRows, BlockPages pages);

  /// Returns the address of the tile at `origins(registerIndex, this
  /// sub-group)`, or in `row` if rows are gathered.
  BlockAddress getAddress(unsigned registerIndex,
                          const GatheredRow &gathered = {});

  /// Returns the address of every other row of a tile at `address`: of those
  /// that begin with the tile's first row (`second` 0), or of the others (1).
  /// The message treats two rows of memory as one.
  BlockAddress getEveryOtherRow(const BlockAddress &address, int32_t second);

private:
  struct Surface {
    Value base, width, height;
    /// Start of the rows after `base`, in elements of the message.
    Value skew;
    /// i1, whether the leading coordinates, or any row of the page, lie in the
    /// tensor; null if they do.
    Value exists;
  };

  Value constant(int32_t value);
  Value add(Value lhs, Value rhs);
  /// Returns `value`, a number of tensor elements along a row, in message
  /// elements.
  Value toMessageElements(Value value);
  /// Returns the sub-group's part of coordinate `dim` together with a
  /// register's.
  Value getCoordinate(unsigned dim, int32_t registerPart);
  const Surface &getSurface(ArrayRef<int32_t> place);
  Surface makeSurface(ArrayRef<int32_t> leading);
  Surface makePage(int32_t page);
  void placeBase(Surface &surface, Value base);
  Value selectPage(int32_t page, int32_t warpPages);
  Value countRowsOfBlock();
  Value getRowOfPage(int32_t registerPart);
  void countRows(int32_t maxRows);
  Value isInside(Value index, unsigned dim);
  void placeRow(BlockAddress &address, const GatheredRow &row);

  RewriterBase &rewriter;
  Location loc;
  LoweredSurface memory;
  LinearLayout origins;
  BlockTile tile;
  unsigned rowDim, columnDim, elementBits;
  ArrayRef<int32_t> checkedDims;
  const BlockIOLimits &limits;
  bool mayPrecedeRows;
  BlockPages pages;
  /// This is true if each row has a separate surface: numbers that may be any,
  /// or more rows than a surface has.
  bool hasSurfacePerRow;

  /// Per dimension: the sub-group's coordinate and the bits it may have.
  SmallVector<Value> warpPart;
  SmallVector<int32_t> warpBits;
  Value height, pitch;
  /// If rows are clamped: the number of rows of the tensor before the surface
  /// (i32).
  Value firstRow;
  /// The row of the surface at which the block begins (i32).
  Value row;
  /// For a block in pages, the number of its rows inside of the tensor (i32).
  Value rowsOfBlock;
  /// Surfaces by the register's part of leading coordinates, or of the page's
  /// number.
  std::map<SmallVector<int32_t>, Surface> surfaces;
};

} // namespace mlir::triton::gpu::intel

#endif // TRITON_INTEL_LIB_CONVERSION_TRITONINTELGPUTOLLVM_MEMORY_BLOCKADDRESS_H
