//===- SliceScans.cpp - Scans of one slice after the other ----------------===//
// SPDX-License-Identifier: MIT
//
// See the header.
//
//===----------------------------------------------------------------------===//

#include "SliceScans.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "triton/Dialect/TritonGPU/IR/Dialect.h"

using namespace mlir;
using namespace mlir::triton;
using namespace mlir::triton::gpu;
using namespace mlir::triton::gpu::intel;

Type intel::getCarriedType(RankedTensorType slice, unsigned axis) {
  if (slice.getRank() == 1)
    return slice.getElementType();
  SmallVector<int64_t> shape(slice.getShape());
  shape.erase(shape.begin() + axis);
  return RankedTensorType::get(
      shape, slice.getElementType(),
      SliceEncodingAttr::get(
          slice.getContext(), axis,
          cast<DistributedEncodingInterface>(slice.getEncoding())));
}

namespace {

/// Emits the code after one scan.
class ScanContinuation {
public:
  ScanContinuation(OpBuilder &builder, ScanOp scan)
      : builder(builder), scan(scan), loc(scan.getLoc()), axis(scan.getAxis()),
        type(cast<RankedTensorType>(scan->getResult(0).getType())) {}

  /// Returns the last elements along the axis, of the scan's results or of
  /// values with their types. They are taken as bits: what combines them need
  /// not commute.
  SmallVector<Value> takeLast(ValueRange values);
  /// Returns a value of a carried type for each element along the axis.
  Value spread(Value carried);
  /// Returns `left` combined with `right`, element by element: tensors or
  /// scalars.
  SmallVector<Value> combine(ValueRange left, ValueRange right);

private:
  Value constant(Type type, int64_t value);
  Value findLast();

  OpBuilder &builder;
  ScanOp scan;
  Location loc;
  unsigned axis;
  /// The type of the results, whose element types may differ.
  RankedTensorType type;
};

} // namespace

/// Returns an integer, for each element of a tensor.
Value ScanContinuation::constant(Type type, int64_t value) {
  TypedAttr element = builder.getIntegerAttr(getElementTypeOrSelf(type), value);
  if (auto shaped = dyn_cast<RankedTensorType>(type))
    element = SplatElementsAttr::get(shaped, element);
  return arith::ConstantOp::create(builder, loc, element);
}

/// Returns a flag for each element: whether it is the last one along the axis.
Value ScanContinuation::findLast() {
  Attribute encoding = type.getEncoding();
  // From the last dimension on, as dimensions move up when one goes.
  for (unsigned dim = type.getRank(); dim-- > 0;)
    if (dim != axis)
      encoding =
          SliceEncodingAttr::get(builder.getContext(), dim,
                                 cast<DistributedEncodingInterface>(encoding));
  int64_t size = type.getDimSize(axis);
  auto rangeType =
      RankedTensorType::get({size}, builder.getI32Type(), encoding);
  Value range = MakeRangeOp::create(builder, loc, rangeType, 0, size);
  Value flags = arith::CmpIOp::create(
      builder, loc, arith::CmpIPredicate::eq, range,
      constant(rangeType, scan.getReverse() ? 0 : size - 1));
  for (unsigned dim = 0; dim < type.getRank(); ++dim)
    if (dim != axis)
      flags = ExpandDimsOp::create(builder, loc, flags, dim);
  Type flagType = type.clone(builder.getI1Type());
  return flags.getType() == flagType
             ? flags
             : triton::BroadcastOp::create(builder, loc, flagType, flags)
                   .getResult();
}

