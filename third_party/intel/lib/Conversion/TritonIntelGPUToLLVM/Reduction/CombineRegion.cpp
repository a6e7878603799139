//===- CombineRegion.cpp - Regions of reductions and scans ----------------===//
// SPDX-License-Identifier: MIT
//
// A region of arith and math operations is emitted once per vector of
// registers. Any other region (control flow, calls) is cloned once per
// register, and the conversion in progress lowers the clones.
//
//===----------------------------------------------------------------------===//

#include "CombineRegion.h"

#include "../Control/Assertions.h"
#include "../Elementwise/FloatConversion.h"
#include "../Utility/Constants.h"
#include "../Utility/LayoutEvaluation.h"
#include "../Utility/RegisterTypeConverter.h"
#include "../Utility/Registers.h"
#include "../Utility/SharedMemory.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"
#include "triton/Analysis/Allocation.h"
#include "triton/Dialect/TritonGPU/IR/Dialect.h"

#include <map>

using namespace mlir;

namespace mlir::triton::gpu::intel {

FailureOr<CombineLayout>
getCombineLayout(Operation *op, const LinearLayout &layout, unsigned axis) {
  if (std::optional<CombineLayout> result = CombineLayout::get(layout, axis))
    return *result;
  return op->emitOpError("has an operand layout that does not separate the "
                         "axis from other dimensions");
}

FailureOr<int64_t> getCombineScratchOffset(Operation *op,
                                           const CombineLayout &layout) {
  // Only results of several warps meet in shared memory.
  if (!layout.crossesWarps())
    return 0;
  return getAllocationOffset(op);
}

SmallVector<Value> getScratchPointers(RewriterBase &rewriter, Operation *op,
                                      int64_t scratchOffset,
                                      ArrayRef<Type> elementTypes,
                                      int64_t elements) {
  Location loc = op->getLoc();
  // Operands follow each other in shared memory.
  SmallVector<int64_t> offsets =
      getOperandScratchOffsets(elementTypes, elements);
  Value placeOffset = getPlaceOffset(rewriter, op, offsets.back());
  SmallVector<Value> pointers;
  for (int64_t offset : ArrayRef(offsets).drop_back())
    pointers.push_back(getSharedMemoryPointer(
        rewriter, loc, op, scratchOffset + offset, placeOffset));
  return pointers;
}

OperandChunks arrangeRows(RewriterBase &rewriter, ReduceOp op,
                          const OperandChunks &values,
                          ArrayRef<unsigned> registers) {
  auto result = dyn_cast<RankedTensorType>(op.getResult().front().getType());
  // A scalar: every work-item has the value already.
  if (!result)
    return values;
  // Both layouts number the rows; match them by the coordinates of thread 0.
  LinearLayout sourceLayout = toLinearLayout(op.getInputTypes().front());
  // Where each row lies among the values.
  std::map<SmallVector<int32_t>, unsigned> positions;
  for (auto [position, reg] : llvm::enumerate(registers)) {
    SmallVector<int32_t> coordinates =
        getRegisterCoordinates(sourceLayout, reg);
    coordinates.erase(coordinates.begin() + op.getAxis());
    positions[coordinates] = position;
  }
  // Registers of the result's layout, copies included.
  LinearLayout resultLayout = toLinearLayout(result);
  SmallVector<unsigned> indices;
  for (int32_t reg = 0; reg < resultLayout.getInDimSize(LayoutDim::Register);
       ++reg)
    indices.push_back(positions.at(getRegisterCoordinates(resultLayout, reg)));
  OperandChunks arranged;
  for (const SmallVector<Value> &chunks : values)
    arranged.push_back(
        permuteRegisters(rewriter, op.getLoc(), chunks, indices));
  return arranged;
}

namespace {

/// Conversions between floats go through convertFloat, which knows the types
/// that have no registers.
bool isFloatConversion(Operation &op) {
  if (isa<arith::ExtFOp>(op))
    return isFloatConversionSupported(op.getOperand(0).getType(),
                                      op.getResult(0).getType());
  auto trunc = dyn_cast<arith::TruncFOp>(op);
  // Rounding other than to nearest is left to the general lowering.
  return trunc && !trunc.getRoundingmode() &&
         isFloatConversionSupported(trunc.getIn().getType(), trunc.getType());
}

/// Returns whether `op` on vectors is the same as `op` on each element.
bool isVectorizableOp(Operation &op) {
  if (isFloatConversion(op))
    return true;
  // Scalar constants can be repeated in each element.
  if (auto constant = dyn_cast<arith::ConstantOp>(op))
    return isa<IntegerAttr, FloatAttr>(constant.getValue());
  // Regions and anything without the trait would act on the vector as a whole.
  if (!isa<arith::ArithDialect, math::MathDialect>(op.getDialect()) ||
      op.getNumRegions() != 0 || !op.hasTrait<mlir::OpTrait::Elementwise>())
    return false;
  // A select takes any type, pointers included.
  if (isa<arith::SelectOp>(op))
    return true;
  // Types without native registers, such as 8-bit floats, are integers here, on
  // which float arithmetic means something else.
  auto hasRegisters = [](Type type) {
    return type.isIntOrFloat() &&
           RegisterTypeConverter::convertElementType(type) == type;
  };
  return llvm::all_of(op.getOperandTypes(), hasRegisters) &&
         llvm::all_of(op.getResultTypes(), hasRegisters);
}

/// Creates the constant of a scalar in register form, in every element of a
/// vector.
Value createConstant(OpBuilder &builder, Location loc, arith::ConstantOp op,
                     unsigned width) {
  Type element = RegisterTypeConverter::convertElementType(op.getType());
  TypedAttr value = op.getValue();
  // Floats without registers are their bit patterns.
  if (op.getType() != element)
    value = builder.getIntegerAttr(
        element, cast<FloatAttr>(value).getValue().bitcastToAPInt());
  if (width != 1)
    value = DenseElementsAttr::get(VectorType::get({width}, element),
                                   Attribute(value));
  return arith::ConstantOp::create(builder, loc, value);
}

} // namespace

CombineRegion::CombineRegion(Region &region,
                             ConversionPatternRewriter &rewriter, Location loc)
    : block(region.front()), rewriter(rewriter), loc(loc),
      isVectorizable(
          llvm::all_of(block.without_terminator(), isVectorizableOp)) {}

SmallVector<Value>
CombineRegion::combineVectors(ArrayRef<Value> arguments) const {
  // All arguments are equally wide.
  unsigned width = getVectorWidth(arguments.front().getType());
  IRMapping mapping;
  mapping.map(block.getArguments(), arguments);
  // Canonicalization moves constants out of the region.
  auto lookup = [&](Value value) -> Value {
    if (Value mapped = mapping.lookupOrNull(value))
      return mapped;
    Value mapped;
    if (auto constant = value.getDefiningOp<arith::ConstantOp>())
      mapped = createConstant(rewriter, loc, constant, width);
    else
      mapped =
          splatVector(rewriter, loc, rewriter.getRemappedValue(value), width);
    mapping.map(value, mapped);
    return mapped;
  };

  for (Operation &op : block.without_terminator()) {
    if (auto constant = dyn_cast<arith::ConstantOp>(op)) {
      mapping.map(constant.getResult(),
                  createConstant(rewriter, loc, constant, width));
      continue;
    }
    SmallVector<Value> operands = llvm::map_to_vector(op.getOperands(), lookup);
    // Types of the region are those of the source; these conversions depend on
    // them.
    if (isFloatConversion(op)) {
      mapping.map(op.getResult(0), convertFloat(rewriter, loc, operands.front(),
                                                op.getOperand(0).getType(),
                                                op.getResult(0).getType()));
      continue;
    }
    SmallVector<Type> types;
    for (Type type : op.getResultTypes())
      types.push_back(getVectorType(
          RegisterTypeConverter::convertElementType(type), width));
    // Creates the same operation on vectors.
    Operation *clone = rewriter.create(loc, op.getName().getIdentifier(),
                                       operands, types, op.getAttrs());
    mapping.map(op.getResults(), clone->getResults());
  }
  return llvm::map_to_vector(block.getTerminator()->getOperands(), lookup);
}

/// Makes a copy of an assertion of the region fit for the code of a work-item:
/// see `combine` for `isValid`. Conditions in the region depend on elements, so
/// that not all work-items come to what they guard; and an agreement of all of
/// them per combination would take too long.
static void adaptAssertion(RewriterBase &rewriter, AssertOp assertion,
                           Value isValid) {
  markDivergent(assertion);
  // Null: the combination counts everywhere.
  if (!isValid)
    return;
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(assertion);
  Value condition = assertion.getCondition();
  // Where it does not count, the assertion holds.
  Value holds = arith::ConstantOp::create(
      rewriter, assertion.getLoc(), rewriter.getOneAttr(condition.getType()));
  Value adapted = arith::SelectOp::create(rewriter, assertion.getLoc(), isValid,
                                          condition, holds);
  rewriter.modifyOpInPlace(
      assertion, [&] { assertion.getConditionMutable().assign(adapted); });
}

SmallVector<Value> CombineRegion::combineScalars(ArrayRef<Value> arguments,
                                                 Value isValid) const {
  // The clones have the types of the source; the conversion sees to it that
  // these casts and its own cancel.
  auto cast = [&](Value value, Type type) -> Value {
    if (value.getType() == type)
      return value;
    return UnrealizedConversionCastOp::create(rewriter, loc, type, value)
        .getResult(0);
  };
  IRMapping mapping;
  for (auto [argument, value] :
       llvm::zip_equal(block.getArguments(), arguments))
    mapping.map(argument, cast(value, argument.getType()));
  for (Operation &op : block.without_terminator()) {
    // The region's operations may be of any kind, but assertions among them
    // have to know that not all work-items come here.
    Operation *copy = rewriter.clone(op, mapping);
    copy->walk([&](AssertOp assertion) {
      adaptAssertion(rewriter, assertion, isValid);
    });
  }
  SmallVector<Value> results;
  // Results have the types that the first half of the arguments has in
  // registers.
  for (auto [value, argument] :
       llvm::zip_equal(block.getTerminator()->getOperands(),
                       arguments.take_front(arguments.size() / 2)))
    results.push_back(cast(mapping.lookupOrDefault(value), argument.getType()));
  return results;
}

SmallVector<Value> CombineRegion::combine(ArrayRef<Value> lhs,
                                          ArrayRef<Value> rhs,
                                          Value isValid) const {
  SmallVector<Value> arguments(lhs);
  llvm::append_range(arguments, rhs);
  // Vectors go through the region as they are.
  if (isVectorizable)
    return combineVectors(arguments);

  // Element by element: [argument][element].
  SmallVector<SmallVector<Value>> registers;
  for (Value argument : arguments)
    registers.push_back(unpackRegisters(rewriter, loc, argument));
  SmallVector<SmallVector<Value>> results(lhs.size());
  for (unsigned i = 0; i < registers.front().size(); ++i) {
    SmallVector<Value> scalars;
    for (auto &list : registers)
      scalars.push_back(list[i]);
    for (auto [list, value] :
         llvm::zip_equal(results, combineScalars(scalars, isValid)))
      list.push_back(value);
  }
  SmallVector<Value> packed;
  // As wide as the arguments were.
  for (auto &list : results)
    packed.push_back(packRegisters(rewriter, loc, list).front());
  return packed;
}

OperandChunks CombineRegion::combine(const OperandChunks &lhs,
                                     const OperandChunks &rhs) const {
  // One chunk of all operands at a time.
  OperandChunks results(lhs.size());
  for (unsigned chunk = 0; chunk < lhs.front().size(); ++chunk) {
    SmallVector<Value> left, right;
    for (auto [leftList, rightList] : llvm::zip_equal(lhs, rhs)) {
      left.push_back(leftList[chunk]);
      right.push_back(rightList[chunk]);
    }
    for (auto [list, value] : llvm::zip_equal(results, combine(left, right)))
      list.push_back(value);
  }
  return results;
}

} // namespace mlir::triton::gpu::intel
