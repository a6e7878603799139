//===- DecomposeDotPrecision.cpp - Products of f32 in several parts -------===//
// SPDX-License-Identifier: MIT
//
// `tf32x3`, `bf16x3` and `bf16x6` compute products of f32 on a systolic array
// for narrower types (Henry, Tang and Heinecke, "Leveraging the bfloat16
// Artificial Intelligence Datatype For Higher-Precision Computations", 2019). A
// operand is split into parts with as many bits as the type has. Products of
// parts that are below the last bit are left out.
//
// Parts are truncated, not rounded, so a part never overflows, has the sign of
// the operand, and three parts of 8 bits hold all bits of an f32.
//
// Runs on TTIR, after the target is known. Layouts are then chosen for the new
// dots.
//
//===----------------------------------------------------------------------===//

#include "intel/Dialect/TritonIntelGPU/Transforms/Passes.h"

#include "intel/Dialect/TritonIntelGPU/IR/Dialect.h"
#include "intel/Dialect/TritonIntelGPU/IR/DotPrecision.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "triton/Dialect/Triton/IR/Dialect.h"

#include <limits>

namespace mlir::triton::gpu::intel {
#define GEN_PASS_DEF_TRITONINTELGPUDECOMPOSEDOTPRECISION
#include "intel/Dialect/TritonIntelGPU/Transforms/Passes.h.inc"
} // namespace mlir::triton::gpu::intel

using namespace mlir;
using namespace mlir::triton;
using namespace mlir::triton::gpu::intel;

namespace {

/// Bits of f32's mantissa that tf32 does not have.
constexpr unsigned kTF32DroppedBits = 13;

/// Builds the replacement of one dot.
class DotDecomposer {
public:
  DotDecomposer(DotOp dot, Type part)
      : dot(dot), part(part), builder(dot), loc(dot.getLoc()) {}

  Value build() {
    unsigned count = dot.getInputPrecision() == InputPrecision::BF16x6 ? 3 : 2;
    SmallVector<Value> a = split(dot.getA(), count);
    SmallVector<Value> b = split(dot.getB(), count);
    auto type = cast<RankedTensorType>(dot.getType());
    Value zero = splat(type, builder.getF32FloatAttr(0.0f));
    // Part i has the weight 2^-8i (or 2^-11i): all products of one weight, from
    // the smallest that counts to the one below the largest.
    Value small = zero;
    for (unsigned weight = count - 1; weight > 0; --weight)
      for (unsigned i = 0; i <= weight; ++i)
        small = multiply(a[weight - i], b[i], small);
    // The lower parts of an operand that is infinite or NaN are NaN. Its upper
    // part alone decides the result.
    Value magnitude = math::AbsFOp::create(builder, loc, small);
    Value infinity = splat(
        type, builder.getF32FloatAttr(std::numeric_limits<float>::infinity()));
    Value isFinite = arith::CmpFOp::create(
        builder, loc, arith::CmpFPredicate::OLT, magnitude, infinity);
    small = arith::SelectOp::create(builder, loc, isFinite, small, zero);
    Value sum = arith::AddFOp::create(builder, loc, dot.getC(), small);
    return multiply(a[0], b[0], sum);
  }

private:
  Value splat(RankedTensorType type, Attribute value) {
    return arith::ConstantOp::create(builder, loc,
                                     DenseElementsAttr::get(type, value));
  }

  Value multiply(Value a, Value b, Value c) {
    auto precision = part.isF32() ? InputPrecision::TF32 : InputPrecision::IEEE;
    return DotOp::create(builder, loc, c.getType(), a, b, c, precision,
                         dot.getMaxNumImpreciseAcc());
  }

  /// Returns `value` as a sum of `count` parts, the largest first.
  SmallVector<Value> split(Value value, unsigned count) {
    SmallVector<Value> parts;
    for (unsigned i = 0; i < count; ++i) {
      // The last part is what is left; on the array tf32 drops bits itself.
      bool isLast = i + 1 == count;
      parts.push_back(part.isF32() ? (isLast ? value : cutToTF32(value))
                                   : cutToBF16(value));
      if (isLast)
        break;
      Value wide = parts.back();
      if (!part.isF32())
        wide = arith::ExtFOp::create(builder, loc, value.getType(), wide);
      value = arith::SubFOp::create(builder, loc, value, wide);
    }
    return parts;
  }

  Value cutToBF16(Value value) {
    auto type = cast<RankedTensorType>(value.getType());
    return arith::TruncFOp::create(
        builder, loc, type.clone(part), value,
        arith::RoundingModeAttr::get(builder.getContext(),
                                     arith::RoundingMode::toward_zero),
        /*fastmath=*/arith::FastMathFlagsAttr());
  }

  /// Returns the bits that tf32 has; a NaN keeps them all, or it may become
  /// infinity.
  Value cutToTF32(Value value) {
    auto type = cast<RankedTensorType>(value.getType());
    auto bitsType = cast<RankedTensorType>(type.clone(builder.getI32Type()));
    Value bits = BitcastOp::create(builder, loc, bitsType, value);
    Value mask = splat(
        bitsType, builder.getI32IntegerAttr(-(int32_t(1) << kTF32DroppedBits)));
    Value cut = BitcastOp::create(
        builder, loc, type, arith::AndIOp::create(builder, loc, bits, mask));
    Value isNumber = arith::CmpFOp::create(
        builder, loc, arith::CmpFPredicate::ORD, value, value);
    return arith::SelectOp::create(builder, loc, isNumber, cut, value);
  }

  DotOp dot;
  Type part;
  OpBuilder builder;
  Location loc;
};

class DecomposeDotPrecisionPass
    : public gpu::intel::impl::TritonIntelGPUDecomposeDotPrecisionBase<
          DecomposeDotPrecisionPass> {
public:
  void runOnOperation() override {
    ModuleOp module = getOperation();
    TargetDesc target = getTargetDesc(module);
    SmallVector<DotOp> dots;
    module.walk([&](DotOp dot) {
      InputPrecision precision = dot.getInputPrecision();
      if (precision != InputPrecision::IEEE &&
          precision != InputPrecision::TF32)
        dots.push_back(dot);
    });
    for (DotOp dot : dots) {
      Type part = getSplitElementType(dot, target);
      if (!part || !fillsDpas(dot, part, target)) {
        dot.setInputPrecision(InputPrecision::IEEE);
        continue;
      }
      dot.replaceAllUsesWith(DotDecomposer(dot, part).build());
      dot.erase();
      ++numDecomposed;
    }
  }
};

} // namespace