SmallVector<Value> ScanContinuation::takeLast(ValueRange values) {
  Value flags = findLast();
  // All but the last elements are 0, and so `or` gives that.
  SmallVector<Value> bits;
  SmallVector<Type> bitTypes;
  for (Value value : values) {
    unsigned width =
        cast<RankedTensorType>(value.getType()).getElementTypeBitWidth();
    bitTypes.push_back(builder.getIntegerType(width));
    Type wanted = type.clone(bitTypes.back());
    if (value.getType() != wanted)
      value = BitcastOp::create(builder, loc, wanted, value);
    bits.push_back(arith::SelectOp::create(builder, loc, flags, value,
                                           constant(wanted, 0)));
  }
  auto reduce = ReduceOp::create(builder, loc, bits, axis);
  {
    OpBuilder::InsertionGuard guard(builder);
    llvm::append_range(bitTypes, SmallVector<Type>(bitTypes));
    Block *body =
        builder.createBlock(&reduce.getCombineOp(), {}, bitTypes,
                            SmallVector<Location>(bitTypes.size(), loc));
    SmallVector<Value> results;
    for (unsigned i = 0; i < bits.size(); ++i)
      results.push_back(
          arith::OrIOp::create(builder, loc, body->getArgument(i),
                               body->getArgument(bits.size() + i)));
    ReduceReturnOp::create(builder, loc, results);
  }
  SmallVector<Value> last;
  for (auto [found, whole] : llvm::zip_equal(reduce.getResults(), values)) {
    Value value = found;
    Type wanted = getCarriedType(cast<RankedTensorType>(whole.getType()), axis);
    if (value.getType() != wanted)
      value = BitcastOp::create(builder, loc, wanted, value);
    last.push_back(value);
  }
  return last;
}

Value ScanContinuation::spread(Value carried) {
  auto wanted = type.clone(getElementTypeOrSelf(carried.getType()));
  if (type.getRank() == 1)
    return SplatOp::create(builder, loc, wanted, carried);
  Value column = ExpandDimsOp::create(builder, loc, carried, axis);
  return triton::BroadcastOp::create(builder, loc, wanted, column);
}

SmallVector<Value> ScanContinuation::combine(ValueRange left,
                                             ValueRange right) {
  SmallVector<Value> operands(left);
  llvm::append_range(operands, right);
  Region &region = scan.getCombineOp();
  IRMapping mapping;
  if (!isa<RankedTensorType>(operands.front().getType())) {
    mapping.map(region.getArguments(), operands);
    for (Operation &op : region.front().without_terminator())
      builder.clone(op, mapping);
    SmallVector<Value> results;
    for (Value value : region.front().getTerminator()->getOperands())
      results.push_back(mapping.lookupOrDefault(value));
    return results;
  }
  // Its region has the arguments of the scan's: one element of each operand.
  auto map = MapElementwiseOp::create(builder, loc, right.getTypes(), operands,
                                      /*pack=*/1);
  region.cloneInto(&map.getScalarOp(), mapping);
  OpBuilder::InsertionGuard guard(builder);
  Operation *end = map.getScalarOp().front().getTerminator();
  builder.setInsertionPoint(end);
  MapElementwiseReturnOp::create(builder, end->getLoc(), end->getOperands());
  end->erase();
  return map.getResults();
}

ContinuedScan intel::continueScan(OpBuilder &builder, ScanOp scan,
                                  ValueRange carried, Value isFirst) {
  ScanContinuation continuation(builder, scan);
  auto select = [&](ValueRange ofFirst, ValueRange others) {
    SmallVector<Value> selected;
    for (auto [first, other] : llvm::zip_equal(ofFirst, others))
      selected.push_back(arith::SelectOp::create(builder, scan.getLoc(),
                                                 isFirst, first, other));
    return selected;
  };
  ValueRange parts = scan->getResults();
  SmallVector<Value> own = continuation.takeLast(parts);
  // After the first slice nothing is carried; elements of the scan take the
  // place, on which the region may run.
  SmallVector<Value> before = select(own, carried);
  SmallVector<Value> spread;
  for (Value value : before)
    spread.push_back(continuation.spread(value));
  return {select(parts, continuation.combine(spread, parts)),
          select(own, continuation.combine(before, own))};
}
