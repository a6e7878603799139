//===- DecomposeScaledDot.cpp - Products of microscaling formats ----------===//
// SPDX-License-Identifier: MIT
//
// If the target multiplies scaled operands, values are converted to a format of
// its instructions, and keep their scales.
//
// Otherwise values are converted to f32, multiplied by their scales, and passed
// to an ordinary dot. f32 holds every scaled value exactly, or as near to 0 or
// infinity as the result of the dot can be. The element type of the dot is the
// narrowest type with enough bits. A scale that is an exponent adds no bits.
//
// Runs on TTIR, before all passes that inspect dots.
//
//===----------------------------------------------------------------------===//

#include "intel/Dialect/Triton/Transforms/Passes.h"

#include "intel/Dialect/TritonIntelGPU/IR/ScaledDot.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "triton/Dialect/Triton/IR/Dialect.h"
#include "llvm/ADT/STLExtras.h"

namespace mlir::triton::intel {
#define GEN_PASS_DEF_TRITONINTELDECOMPOSESCALEDDOT
#include "intel/Dialect/Triton/Transforms/Passes.h.inc"
} // namespace mlir::triton::intel

using namespace mlir;
using namespace mlir::triton;
using namespace mlir::triton::gpu::intel;

namespace {

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
class ScaledDotDecomposer {
public:
  explicit ScaledDotDecomposer(DotScaledOp op)
      : op(op), builder(op), loc(op.getLoc()) {}

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

  /// Returns the shape of `like` with other elements.
  static RankedTensorType withElement(Value like, Type element) {
    auto type = cast<RankedTensorType>(like.getType());
    return RankedTensorType::get(type.getShape(), element);
  }

  /// Returns a constant of the type of `like`, or of its shape and another
  /// type.
  Value constant(Value like, Attribute value) {
    auto type = withElement(like, cast<TypedAttr>(value).getType());
    return arith::ConstantOp::create(builder, loc,
                                     DenseElementsAttr::get(type, value));
  }
  /// Returns a number in each element.
  Value constantI32(Value like, int32_t value) {
    return constant(like, builder.getI32IntegerAttr(value));
  }
  /// Creates the comparison of each element with this number.
  Value isEqual(Value value, int32_t number) {
    return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, value,
                                 constantI32(value, number));
  }
  /// Returns an operation with a number on the right.
  template <typename Op> Value binary(Value lhs, int32_t rhs) {
    return Op::create(builder, loc, lhs, constantI32(lhs, rhs));
  }
  /// Floats of these bits.
  Value bitcastToF32(Value bits) {
    return BitcastOp::create(builder, loc,
                             withElement(bits, builder.getF32Type()), bits);
  }
  /// Returns the bytes as i32, without sign.
  Value widenInteger(Value value) {
    return arith::ExtUIOp::create(
        builder, loc, withElement(value, builder.getI32Type()), value);
  }

  /// Converts between float types, exactly but for the last rounding of a
  /// result.
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

  /// Returns the values of an operand as floats of `element`, which hold them
  /// exactly, without scales.
  Value getValues(const ScaledOperand &operand, FloatType element) {
    if (operand.format == ScaleDotElemType::E2M1)
      return unpack(operand.value, operand.packedDim, element);
    Value value = operand.value;
    // fp8 may come as bytes.
    if (isa<IntegerType>(getElementTypeOrSelf(value.getType())))
      value = BitcastOp::create(
          builder, loc,
          withElement(value, getFormatType(op.getContext(), operand.format)),
          value);
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
      Value number = decodeE2M1(builder, loc, half, element);
      return BitcastOp::create(builder, loc, withElement(number, element),
                               number);
    };
    Value low = decode(binary<arith::AndIOp>(wide, 15));
    Value high = decode(binary<arith::ShRUIOp>(wide, 4));
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
    return bitcastToF32(bits);
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
  /// Inserts in front of it.
  OpBuilder builder;
  /// The location of the dot, and of all operations that replace it.
  Location loc;
};

/// Gives every scaled dot of a module a form that the target has.
class DecomposeScaledDotPass
    : public triton::intel::impl::TritonIntelDecomposeScaledDotBase<
          DecomposeScaledDotPass> {
public:
  void runOnOperation() override {
    ModuleOp module = getOperation();
    TargetDesc target = getTargetDesc(module);
    // Instructions work with the smallest sub-groups of the target.
    auto lanes = module->getAttrOfType<IntegerAttr>(
        gpu::TritonGPUDialect::getThreadsPerWarpAttrName());
    bool hasLanes = lanes && lanes.getInt() == target.getMinSubGroupSize();
    // Collected first, as the walk must not see what takes their place.
    SmallVector<DotScaledOp> dots;
    module.walk([&](DotScaledOp op) { dots.push_back(op); });
    for (DotScaledOp op : dots) {
      std::optional<CommonDot> common = getCommonDot(op);
      if (!common) {
        // Formats of 6 bits have no tensors.
        op.emitOpError("cannot multiply values of the formats ")
            << stringifyScaleDotElemType(op.getAElemType()) << " and "
            << stringifyScaleDotElemType(op.getBElemType());
        return signalPassFailure();
      }
      ScaledDotDecomposer decomposer(op);
      auto formats = getScaledDpasFormats(op, target);
      if (hasLanes && formats) {
        op.replaceAllUsesWith(decomposer.buildScaled(*formats));
      } else {
        op.replaceAllUsesWith(decomposer.build(*common));
        ++numDecomposed;
      }
      op.erase();
    }
  }
};

} // namespace
