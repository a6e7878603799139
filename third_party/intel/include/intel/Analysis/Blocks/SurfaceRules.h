//===- SurfaceRules.h - Surfaces of 2D block messages -----------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// A surface is the rectangle in memory that a 2D block message addresses: base,
// width, height and pitch. The rules that its numbers have to satisfy are
// defined once, here. `analyzeBlockAccess` proves them or leaves them to the
// launch, and `tritonintelgpu-materialize-block-pointer` lets the kernel check
// them. The debugger's checks, which test both, keep a separate list
// (intel/Runtime/BlockRules.h).
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_INTEL_ANALYSIS_BLOCKS_SURFACERULES_H
#define TRITON_INTEL_ANALYSIS_BLOCKS_SURFACERULES_H

#include "intel/Dialect/TritonIntelGPU/IR/Dialect.h"

#include <array>
#include <optional>

namespace mlir::triton::gpu::intel {

/// A number of a surface. Height counts rows, all others count bytes.
enum class SurfacePart {
  Base,
  /// The distance of two surfaces, one for each leading dimension of a tensor.
  LeadingStride,
  Width,
  Height,
  Pitch,
};

/// The rule that one number of a surface has to satisfy.
struct SurfaceRule {
  SurfacePart part;
  /// The number is a multiple of this one, a power of two.
  int64_t multipleOf;
  /// The least and the largest number, if there are any.
  std::optional<std::pair<int64_t, int64_t>> range;
};

/// The surfaces of a tensor: one, or one for each index of its leading
/// dimensions.
///
/// Messages take bases at multiples of `getBaseModulus()` bytes. Others are
/// rounded down, and what is cut off lengthens each row by the same amount, its
/// *excess*. Hence the rule about two numbers that `getRules` leaves out: width
/// and excess together are no more than the pitch.
class Surface {
public:
  /// The memory of `tensor` is contiguous along `widthDim`, which is one of its
  /// last two dimensions.
  Surface(SurfaceOp tensor, unsigned widthDim);

  /// The dimensions of the tensor along rows in memory, and across them.
  unsigned getWidthDim() const { return widthDim; }
  unsigned getHeightDim() const { return heightDim; }
  /// Width, height and pitch, in elements and rows.
  Value getWidth() { return tensor.getExtents()[widthDim]; }
  Value getHeight() { return tensor.getExtents()[heightDim]; }
  Value getPitch() { return tensor.getStrides()[heightDim]; }
  /// The strides of leading dimensions, in elements.
  OperandRange getLeadingStrides() {
    return tensor.getStrides().drop_back(numSurfaceDims);
  }
  int64_t getElementBytes() const { return elementBytes; }

  /// Returns the rules about single numbers, in the order of `SurfacePart`.
  std::array<SurfaceRule, 5> getRules() const;
  /// Returns the rule about one number.
  SurfaceRule getRule(SurfacePart part) const {
    return getRules()[static_cast<unsigned>(part)];
  }
  /// Returns what messages round bases down to, in bytes.
  int64_t getBaseModulus() const;
  /// Returns the largest excess of a base that satisfies its rule, in bytes.
  int64_t getMaxExcess() const;

private:
  static constexpr unsigned numSurfaceDims = 2;

  SurfaceOp tensor;
  unsigned widthDim, heightDim;
  int64_t elementBytes;
  const BlockIOLimits &limits;
};

} // namespace mlir::triton::gpu::intel

#endif // TRITON_INTEL_ANALYSIS_BLOCKS_SURFACERULES_H
