//===- DotToLLVM.h - Lowering of matrix products ----------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef TRITON_INTEL_LIB_CONVERSION_TRITONINTELGPUTOLLVM_DOT_DOTTOLLVM_H
#define TRITON_INTEL_LIB_CONVERSION_TRITONINTELGPUTOLLVM_DOT_DOTTOLLVM_H

#include "mlir/Transforms/DialectConversion.h"
#include "triton/Dialect/Triton/IR/Dialect.h"
#include "triton/Tools/LinearLayout.h"
#include "llvm/ADT/DenseMap.h"

namespace mlir::triton::gpu::intel {

/// The registers of a dot's operands and result, as vectors; none for scales
/// that it does not have.
struct DotRegisters {
  ValueRange a, b, c, aScale, bScale;
};

/// A dot whose result has a DPAS layout, as matrix instructions.
LogicalResult lowerDotToDPAS(DotOpInterface op, DotRegisters registers,
                             ConversionPatternRewriter &rewriter);
/// A dot of which every work-item holds the operand elements of its results, as
/// scalar multiply-adds.
LogicalResult lowerDotToFMA(DotOp op, DotRegisters registers,
                            ConversionPatternRewriter &rewriter);

/// Finds the register that holds an element, by its coordinates as lane 0 of
/// sub-group 0 sees them. The coordinates of other work-items differ from these
/// by the same amount for all registers.
class RegisterFinder {
public:
  explicit RegisterFinder(const LinearLayout &layout);

  /// Returns the lowest register with this element, if the work-item has it.
  std::optional<unsigned> find(ArrayRef<int32_t> coordinates) const;
  /// Coordinates of the element in register `index`.
  SmallVector<int32_t> getCoordinates(unsigned index) const;
  unsigned getNumRegisters() const;

private:
  int64_t flatten(ArrayRef<int32_t> coordinates) const;

  const LinearLayout layout;
  DenseMap<int64_t, unsigned> registers;
};

/// Returns whether, going along the bits of `in`, operand `opIdx` moves with
/// the rows (operand 0) or columns (operand 1) and the batch of the result, and
/// does not move along K: then a work-item's results and operands stay
/// together.
bool operandFollowsResult(const LinearLayout &operand,
                          const LinearLayout &result, unsigned opIdx,
                          LayoutDim in);

} // namespace mlir::triton::gpu::intel

#endif // TRITON_INTEL_LIB_CONVERSION_TRITONINTELGPUTOLLVM_DOT_DOTTOLLVM_H
