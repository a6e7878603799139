//===- FloatToLLVM.cpp - Lower conversions of floats without registers ----===//
// SPDX-License-Identifier: MIT
//
// bf16 and the 8-bit floats are in integer registers. At this point no
// arithmetic on them is left (arith-emulate-unsupported-floats has removed it),
// but only conversions from and to other types. These patterns have precedence
// over that of ElementwiseToLLVM.cpp, and leave all other types to it.
//
//===----------------------------------------------------------------------===//

#include "../PatternTritonIntelGPUToLLVM.h"
#include "../Utility/LaneBuilder.h"
#include "../Utility/Registers.h"
#include "FloatConversion.h"

#include "intel/Analysis/Blocks/BlockTile.h"
#include "intel/Dialect/TritonIntelGPU/IR/Dialect.h"
#include "intel/Dialect/TritonIntelGPU/IR/ScaledDot.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "triton/Dialect/Triton/IR/Dialect.h"
#include "triton/Dialect/TritonGPU/IR/Dialect.h"

using namespace mlir;
using namespace mlir::triton;
using namespace mlir::triton::gpu::intel;

namespace {

/// Returns whether `type` (or its element type) is kept in integer registers.
bool isStoredAsInteger(Type type) {
  Type element = getElementTypeOrSelf(type);
  return isa<FloatType>(element) &&
         RegisterTypeConverter::convertElementType(element) != element;
}

/// Replaces `op`, which has one operand and one result, by `emit` on each of
/// the operand's vectors.
template <typename Emit>
void replaceEachVector(Operation *op, ValueRange source,
                       ConversionPatternRewriter &rewriter, Emit emit) {
  SmallVector<Value> results;
  // Vector by vector, as the registers are.
  for (Value value : source)
    results.push_back(emit(value));
  rewriter.replaceOpWithMultiple(op, {results});
}

/// Returns the registers of e4m3 numbers as the vectors that are best widened:
/// those of 16 bytes, which devices have a separate form for (WidenE4M3.cpp).
SmallVector<Value> groupBytes(OpBuilder &builder, Location loc,
                              ValueRange source, Type from) {
  constexpr unsigned width = 16;
  if (!isa<Float8E4M3FNType>(from) || getNumRegisters(source) % width != 0)
    return llvm::to_vector(source);
  return regroupRegisters(builder, loc, source, width);
}

/// Returns the bits in which messages distribute bytes of a tensor: a lane's
/// share of a row of a left operand of DPAS comes in units of 16, what has
/// columns in a lane, or was transposed, in 32.
unsigned getUnitBits(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  auto operand =
      tensor
          ? dyn_cast_or_null<gpu::DotOperandEncodingAttr>(tensor.getEncoding())
          : gpu::DotOperandEncodingAttr();
  return operand && (operand.getOpIdx() == 1 || operand.getKWidth() == 1) ? 32
                                                                          : 16;
}

/// Returns the messages that a tensor of bytes was loaded by, if two fetch each
/// tile: they distribute bytes of 32 bits that are neighbours of one row, not
/// of a column as in registers. Nothing for other tensors.
std::optional<BlockTilePlan> getPlanInPairs(Value tensor) {
  auto load = tensor.getDefiningOp<LoadBlockOp>();
  if (!load || !load.getMessages() ||
      load.getMessages()->getMode() != BlockTileMode::TransposedPairs ||
      getElementTypeOrSelf(tensor.getType()).getIntOrFloatBitWidth() != 8)
    return std::nullopt;
  FailureOr<BlockTilePlan> plan = getBlockTilePlan(load);
  if (failed(plan))
    return std::nullopt;
  return *plan;
}

/// Replaces a float to float conversion.
LogicalResult replaceFloatConversion(Operation *op, ValueRange source,
                                     FloatRounding rounding,
                                     ConversionPatternRewriter &rewriter) {
  // Types of the source: registers do not distinguish bf16 from i16.
  Type from = getElementTypeOrSelf(op->getOperand(0).getType());
  Type to = getElementTypeOrSelf(op->getResult(0).getType());
  if (!isFloatConversionSupported(from, to))
    return op->emitOpError("has no lowering from ") << from << " to " << to;
  unsigned unitBits = getUnitBits(op->getOperand(0).getType());
  // In the order of messages, if that is another one.
  std::optional<BlockTilePlan> plan = getPlanInPairs(op->getOperand(0));
  SmallVector<Value> ordered = llvm::to_vector(source);
  if (plan) {
    unitBits = 32;
    ordered =
        permuteRegisters(rewriter, op->getLoc(), source, plan->getRegisters());
  }
  SmallVector<Value> results;
  for (Value value : groupBytes(rewriter, op->getLoc(), ordered, from)) {
    Value converted = convertFloat(rewriter, op->getLoc(), value, from, to,
                                   rounding, unitBits);
    llvm::append_range(
        results,
        regroupRegisters(
            rewriter, op->getLoc(), converted,
            std::min(kChunkWidth, getVectorWidth(converted.getType()))));
  }
  if (plan)
    results = permuteRegisters(rewriter, op->getLoc(), results, plan->sources);
  rewriter.replaceOpWithMultiple(op, {results});
  return success();
}

/// `arith.extf` of bf16 or an 8-bit float.
struct ExtFOpConversion : OpConversionPattern<arith::ExtFOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(arith::ExtFOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    if (!isStoredAsInteger(op.getIn().getType()))
      return rewriter.notifyMatchFailure(op, "both types have registers");
    return replaceFloatConversion(op, adaptor.getIn(),
                                  FloatRounding::NearestEven, rewriter);
  }
};

