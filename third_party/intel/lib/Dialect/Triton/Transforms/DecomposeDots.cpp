//===- DecomposeDots.cpp - Dots become those of the target ----------------===//
// SPDX-License-Identifier: MIT
//
// A dot that the target's instructions do not compute directly becomes one or
// several that they do compute.
//
// Scaled dots: if the target multiplies scaled operands, values are converted
// to a format of its instructions, and keep their scales. Otherwise values are
// converted to f32, multiplied by their scales, and passed to an ordinary dot.
// f32 holds every scaled value exactly, or as near to 0 or infinity as the
// result of the dot can be. The element type of the dot is the narrowest type
// with enough bits. A scale that is an exponent adds no bits.
//
// Dots of split operands: `tf32x3`, `bf16x3` and `bf16x6` compute products of
// f32 on a systolic array for narrower types (Henry, Tang and Heinecke,
// "Leveraging the bfloat16 Artificial Intelligence Datatype For
// Higher-Precision Computations", 2019). An operand is split into parts with
// the number of bits of the type. Products of parts that are below the last bit
// are left out. Parts are truncated, not rounded, so a part never overflows,
// has the sign of the operand, and three parts of 8 bits hold all bits of an
// f32.
//
// Runs on TTIR, after the target is known, and before all passes that inspect
// dots or choose layouts for them. Other dots, and those whose operands have
// layouts, do not change.
//
//===----------------------------------------------------------------------===//

#define DEBUG_TYPE "triton-intel-decompose-dots"
#include "triton/Support/DebugOutput.h"

#include "intel/Dialect/Triton/Transforms/Passes.h"

#include "intel/Dialect/TritonIntelGPU/IR/DotPrecision.h"
#include "intel/Dialect/TritonIntelGPU/IR/ScaledDot.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "triton/Dialect/Triton/IR/Dialect.h"
#include "llvm/ADT/STLExtras.h"

#include <limits>

namespace mlir::triton::intel {
#define GEN_PASS_DEF_TRITONINTELDECOMPOSEDOTS
#include "intel/Dialect/Triton/Transforms/Passes.h.inc"
} // namespace mlir::triton::intel

using namespace mlir;
using namespace mlir::triton;
using namespace mlir::triton::gpu::intel;

namespace {

/// Creates elementwise operations on tensors before a dot.
class TensorBuilder {
protected:
  explicit TensorBuilder(Operation *dot) : builder(dot), loc(dot->getLoc()) {}

  /// Returns the type of `like` with other elements.
  static RankedTensorType withElement(Value like, Type element) {
    return cast<RankedTensorType>(like.getType()).clone(element);
  }
  /// Returns a tensor of the shape of `like` that has `number` in each element.
  Value constant(Value like, TypedAttr number) {
    auto type = withElement(like, number.getType());
    return arith::ConstantOp::create(
        builder, loc, DenseElementsAttr::get(type, Attribute(number)));
  }
  Value constantI32(Value like, int32_t number) {
    return constant(like, builder.getI32IntegerAttr(number));
  }
  Value constantF32(Value like, float number) {
    return constant(like, builder.getF32FloatAttr(number));
  }
  /// Returns the bits of `value` as elements of another type.
  Value bitcast(Value value, Type element) {
    return BitcastOp::create(builder, loc, withElement(value, element), value);
  }
  /// Returns an operation with a number on the right.
  template <typename Op> Value binary(Value lhs, int32_t rhs) {
    return Op::create(builder, loc, lhs, constantI32(lhs, rhs));
  }

  OpBuilder builder;
  /// The location of the dot, and of all operations that replace it.
  Location loc;
};

//===----------------------------------------------------------------------===//
// Scaled dots
//===----------------------------------------------------------------------===//

/// One side of a scaled dot.
struct ScaledOperand {
  /// Packed, if the format has 4 bits.
  Value value;
  Value scale; // may be null
  /// The format of the values, whatever type they come in.
  ScaleDotElemType format;
  /// The dimension along which two 4-bit values share a byte.
  unsigned packedDim;
  /// The dimension that is summed over, one of the last two.
  unsigned kDim;
};

/// Emits what takes the place of one scaled dot. As a common dot:
///   %a = decode(a) * scale(a)      %b = decode(b) * scale(b)
///   %d = tt.dot %a, %b, %c
class ScaledDotDecomposer : TensorBuilder {
public:
  explicit ScaledDotDecomposer(DotScaledOp op) : TensorBuilder(op), op(op) {}

