//===- InferLayout.cpp - Layouts that operations relate -------------------===//
// SPDX-License-Identifier: MIT
//
// Answers queries of `tt` about layouts: the layout of a shape operation's
// result if no element moves, and whether a layout fits its tensor and the
// launch. The answers are computed from linear layouts. The result for a
// blocked layout is blocked if possible, and `#ttg.linear` otherwise.
//
//===----------------------------------------------------------------------===//

#include "triton/Dialect/TritonGPU/IR/InferLayout.h"

#include "triton/Dialect/TritonGPU/IR/Dialect.h"
#include "triton/Dialect/TritonGPU/IR/LayoutUtils.h"

using namespace mlir;
using namespace mlir::triton;
using namespace mlir::triton::gpu;

//===----------------------------------------------------------------------===//
// From linear layouts back to encodings
//===----------------------------------------------------------------------===//

/// Returns the number of bits of `in` that step along `dim`.
static unsigned countSteps(const LinearLayout &layout, LayoutDim in,
                           unsigned dim) {
  return llvm::count_if(layout.getBases(in),
                        [&](auto &basis) { return basis[dim] != 0; });
}

/// Returns the number of bits of `in` that hold copies.
static unsigned countZeros(const LinearLayout &layout, LayoutDim in) {
  return llvm::count_if(layout.getBases(in), [](auto &basis) {
    return llvm::all_of(basis, [](int32_t c) { return c == 0; });
  });
}

/// Returns the number of register bits along `dim` below all lanes and warps
/// there: sizePerThread.
static unsigned countInnerRegisterSteps(const LinearLayout &layout,
                                        unsigned dim) {
  // The smallest step of a lane or a warp is the first one that is none of the
  // tile's registers.
  int32_t firstOuter = layout.getOutDimSize(tensorDim(dim));
  for (LayoutDim in : {LayoutDim::Lane, LayoutDim::Warp})
    for (auto &basis : layout.getBases(in))
      if (basis[dim] != 0)
        firstOuter = std::min(firstOuter, basis[dim]);
  return llvm::Log2_32(firstOuter);
}

/// Returns the blocked encoding that is `layout` on its own shape, if one is
/// found. A blocked layout is given by its order and, per dimension, by how
/// many bits each level takes; the few choices that the bases leave open are
/// tried.
static BlockedEncodingAttr findBlocked(MLIRContext *context,
                                       const LinearLayout &layout) {
  // The shape is the layout's own.
  unsigned rank = layout.getNumOutDims();
  SmallVector<int64_t> shape;
  for (auto [dim, size] : layout.getOutDimSizes())
    shape.push_back(size);
  using LD = LayoutDim;
  const SmallVector<unsigned> orders[] = {
      getOrderOfBases(layout, {LD::Register, LD::Lane, LD::Warp}),
      getOrderOfBases(layout, {LD::Lane, LD::Register, LD::Warp}),
      getOrderOfBases(layout, {LD::Lane, LD::Warp, LD::Register})};

  for (ArrayRef<unsigned> order : orders) {
    // Copies come from a level that is larger than the tensor along some
    // dimension; a dimension without lanes and warps may count its registers
    // as part of the tile or as repetitions.
    for (unsigned copiesDim : llvm::reverse(order)) {
      for (bool repeatUndistributed : {false, true}) {
        SmallVector<unsigned> registers(rank), lanes(rank), warps(rank);
        for (unsigned dim = 0; dim < rank; ++dim) {
          unsigned laneBits = countSteps(layout, LD::Lane, dim);
          unsigned warpBits = countSteps(layout, LD::Warp, dim);
          if (dim == copiesDim) {
            laneBits += countZeros(layout, LD::Lane);
            warpBits += countZeros(layout, LD::Warp);
          }
          bool distributed = laneBits + warpBits != 0;
          registers[dim] = !distributed && repeatUndistributed
                               ? 1
                               : 1u << countInnerRegisterSteps(layout, dim);
          lanes[dim] = 1u << laneBits;
          warps[dim] = 1u << warpBits;
        }
        // Whether a choice was right is seen by what it means.
        auto blocked =
            BlockedEncodingAttr::get(context, registers, lanes, warps, order);
        if (blocked.toLinearLayout(shape) == layout)
          return blocked;
      }
    }
  }
  // None of the choices.
  return nullptr;
}

