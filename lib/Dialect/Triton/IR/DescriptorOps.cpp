//===- DescriptorOps.cpp - Access through descriptors ---------------------===//
// SPDX-License-Identifier: MIT
//
// Verifiers of TritonDescriptorOps.td.
//
//===----------------------------------------------------------------------===//

#include "triton/Dialect/Triton/IR/Dialect.h"

using namespace mlir;
using namespace mlir::triton;

/// Checks a tensor that is moved as one block of a descriptor. Its layout is
/// free: only the copy in registers has one that matters here.
static LogicalResult verifyBlock(Operation *op, TensorDescType descriptor,
                                 RankedTensorType tensor, size_t numIndices) {
  RankedTensorType block = descriptor.getSignlessBlockType();
  // An index states where the block begins, also along dimensions that the
  // tensor leaves out.
  if (static_cast<int64_t>(numIndices) != block.getRank())
    return op->emitOpError("expects one index per dimension of the block, ")
           << block.getRank() << ", found " << numIndices;
  if (block.getElementType() != tensor.getElementType())
    return op->emitOpError("expects a tensor of the block's elements, ")
           << block.getElementType() << ", found " << tensor.getElementType();
  // Leading ones may be missing in the tensor.
  ArrayRef<int64_t> shape = block.getShape();
  while (shape.size() > tensor.getShape().size() && shape.front() == 1)
    shape = shape.drop_front();
  if (shape != tensor.getShape())
    return op->emitOpError("expects a tensor of the block's shape, ")
           << block << ", found " << tensor;
  return success();
}

LogicalResult DescriptorLoadOp::verify() {
  return verifyBlock(*this, getDesc().getType(),
                     cast<RankedTensorType>(getType()), getIndices().size());
}

LogicalResult DescriptorStoreOp::verify() {
  return verifyBlock(*this, getDesc().getType(),
                     cast<RankedTensorType>(getSrc().getType()),
                     getIndices().size());
}

LogicalResult DescriptorReduceOp::verify() {
  return verifyBlock(*this, getDesc().getType(),
                     cast<RankedTensorType>(getSrc().getType()),
                     getIndices().size());
}

/// Checks a tensor whose rows are moved one by one, each as a descriptor's
/// block. The lower limits are those of the language.
static LogicalResult verifyRows(Operation *op, TensorDescType descriptor,
                                RankedTensorType rows,
                                RankedTensorType tensor) {
  RankedTensorType block = descriptor.getSignlessBlockType();
  // Each row is a separate block.
  if (block.getRank() != 2 || block.getDimSize(0) != 1)
    return op->emitOpError(
               "expects a descriptor whose block is one row, found ")
           << block;
  if (rows.getRank() != 1)
    return op->emitOpError("expects row numbers of rank 1, found ") << rows;
  if (block.getElementType() != tensor.getElementType())
    return op->emitOpError("expects a tensor of the block's elements, ")
           << block.getElementType() << ", found " << tensor.getElementType();
  // One row per number, with the width of the block.
  if (tensor.getRank() != 2 || tensor.getDimSize(0) != rows.getDimSize(0) ||
      tensor.getDimSize(1) != block.getDimSize(1))
    return op->emitOpError("expects a tensor of ")
           << rows.getDimSize(0) << " rows and " << block.getDimSize(1)
           << " columns, found " << tensor;
  constexpr int64_t minRows = 8;
  if (rows.getDimSize(0) < minRows)
    return op->emitOpError("expects at least ")
           << minRows << " rows, found " << rows.getDimSize(0);
  // At least 32 bytes.
  int64_t minColumns =
      32 / static_cast<int64_t>(getIntOrFloatOrPtrBitWidth(block)) * 8;
  if (block.getDimSize(1) < minColumns)
    return op->emitOpError("expects at least ")
           << minColumns << " columns of " << block.getElementType()
           << ", found " << block.getDimSize(1);
  return success();
}

LogicalResult DescriptorGatherOp::verify() {
  return verifyRows(*this, getDesc().getType(),
                    cast<RankedTensorType>(getXOffsets().getType()),
                    cast<RankedTensorType>(getType()));
}

LogicalResult DescriptorScatterOp::verify() {
  return verifyRows(*this, getDesc().getType(),
                    cast<RankedTensorType>(getXOffsets().getType()),
                    cast<RankedTensorType>(getSrc().getType()));
}