  /// Creates the value that takes the place of the result.
  Value build(const CommonDot &dot) {
    Value a = convert(getScaled(getA()), dot.element);
    Value b = convert(getScaled(getB()), dot.element);
    Value c = convert(op.getC(), builder.getF32Type());
    Value result = DotOp::create(builder, loc, c.getType(), a, b, c,
                                 dot.precision, /*maxNumImpreciseAcc=*/0);
    // The accumulator is f32, whatever the result is.
    return convert(result, getElementTypeOrSelf(op.getType()));
  }

  /// Returns that value where instructions multiply these formats by scales.
  Value buildScaled(ScaledDpasFormats formats) {
    Value a = getInFormat(getA(), formats.a);
    Value b = getInFormat(getB(), formats.b);
    Value c = convert(op.getC(), builder.getF32Type());
    Value result = DotScaledOp::create(
        builder, loc, c.getType(), a, b, c, op.getAScale(), op.getBScale(),
        formats.a, formats.b, op.getFastMath(), /*lhs_k_pack=*/true,
        /*rhs_k_pack=*/true);
    return convert(result, getElementTypeOrSelf(op.getType()));
  }

private:
  /// Returns the operands. Of A, K is the last dimension, of B the second last;
  /// pairs are packed along K, or along M or N.
  ScaledOperand getA() {
    unsigned rank = op.getType().getRank();
    return {op.getA(), op.getAScale(), op.getAElemType(),
            op.getLhsKPack() ? rank - 1 : rank - 2, /*kDim=*/rank - 1};
  }
  ScaledOperand getB() {
    unsigned rank = op.getType().getRank();
    return {op.getB(), op.getBScale(), op.getBElemType(),
            op.getRhsKPack() ? rank - 2 : rank - 1, /*kDim=*/rank - 2};
  }

  /// Creates the comparison of each element with this number.
  Value isEqual(Value value, int32_t number) {
    return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, value,
                                 constantI32(value, number));
  }
  /// Returns the bytes as i32, without sign.
  Value widenInteger(Value value) {
    return arith::ExtUIOp::create(
        builder, loc, withElement(value, builder.getI32Type()), value);
  }

  /// Converts between float types, exactly except for the last rounding of a
  /// result.
  Value convert(Value value, Type element) {
    Type from = getElementTypeOrSelf(value.getType());
    if (from == element)
      return value;
    auto type = withElement(value, element);
    // 8-bit floats have a separate operation in `tt`.
    if (from.getIntOrFloatBitWidth() == 8)
      return FpToFpOp::create(builder, loc, type, value, RoundingModeAttr());
    if (from.getIntOrFloatBitWidth() < element.getIntOrFloatBitWidth())
      return arith::ExtFOp::create(builder, loc, type, value);
    return arith::TruncFOp::create(builder, loc, type, value);
  }

  /// Returns the values of an operand as floats of `element`, which hold them
  /// exactly, without scales.
  Value getValues(const ScaledOperand &operand, FloatType element) {
    if (operand.format == ScaleDotElemType::E2M1)
      return unpack(operand.value, operand.packedDim, element);
    Value value = operand.value;
    // fp8 may come as bytes.
    if (isa<IntegerType>(getElementTypeOrSelf(value.getType())))
      value = bitcast(value, getFormatType(op.getContext(), operand.format));
    return convert(value, element);
  }

  /// Returns the values of an operand as an instruction takes them.
  Value getInFormat(const ScaledOperand &operand, ScaleDotElemType format) {
    // In bytes or floats, either is fine, and pairs stay packed.
    if (operand.format == format)
      return operand.value;
    return getValues(operand, getFormatType(op.getContext(), format));
  }

