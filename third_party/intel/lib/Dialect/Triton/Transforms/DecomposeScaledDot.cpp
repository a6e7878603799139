//===- DecomposeScaledDot.cpp - Products of microscaling formats ----------===//
//
// A factor is a tensor in a small format and a tensor of scales, one for each
// group of values along K (OCP Microscaling Formats (MX) Specification 1.0).
// The values become f32, are multiplied by their scales and go into a common
// dot. f32 holds every scaled value exactly, or as near to 0 or infinity as the
// result of the dot could be. What the dot multiplies is the narrowest type
// with that many bits: a scale with an exponent only adds none.
//
// Runs first of all, on TTIR, so that every later pass sees a common dot.
//
//===----------------------------------------------------------------------===//

#include "intel/Dialect/Triton/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "triton/Dialect/Triton/IR/Dialect.h"
#include "llvm/ADT/STLExtras.h"

namespace mlir::triton::intel {
#define GEN_PASS_DEF_TRITONINTELDECOMPOSESCALEDDOT
#include "intel/Dialect/Triton/Transforms/Passes.h.inc"
} // namespace mlir::triton::intel

using namespace mlir;
using namespace mlir::triton;

namespace {

/// One side of a scaled dot.
struct Factor {
  /// Packed, if the format has 4 bits.
  Value value;
  Value scale; // may be null
  /// Of the values, whatever type they come in.
  ScaleDotElemType format;
  /// The dimension along which two 4-bit values share a byte.
  unsigned packedDim;
  /// Of the last two, the one that is summed over.
  unsigned kDim;
};

/// Bits of a value's mantissa, the hidden one included; 0 for a format that
/// tensors cannot hold.
unsigned getSignificantBits(ScaleDotElemType format) {
  // The narrow formats by their names: e2m1 has one bit, e5m2 two, e4m3 three.
  switch (format) {
  case ScaleDotElemType::E2M1:
    return 2;
  case ScaleDotElemType::E5M2:
    return 3;
  case ScaleDotElemType::E4M3:
    return 4;
  case ScaleDotElemType::BF16:
    return 8;
  case ScaleDotElemType::FP16:
    return 11;
  case ScaleDotElemType::E2M3:
  case ScaleDotElemType::E3M2:
    return 0;
  }
  llvm_unreachable("covered switch");
}

/// Whether a scale is a power of two (e8m0, as a byte) rather than an e4m3.
bool hasExponentScale(Value scale) {
  return getElementTypeOrSelf(scale.getType()).isInteger(8);
}

/// Bits of a scaled value's mantissa.
unsigned getSignificantBits(const Factor &factor) {
  unsigned bits = getSignificantBits(factor.format);
  // A product has as many bits as both factors.
  if (factor.scale && !hasExponentScale(factor.scale))
    bits += getSignificantBits(ScaleDotElemType::E4M3);
  return bits;
}

/// Emits the common dot of one scaled dot:
///   %a = decode(a) * scale(a)      %b = decode(b) * scale(b)
///   %d = tt.dot %a, %b, %c
class ScaledDotDecomposer {
public:
  explicit ScaledDotDecomposer(DotScaledOp op)
      : op(op), builder(op), loc(op.getLoc()) {}

  /// The value that takes the place of the result.
  Value build() {
    unsigned rank = cast<RankedTensorType>(op.getType()).getRank();
    unsigned row = rank - 2, column = rank - 1;
    // Of A, K is the last dimension, of B the second last. Packed along K, or
    // along M or N.
    Factor a{op.getA(), op.getAScale(), op.getAElemType(),
             op.getLhsKPack() ? column : row, /*kDim=*/column};
    Factor b{op.getB(), op.getBScale(), op.getBElemType(),
             op.getRhsKPack() ? row : column, /*kDim=*/row};
    unsigned bits = std::max(getSignificantBits(a), getSignificantBits(b));
    // bf16 has 8 bits.
    bool isNarrow = bits <= 8;
    // tf32 has 11 bits.
    auto precision =
        !isNarrow && bits <= 11 ? InputPrecision::TF32 : InputPrecision::IEEE;
    Type element =
        isNarrow ? Type(builder.getBF16Type()) : builder.getF32Type();
    Value lhs = convert(getScaled(a), element);
    Value rhs = convert(getScaled(b), element);
    Value result = DotOp::create(
        builder, loc, withElement(op.getC(), builder.getF32Type()), lhs, rhs,
        convert(op.getC(), builder.getF32Type()), precision,
        /*maxNumImpreciseAcc=*/0);
    // The accumulator is f32, whatever the result is.
    return convert(result, getElementTypeOrSelf(op.getType()));
  }

private:
  /// The shape of `like` with other elements.
  static RankedTensorType withElement(Value like, Type element) {
    auto type = cast<RankedTensorType>(like.getType());
    return RankedTensorType::get(type.getShape(), element);
  }

  /// A constant of the type of `like`, or of its shape and another type.
  Value constant(Value like, Attribute value) {
    auto type = withElement(like, cast<TypedAttr>(value).getType());
    return arith::ConstantOp::create(builder, loc,
                                     DenseElementsAttr::get(type, value));
  }
  /// A number in each element.
  Value constantI32(Value like, int32_t value) {
    return constant(like, builder.getI32IntegerAttr(value));
  }
  /// Whether each element is this number.
  Value isEqual(Value value, int32_t number) {
    return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, value,
                                 constantI32(value, number));
  }
  /// An operation with a number on the right.
  template <typename Op> Value binary(Value lhs, int32_t rhs) {
    return Op::create(builder, loc, lhs, constantI32(lhs, rhs));
  }
  /// Floats of these bits.
  Value bitcastToF32(Value bits) {
    return BitcastOp::create(builder, loc,
                             withElement(bits, builder.getF32Type()), bits);
  }
  /// Bytes as i32, without sign.
  Value widenInteger(Value value) {
    return arith::ExtUIOp::create(
        builder, loc, withElement(value, builder.getI32Type()), value);
  }

