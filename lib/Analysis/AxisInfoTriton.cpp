//===- AxisInfoTriton.cpp - Axis facts through tt operations --------------===//
// SPDX-License-Identifier: MIT
//
// Ranges, pointers, block pointers and shapes. Shape operations only rearrange
// elements, so the facts of a dimension that stays a dimension stay; where a
// dimension is new, what holds for all elements holds along it.
//
//===----------------------------------------------------------------------===//

#include "AxisInfoTransfer.h"

#include "triton/Dialect/Triton/IR/Dialect.h"
#include "triton/Dialect/TritonGPU/IR/Dialect.h"

#include "llvm/ADT/TypeSwitch.h"

namespace mlir::triton::axis {
namespace {

/// `axes` with the facts of `from` that do not concern single axes.
AxisInfo rebuild(Type type, SmallVector<Axis, 4> axes, const AxisInfo &from) {
  // A constant has facts of its own, better than any.
  if (auto value = from.getConstantValue())
    return AxisInfo::getConstant(type, *value);
  AxisInfo result(std::move(axes), getUnit(type));
  result.setRange(from.isNonNegative(), from.getBits());
  return result;
}

/// All elements are among those of `from`, in no known order.
AxisInfo pickElements(Type type, const AxisInfo &from) {
  SmallVector<Axis, 4> axes(getAxisShape(type).size(),
                            Axis{1, from.getElementDivisibility(), 1});
  return rebuild(type, std::move(axes), from);
}

//===----------------------------------------------------------------------===//
// Sources
//===----------------------------------------------------------------------===//

/// Counts from start on; the bounds are i32 even though the attribute has no
/// sign.
AxisInfo inferRange(MakeRangeOp op) {
  int64_t start = static_cast<int32_t>(op.getStart());
  int64_t end = static_cast<int32_t>(op.getEnd());
  // One element is a constant.
  if (end - start == 1)
    return AxisInfo::getConstant(op.getType(), start);
  AxisInfo result({Axis{end - start, getPowerOfTwoFactor(start), 1}},
                  /*unit=*/1);
  // Both ends bound what is between.
  result.setRange(start >= 0, std::max(getBitsOf(start), getBitsOf(end - 1)));
  return result;
}

/// Ids and sizes of the grid; nobody knows how large.
AxisInfo inferGrid(Type type) {
  AxisInfo result = AxisInfo::getPessimistic(type);
  result.setRange(/*isNonNegative=*/true, AxisInfo::kUnknownBits);
  return result;
}

//===----------------------------------------------------------------------===//
// Pointers
//===----------------------------------------------------------------------===//

/// The sum of an address and an offset in elements.
AxisInfo inferAddPtr(AddPtrOp op, Operands operands) {
  Type offset = op.getOffset().getType();
  // Offsets are sign-extended to the width of addresses.
  Type wide = getTypeWithElementType(
      offset, IntegerType::get(op.getContext(), kPointerBitWidth));
  return inferSum(op.getType(), *operands[0],
                  inferExtension(offset, wide, *operands[1],
                                 /*isSigned=*/true));
}

/// The same addresses or numbers, counted in steps of another size.
AxisInfo inferPointerCast(Type type, const AxisInfo &info) {
  // A block pointer out of a cast has an unknown tensor.
  if (isTensorPointerType(type))
    return AxisInfo::getPessimistic(type);
  int64_t unit = getUnit(type);
  SmallVector<Axis, 4> axes;
  for (unsigned dim = 0; dim < info.getRank(); ++dim) {
    // Steps of another size make neighbours strangers.
    int64_t group = unit == info.getUnit() ? info.getContiguity(dim) : 1;
    axes.push_back({group, info.getDivisibilityOfGroups(dim, group),
                    info.getConstancy(dim)});
  }
  return rebuild(type, std::move(axes), info);
}

/// Bits of pointers stay addresses; of other types, only equality stays.
AxisInfo inferBitcast(BitcastOp op, const AxisInfo &info) {
  Type element = getElementTypeOrSelf(op.getType());
  Type srcElement = getElementTypeOrSelf(op.getSrc().getType());
  if (isa<PointerType>(element))
    return inferPointerCast(op.getType(), info);
  if (element == srcElement)
    return info;
  // Floats have no divisors; equal bits stay equal.
  SmallVector<Axis, 4> axes;
  for (int64_t constancy : info.getConstancy())
    axes.push_back({1, 1, constancy});
  return AxisInfo(std::move(axes), /*unit=*/1);
}

//===----------------------------------------------------------------------===//
// Block pointers
//===----------------------------------------------------------------------===//

/// A scalar as part of a block pointer.
KnownInteger getInteger(const AxisInfo &scalar) {
  return {scalar.getDivisibility(0), scalar.getConstantValue()};
}

/// The facts of a block pointer, with axes for the addresses of its elements:
/// base + bytes * sum over dimensions of (offset + index) * stride.
AxisInfo describeBlock(Type type, BlockPointerInfo block) {
  int64_t unit = getUnit(type);
  SmallVector<int64_t> shape = getAxisShape(type);
  // What divides every address: the base, and every step.
  int64_t allElements = block.baseDivisibility;
  for (const KnownInteger &stride : block.strides)
    allElements =
        std::min(allElements, multiplyDivisors(stride.divisibility, unit));
  SmallVector<Axis, 4> axes;
  for (auto [dim, size] : llvm::enumerate(shape)) {
    Axis axis{1, allElements, 1};
    // No step: all the same along this dimension.
    if (block.strides[dim].value == 0)
      axis.constancy = size;
    if (block.strides[dim].value == 1) {
      // Groups start where this dimension's index is 0.
      axis.contiguity = size;
      axis.divisibility =
          std::min(block.baseDivisibility,
                   multiplyDivisors(block.offsets[dim].divisibility, unit));
      for (auto [other, stride] : llvm::enumerate(block.strides))
        if (other != dim)
          axis.divisibility = std::min(
              axis.divisibility, multiplyDivisors(stride.divisibility, unit));
    }
    axes.push_back(axis);
  }
  AxisInfo result(std::move(axes), unit);
  result.setBlockPointer(std::move(block));
  return result;
}

/// The operands are base, shape, strides and offsets, `rank` of each.
AxisInfo inferMakeTensorPtr(MakeTensorPtrOp op, Operands operands) {
  BlockPointerInfo block;
  block.baseDivisibility = operands.front()->getDivisibility(0);
  size_t rank = op.getShape().size();
  for (size_t dim = 0; dim < rank; ++dim) {
    block.shape.push_back(getInteger(*operands[1 + dim]));
    block.strides.push_back(getInteger(*operands[1 + rank + dim]));
    block.offsets.push_back(getInteger(*operands[1 + 2 * rank + dim]));
  }
  return describeBlock(op.getType(), std::move(block));
}

/// Adds the steps to the offsets; all else stays.
AxisInfo inferAdvance(AdvanceOp op, Operands operands) {
  // Null if the pointer may come from tensors of which nothing is known.
  const BlockPointerInfo *old = operands.front()->getBlockPointer();
  if (!old)
    return AxisInfo::getPessimistic(op.getType());
  BlockPointerInfo block = *old;
  for (auto [offset, info] :
       llvm::zip_equal(block.offsets, operands.drop_front())) {
    KnownInteger step = getInteger(*info);
    offset.divisibility = std::min(offset.divisibility, step.divisibility);
    if (offset.value && step.value) {
      // Offsets are i32 and wrap around as such.
      offset.value = static_cast<int32_t>(static_cast<uint32_t>(*offset.value) +
                                          static_cast<uint32_t>(*step.value));
      offset.divisibility = getPowerOfTwoFactor(*offset.value);
    } else {
      offset.value.reset();
    }
  }
  return describeBlock(op.getType(), std::move(block));
}

//===----------------------------------------------------------------------===//
// Shapes
//===----------------------------------------------------------------------===//

/// All elements are the scalar.
AxisInfo inferSplat(Type type, const AxisInfo &info) {
  SmallVector<Axis, 4> axes;
  for (int64_t size : getAxisShape(type))
    axes.push_back({1, info.getDivisibility(0), size});
  return rebuild(type, std::move(axes), info);
}

/// The new axis has one element, of which holds what holds for all.
AxisInfo inferExpandDims(ExpandDimsOp op, const AxisInfo &info) {
  SmallVector<Axis, 4> axes(info.getAxes());
  axes.insert(axes.begin() + op.getAxis(),
              Axis{1, info.getElementDivisibility(), 1});
  return rebuild(op.getType(), std::move(axes), info);
}

/// Along dimensions that grow, all elements are the same.
AxisInfo inferBroadcast(BroadcastOp op, const AxisInfo &info) {
  ArrayRef<int64_t> from = op.getSrc().getType().getShape();
  ArrayRef<int64_t> to = op.getType().getShape();
  SmallVector<Axis, 4> axes(info.getAxes());
  for (auto [axis, fromSize, toSize] : llvm::zip_equal(axes, from, to))
    if (fromSize != toSize)
      axis.constancy = toSize;
  return rebuild(op.getType(), std::move(axes), info);
}

/// The axes in another order.
AxisInfo inferTrans(TransOp op, const AxisInfo &info) {
  SmallVector<Axis, 4> axes;
  for (int32_t dim : op.getOrder())
    axes.push_back(info.getAxes()[dim]);
  return rebuild(op.getType(), std::move(axes), info);
}

/// Facts of a result dimension that steps through the row-major index of the
/// operand in groups of `stride` elements.
Axis reshapeAxis(ArrayRef<int64_t> fromShape, const AxisInfo &info,
                 int64_t stride, int64_t size) {
  Axis axis{1, info.getElementDivisibility(), 1};
  // The operand's dimension that the lowest step of the result falls into.
  int64_t inner = 1;
  unsigned dim = fromShape.size();
  // From the innermost dimension outwards.
  while (dim > 0 && inner * fromShape[dim - 1] <= stride)
    inner *= fromShape[--dim];
  // All dimensions are passed: the axis has one element.
  if (dim == 0)
    return axis;
  --dim;
  // Steps of the result are steps of that dimension: its groups stay.
  if (inner == stride) {
    axis.contiguity = std::min(info.getContiguity(dim), size);
    axis.divisibility = std::max(
        axis.divisibility, info.getDivisibilityOfGroups(dim, axis.contiguity));
  }
  // Constant stretches may go on through outer dimensions.
  int64_t constant =
      std::max<int64_t>(1, info.getConstancy(dim) / (stride / inner));
  bool whole = info.getConstancy(dim) == fromShape[dim];
  while (whole && dim-- > 0) {
    constant *= info.getConstancy(dim);
    whole = info.getConstancy(dim) == fromShape[dim];
  }
  axis.constancy = std::min(constant, size);
  return axis;
}

/// Row-major order stays, so that each axis of the result steps through the
/// operand's elements at a fixed distance.
AxisInfo inferReshape(ReshapeOp op, const AxisInfo &info) {
  if (op.getAllowReorder())
    return pickElements(op.getType(), info);
  ArrayRef<int64_t> fromShape =
      cast<RankedTensorType>(op.getSrc().getType()).getShape();
  ArrayRef<int64_t> toShape = cast<RankedTensorType>(op.getType()).getShape();
  SmallVector<Axis, 4> axes(toShape.size());
  // The distance, in elements, from the last dimension on.
  int64_t stride = 1;
  for (unsigned dim = toShape.size(); dim-- > 0;) {
    axes[dim] = reshapeAxis(fromShape, info, stride, toShape[dim]);
    stride *= toShape[dim];
  }
  return rebuild(op.getType(), std::move(axes), info);
}

/// Two tensors along a new last dimension.
AxisInfo inferJoin(JoinOp op, const AxisInfo &lhs, const AxisInfo &rhs) {
  AxisInfo either = AxisInfo::join(lhs, rhs);
  SmallVector<Axis, 4> axes(either.getAxes());
  axes.push_back({1, either.getElementDivisibility(), 1});
  return rebuild(op.getType(), std::move(axes), either);
}

/// Both results have the facts of all elements, without the last axis.
AxisInfo inferSplit(Type type, const AxisInfo &info) {
  SmallVector<Axis, 4> axes(info.getAxes().drop_back());
  return rebuild(type, std::move(axes), info);
}

/// Equal addresses and masks read equal values, if the access is one.
std::optional<AxisInfo> inferLoad(LoadOp op, Operands operands) {
  if (op.getIsVolatile() || isTensorPointerType(op.getPtr().getType()))
    return std::nullopt;
  AxisInfo result = AxisInfo::getPessimistic(op.getType());
  // As equal as pointers, masks and other values are.
  for (unsigned dim = 0; dim < result.getRank(); ++dim) {
    int64_t constancy = operands.front()->getConstancy(dim);
    for (const AxisInfo *other : operands.drop_front())
      constancy = std::min(constancy, other->getConstancy(dim));
    result.refine(dim, Axis{1, 1, constancy});
  }
  return result;
}

} // namespace

std::optional<AxisInfo> inferTriton(Operation *op, Operands operands,
                                    unsigned result) {
  Type type = op->getResult(result).getType();
  using Result = std::optional<AxisInfo>;
  // Nothing for operations that are not listed.
  return llvm::TypeSwitch<Operation *, Result>(op)
      .Case([&](MakeRangeOp range) { return inferRange(range); })
      .Case<GetProgramIdOp, GetNumProgramsOp>(
          [&](auto) { return inferGrid(type); })
      .Case([&](AddPtrOp add) { return inferAddPtr(add, operands); })
      .Case<PtrToIntOp, IntToPtrOp>(
          [&](auto) { return inferPointerCast(type, *operands[0]); })
      .Case([&](BitcastOp cast) { return inferBitcast(cast, *operands[0]); })
      .Case([&](MakeTensorPtrOp make) {
        return inferMakeTensorPtr(make, operands);
      })
      .Case([&](AdvanceOp advance) { return inferAdvance(advance, operands); })
      .Case([&](SplatOp) { return inferSplat(type, *operands[0]); })
      .Case([&](UnsplatOp) { return pickElements(type, *operands[0]); })
      .Case([&](ExpandDimsOp expand) {
        return inferExpandDims(expand, *operands[0]);
      })
      .Case([&](BroadcastOp broadcast) {
        return inferBroadcast(broadcast, *operands[0]);
      })
      .Case([&](TransOp trans) { return inferTrans(trans, *operands[0]); })
      .Case([&](ReshapeOp reshape) {
        return inferReshape(reshape, *operands[0]);
      })
      .Case([&](GatherOp) { return pickElements(type, *operands[0]); })
      .Case([&](CatOp) {
        // Facts of one shape, to be joined before they lose it.
        return pickElements(type, AxisInfo::join(*operands[0], *operands[1]));
      })
      .Case([&](JoinOp join) {
        return inferJoin(join, *operands[0], *operands[1]);
      })
      .Case([&](SplitOp) { return inferSplit(type, *operands[0]); })
      .Case([&](LoadOp load) { return inferLoad(load, operands); })
      .Case([&](gpu::ConvertLayoutOp) { return *operands[0]; })
      .Default([](Operation *) -> Result { return std::nullopt; });
}

} // namespace mlir::triton::axis
