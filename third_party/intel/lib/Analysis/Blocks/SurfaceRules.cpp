//===- SurfaceRules.cpp - Surfaces of 2D block messages -------------------===//
// SPDX-License-Identifier: MIT

#include "intel/Analysis/Blocks/SurfaceRules.h"

#include "intel/Dialect/TritonIntelGPU/IR/Dialect.h"

namespace mlir::triton::gpu::intel {

Surface::Surface(SurfaceOp tensor, unsigned widthDim)
    : tensor(tensor), widthDim(widthDim),
      elementBytes(tensor.getElementBits() / 8),
      limits(getTargetDesc(tensor).getBlockIOLimits()) {
  unsigned rank = tensor.getStrides().size();
  assert(widthDim < rank && widthDim + numSurfaceDims >= rank &&
         "rows are along one of the last two dimensions");
  // The other one of the last two dimensions.
  heightDim = widthDim == rank - 1 ? rank - 2 : rank - 1;
}

std::array<SurfaceRule, 5> Surface::getRules() const {
  int64_t maxPitch = limits.getMaxPitch(8 * elementBytes,
                                        /*isColumnMajor=*/widthDim < heightDim);
  // The part that is cut off a base is added to a width, and is a width itself.
  return {{
      {SurfacePart::Base, limits.widthAlignment, std::nullopt},
      {SurfacePart::LeadingStride, limits.widthAlignment, std::nullopt},
      {SurfacePart::Width,
       limits.widthAlignment,
       {{limits.minWidth, limits.maxExtent}}},
      {SurfacePart::Height, 1, {{1, limits.maxExtent}}},
      {SurfacePart::Pitch,
       limits.pitchAlignment,
       {{limits.minPitch, maxPitch}}},
  }};
}

int64_t Surface::getBaseModulus() const { return limits.baseAlignment; }

int64_t Surface::getMaxExcess() const {
  return int64_t(limits.baseAlignment) - limits.widthAlignment;
}

} // namespace mlir::triton::gpu::intel
