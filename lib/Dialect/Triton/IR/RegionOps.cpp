//===- RegionOps.cpp - Operations with a combining region -----------------===//
// SPDX-License-Identifier: MIT
//
// Verifiers and type inference of TritonRegionOps.td. Reductions and scans have
// the same region, hence one implementation for both.
//
//===----------------------------------------------------------------------===//

#include "triton/Dialect/Triton/IR/Dialect.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::triton;

/// Returns the types of values that are all tensors.
static SmallVector<RankedTensorType> getTensorTypes(ValueRange values) {
  return llvm::map_to_vector(values.getTypes(), [](Type type) {
    return cast<RankedTensorType>(type);
  });
}

/// Returns the types of their elements.
static SmallVector<Type> getElementTypesOf(ValueRange values) {
  return llvm::map_to_vector(values.getTypes(), [](Type type) {
    return cast<RankedTensorType>(type).getElementType();
  });
}

/// The shape and axis checks that inference has to make before the verifier.
static LogicalResult checkOperands(ValueRange srcs, int32_t axis,
                                   StringRef name,
                                   std::optional<Location> loc) {
  // Inference runs before verifiers, so it must not rely on them.
  if (srcs.empty())
    return emitOptionalError(loc, "`", name, "` expects at least one operand");
  auto first = cast<RankedTensorType>(srcs.front().getType());
  for (RankedTensorType type : getTensorTypes(srcs))
    if (type.getShape() != first.getShape())
      return emitOptionalError(loc, "`", name,
                               "` expects operands of the same shape, found ",
                               first, " and ", type);
  if (axis < 0 || axis >= first.getRank())
    return emitOptionalError(
        loc, "`", name, "` expects `axis` to be a dimension of the ",
        "operands, which have rank ", first.getRank(), ", found ", axis);
  return success();
}

/// Checks a region on 2n scalars that yields n of them through `ReturnOpT`.
template <typename ReturnOpT>
static LogicalResult verifyCombineRegion(Operation *op, ValueRange srcs) {
  // The elements so far and the next ones.
  Block &block = op->getRegion(0).front();
  SmallVector<Type> elements = getElementTypesOf(srcs);
  SmallVector<Type> expected(elements);
  expected.append(elements);
  if (block.getArgumentTypes() != TypeRange(expected))
    return op->emitOpError("expects a region with arguments of types ")
           << expected << ", found " << block.getArgumentTypes();
  // The region has one block, so the terminator is the last word.
  auto terminator = dyn_cast<ReturnOpT>(block.getTerminator());
  if (!terminator)
    return op->emitOpError("expects a region that ends in `")
           << ReturnOpT::getOperationName() << "`";
  if (terminator.getOperandTypes() != TypeRange(elements))
    return terminator.emitOpError("expects operands of types ")
           << elements << ", found " << terminator.getOperandTypes();
  return success();
}

/// Returns the operation that alone makes up a region, see getSingleCombiner().
static Operation *findSingleCombiner(Region &region, unsigned numOperands) {
  Block &block = region.front();
  // One operation and the terminator.
  if (numOperands != 1 || !llvm::hasNItems(block, 2))
    return nullptr;
  Operation *combiner = &block.front();
  Operation *terminator = block.getTerminator();
  // Both arguments in their order: reductions need not commute.
  if (combiner->getNumOperands() != 2 || combiner->getNumResults() != 1 ||
      combiner->getOperand(0) != block.getArgument(0) ||
      combiner->getOperand(1) != block.getArgument(1) ||
      terminator->getOperand(0) != combiner->getResult(0))
    return nullptr;
  return combiner;
}

//===----------------------------------------------------------------------===//
// ReduceOp
//===----------------------------------------------------------------------===//

