//===- Traits.cpp - Invariants of all operations on tensors ---------------===//
// SPDX-License-Identifier: MIT
//
// The checks of the traits: sizes of tensors, and agreement of their layouts.
//
//===----------------------------------------------------------------------===//

#include "triton/Dialect/Triton/IR/Traits.h"

#include "mlir/IR/TypeUtilities.h"
#include "triton/Dialect/Triton/IR/InferLayoutInterface.h"
#include "triton/Dialect/Triton/IR/Types.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::triton;

/// Returns the tensor that a type is or gives access to; null if there is none.
static RankedTensorType getTensorBehind(Type type) {
  if (auto pointer = dyn_cast<PointerType>(type))
    return dyn_cast<RankedTensorType>(pointer.getPointeeType());
  if (auto descriptor = dyn_cast<TensorDescType>(type))
    return descriptor.getBlockType();
  return dyn_cast<RankedTensorType>(type);
}

/// Checks the size of one operand or result.
static LogicalResult verifySize(Operation *op, Type type) {
  RankedTensorType tensor = getTensorBehind(type);
  if (!tensor)
    return success();
  if (!tensor.hasStaticShape())
    return op->emitOpError("expects tensors of static shape, found ") << type;
  if (tensor.getRank() < 1 || tensor.getRank() > kMaxTensorRank)
    return op->emitOpError("expects tensors of rank 1 to ")
           << kMaxTensorRank << ", found " << type;
  // The product saturates, since a shape may hold any numbers.
  int64_t numElements = 1;
  for (int64_t size : tensor.getShape())
    if (llvm::MulOverflow(numElements, size, numElements))
      numElements = kMaxTensorNumElements + 1;
  if (numElements > kMaxTensorNumElements)
    return op->emitOpError("expects tensors of at most ")
           << kMaxTensorNumElements << " elements, found " << type;
  // Layouts are maps of bits, so sizes have to be powers of two.
  if (!llvm::isPowerOf2_64(numElements))
    return op->emitOpError(
               "expects tensors whose number of elements is a power of two, "
               "found ")
           << type;
  return success();
}

LogicalResult OpTrait::impl::verifyTensorSize(Operation *op) {
  for (Type type : op->getOperandTypes())
    if (failed(verifySize(op, type)))
      return failure();
  for (Type type : op->getResultTypes())
    if (failed(verifySize(op, type)))
      return failure();
  return success();
}

/// Checks the layout of one operand or result, if it has one, against the
/// launch.
static LogicalResult verifyLayout(Operation *op, Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor || !tensor.getEncoding())
    return success();
  auto layouts = findInferLayoutInterface(tensor.getEncoding(), op->getLoc());
  if (failed(layouts))
    return failure();
  return (*layouts)->verifyTensorLayout(op, tensor);
}

LogicalResult OpTrait::impl::verifyTensorLayouts(Operation *op) {
  for (Type type : op->getOperandTypes())
    if (failed(verifyLayout(op, type)))
      return failure();
  for (Type type : op->getResultTypes())
    if (failed(verifyLayout(op, type)))
      return failure();
  return success();
}

/// Checks the layouts of all tensors among `types` against `encoding`, which is
/// that of the first tensor and not set before it is met.
static LogicalResult verifySameEncoding(Operation *op, TypeRange types,
                                        StringRef what,
                                        std::optional<Attribute> &encoding) {
  for (Type type : types) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    if (!tensor)
      continue;
    // The first tensor sets the encoding, even if that is none.
    if (!encoding)
      encoding = tensor.getEncoding();
    else if (*encoding != tensor.getEncoding())
      return op->emitOpError("requires the same encoding for all ") << what;
  }
  return success();
}

LogicalResult OpTrait::impl::verifySameOperandsEncoding(Operation *op) {
  // Nothing is set before the first tensor.
  std::optional<Attribute> encoding;
  return verifySameEncoding(op, op->getOperandTypes(), "operands", encoding);
}

LogicalResult
OpTrait::impl::verifySameOperandsAndResultEncoding(Operation *op) {
  constexpr StringLiteral what = "operands and results";
  std::optional<Attribute> encoding;
  if (failed(verifySameEncoding(op, op->getOperandTypes(), what, encoding)))
    return failure();
  return verifySameEncoding(op, op->getResultTypes(), what, encoding);
}
