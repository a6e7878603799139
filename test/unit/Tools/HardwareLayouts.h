//===- HardwareLayouts.h - Realistic layouts for unit tests -----*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// Blocked, slice and DPAS layouts, built here a second time, bit by bit from
// their definition and without the dialects, for tests of layout algorithms.
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_TEST_UNIT_TOOLS_HARDWARELAYOUTS_H
#define TRITON_TEST_UNIT_TOOLS_HARDWARELAYOUTS_H

#include "triton/Tools/LinearLayout.h"

#include "llvm/ADT/STLExtras.h"

#include <vector>

namespace mlir::triton::test {

using Shape = std::vector<int32_t>;

/// Grows a tile bit by bit; bases that leave the tensor become zero.
class TileBuilder {
public:
  explicit TileBuilder(Shape shape)
      : shape(std::move(shape)), size(this->shape.size(), 1),
        bases({{LayoutDim::Register, {}},
               {LayoutDim::Lane, {}},
               {LayoutDim::Warp, {}}}) {}

  /// `count` resources of kind `in` along tensor dimension `dim`.
  TileBuilder &add(LayoutDim in, unsigned dim, int32_t count) {
    for (int32_t i = 1; i < count; i *= 2) {
      append(in, dim, size[dim] < shape[dim] ? size[dim] : 0);
      size[dim] *= 2;
    }
    return *this;
  }

  /// `count` resources that hold copies.
  TileBuilder &broadcast(LayoutDim in, int32_t count) {
    for (int32_t i = 1; i < count; i *= 2)
      append(in, 0, 0);
    return *this;
  }

  /// Registers along `dim` until the tensor is covered.
  TileBuilder &cover(unsigned dim) {
    return add(LayoutDim::Register, dim,
               std::max(1, shape[dim] / std::min(size[dim], shape[dim])));
  }

  LinearLayout get() const {
    LinearLayout::Sizes sizes;
    for (unsigned i = 0; i < shape.size(); ++i)
      sizes.push_back({tensorDim(i), shape[i]});
    return LinearLayout(bases, sizes);
  }

private:
  void append(LayoutDim in, unsigned dim, int32_t value) {
    llvm::SmallVector<int32_t> basis(shape.size(), 0);
    basis[dim] = value;
    for (auto &[inDim, inBases] : bases)
      if (inDim == in)
        inBases.push_back(basis);
  }

  Shape shape, size;
  LinearLayout::BasesMap bases;
};

inline LinearLayout blocked(const Shape &shape, const Shape &sizePerThread,
                            const Shape &threadsPerWarp,
                            const Shape &warpsPerCTA, const Shape &order) {
  TileBuilder tile(shape);
  for (int32_t dim : order)
    tile.add(LayoutDim::Register, dim, sizePerThread[dim]);
  for (int32_t dim : order)
    tile.add(LayoutDim::Lane, dim, threadsPerWarp[dim]);
  for (int32_t dim : order)
    tile.add(LayoutDim::Warp, dim, warpsPerCTA[dim]);
  for (int32_t dim : order)
    tile.cover(dim);
  return tile.get();
}

/// The parent is a layout of the tensor with size 1 along `dim`.
inline LinearLayout slice(const LinearLayout &parent, unsigned dim) {
  llvm::SmallVector<LayoutDim> outs = parent.getOutDims();
  llvm::erase(outs, tensorDim(dim));
  LinearLayout rest = parent.sublayout(parent.getInDims(), outs)
                          .removeZeroBasesAlongDim(LayoutDim::Register);
  // The dimensions after `dim` move up.
  LinearLayout::Sizes sizes = rest.getOutDimSizes();
  for (unsigned i = dim; i < sizes.size(); ++i)
    sizes[i].first = tensorDim(i);
  return LinearLayout(rest.getBases(), sizes);
}

/// A DPAS of 8x16 results on 16 lanes; K is 8 values per operand channel.
struct Dpas {
  int32_t opsPerChan;
  Shape warps, repCluster;

  LinearLayout c(const Shape &shape) const {
    return TileBuilder(shape)
        .add(LayoutDim::Register, 0, 8)
        .add(LayoutDim::Lane, 1, 16)
        .add(LayoutDim::Register, 1, repCluster[1])
        .add(LayoutDim::Register, 0, repCluster[0])
        .add(LayoutDim::Warp, 1, warps[1])
        .add(LayoutDim::Warp, 0, warps[0])
        .cover(1)
        .cover(0)
        .get();
  }

  LinearLayout a(const Shape &shape) const {
    TileBuilder tile(shape);
    int32_t packed = opsPerChan == 4 ? 2 : 1;
    int32_t channels = 8 * opsPerChan / packed;
    int32_t rows = std::max(1, 16 / channels);
    // Rows are lanes first, then registers; with fewer than 16 channels the
    // lanes take the low rows, which the definition lists after the registers.
    tile.add(LayoutDim::Register, 1, packed);
    tile.add(LayoutDim::Lane, 1, std::min(channels, 16));
    tile.add(LayoutDim::Lane, 0, rows);
    tile.add(LayoutDim::Register, 0, 8 / rows);
    tile.add(LayoutDim::Register, 0, repCluster[0]);
    tile.broadcast(LayoutDim::Warp, warps[1]);
    tile.add(LayoutDim::Warp, 0, warps[0]);
    return tile.cover(1).cover(0).get();
  }

  LinearLayout b(const Shape &shape) const {
    return TileBuilder(shape)
        .add(LayoutDim::Register, 0, 8 * opsPerChan)
        .add(LayoutDim::Lane, 1, 16)
        .add(LayoutDim::Register, 1, repCluster[1])
        .add(LayoutDim::Warp, 1, warps[1])
        .broadcast(LayoutDim::Warp, warps[0])
        .cover(0)
        .cover(1)
        .get();
  }
};

} // namespace mlir::triton::test

#endif // TRITON_TEST_UNIT_TOOLS_HARDWARELAYOUTS_H
