//===- LaneBuilder.h - Arithmetic on scalars and vectors --------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef TRITON_INTEL_LIB_CONVERSION_TRITONINTELGPUTOLLVM_UTILITY_LANEBUILDER_H
#define TRITON_INTEL_LIB_CONVERSION_TRITONINTELGPUTOLLVM_UTILITY_LANEBUILDER_H

#include "Registers.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/PatternMatch.h"

namespace mlir::triton::gpu::intel {

/// Emits arithmetic on scalars or vectors alike: every value has `width`
/// elements, constants are splatted.
class LaneBuilder {
public:
  LaneBuilder(RewriterBase &rewriter, Location loc, unsigned width)
      : rewriter(rewriter), loc(loc), width(width) {}

  /// Integers of `bits` bits, floats.
  Type getInt(unsigned bits) const {
    return getVectorType(rewriter.getIntegerType(bits), width);
  }
  Type getF16() const { return getVectorType(rewriter.getF16Type(), width); }
  Type getF32() const { return getVectorType(rewriter.getF32Type(), width); }

  /// Returns a number of any integer or float type.
  Value constant(Type type, int64_t value) const {
    return splat(type,
                 rewriter.getIntegerAttr(getElementTypeOrSelf(type), value));
  }
  Value constantFloat(Type type, double value) const {
    return splat(type,
                 rewriter.getFloatAttr(getElementTypeOrSelf(type), value));
  }

  /// Returns an operation on two values, or a value and a constant.
  template <typename Op> Value binary(Value lhs, Value rhs) const {
    return Op::create(rewriter, loc, lhs, rhs);
  }
  template <typename Op> Value binary(Value lhs, int64_t rhs) const {
    return Op::create(rewriter, loc, lhs, constant(lhs.getType(), rhs));
  }
  /// An operation that changes the type, if it does.
  template <typename Op> Value cast(Type type, Value value) const {
    if (type == value.getType())
      return value;
    return Op::create(rewriter, loc, type, value);
  }
  /// Returns an integer comparison with a constant.
  Value compare(arith::CmpIPredicate predicate, Value lhs, int64_t rhs) const {
    return arith::CmpIOp::create(rewriter, loc, predicate, lhs,
                                 constant(lhs.getType(), rhs));
  }
  /// Returns a choice element by element.
  Value select(Value condition, Value lhs, Value rhs) const {
    return arith::SelectOp::create(rewriter, loc, condition, lhs, rhs);
  }
  Value select(Value condition, int64_t lhs, Value rhs) const {
    return select(condition, constant(rhs.getType(), lhs), rhs);
  }

  /// Inserts where the values are needed.
  RewriterBase &rewriter;
  /// The location of the operation that the values are computed for.
  Location loc;
  /// Elements of every value; 1 for scalars.
  unsigned width;

private:
  /// Returns the constant of a scalar, in every element.
  Value splat(Type type, TypedAttr attr) const {
    if (auto vector = dyn_cast<VectorType>(type))
      attr = DenseElementsAttr::get(vector, Attribute(attr));
    return arith::ConstantOp::create(rewriter, loc, attr);
  }
};

} // namespace mlir::triton::gpu::intel

#endif // TRITON_INTEL_LIB_CONVERSION_TRITONINTELGPUTOLLVM_UTILITY_LANEBUILDER_H
