//===- LayoutUtils.h - Questions that linear layouts answer -----*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// Facts about a tensor's distribution, read off the bases of its layout.
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_DIALECT_TRITONGPU_IR_LAYOUTUTILS_H
#define TRITON_DIALECT_TRITONGPU_IR_LAYOUTUTILS_H

#include "mlir/IR/Diagnostics.h"
#include "triton/Tools/LinearLayout.h"
#include "llvm/Support/MathExtras.h"

namespace mlir::triton::gpu {

/// Bytes to which memory can be requested to be aligned: powers of two.
inline constexpr unsigned kMaxAlignment = 1 << 20;
inline bool isAlignment(unsigned bytes) {
  return llvm::isPowerOf2_32(bytes) && bytes <= kMaxAlignment;
}

/// Returns output dimensions in the order in which the bases of the input
/// dimensions `ins` reach them first; those that none reaches follow, innermost
/// first.
SmallVector<unsigned> getOrderOfBases(const LinearLayout &layout,
                                      ArrayRef<LayoutDim> ins);

/// Returns, for each output dimension, how many consecutive values from 0 on
/// the bases of `in` alone reach.
SmallVector<unsigned> getContiguityOfBases(const LinearLayout &layout,
                                           LayoutDim in);

/// Checks a layout's lanes and warps against those of the launch.
LogicalResult verifyLayoutGeometry(function_ref<InFlightDiagnostic()> emitError,
                                   const LinearLayout &layout, int32_t numWarps,
                                   int32_t threadsPerWarp);

/// Dimensions from the last to the first: row-major storage.
SmallVector<unsigned> getRowMajorOrder(unsigned rank);

/// Returns the layout of `layout`'s tensor with permuted dimensions: dimension
/// i of the result is dimension `order[i]`.
LinearLayout permuteTensorDims(const LinearLayout &layout,
                               ArrayRef<int32_t> order);

/// Returns the layout of the tensor in another shape with equally many
/// elements, whose row-major order stays.
LinearLayout reshapeTensor(const LinearLayout &layout, ArrayRef<int64_t> shape);

/// Returns whether `#ttg.linear` can express the layout: each bit moves along
/// at most one dimension, the bits reach every element, and no two bits are
/// equal. Otherwise `error` explains why not.
bool isDistributedLayout(const LinearLayout &layout, std::string &error);

/// Checks that a layout which is spelled by its bases is one of a tensor of
/// supported rank and size, in one CTA.
LogicalResult verifyTensorDims(function_ref<InFlightDiagnostic()> emitError,
                               const LinearLayout &layout);

} // namespace mlir::triton::gpu

#endif // TRITON_DIALECT_TRITONGPU_IR_LAYOUTUTILS_H
