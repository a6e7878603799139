//===- ElementwiseConversion.h - Lowering vector by vector ------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// The common part of the lowerings of elementwise operations: an operation on
// tensors becomes the same operation on each of the vectors that hold the
// registers.
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_INTEL_LIB_CONVERSION_TRITONINTELGPUTOLLVM_ELEMENTWISE_ELEMENTWISECONVERSION_H
#define TRITON_INTEL_LIB_CONVERSION_TRITONINTELGPUTOLLVM_ELEMENTWISE_ELEMENTWISECONVERSION_H

#include "mlir/Transforms/DialectConversion.h"

namespace mlir::triton::gpu::intel {

/// Calls `emit` once per vector of the results, with the types of the results
/// and the matching vector of each operand; scalar operands of tensor
/// operations are passed on as such. Replaces `op` by what `emit` returns, one
/// value per result; fewer mean that there is no lowering.
template <typename Emit>
LogicalResult forEachVector(Operation *op, ArrayRef<ValueRange> operands,
                            const TypeConverter &converter,
                            ConversionPatternRewriter &rewriter, Emit emit) {
  SmallVector<SmallVector<Type>> resultTypes(op->getNumResults());
  for (auto [i, type] : llvm::enumerate(op->getResultTypes()))
    if (failed(converter.convertType(type, resultTypes[i])))
      return rewriter.notifyMatchFailure(op, "result type has no lowering");

  size_t count = resultTypes.empty() ? 1 : resultTypes.front().size();
  SmallVector<SmallVector<Value>> results(op->getNumResults());
  for (size_t chunk = 0; chunk < count; ++chunk) {
    SmallVector<Value> inputs;
    for (ValueRange values : operands)
      inputs.push_back(values.size() == 1 ? values.front() : values[chunk]);
    SmallVector<Type> types;
    for (auto &list : resultTypes)
      types.push_back(list[chunk]);
    SmallVector<Value> outputs = emit(types, inputs);
    if (outputs.size() != types.size())
      return rewriter.notifyMatchFailure(op, "operation has no lowering");
    for (auto [list, output] : llvm::zip_equal(results, outputs))
      list.push_back(output);
  }
  rewriter.replaceOpWithMultiple(op, std::move(results));
  return success();
}

} // namespace mlir::triton::gpu::intel

#endif // TRITON_INTEL_LIB_CONVERSION_TRITONINTELGPUTOLLVM_ELEMENTWISE_ELEMENTWISECONVERSION_H