LogicalResult ReduceOp::inferReturnTypes(MLIRContext *context,
                                         std::optional<Location> loc,
                                         Adaptor adaptor,
                                         SmallVectorImpl<Type> &types) {
  int32_t axis = static_cast<int32_t>(adaptor.getAxis());
  if (failed(checkOperands(adaptor.getSrcs(), axis, getOperationName(), loc)))
    return failure();
  // All operands lose the axis.
  for (RankedTensorType type : getTensorTypes(adaptor.getSrcs())) {
    // A vector becomes a scalar.
    if (type.getRank() == 1) {
      types.push_back(type.getElementType());
      continue;
    }
    SmallVector<int64_t> shape(type.getShape());
    shape.erase(shape.begin() + axis);
    Attribute encoding;
    if (type.getEncoding()) {
      auto layouts = findInferLayoutInterface(type.getEncoding(), loc);
      if (failed(layouts) || failed((*layouts)->inferReduceOpEncoding(
                                 type.getEncoding(), axis, encoding, loc)))
        return failure();
    }
    types.push_back(
        RankedTensorType::get(shape, type.getElementType(), encoding));
  }
  return success();
}

bool ReduceOp::isCompatibleReturnTypes(TypeRange lhs, TypeRange rhs) {
  return isSameUpToEqualLayout(lhs, rhs);
}

LogicalResult ReduceOp::verifyRegions() {
  return verifyCombineRegion<ReduceReturnOp>(*this, getSrcs());
}

SmallVector<RankedTensorType> ReduceOp::getInputTypes() {
  return getTensorTypes(getSrcs());
}

SmallVector<Type> ReduceOp::getElementTypes() {
  return getElementTypesOf(getSrcs());
}

Operation *ReduceOp::getSingleCombiner() {
  return findSingleCombiner(getCombineOp(), getSrcs().size());
}

//===----------------------------------------------------------------------===//
// ScanOp
//===----------------------------------------------------------------------===//

LogicalResult ScanOp::inferReturnTypes(MLIRContext *context,
                                       std::optional<Location> loc,
                                       Adaptor adaptor,
                                       SmallVectorImpl<Type> &types) {
  if (failed(checkOperands(adaptor.getSrcs(),
                           static_cast<int32_t>(adaptor.getAxis()),
                           getOperationName(), loc)))
    return failure();
  // A scan keeps all elements, and so all types.
  llvm::append_range(types, adaptor.getSrcs().getTypes());
  return success();
}

bool ScanOp::isCompatibleReturnTypes(TypeRange lhs, TypeRange rhs) {
  return isSameUpToEqualLayout(lhs, rhs);
}

LogicalResult ScanOp::verifyRegions() {
  return verifyCombineRegion<ScanReturnOp>(*this, getSrcs());
}

SmallVector<RankedTensorType> ScanOp::getInputTypes() {
  return getTensorTypes(getSrcs());
}

SmallVector<Type> ScanOp::getElementTypes() {
  return getElementTypesOf(getSrcs());
}

Operation *ScanOp::getSingleCombiner() {
  return findSingleCombiner(getCombineOp(), getSrcs().size());
}

//===----------------------------------------------------------------------===//
// MapElementwiseOp
//===----------------------------------------------------------------------===//

/// The region's arguments are checked in `verifyRegions`.
LogicalResult MapElementwiseOp::verify() {
  int32_t pack = static_cast<int32_t>(getPack());
  if (pack < 1 || !llvm::isPowerOf2_32(pack))
    return emitOpError("expects `pack` to be a power of two, found ") << pack;
  if (getSrcs().empty())
    return emitOpError("expects at least one operand");
  return success();
}

/// Returns `pack` times the element type of every tensor in turn.
static SmallVector<Type> getPackedTypes(ValueRange tensors, unsigned pack) {
  SmallVector<Type> types;
  for (Type element : getElementTypesOf(tensors))
    types.append(pack, element);
  return types;
}

LogicalResult MapElementwiseOp::verifyRegions() {
  // Arguments for `pack` elements of each operand in turn, and results
  // likewise.
  SmallVector<Type> arguments = getPackedTypes(getSrcs(), getPack());
  SmallVector<Type> results = getPackedTypes(getResults(), getPack());
  if (getScalarOp().empty())
    return emitOpError("expects a region with a body");
  if (getScalarOp().getArgumentTypes() != TypeRange(arguments))
    return emitOpError("expects a region with arguments of types ")
           << arguments << ", found " << getScalarOp().getArgumentTypes();
  // The region may have branches, and so several ends.
  for (auto terminator : getScalarOp().getOps<MapElementwiseReturnOp>())
    if (terminator.getOperandTypes() != TypeRange(results))
      return terminator.emitOpError("expects operands of types ")
             << results << ", found " << terminator.getOperandTypes();
  return success();
}