  /// Between float types, exactly but for the last rounding of a result.
  Value convert(Value value, Type element) {
    Type from = getElementTypeOrSelf(value.getType());
    if (from == element)
      return value;
    auto type = withElement(value, element);
    // 8-bit floats have an operation of their own in `tt`.
    if (from.getIntOrFloatBitWidth() == 8)
      return FpToFpOp::create(builder, loc, type, value, RoundingModeAttr());
    if (from.getIntOrFloatBitWidth() < element.getIntOrFloatBitWidth())
      return arith::ExtFOp::create(builder, loc, type, value);
    return arith::TruncFOp::create(builder, loc, type, value);
  }

  /// The values of a factor as f32, without scales.
  Value getValues(const Factor &factor) {
    if (factor.format == ScaleDotElemType::E2M1)
      return unpack(factor.value, factor.packedDim);
    Value value = factor.value;
    Type element = getElementTypeOrSelf(value.getType());
    // fp8 may come as bytes.
    if (isa<IntegerType>(element)) {
      Type format = factor.format == ScaleDotElemType::E5M2
                        ? Type(Float8E5M2Type::get(op.getContext()))
                        : Float8E4M3FNType::get(op.getContext());
      value =
          BitcastOp::create(builder, loc, withElement(value, format), value);
    }
    return convert(value, builder.getF32Type());
  }

  /// f32 values of bytes with two e2m1 each, the lower half first along `dim`.
  Value unpack(Value bytes, unsigned dim) {
    Value wide = widenInteger(bytes);
    // Four bits of each byte.
    Value low = decodeE2M1(binary<arith::AndIOp>(wide, 15));
    Value high = decodeE2M1(binary<arith::ShRUIOp>(wide, 4));
    Value pairs = JoinOp::create(builder, loc, low, high);
    // The new last dimension belongs behind `dim`.
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

  /// f32 of an e2m1 in the lower four bits: sign, two bits of exponent (bias 1)
  /// and one of mantissa.
  Value decodeE2M1(Value bits) {
    Value magnitude = binary<arith::AndIOp>(bits, 7);
    constexpr int32_t mantissaBits = 23, bias = 127;
    // Two bits of exponent and one of mantissa move up together; the bias grows
    // from 1 to 127.
    Value normal = binary<arith::AddIOp>(
        binary<arith::ShLIOp>(magnitude, mantissaBits - 1),
        (bias - 1) << mantissaBits);
    // Below the normal numbers are 0 and 1/2.
    Value subnormal =
        binary<arith::MulIOp>(magnitude, (bias - 1) << mantissaBits);
    Value isSmall =
        arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ult,
                              magnitude, constantI32(magnitude, 2));
    Value number =
        arith::SelectOp::create(builder, loc, isSmall, subnormal, normal);
    // The sign moves from bit 3 to bit 31.
    Value sign = binary<arith::ShLIOp>(binary<arith::ShRUIOp>(bits, 3), 31);
    return bitcastToF32(arith::OrIOp::create(builder, loc, number, sign));
  }

  /// f32 of a scale.
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
    return bitcastToF32(bits);
  }

  /// The values of a factor, each multiplied by its scale.
  Value getScaled(const Factor &factor) {
    Value values = getValues(factor);
    if (!factor.scale)
      return values;
    // Scales have K last. One per group becomes one per value.
    Value scale = decodeScale(factor.scale);
    auto type = cast<RankedTensorType>(scale.getType());
    unsigned rank = type.getRank();
    scale = ExpandDimsOp::create(builder, loc, scale, rank);
    SmallVector<int64_t> shape(type.getShape());
    auto expanded = cast<RankedTensorType>(values.getType());
    // Values per scale.
    int64_t group = expanded.getDimSize(factor.kDim) / shape.back();
    shape.push_back(group);
    scale = BroadcastOp::create(
        builder, loc, RankedTensorType::get(shape, builder.getF32Type()),
        scale);
    shape.pop_back();
    shape.back() *= group;
    scale = ReshapeOp::create(builder, loc, shape, scale);
    if (factor.kDim + 1 != rank) {
      SmallVector<int32_t> order = llvm::to_vector(llvm::seq<int32_t>(0, rank));
      std::swap(order[rank - 1], order[rank - 2]);
      scale = TransOp::create(builder, loc, scale, order);
    }
    return arith::MulFOp::create(builder, loc, values, scale);
  }

  /// The dot that is decomposed.
  DotScaledOp op;
  /// Inserts in front of it.
  OpBuilder builder;
  /// Of the dot, for all that is made of it.
  Location loc;
};

/// Decomposes every scaled dot of a module.
class DecomposeScaledDotPass
    : public triton::intel::impl::TritonIntelDecomposeScaledDotBase<
          DecomposeScaledDotPass> {
public:
  void runOnOperation() override {
    // Collected first, as the walk must not see what takes their place.
    SmallVector<DotScaledOp> dots;
    getOperation().walk([&](DotScaledOp op) { dots.push_back(op); });
    for (DotScaledOp op : dots) {
      // Formats of 6 bits have no tensors.
      for (ScaleDotElemType format : {op.getAElemType(), op.getBElemType()})
        if (getSignificantBits(format) == 0) {
          op.emitOpError("cannot multiply values of the format ")
              << stringifyScaleDotElemType(format);
          return signalPassFailure();
        }
      op.replaceAllUsesWith(ScaledDotDecomposer(op).build());
      op.erase();
      ++numDecomposed;
    }
  }
};

} // namespace
