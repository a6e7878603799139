//===- DpasRecognition.cpp - DPAS layouts given as linear ones ------------===//
// SPDX-License-Identifier: MIT

#include "intel/Analysis/Layouts/DpasRecognition.h"

#include "triton/Dialect/TritonGPU/IR/LinearLayoutConversions.h"

#include <algorithm>

using namespace mlir;
using namespace mlir::triton;
using namespace mlir::triton::gpu;
using namespace mlir::triton::gpu::intel;

namespace {

/// Returns whether the encoding puts a tensor's elements where they are.
bool isSameLayout(RankedTensorType type, Attribute encoding) {
  return toLinearLayout(type) ==
         toLinearLayout(type.cloneWithEncoding(encoding));
}

/// Returns the layout of an operand of a product.
DotOperandEncodingAttr getOperand(DpasEncodingAttr dpas, unsigned index) {
  return DotOperandEncodingAttr::get(dpas.getContext(), index, dpas,
                                     dpas.getOperandKWidth(index));
}

/// Calls `visit` with the DPAS layouts for a result of `rows` and `columns`,
/// until it returns true: those with the most rows of an instruction and the
/// smallest clusters first. A cluster that is larger than the result is the
/// same as one of its size.
bool anyDpasLayout(MLIRContext *context, int64_t rows, int64_t columns,
                   unsigned operandBits, unsigned numWarps,
                   const TargetDesc &target,
                   llvm::function_ref<bool(DpasEncodingAttr)> visit) {
  unsigned width = target.getDpasExecutionSize();
  for (unsigned count = target.getDpasMaxRepeatCount(); count; count /= 2)
    for (unsigned alongM = 1; alongM <= numWarps; alongM *= 2) {
      unsigned warps[] = {alongM, numWarps / alongM};
      int64_t high = std::max<int64_t>(1, rows / count);
      int64_t wide = std::max<int64_t>(1, columns / width);
      for (unsigned down = 1; down <= high; down *= 2)
        for (unsigned across = 1; across <= wide; across *= 2) {
          unsigned cluster[] = {down, across};
          if (visit(DpasEncodingAttr::get(
                  context, count, target.getDpasSystolicDepth(), width,
                  /*opsPerChannel=*/32 / operandBits, warps, cluster,
                  target.getMinSubGroupSize())))
            return true;
        }
    }
  return false;
}

/// Returns whether DPAS may have elements of this type as operands.
bool isOperandType(Type type) {
  return type.isIntOrFloat() &&
         llvm::is_contained({8u, 16u, 32u}, type.getIntOrFloatBitWidth());
}

} // namespace

std::optional<DpasProduct>
gpu::intel::recognizeProduct(RankedTensorType a, RankedTensorType b,
                             RankedTensorType result, int32_t numWarps,
                             const TargetDesc &target) {
  auto isMatrix = [](RankedTensorType type) { return type.getRank() == 2; };
  if (!llvm::all_of(ArrayRef{a, b, result}, isMatrix) ||
      !target.supportsDpas() || !isOperandType(a.getElementType()))
    return std::nullopt;
  std::optional<DpasProduct> found;
  anyDpasLayout(
      result.getContext(), result.getDimSize(0), result.getDimSize(1),
      a.getElementTypeBitWidth(), numWarps, target, [&](DpasEncodingAttr dpas) {
        DpasProduct product{getOperand(dpas, 0), getOperand(dpas, 1), dpas};
        if (isSameLayout(result, dpas) && isSameLayout(a, product.a) &&
            isSameLayout(b, product.b))
          found = product;
        return found.has_value();
      });
  return found;
}

SmallVector<Attribute> gpu::intel::recognizeMatrix(RankedTensorType type,
                                                   int32_t numWarps,
                                                   const TargetDesc &target) {
  SmallVector<Attribute> found;
  if (type.getRank() != 2 || !target.supportsDpas())
    return found;
  int64_t rows = type.getDimSize(0), columns = type.getDimSize(1);
  auto addFirst = [&](int64_t rows, int64_t columns, unsigned operandBits,
                      llvm::function_ref<Attribute(DpasEncodingAttr)> role) {
    anyDpasLayout(type.getContext(), rows, columns, operandBits, numWarps,
                  target, [&](DpasEncodingAttr dpas) {
                    Attribute layout = role(dpas);
                    bool isSame = isSameLayout(type, layout);
                    if (isSame)
                      found.push_back(layout);
                    return isSame;
                  });
  };
  // The layout of a result is the same for operands of all sizes.
  addFirst(rows, columns, /*operandBits=*/16,
           [](DpasEncodingAttr dpas) { return dpas; });
  if (!isOperandType(type.getElementType()))
    return found;
  // The other operand decides about the other dimension of the result.
  unsigned bits = type.getElementTypeBitWidth();
  addFirst(rows, 1, bits,
           [](DpasEncodingAttr dpas) { return getOperand(dpas, 0); });
  addFirst(1, columns, bits,
           [](DpasEncodingAttr dpas) { return getOperand(dpas, 1); });
  return found;
}