/// An encoding that is `layout`, of the kind of `like` where that can be.
static LogicalResult toEncoding(Attribute like, const LinearLayout &layout,
                                Attribute &result,
                                std::optional<Location> loc) {
  MLIRContext *context = like.getContext();
  // A blocked layout stays one where it can.
  if (isa<BlockedEncodingAttr>(like)) {
    result = findBlocked(context, layout);
    if (result)
      return success();
  }
  std::string error;
  if (!isDistributedLayout(layout, error))
    return emitOptionalError(loc, "no layout can describe the result: ", error);
  result = LinearEncodingAttr::get(context, layout);
  return success();
}

/// Returns the layout of double the number of elements along `axis`: a new
/// lowest register bit moves between the two that were one.
static LinearLayout doubleAlongAxis(const LinearLayout &layout, unsigned axis) {
  // Multiplication from the left puts the pair below all other bits.
  LinearLayout pair =
      LinearLayout::identity1D(2, LayoutDim::Register, tensorDim(axis));
  return (pair * layout).transposeOuts(layout.getOutDims());
}

//===----------------------------------------------------------------------===//
// The interface
//===----------------------------------------------------------------------===//

/// Returns the layout of `encoding` on `shape`; reports encodings that do not
/// distribute a tensor of this rank.
static FailureOr<LinearLayout> getLayout(ArrayRef<int64_t> shape,
                                         Attribute encoding,
                                         std::optional<Location> loc) {
  auto distributed = dyn_cast_or_null<DistributedEncodingInterface>(encoding);
  if (!distributed)
    return emitOptionalError(loc, "expected a distributed layout, found ",
                             encoding);
  if (distributed.getRank() != shape.size())
    return emitOptionalError(loc, "expected a layout of rank ", shape.size(),
                             ", found rank ", distributed.getRank());
  return toLinearLayout(shape, encoding);
}

LogicalResult LinearInferLayoutInterface::inferTransOpEncoding(
    Attribute operandEncoding, ArrayRef<int64_t> shape, ArrayRef<int32_t> order,
    Attribute &resultEncoding, std::optional<Location> loc) const {
  if (order.size() != shape.size())
    return emitOptionalError(loc, "expected an order of ", shape.size(),
                             " dimensions, found ", order.size());
  // Memory has a separate transposed layout.
  if (auto shared = dyn_cast<SharedEncodingInterface>(operandEncoding)) {
    resultEncoding = shared.transpose(order);
    return success();
  }
  // The transposed blocked layout is blocked: its numbers move.
  if (auto blocked = dyn_cast<BlockedEncodingAttr>(operandEncoding)) {
    auto permute = [&](ArrayRef<unsigned> values) {
      return llvm::map_to_vector(order, [&](int32_t d) { return values[d]; });
    };
    SmallVector<unsigned> newDimOf(order.size());
    for (auto [i, dim] : llvm::enumerate(order))
      newDimOf[dim] = i;
    auto newOrder = llvm::map_to_vector(
        blocked.getOrder(), [&](unsigned dim) { return newDimOf[dim]; });
    resultEncoding = BlockedEncodingAttr::get(
        getContext(), permute(blocked.getSizePerThread()),
        permute(blocked.getThreadsPerWarp()), permute(blocked.getWarpsPerCTA()),
        newOrder);
    return success();
  }
  FailureOr<LinearLayout> layout = getLayout(shape, operandEncoding, loc);
  if (failed(layout))
    return failure();
  return toEncoding(operandEncoding, permuteTensorDims(*layout, order),
                    resultEncoding, loc);
}