/// `arith.truncf` to or from types without registers, and any that rounds
/// toward zero, for which LLVM has no operation.
struct TruncFOpConversion : OpConversionPattern<arith::TruncFOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(arith::TruncFOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    // The default of arith is to nearest.
    auto mode =
        op.getRoundingmode().value_or(arith::RoundingMode::to_nearest_even);
    bool isToZero = mode == arith::RoundingMode::toward_zero;
    if (!isToZero && mode != arith::RoundingMode::to_nearest_even)
      return op.emitOpError("rounds in a way that has no lowering");
    if (!isToZero && !isStoredAsInteger(op.getIn().getType()) &&
        !isStoredAsInteger(op.getType()))
      return rewriter.notifyMatchFailure(op, "both types have registers");
    return replaceFloatConversion(op, adaptor.getIn(),
                                  isToZero ? FloatRounding::TowardZero
                                           : FloatRounding::NearestEven,
                                  rewriter);
  }
};

/// `tt.fp_to_fp`, whichever types it has.
struct FpToFpOpConversion : OpConversionPattern<FpToFpOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(FpToFpOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    bool isToZero =
        op.getRounding().value_or(RoundingMode::RTNE) == RoundingMode::RTZ;
    return replaceFloatConversion(op, adaptor.getSrc(),
                                  isToZero ? FloatRounding::TowardZero
                                           : FloatRounding::NearestEven,
                                  rewriter);
  }
};

/// An integer of more bits than `exact` has, as one that `exact` holds and that
/// rounds to the same number of a narrower format: beyond 2^`mantissaBits` the
/// last bits only matter for whether they are zero.
template <typename Op>
Value compressInteger(OpBuilder &builder, Location loc, Value value,
                      unsigned mantissaBits) {
  Type type = value.getType();
  unsigned bits = getElementTypeOrSelf(type).getIntOrFloatBitWidth();
  // The number in every element.
  auto constant = [&](int64_t number) -> Value {
    TypedAttr attr = builder.getIntegerAttr(getElementTypeOrSelf(type), number);
    if (auto vector = dyn_cast<VectorType>(type))
      attr = DenseElementsAttr::get(vector, Attribute(attr));
    return arith::ConstantOp::create(builder, loc, attr);
  };
  // One more than there is no room for, as the highest of them stays in use.
  int64_t low = (int64_t(1) << (bits - mantissaBits + 1)) - 1;
  int64_t limit = int64_t(1) << mantissaBits;
  // Comparison with a number.
  auto compare = [&](arith::CmpIPredicate predicate, Value lhs,
                     int64_t rhs) -> Value {
    return arith::CmpIOp::create(builder, loc, predicate, lhs, constant(rhs));
  };
  // The bits that the format has no room for, and those that it keeps.
  Value tail = arith::AndIOp::create(builder, loc, value, constant(low));
  Value head = arith::AndIOp::create(builder, loc, value, constant(~low));
  // A bit below the kept ones states that the tail is not zero: enough to round
  // to the right side.
  Value sticky =
      arith::OrIOp::create(builder, loc, head, constant((low + 1) / 2));
  Value compressed = arith::SelectOp::create(
      builder, loc, compare(arith::CmpIPredicate::ne, tail, 0), sticky, value);
  // Small numbers are exact as they are.
  Value isLarge;
  if constexpr (std::is_same_v<Op, arith::SIToFPOp>) {
    // -limit <= value <= limit as one comparison without sign.
    Value moved = arith::AddIOp::create(builder, loc, value, constant(limit));
    isLarge = compare(arith::CmpIPredicate::ugt, moved, 2 * limit);
  } else {
    isLarge = compare(arith::CmpIPredicate::ugt, value, limit);
  }
  return arith::SelectOp::create(builder, loc, isLarge, compressed, value);
}

