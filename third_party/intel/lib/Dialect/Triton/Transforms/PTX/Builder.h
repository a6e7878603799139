//===- Builder.h - Bits of PTX registers as values --------------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// Registers of PTX are bits, and each instruction decides what the bits mean.
// Here every register is an integer of its width, a scalar or a tensor; a
// predicate is an i1. Instructions compute with casts of these, which fold
// where an instruction uses what another one has computed.
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_INTEL_LIB_DIALECT_TRITON_TRANSFORMS_PTX_BUILDER_H
#define TRITON_INTEL_LIB_DIALECT_TRITON_TRANSFORMS_PTX_BUILDER_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/TypeUtilities.h"

namespace mlir::triton::intel::ptx {

/// Emits arithmetic on scalars, or on tensors of one shape.
class Builder {
public:
  /// All values are tensors of the shape and layout of `shape`, or scalars if
  /// it is null.
  Builder(OpBuilder &builder, Location loc, RankedTensorType shape)
      : builder(builder), loc(loc), shape(shape) {}

  /// Returns the type of values with these elements.
  Type getType(Type element) const {
    RankedTensorType tensor = shape;
    return tensor ? Type(tensor.clone(element)) : element;
  }
  Type getInt(unsigned bits) const {
    return getType(builder.getIntegerType(bits));
  }
  static unsigned getWidth(Value value) {
    return getElementTypeOrSelf(value.getType()).getIntOrFloatBitWidth();
  }
  Type getF32() const { return builder.getF32Type(); }

  /// Returns an integer constant, truncated to the bits that fit.
  Value constant(unsigned bits, uint64_t value) const;
  /// Returns a constant of an element type of floats.
  Value constantFloat(Type element, double value) const;

  /// Creates an operation whose results have the types of its operands.
  template <typename Op, typename... Values> Value create(Values... values) {
    return Op::create(builder, loc, values...);
  }
  /// Creates an integer operation with a constant.
  template <typename Op> Value with(Value lhs, uint64_t rhs) {
    return create<Op>(lhs, constant(getWidth(lhs), rhs));
  }
  Value compare(arith::CmpIPredicate predicate, Value lhs, Value rhs) {
    return arith::CmpIOp::create(builder, loc, predicate, lhs, rhs);
  }
  Value compare(arith::CmpIPredicate predicate, Value lhs, uint64_t rhs) {
    return compare(predicate, lhs, constant(getWidth(lhs), rhs));
  }
  Value compare(arith::CmpFPredicate predicate, Value lhs, Value rhs) {
    return arith::CmpFOp::create(builder, loc, predicate, lhs, rhs);
  }
  Value select(Value condition, Value lhs, Value rhs) {
    return create<arith::SelectOp>(condition, lhs, rhs);
  }
  Value invert(Value value) { return with<arith::XOrIOp>(value, ~uint64_t(0)); }

  /// Returns an integer with `bits` bits: the low ones, or extended ones.
  Value resize(Value value, unsigned bits, bool isSigned = false);
  /// Returns `count` bits from bit `first` on.
  Value slice(Value value, unsigned first, unsigned count);
  /// Returns the parts side by side, the first one in the low bits.
  Value concatenate(ArrayRef<Value> parts);
  /// Returns the same bits as values of an element type of the same width.
  Value bitcast(Value value, Type element);
  /// Returns a float as another type of floats, which rounds to the nearest.
  Value convertFloat(Value value, Type element);
  /// Returns the bits of a float.
  Value getBits(Value value);

  /// Shifts whose amount may be that of all bits or more: zeros, or the sign,
  /// come in.
  Value shiftLeft(Value value, Value amount);
  Value shiftRight(Value value, Value amount, bool isSigned = false);

  OpBuilder &builder;
  Location loc;

private:
  /// Returns the constant in each element.
  Value splat(TypedAttr attribute) const;
  /// Returns the amount with the value's width, and whether it exceeds the
  /// last bit.
  std::pair<Value, Value> limitShift(Value value, Value amount);

  RankedTensorType shape;
};

} // namespace mlir::triton::intel::ptx

#endif // TRITON_INTEL_LIB_DIALECT_TRITON_TRANSFORMS_PTX_BUILDER_H
