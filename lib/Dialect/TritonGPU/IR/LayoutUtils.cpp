//===- LayoutUtils.cpp - Questions that linear layouts answer -------------===//
// SPDX-License-Identifier: MIT
//
// Reads facts about a distribution off the bases of a layout.
//
//===----------------------------------------------------------------------===//

#include "triton/Dialect/TritonGPU/IR/LayoutUtils.h"

#include "triton/Dialect/Triton/IR/Traits.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallBitVector.h"
#include "llvm/ADT/SmallSet.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::triton;

/// The last dimension is the fastest.
SmallVector<unsigned> gpu::getRowMajorOrder(unsigned rank) {
  return llvm::to_vector(llvm::reverse(llvm::seq<unsigned>(0, rank)));
}

/// Returns dimensions in the order in which bases, lowest bit first, begin to
/// move.
SmallVector<unsigned> gpu::getOrderOfBases(const LinearLayout &layout,
                                           ArrayRef<LayoutDim> ins) {
  unsigned rank = layout.getNumOutDims();
  SmallVector<unsigned> order;
  llvm::SmallBitVector seen(rank);
  auto visit = [&](unsigned dim) {
    if (seen.test(dim))
      return;
    seen.set(dim);
    order.push_back(dim);
  };
  for (LayoutDim in : ins)
    for (ArrayRef<int32_t> basis : layout.getBases(in))
      // For a basis that moves along several dimensions, the last one counts
      // first.
      for (unsigned dim : llvm::reverse(llvm::seq<unsigned>(0, rank)))
        if (basis[dim] != 0)
          visit(dim);
  // Dimensions that nothing moves along, last.
  for (unsigned dim : getRowMajorOrder(rank))
    visit(dim);
  return order;
}

/// From the first element on, this number of elements lies side by side.
SmallVector<unsigned> gpu::getContiguityOfBases(const LinearLayout &layout,
                                                LayoutDim in) {
  SmallVector<unsigned> contiguity;
  for (unsigned dim : llvm::seq<unsigned>(0, layout.getNumOutDims())) {
    unsigned reached = 1;
    // The steps 1, 2, 4, ... may come in any order and between others, but
    // must not move elsewhere at the same time.
    auto hasStep = [&](ArrayRef<int32_t> basis) {
      for (auto [i, coordinate] : llvm::enumerate(basis))
        if (coordinate != (i == dim ? static_cast<int32_t>(reached) : 0))
          return false;
      return true;
    };
    while (llvm::any_of(layout.getBases(in), hasStep))
      reached *= 2;
    contiguity.push_back(reached);
  }
  return contiguity;
}

/// Checks that the launch has the lanes and warps of the layout.
LogicalResult
gpu::verifyLayoutGeometry(function_ref<InFlightDiagnostic()> emitError,
                          const LinearLayout &layout, int32_t numWarps,
                          int32_t threadsPerWarp) {
  int32_t lanes = layout.getInDimSize(LayoutDim::Lane);
  if (lanes != threadsPerWarp)
    return emitError() << "expected a layout for " << threadsPerWarp
                       << " threads per warp, found " << lanes;
  int32_t warps = layout.getInDimSize(LayoutDim::Warp);
  if (warps != numWarps)
    return emitError() << "expected a layout for " << numWarps
                       << " warps, found " << warps;
  return success();
}

LinearLayout gpu::permuteTensorDims(const LinearLayout &layout,
                                    ArrayRef<int32_t> order) {
  LinearLayout::BasesMap bases = layout.getBases();
  for (auto &[in, list] : bases)
    for (auto &basis : list) {
      auto old = basis;
      // Coordinates move to where the order names their dimension.
      for (auto [i, dim] : llvm::enumerate(order))
        basis[i] = old[dim];
    }
  LinearLayout::Sizes sizes;
  for (auto [i, dim] : llvm::enumerate(order))
    sizes.push_back({tensorDim(i), layout.getOutDimSize(tensorDim(dim))});
  return LinearLayout(std::move(bases), std::move(sizes));
}

LinearLayout gpu::reshapeTensor(const LinearLayout &layout,
                                ArrayRef<int64_t> shape) {
  // LinearLayout lists the fastest dimension first, tensors list it last.
  LinearLayout::Sizes sizes;
  for (unsigned dim : getRowMajorOrder(shape.size()))
    sizes.push_back({tensorDim(dim), static_cast<int32_t>(shape[dim])});
  auto reversed = llvm::to_vector(llvm::reverse(layout.getOutDims()));
  return layout.transposeOuts(reversed).reshapeOuts(sizes).transposeOuts(
      tensorDims(shape.size()));
}

/// Each element in one place, copies aside, and each bit along one dimension.
bool gpu::isDistributedLayout(const LinearLayout &layout, std::string &error) {
  for (auto &[in, list] : layout.getBases()) {
    for (auto &basis : list) {
      unsigned moves = 0;
      for (int32_t coordinate : basis) {
        if (coordinate == 0)
          continue;
        ++moves;
        if (!llvm::isPowerOf2_32(coordinate)) {
          error = "expected every basis entry to be a power of two or zero, "
                  "found " +
                  std::to_string(coordinate);
          return false;
        }
      }
      if (moves > 1) {
        error = "expected every basis to move along at most one dimension";
        return false;
      }
    }
  }
  // Single bits that reach everything and whose number is that of the bits of
  // the tensor are all different.
  int32_t moving = 0;
  for (auto &[in, list] : layout.getBases())
    moving += llvm::count_if(list, [](auto &basis) {
      return llvm::any_of(basis, [](int32_t c) { return c != 0; });
    });
  if (!layout.isSurjective()) {
    error = "expected the bases to reach every element of the tensor";
    return false;
  }
  if (moving != layout.getTotalOutDimSizeLog2()) {
    error = "expected no two bases to be equal, save zeros";
    return false;
  }
  return true;
}

LogicalResult
gpu::verifyTensorDims(function_ref<InFlightDiagnostic()> emitError,
                      const LinearLayout &layout) {
  unsigned rank = layout.getNumOutDims();
  // Dimensions in the usual order, at most the number that has names.
  if (rank == 0 || rank > kMaxTensorRank ||
      layout.getOutDims() != tensorDims(rank))
    return emitError() << "expected a layout onto dim0, dim1, ..., of rank 1 "
                          "to "
                       << kMaxTensorRank;
  if (layout.getInDimSizeLog2(LayoutDim::Block) != 0)
    return emitError()
           << "a layout over several CTAs is not supported: 'block' must be "
              "empty";
  if (layout.getTotalOutDimSizeLog2() > 30)
    return emitError() << "expected a layout of at most 2^30 elements";
  return success();
}