  /// Floats of bytes with two e2m1 each, the lower half first along `dim`.
  Value unpack(Value bytes, unsigned dim, FloatType element) {
    Value wide = widenInteger(bytes);
    // Four bits of each byte.
    auto decode = [&](Value half) -> Value {
      return bitcast(decodeE2M1(builder, loc, half, element), element);
    };
    Value low = decode(binary<arith::AndIOp>(wide, 15));
    Value high = decode(binary<arith::ShRUIOp>(wide, 4));
    Value pairs = JoinOp::create(builder, loc, low, high);
    // The new last dimension belongs after `dim`.
    auto type = cast<RankedTensorType>(bytes.getType());
    unsigned rank = type.getRank();
    SmallVector<int32_t> order = llvm::to_vector(llvm::seq<int32_t>(0, rank));
    order.insert(order.begin() + dim + 1, rank);
    if (dim + 1 != rank)
      // Along the last dimension they are in place.
      pairs = TransOp::create(builder, loc, pairs, order);
    SmallVector<int64_t> shape(type.getShape());
    shape[dim] *= 2;
    return ReshapeOp::create(builder, loc, shape, pairs);
  }

  /// Returns the f32 of a scale.
  Value decodeScale(Value scale) {
    // An e4m3 is a number like any other.
    if (!hasExponentScale(scale))
      return convert(scale, builder.getF32Type());
    // The exponent of an f32 has the same bias as e8m0, 127.
    Value exponent = widenInteger(scale);
    Value bits = binary<arith::ShLIOp>(exponent, 23);
    // 2^-127 is subnormal.
    bits = arith::SelectOp::create(builder, loc, isEqual(exponent, 0),
                                   constantI32(exponent, 1 << 22), bits);
    // 255 is NaN.
    if (!op.getFastMath())
      bits = arith::SelectOp::create(builder, loc, isEqual(exponent, 255),
                                     constantI32(exponent, 0x7fc00000), bits);
    return bitcast(bits, builder.getF32Type());
  }

  /// Returns the values of an operand, each multiplied by its scale.
  Value getScaled(const ScaledOperand &operand) {
    Value values = getValues(operand, builder.getF32Type());
    if (!operand.scale)
      return values;
    // Scales have K last. One per group becomes one per value.
    Value scale = decodeScale(operand.scale);
    auto type = cast<RankedTensorType>(scale.getType());
    unsigned rank = type.getRank();
    scale = ExpandDimsOp::create(builder, loc, scale, rank);
    SmallVector<int64_t> shape(type.getShape());
    auto expanded = cast<RankedTensorType>(values.getType());
    // Values per scale.
    int64_t group = expanded.getDimSize(operand.kDim) / shape.back();
    shape.push_back(group);
    scale = triton::BroadcastOp::create(
        builder, loc, RankedTensorType::get(shape, builder.getF32Type()),
        scale);
    shape.pop_back();
    shape.back() *= group;
    scale = ReshapeOp::create(builder, loc, shape, scale);
    if (operand.kDim + 1 != rank) {
      SmallVector<int32_t> order = llvm::to_vector(llvm::seq<int32_t>(0, rank));
      std::swap(order[rank - 1], order[rank - 2]);
      scale = TransOp::create(builder, loc, scale, order);
    }
    return arith::MulFOp::create(builder, loc, values, scale);
  }

  /// The dot that is decomposed.
  DotScaledOp op;
};

//===----------------------------------------------------------------------===//
// Dots of split operands
//===----------------------------------------------------------------------===//

/// Bits of f32's mantissa that tf32 does not have.
constexpr unsigned kTF32DroppedBits = 13;

/// Emits what takes the place of one dot whose operands are split.
class SplitDotDecomposer : TensorBuilder {
public:
  SplitDotDecomposer(DotOp dot, Type part)
      : TensorBuilder(dot), dot(dot), part(part) {}

