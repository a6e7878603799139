//===- InferLayout.h - Layout inference from linear layouts -----*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef TRITON_DIALECT_TRITONGPU_IR_INFERLAYOUT_H
#define TRITON_DIALECT_TRITONGPU_IR_INFERLAYOUT_H

#include "triton/Dialect/Triton/IR/InferLayoutInterface.h"

namespace mlir::triton::gpu {

/// Infers the layouts of `tt` operations from the linear layouts of encodings.
/// It serves every dialect whose encodings implement
/// LinearLayoutEncodingInterface. Each such dialect adds it, since `tt` looks
/// for it in the dialect of the encoding.
class LinearInferLayoutInterface : public DialectInferLayoutInterface {
public:
  using DialectInferLayoutInterface::DialectInferLayoutInterface;

  LogicalResult
  inferTransOpEncoding(Attribute operandEncoding, ArrayRef<int64_t> shape,
                       ArrayRef<int32_t> order, Attribute &resultEncoding,
                       std::optional<Location> loc) const override;

  LogicalResult
  inferReduceOpEncoding(Attribute operandEncoding, unsigned axis,
                        Attribute &resultEncoding,
                        std::optional<Location> loc) const override;

  LogicalResult
  inferExpandDimsOpEncoding(Attribute operandEncoding, unsigned axis,
                            Attribute &resultEncoding,
                            std::optional<Location> loc) const override;

  LogicalResult inferDotOpEncoding(Attribute operandEncoding, unsigned opIdx,
                                   Attribute retEncoding,
                                   std::optional<Location> loc) const override;

  LogicalResult verifyDotOpEncodingCompatibility(Operation *op, Attribute a,
                                                 Attribute b) const override;

  LogicalResult
  inferReshapeOpEncoding(ArrayRef<int64_t> srcShape, Attribute srcEncoding,
                         ArrayRef<int64_t> dstShape, Attribute &dstEncoding,
                         bool allowReorder,
                         std::optional<Location> loc) const override;

  LogicalResult
  inferDefaultJoinOpEncoding(Attribute srcEncoding, Attribute &dstEncoding,
                             ArrayRef<int64_t> shape,
                             std::optional<Location> loc) const override;

  LogicalResult
  inferSplitOpEncoding(Attribute srcEncoding, Attribute &dstEncoding,
                       ArrayRef<int64_t> shape,
                       std::optional<Location> loc) const override;

  LogicalResult
  inferFp4ToFpOpEncoding(ArrayRef<int64_t> shape, int axis,
                         Attribute inEncoding, Attribute &outEncoding, bool fwd,
                         std::optional<Location> loc) const override;

  LogicalResult verifyTensorLayout(Operation *op,
                                   RankedTensorType type) const override;

  LogicalResult
  verifyLayoutsAreEqual(ArrayRef<int64_t> shape, Attribute expected,
                        Attribute got,
                        std::optional<Location> loc) const override;
};

} // namespace mlir::triton::gpu

#endif // TRITON_DIALECT_TRITONGPU_IR_INFERLAYOUT_H
