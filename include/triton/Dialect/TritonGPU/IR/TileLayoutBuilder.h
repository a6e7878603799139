//===- TileLayoutBuilder.h - Distributed layouts, bit by bit ----*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// Every distributed encoding describes a tile: hardware bits take steps through
// the tensor, each one continuing where the last one along the same dimension
// stopped. The calls of this builder are such steps, and their order defines
// the encoding.
//
//   TileLayoutBuilder tile(/*rank=*/2);
//   tile.append(LayoutDim::Register, 1, 4)  // 4 neighbours of a row,
//       .append(LayoutDim::Lane, 1, 8)      // eight lanes further along it,
//       .append(LayoutDim::Lane, 0, 2)      // and two rows of these.
//       .repeat({64, 64}, {1, 0});          // Registers cover what is left.
//   LinearLayout layout = tile.build({64, 64});
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_DIALECT_TRITONGPU_IR_TILELAYOUTBUILDER_H
#define TRITON_DIALECT_TRITONGPU_IR_TILELAYOUTBUILDER_H

#include "mlir/Support/LLVM.h"
#include "triton/Tools/LinearLayout.h"

namespace mlir::triton::gpu {

class TileLayoutBuilder {
public:
  /// An empty tile (one element) of this rank.
  explicit TileLayoutBuilder(unsigned rank);
  /// A tile that starts as `layout`, from (register, lane, warp, block).
  explicit TileLayoutBuilder(const LinearLayout &layout);

  /// The next log2(size) bits of `in` walk on along dimension `dim`.
  TileLayoutBuilder &append(LayoutDim in, unsigned dim, int64_t size);
  /// Appends log2(size) bits of `in` that hold copies.
  TileLayoutBuilder &broadcast(LayoutDim in, int64_t size);
  /// Repeats the tile in registers along `dim` until it has `size` there.
  TileLayoutBuilder &repeat(unsigned dim, int64_t size);
  /// Repeats the tile along all dimensions, in this order.
  TileLayoutBuilder &repeat(ArrayRef<int64_t> shape, ArrayRef<unsigned> order);

  /// Returns the tile's size along a dimension.
  int64_t getExtent(unsigned dim) const { return extents[dim]; }

  /// Returns the layout of a tensor of this shape. Bits that would leave it
  /// hold copies; with `dropRegisters` such bits of registers vanish instead.
  LinearLayout build(ArrayRef<int64_t> shape, bool dropRegisters = false) const;

private:
  LinearLayout::Bases &basesOf(LayoutDim in);

  /// The bases for register, lane, warp and block.
  LinearLayout::BasesMap bases;
  SmallVector<int64_t> extents;
};

} // namespace mlir::triton::gpu

#endif // TRITON_DIALECT_TRITONGPU_IR_TILELAYOUTBUILDER_H
