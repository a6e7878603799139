//===- Slices.cpp - Parts of a tensor that differ in registers ------------===//
// SPDX-License-Identifier: MIT
//
// Takes register bits out of layouts; see the header.
//
//===----------------------------------------------------------------------===//

#include "triton/Dialect/TritonGPU/IR/Slices.h"

#include "triton/Dialect/TritonGPU/IR/Dialect.h"
#include "triton/Dialect/TritonGPU/IR/LayoutUtils.h"
#include "triton/Dialect/TritonGPU/IR/LinearLayoutConversions.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::triton;

std::optional<LinearLayout>
gpu::getSliceLayout(const LinearLayout &layout, unsigned dim, int32_t count,
                    SmallVectorImpl<unsigned> *bits) {
  int32_t size = layout.getOutDimSize(tensorDim(dim));
  if (!llvm::isPowerOf2_32(count) || count > size)
    return std::nullopt;
  int32_t sliceSize = size / count;
  // The register bit that corresponds to each bit of the slice's number.
  SmallVector<std::optional<unsigned>> found(llvm::Log2_32(count));
  LinearLayout::BasesMap bases = layout.getBases();
  for (auto &[in, list] : bases) {
    LinearLayout::Bases kept;
    for (auto [bit, basis] : llvm::enumerate(list)) {
      if (basis[dim] < sliceSize) {
        kept.push_back(basis);
        continue;
      }
      auto place = static_cast<uint32_t>(basis[dim]);
      bool isAlone =
          llvm::isPowerOf2_32(place) &&
          llvm::count_if(basis, [](int32_t step) { return step != 0; }) == 1;
      if (in != LayoutDim::Register || !isAlone)
        return std::nullopt;
      std::optional<unsigned> &slot = found[llvm::Log2_32(place / sliceSize)];
      // Two registers with the same elements: a slice would have both.
      if (slot)
        return std::nullopt;
      slot = bit;
    }
    list = std::move(kept);
  }
  if (!llvm::all_of(
          found, [](std::optional<unsigned> bit) { return bit.has_value(); }))
    return std::nullopt;
  if (bits)
    for (std::optional<unsigned> bit : found)
      bits->push_back(*bit);
  LinearLayout::Sizes sizes = layout.getOutDimSizes();
  sizes[dim].second = sliceSize;
  return LinearLayout(std::move(bases), std::move(sizes));
}

int32_t gpu::getMaxSlices(const LinearLayout &layout, unsigned dim) {
  int32_t count = 1;
  while (getSliceLayout(layout, dim, 2 * count))
    count *= 2;
  return count;
}

/// Returns `type` in another shape and layout, without copies in a lane's
/// registers; null if no encoding can spell it.
static RankedTensorType getLinearType(RankedTensorType type,
                                      ArrayRef<int64_t> shape,
                                      const LinearLayout &layout) {
  LinearLayout packed = layout.removeZeroBasesAlongDim(LayoutDim::Register);
  std::string error;
  if (!gpu::isDistributedLayout(packed, error))
    return {};
  return RankedTensorType::get(
      shape, type.getElementType(),
      gpu::LinearEncodingAttr::get(type.getContext(), packed));
}

RankedTensorType gpu::getTypeWithoutCopies(RankedTensorType type) {
  LinearLayout layout = toLinearLayout(type);
  if (layout == layout.removeZeroBasesAlongDim(LayoutDim::Register))
    return type;
  RankedTensorType packed = getLinearType(type, type.getShape(), layout);
  return packed ? packed : type;
}

RankedTensorType gpu::getSliceType(RankedTensorType type, unsigned dim,
                                   int32_t count) {
  std::optional<LinearLayout> layout =
      getSliceLayout(toLinearLayout(type), dim, count);
  if (!layout)
    return {};
  SmallVector<int64_t> shape(type.getShape());
  shape[dim] /= count;
  return toLinearLayout(shape, type.getEncoding()) == *layout
             ? type.clone(shape)
             : getLinearType(type, shape, *layout);
}