LogicalResult LinearInferLayoutInterface::inferReduceOpEncoding(
    Attribute operandEncoding, unsigned axis, Attribute &resultEncoding,
    std::optional<Location> loc) const {
  auto parent = dyn_cast<DistributedEncodingInterface>(operandEncoding);
  if (!parent || axis >= parent.getRank())
    return emitOptionalError(loc,
                             "expected a distributed layout with a "
                             "dimension ",
                             axis, ", found ", operandEncoding);
  // The rest of a vector is a scalar, which every work-item has.
  if (parent.getRank() == 1)
    resultEncoding = nullptr;
  else
    resultEncoding = SliceEncodingAttr::get(getContext(), axis, parent);
  return success();
}

LogicalResult LinearInferLayoutInterface::inferExpandDimsOpEncoding(
    Attribute operandEncoding, unsigned axis, Attribute &resultEncoding,
    std::optional<Location> loc) const {
  // Whatever it is a slice of has the dimension.
  if (auto slice = dyn_cast<SliceEncodingAttr>(operandEncoding)) {
    if (slice.getDim() != axis)
      return emitOptionalError(
          loc, "expected the operand's layout to be a slice along dimension ",
          axis, ", found ", slice.getDim());
    resultEncoding = slice.getParent();
    return success();
  }
  auto linear = dyn_cast<LinearEncodingAttr>(operandEncoding);
  if (!linear || axis > linear.getRank())
    return emitOptionalError(
        loc, "expected the operand's layout to be a slice along dimension ",
        axis, ", found ", operandEncoding);
  // A dimension of size 1 has no bits; the others stay.
  SmallVector<int64_t> shape;
  for (auto [dim, size] : linear.getLinearLayout().getOutDimSizes())
    shape.push_back(size);
  shape.insert(shape.begin() + axis, 1);
  resultEncoding = LinearEncodingAttr::get(
      getContext(), reshapeTensor(linear.getLinearLayout(), shape));
  return success();
}

LogicalResult LinearInferLayoutInterface::inferDotOpEncoding(
    Attribute operandEncoding, unsigned opIdx, Attribute retEncoding,
    std::optional<Location> loc) const {
  // Operands of dots have a layout that names the dot's own.
  auto operand = dyn_cast_or_null<DotOperandEncodingAttr>(operandEncoding);
  if (!operand)
    return emitOptionalError(loc, "expected the layout of operand ", opIdx,
                             " to be a dot_op layout, found ", operandEncoding);
  if (operand.getOpIdx() != opIdx)
    return emitOptionalError(loc, "expected the layout of operand ", opIdx,
                             " to have the same 'opIdx', found ",
                             operand.getOpIdx());
  if (operand.getParent() != retEncoding)
    return emitOptionalError(loc, "expected the layout of operand ", opIdx,
                             " to have the result's layout ", retEncoding,
                             " as parent, found ", operand.getParent());
  return success();
}

LogicalResult LinearInferLayoutInterface::verifyDotOpEncodingCompatibility(
    Operation *op, Attribute a, Attribute b) const {
  auto first = dyn_cast_or_null<DotOperandEncodingAttr>(a);
  auto second = dyn_cast_or_null<DotOperandEncodingAttr>(b);
  if (!first || !second)
    return op->emitOpError("expected both operands to have a dot_op layout");
  if (first.getParent() != second.getParent())
    return op->emitOpError(
        "expected the layouts of both operands to have the same parent");
  // Some instructions only take certain types.
  auto mma = dyn_cast<MmaEncodingInterface>(first.getParent());
  if (!mma || op->getNumOperands() < 2)
    return success();
  return mma.verifyDotElementTypes(
      [&]() { return op->emitOpError(); },
      getElementTypeOrSelf(op->getOperand(0).getType()),
      getElementTypeOrSelf(op->getOperand(1).getType()));
}

