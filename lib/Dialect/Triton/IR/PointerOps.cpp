//===- PointerOps.cpp - Programs, ranges, addresses -----------------------===//
// SPDX-License-Identifier: MIT
//
// Verifiers, folders and builders of TritonPointerOps.td.
//
//===----------------------------------------------------------------------===//

#include "triton/Dialect/Triton/IR/Dialect.h"

#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::triton;

//===----------------------------------------------------------------------===//
// MakeRangeOp
//===----------------------------------------------------------------------===//

LogicalResult MakeRangeOp::verify() {
  auto type = cast<RankedTensorType>(getType());
  if (type.getRank() != 1)
    return emitOpError("expects a result of rank 1, found ") << type;
  // In 64 bits, since the attributes may hold any two i32.
  int64_t start = static_cast<int32_t>(getStart());
  int64_t end = static_cast<int32_t>(getEnd());
  if (end <= start)
    return emitOpError("expects `end` to be larger than `start`, found ")
           << end << " and " << start;
  if (end - start != type.getDimSize(0))
    return emitOpError("expects `end` - `start` to be the size of the result, ")
           << type.getDimSize(0) << ", found " << end - start;
  return success();
}

/// A range of one number is a constant.
OpFoldResult MakeRangeOp::fold(FoldAdaptor adaptor) {
  auto type = cast<RankedTensorType>(getType());
  if (type.getNumElements() != 1)
    return {};
  return SplatElementsAttr::get(type, adaptor.getStartAttr());
}

//===----------------------------------------------------------------------===//
// Casts
//===----------------------------------------------------------------------===//

/// Casts there and back fold, if the type is the same again.
OpFoldResult IntToPtrOp::fold(FoldAdaptor adaptor) {
  auto inverse = getSrc().getDefiningOp<PtrToIntOp>();
  if (inverse && inverse.getSrc().getType() == getType())
    return inverse.getSrc();
  return {};
}

/// The number of a pointer computed from a number is that number: both have 64
/// bits.
OpFoldResult PtrToIntOp::fold(FoldAdaptor adaptor) {
  if (auto inverse = getSrc().getDefiningOp<IntToPtrOp>())
    return inverse.getSrc();
  return {};
}

LogicalResult BitcastOp::verify() {
  Type from = getElementTypeOrSelf(getSrc().getType());
  Type to = getElementTypeOrSelf(getType());
  if (isa<PointerType>(from) != isa<PointerType>(to))
    return emitOpError("cannot cast between pointers and numbers, found ")
           << from << " and " << to;
  if (isa<PointerType>(from) && getAddressSpace(from) != getAddressSpace(to))
    return emitOpError("cannot cast between address spaces, found ")
           << from << " and " << to;
  // A bitcast keeps all bits.
  if (getIntOrFloatOrPtrBitWidth(from) != getIntOrFloatOrPtrBitWidth(to))
    return emitOpError("expects types of the same width, found ")
           << from << " and " << to;
  return success();
}

/// Nothing to cast, or two casts in a row.
OpFoldResult BitcastOp::fold(FoldAdaptor adaptor) {
  if (getSrc().getType() == getType())
    return getSrc();
  if (auto inner = getSrc().getDefiningOp<BitcastOp>()) {
    getSrcMutable().assign(inner.getSrc());
    return getResult();
  }
  return {};
}

/// An offset of zero leads nowhere.
OpFoldResult AddPtrOp::fold(FoldAdaptor adaptor) {
  if (matchPattern(adaptor.getOffset(), m_Zero()))
    return getPtr();
  return {};
}

//===----------------------------------------------------------------------===//
// Block pointers and descriptors
//===----------------------------------------------------------------------===//

/// `tensorShape` is the shape of the block, whose elements are those that
/// `base` points to.
void MakeTensorPtrOp::build(OpBuilder &builder, OperationState &state,
                            Value base, ValueRange shape, ValueRange strides,
                            ValueRange offsets, ArrayRef<int32_t> tensorShape,
                            ArrayRef<int32_t> order) {
  auto basePointer = cast<PointerType>(base.getType());
  auto blockType = RankedTensorType::get(SmallVector<int64_t>(tensorShape),
                                         basePointer.getPointeeType());
  build(builder, state,
        PointerType::get(blockType, basePointer.getAddressSpace()), base, shape,
        strides, offsets, builder.getDenseI32ArrayAttr(order));
}

LogicalResult MakeTensorPtrOp::verify() {
  auto block =
      cast<RankedTensorType>(cast<PointerType>(getType()).getPointeeType());
  // One trait makes shape, strides and offsets equally many.
  if (static_cast<int64_t>(getShape().size()) != block.getRank())
    return emitOpError("expects one size, stride and offset for each of the "
                       "block's dimensions, ")
           << block.getRank() << ", found " << getShape().size();
  SmallVector<bool> seen(block.getRank(), false);
  bool isPermutation =
      static_cast<int64_t>(getOrder().size()) == block.getRank();
  for (int32_t dim : getOrder()) {
    isPermutation =
        isPermutation && dim >= 0 && dim < block.getRank() && !seen[dim];
    // The order is looked at no further once something is wrong.
    if (!isPermutation)
      break;
    seen[dim] = true;
  }
  if (!isPermutation)
    return emitOpError("expects `order` to be a permutation of the block's "
                       "dimensions");
  return success();
}

/// A step in each dimension.
LogicalResult AdvanceOp::verify() {
  auto block =
      cast<RankedTensorType>(cast<PointerType>(getType()).getPointeeType());
  if (static_cast<int64_t>(getOffsets().size()) != block.getRank())
    return emitOpError("expects one offset per dimension of the block, ")
           << block.getRank() << ", found " << getOffsets().size();
  return success();
}

/// Steps of zero lead nowhere.
OpFoldResult AdvanceOp::fold(FoldAdaptor adaptor) {
  auto isZero = [](Attribute offset) { return matchPattern(offset, m_Zero()); };
  if (llvm::all_of(adaptor.getOffsets(), isZero))
    return getPtr();
  return {};
}

LogicalResult MakeTensorDescOp::verify() {
  // The base points to elements without sign, whatever the type of the
  // descriptor.
  RankedTensorType block = getType().getSignlessBlockType();
  if (static_cast<int64_t>(getShape().size()) != block.getRank())
    return emitOpError("expects one size and stride for each of the block's "
                       "dimensions, ")
           << block.getRank() << ", found " << getShape().size();
  Type pointee = getBase().getType().getPointeeType();
  if (pointee != block.getElementType())
    return emitOpError("expects a base that points to the block's elements, ")
           << block.getElementType() << ", found " << pointee;
  return success();
}