  /// Creates the value that takes the place of the result.
  Value build() {
    unsigned count = dot.getInputPrecision() == InputPrecision::BF16x6 ? 3 : 2;
    SmallVector<Value> a = split(dot.getA(), count);
    SmallVector<Value> b = split(dot.getB(), count);
    Value zero = constantF32(dot.getC(), 0.0f);
    // Part i has the weight 2^-8i (or 2^-11i): all products of one weight, from
    // the smallest that counts to the one below the largest.
    Value small = zero;
    for (unsigned weight = count - 1; weight > 0; --weight)
      for (unsigned i = 0; i <= weight; ++i)
        small = multiply(a[weight - i], b[i], small);
    // The lower parts of an operand that is infinite or NaN are NaN. Its upper
    // part alone decides the result.
    Value magnitude = math::AbsFOp::create(builder, loc, small);
    Value infinity =
        constantF32(dot.getC(), std::numeric_limits<float>::infinity());
    Value isFinite = arith::CmpFOp::create(
        builder, loc, arith::CmpFPredicate::OLT, magnitude, infinity);
    small = arith::SelectOp::create(builder, loc, isFinite, small, zero);
    Value sum = arith::AddFOp::create(builder, loc, dot.getC(), small);
    return multiply(a[0], b[0], sum);
  }

private:
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
    return arith::TruncFOp::create(
        builder, loc, withElement(value, part), value,
        arith::RoundingModeAttr::get(builder.getContext(),
                                     arith::RoundingMode::toward_zero),
        /*fastmath=*/arith::FastMathFlagsAttr());
  }

  /// Returns the bits that tf32 has; a NaN keeps them all, or it may become
  /// infinity.
  Value cutToTF32(Value value) {
    Value bits = bitcast(value, builder.getI32Type());
    Value cut =
        bitcast(binary<arith::AndIOp>(bits, -(int32_t(1) << kTF32DroppedBits)),
                builder.getF32Type());
    Value isNumber = arith::CmpFOp::create(
        builder, loc, arith::CmpFPredicate::ORD, value, value);
    return arith::SelectOp::create(builder, loc, isNumber, cut, value);
  }

  /// The dot that is decomposed.
  DotOp dot;
  /// The element type of the products.
  Type part;
};

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

/// Gives every dot of a module a form that the target has; see the head of the
/// file.
class DecomposeDotsPass
    : public triton::intel::impl::TritonIntelDecomposeDotsBase<
          DecomposeDotsPass> {
public:
  void runOnOperation() override {
    TargetDesc target = getTargetDesc(getOperation());
    // The walk has already been where new operations are: before the dot.
    WalkResult result =
        getOperation().walk([&](DotOpInterface dot) -> WalkResult {
          // Layouts were chosen for this dot's own operands.
          if (cast<RankedTensorType>(dot->getResult(0).getType()).getEncoding())
            return WalkResult::advance();
          if (auto scaled = dyn_cast<DotScaledOp>(*dot))
            return decompose(scaled, target);
          if (auto plain = dyn_cast<DotOp>(*dot))
            decompose(plain, target);
          return WalkResult::advance();
        });
    if (result.wasInterrupted())
      signalPassFailure();
  }

private:
  LogicalResult decompose(DotScaledOp dot, const TargetDesc &target) {
    std::optional<CommonDot> common = getCommonDot(dot);
    if (!common)
      // Formats of 6 bits have no tensors.
      return dot.emitOpError("cannot multiply values of the formats ")
             << stringifyScaleDotElemType(dot.getAElemType()) << " and "
             << stringifyScaleDotElemType(dot.getBElemType());
    ScaledDotDecomposer decomposer(dot);
    // Instructions work with the smallest sub-groups of the target.
    auto formats = getScaledDpasFormats(dot, target);
    if (formats &&
        gpu::lookupThreadsPerWarp(dot) == int(target.getMinSubGroupSize()))
      replace(dot, decomposer.buildScaled(*formats));
    else
      replace(dot, decomposer.build(*common));
    return success();
  }

  void decompose(DotOp dot, const TargetDesc &target) {
    InputPrecision precision = dot.getInputPrecision();
    if (precision == InputPrecision::IEEE || precision == InputPrecision::TF32)
      return;
    Type part = getSplitElementType(dot, target);
    // Without the array, exact products are not slower.
    if (part && fillsDpas(dot, part, target))
      replace(dot, SplitDotDecomposer(dot, part).build());
    else {
      LDBG() << "exact products at " << dot.getLoc()
             << ": no array for the parts, or too few of them";
      dot.setInputPrecision(InputPrecision::IEEE);
    }
  }

  void replace(DotOpInterface dot, Value value) {
    LDBG() << "decomposed the dot at " << dot->getLoc();
    dot->getResult(0).replaceAllUsesWith(value);
    dot->erase();
    ++numDecomposed;
  }
};

} // namespace