LogicalResult LinearInferLayoutInterface::inferReshapeOpEncoding(
    ArrayRef<int64_t> srcShape, Attribute srcEncoding,
    ArrayRef<int64_t> dstShape, Attribute &dstEncoding, bool allowReorder,
    std::optional<Location> loc) const {
  FailureOr<LinearLayout> layout = getLayout(srcShape, srcEncoding, loc);
  if (failed(layout))
    return failure();
  if (ShapedType::getNumElements(srcShape) !=
      ShapedType::getNumElements(dstShape))
    return emitOptionalError(loc, "expected shapes with equally many elements");
  // Keeping the order of elements is also an answer where it need not be kept.
  if (srcShape == dstShape) {
    dstEncoding = srcEncoding;
    return success();
  }
  return toEncoding(srcEncoding, reshapeTensor(*layout, dstShape), dstEncoding,
                    loc);
}

/// Infers the layout of a pair of tensors of this shape along a new last
/// dimension.
static LogicalResult inferJoin(const LinearInferLayoutInterface &layouts,
                               Attribute srcEncoding, Attribute &dstEncoding,
                               ArrayRef<int64_t> shape,
                               std::optional<Location> loc) {
  MLIRContext *context = srcEncoding.getContext();
  unsigned rank = shape.size();
  SmallVector<int64_t> joined(shape);
  joined.push_back(2);
  // In a blocked layout, the pair is a new fastest dimension, held by one
  // work-item.
  if (auto blocked = dyn_cast<BlockedEncodingAttr>(srcEncoding)) {
    auto append = [](ArrayRef<unsigned> values, unsigned value) {
      SmallVector<unsigned> result(values);
      result.push_back(value);
      return result;
    };
    SmallVector<unsigned> order = {rank};
    llvm::append_range(order, blocked.getOrder());
    dstEncoding =
        BlockedEncodingAttr::get(context, append(blocked.getSizePerThread(), 2),
                                 append(blocked.getThreadsPerWarp(), 1),
                                 append(blocked.getWarpsPerCTA(), 1), order);
    return success();
  }
  // A slice of a layout that already holds pairs comes from a split of it.
  if (auto slice = dyn_cast<SliceEncodingAttr>(srcEncoding);
      slice && slice.getDim() == rank) {
    Attribute split;
    if (succeeded(layouts.inferSplitOpEncoding(slice.getParent(), split, joined,
                                               /*loc=*/std::nullopt)) &&
        areLayoutsEquivalent(shape, split, srcEncoding)) {
      dstEncoding = slice.getParent();
      return success();
    }
  }
  FailureOr<LinearLayout> layout = getLayout(shape, srcEncoding, loc);
  if (failed(layout))
    return failure();
  SmallVector<int64_t> widened(shape);
  widened.push_back(1);
  return toEncoding(srcEncoding,
                    doubleAlongAxis(reshapeTensor(*layout, widened), rank),
                    dstEncoding, loc);
}

LogicalResult LinearInferLayoutInterface::inferDefaultJoinOpEncoding(
    Attribute srcEncoding, Attribute &dstEncoding, ArrayRef<int64_t> shape,
    std::optional<Location> loc) const {
  if (failed(inferJoin(*this, srcEncoding, dstEncoding, shape, loc)))
    return failure();
  // The result may be too large for its layout.
  SmallVector<int64_t> joined(shape);
  joined.push_back(2);
  auto emitError = [&] {
    InFlightDiagnostic diagnostic =
        mlir::emitError(loc.value_or(UnknownLoc::get(getContext())));
    // The reason is not requested.
    if (!loc)
      diagnostic.abandon();
    return diagnostic;
  };
  return verifyEncodingOfTensor(
      cast<LinearLayoutEncodingInterface>(dstEncoding), joined, emitError);
}

