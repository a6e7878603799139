//===- TileLayoutBuilder.cpp - Distributed layouts, bit by bit ------------===//
// SPDX-License-Identifier: MIT
//
// Implements the walk of hardware bits through a tensor. See the header.
//
//===----------------------------------------------------------------------===//

#include "triton/Dialect/TritonGPU/IR/TileLayoutBuilder.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace mlir::triton;
using namespace mlir::triton::gpu;

/// All hardware dimensions, without any bits yet.
TileLayoutBuilder::TileLayoutBuilder(unsigned rank) : extents(rank, 1) {
  for (LayoutDim in : {LayoutDim::Register, LayoutDim::Lane, LayoutDim::Warp,
                       LayoutDim::Block})
    bases.push_back({in, {}});
}

/// Starts from a layout, to be appended to.
TileLayoutBuilder::TileLayoutBuilder(const LinearLayout &layout)
    : bases(layout.getBases()) {
  for (auto [dim, size] : layout.getOutDimSizes())
    extents.push_back(size);
}

/// Returns the bases of one hardware dimension.
LinearLayout::Bases &TileLayoutBuilder::basesOf(LayoutDim in) {
  auto it =
      llvm::find_if(bases, [&](auto &entry) { return entry.first == in; });
  assert(it != bases.end() && "not a dimension of a distributed layout");
  return it->second;
}

TileLayoutBuilder &TileLayoutBuilder::append(LayoutDim in, unsigned dim,
                                             int64_t size) {
  // Each bit of `in` steps as far as all bits along the dimension have reached
  // so far.
  LinearLayout::Bases &list = basesOf(in);
  for (int64_t step = 1; step < size; step *= 2) {
    list.emplace_back(extents.size(), 0);
    list.back()[dim] = extents[dim];
    extents[dim] *= 2;
  }
  return *this;
}

/// Bits that move nowhere: copies.
TileLayoutBuilder &TileLayoutBuilder::broadcast(LayoutDim in, int64_t size) {
  LinearLayout::Bases &list = basesOf(in);
  for (int64_t step = 1; step < size; step *= 2)
    list.emplace_back(extents.size(), 0);
  return *this;
}

/// Repeats the tile in registers where it does not cover the tensor.
TileLayoutBuilder &TileLayoutBuilder::repeat(unsigned dim, int64_t size) {
  if (size > extents[dim])
    append(LayoutDim::Register, dim, size / extents[dim]);
  return *this;
}

TileLayoutBuilder &TileLayoutBuilder::repeat(ArrayRef<int64_t> shape,
                                             ArrayRef<unsigned> order) {
  for (unsigned dim : order)
    repeat(dim, shape[dim]);
  return *this;
}

LinearLayout TileLayoutBuilder::build(ArrayRef<int64_t> shape,
                                      bool dropRegisters) const {
  LinearLayout::Sizes sizes;
  for (auto [i, size] : llvm::enumerate(shape))
    sizes.push_back({tensorDim(i), static_cast<int32_t>(size)});

  LinearLayout::BasesMap result = bases;
  // Places beyond the tensor wrap around: such bits move nowhere.
  for (auto &[in, list] : result) {
    LinearLayout::Bases kept;
    for (auto &basis : list) {
      bool leaves = false;
      for (auto [coordinate, size] : llvm::zip_equal(basis, shape)) {
        if (coordinate < size)
          continue;
        coordinate = 0;
        leaves = true;
      }
      // Registers that hold nothing new are left out, if wanted.
      if (leaves && dropRegisters && in == LayoutDim::Register)
        continue;
      kept.push_back(basis);
    }
    list = std::move(kept);
  }
  return LinearLayout(std::move(result), std::move(sizes));
}