/// Integer to float, by way of an f32 or f64 that holds the integer, so that
/// rounding happens once.
template <typename Op> struct IntToFloatConversion : OpConversionPattern<Op> {
  using OpConversionPattern<Op>::OpConversionPattern;

  LogicalResult matchAndRewrite(
      Op op, typename Op::template GenericAdaptor<ArrayRef<ValueRange>> adaptor,
      ConversionPatternRewriter &rewriter) const override {
    Type to = getElementTypeOrSelf(op.getType());
    // Results that have registers are converted by arith's own lowering.
    if (!isStoredAsInteger(to))
      return rewriter.notifyMatchFailure(op, "the result has registers");
    Type f32 = rewriter.getF32Type();
    if (!isFloatConversionSupported(f32, to))
      return op.emitOpError("has no lowering to ") << to;
    unsigned bits =
        getElementTypeOrSelf(op.getIn().getType()).getIntOrFloatBitWidth();
    // f64 holds what f32 may not.
    Type exact = bits <= 32 ? f32 : rewriter.getF64Type();
    unsigned mantissaBits = cast<FloatType>(exact).getFPMantissaWidth();
    replaceEachVector(op, adaptor.getIn(), rewriter, [&](Value value) {
      // Integers that fit the mantissa are exact.
      if (bits > mantissaBits)
        value = compressInteger<Op>(rewriter, op.getLoc(), value, mantissaBits);
      Type wide = getVectorType(exact, getVectorWidth(value.getType()));
      Value converted = Op::create(rewriter, op.getLoc(), wide, value);
      return convertFloat(rewriter, op.getLoc(), converted, exact, to);
    });
    return success();
  }
};

/// Float to integer, by way of f32.
template <typename Op> struct FloatToIntConversion : OpConversionPattern<Op> {
  using OpConversionPattern<Op>::OpConversionPattern;

  LogicalResult matchAndRewrite(
      Op op, typename Op::template GenericAdaptor<ArrayRef<ValueRange>> adaptor,
      ConversionPatternRewriter &rewriter) const override {
    Type from = getElementTypeOrSelf(op.getIn().getType());
    // Operands that have registers are converted by arith's own lowering.
    if (!isStoredAsInteger(from))
      return rewriter.notifyMatchFailure(op, "the operand has registers");
    Type f32 = rewriter.getF32Type();
    if (!isFloatConversionSupported(from, f32))
      return op.emitOpError("has no lowering from ") << from;
    Type to = getElementTypeOrSelf(op.getType());
    // f32 holds every number of the narrow formats.
    replaceEachVector(op, adaptor.getIn(), rewriter, [&](Value value) -> Value {
      Value wide = convertFloat(rewriter, op.getLoc(), value, from, f32);
      return Op::create(rewriter, op.getLoc(),
                        getVectorType(to, getVectorWidth(value.getType())),
                        wide);
    });
    return success();
  }
};

/// Bits that are kept in registers of one type on both sides pass through.
struct BitcastOpConversion : OpConversionPattern<arith::BitcastOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(arith::BitcastOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    if (!isStoredAsInteger(op.getIn().getType()) &&
        !isStoredAsInteger(op.getType()))
      return rewriter.notifyMatchFailure(op, "both types have registers");
    Type to = RegisterTypeConverter::convertElementType(
        getElementTypeOrSelf(op.getType()));
    replaceEachVector(op, adaptor.getIn(), rewriter, [&](Value value) -> Value {
      Type type = getVectorType(to, getVectorWidth(value.getType()));
      // There is nothing to do for the same bits in the same type.
      if (type == value.getType())
        return value;
      return arith::BitcastOp::create(rewriter, op.getLoc(), type, value);
    });
    return success();
  }
};

/// `ttg.fp4_to_fp`: two floats of each byte, which follow each other in the
/// registers. So the verifier has it: the layout of the result is that of the
/// operand with one more register bit below all others.
struct Fp4ToFpOpConversion : OpConversionPattern<gpu::Fp4ToFpOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(gpu::Fp4ToFpOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    auto element = cast<FloatType>(getElementTypeOrSelf(op.getType()));
    Type kept = RegisterTypeConverter::convertElementType(element);
    SmallVector<Value> results;
    for (Value bytes : adaptor.getSrc()) {
      unsigned width = getVectorWidth(bytes.getType());
      LaneBuilder builder(rewriter, loc, width);
      Value wide = builder.cast<arith::ExtUIOp>(builder.getInt(32), bytes);
      // The lower halves of all bytes, then the upper ones.
      SmallVector<Value> halves;
      for (Value half : {builder.binary<arith::AndIOp>(wide, 15),
                         builder.binary<arith::ShRUIOp>(wide, 4)})
        halves.push_back(builder.cast<arith::BitcastOp>(
            getVectorType(kept, width),
            decodeE2M1(rewriter, loc, half, element)));
      SmallVector<unsigned> order;
      for (unsigned byte : llvm::seq(width))
        llvm::append_values(order, byte, width + byte);
      llvm::append_range(results,
                         permuteRegisters(rewriter, loc, halves, order));
    }
    rewriter.replaceOpWithMultiple(op, {results});
    return success();
  }
};

} // namespace

void mlir::triton::gpu::intel::populateFloatToLLVMPatterns(
    const RegisterTypeConverter &converter, RewritePatternSet &patterns) {
  patterns.add<ExtFOpConversion, TruncFOpConversion, FpToFpOpConversion,
               IntToFloatConversion<arith::SIToFPOp>,
               IntToFloatConversion<arith::UIToFPOp>,
               FloatToIntConversion<arith::FPToSIOp>,
               FloatToIntConversion<arith::FPToUIOp>, BitcastOpConversion,
               Fp4ToFpOpConversion>(converter, patterns.getContext(),
                                    /*benefit=*/2);
}