LogicalResult LinearInferLayoutInterface::inferSplitOpEncoding(
    Attribute srcEncoding, Attribute &dstEncoding, ArrayRef<int64_t> shape,
    std::optional<Location> loc) const {
  FailureOr<LinearLayout> layout = getLayout(shape, srcEncoding, loc);
  if (failed(layout))
    return failure();
  if (shape.size() < 2 || shape.back() != 2)
    return emitOptionalError(loc, "expected the last of two or more "
                                  "dimensions to have size 2");
  // Both halves have to be in one register bit of each work-item.
  unsigned last = shape.size() - 1;
  if (countSteps(*layout, LayoutDim::Register, last) != 1)
    return emitOptionalError(loc, "expected a layout in which each work-item "
                                  "holds both halves of the last dimension");
  // The inverse of the join of a blocked layout.
  if (auto blocked = dyn_cast<BlockedEncodingAttr>(srcEncoding);
      blocked && blocked.getThreadsPerWarp().back() == 1 &&
      blocked.getWarpsPerCTA().back() == 1) {
    SmallVector<unsigned> order(blocked.getOrder());
    llvm::erase(order, last);
    dstEncoding = BlockedEncodingAttr::get(
        getContext(), blocked.getSizePerThread().drop_back(),
        blocked.getThreadsPerWarp().drop_back(),
        blocked.getWarpsPerCTA().drop_back(), order);
    return success();
  }
  // Without the bit that distinguishes the halves.
  LinearLayout::Bases registers = layout->getBases(LayoutDim::Register);
  llvm::erase_if(registers, [&](auto &basis) { return basis[last] != 0; });
  LinearLayout half = layout->withBases(LayoutDim::Register, registers);
  SmallVector<LayoutDim> outDims = tensorDims(last);
  return toEncoding(srcEncoding, half.sublayout(half.getInDims(), outDims),
                    dstEncoding, loc);
}

LogicalResult LinearInferLayoutInterface::inferFp4ToFpOpEncoding(
    ArrayRef<int64_t> shape, int axis, Attribute inEncoding,
    Attribute &outEncoding, bool fwd, std::optional<Location> loc) const {
  FailureOr<LinearLayout> layout = getLayout(shape, inEncoding, loc);
  if (failed(layout))
    return failure();
  if (axis < 0 || axis >= static_cast<int64_t>(shape.size()))
    return emitOptionalError(loc, "expected an axis of the tensor, found ",
                             axis);
  // Two values for each byte, side by side in a work-item.
  if (fwd)
    return toEncoding(inEncoding, doubleAlongAxis(*layout, axis), outEncoding,
                      loc);
  // Backwards: the lowest register bit has to be the pair's.
  LinearLayout pair =
      LinearLayout::identity1D(2, LayoutDim::Register, tensorDim(axis));
  std::optional<LinearLayout> packed = layout->divideLeft(pair);
  if (!packed)
    return emitOptionalError(loc,
                             "expected a layout in which each work-item "
                             "holds pairs of neighbours along dimension ",
                             axis);
  return toEncoding(inEncoding, *packed, outEncoding, loc);
}

LogicalResult
LinearInferLayoutInterface::verifyTensorLayout(Operation *op,
                                               RankedTensorType type) const {
  auto encoding = dyn_cast<DistributedEncodingInterface>(type.getEncoding());
  auto emitError = [&]() { return op->emitOpError(); };
  if (!encoding)
    return emitError() << "expected a tensor with a distributed layout, found "
                       << type;
  // The type itself has checked that ranks agree.
  std::optional<int32_t> numWarps = maybeLookupNumWarps(op);
  if (!numWarps)
    return emitError() << "expected '"
                       << TritonGPUDialect::getNumWarpsAttrName()
                       << "' on a function or module around an operation on "
                          "tensors with a layout";
  return encoding.verifyDistribution(emitError, type.getShape(), *numWarps,
                                     lookupThreadsPerWarp(op));
}

LogicalResult LinearInferLayoutInterface::verifyLayoutsAreEqual(
    ArrayRef<int64_t> shape, Attribute expected, Attribute got,
    std::optional<Location> loc) const {
  // Different encodings may mean the same.
  if (areLayoutsEquivalent(shape, expected, got))
    return success();
  return emitOptionalError(loc, "expected layout ", expected, ", found ", got);
}

void TritonGPUDialect::registerInterfaces() {
  addInterfaces<LinearInferLayoutInterface>();
}
