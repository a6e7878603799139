//===- FloatToLLVM.cpp - Lower conversions of floats without registers ----===//
//
// bf16 and the 8-bit floats live in integer registers. arith computes with them
// no more at this point (arith-emulate-unsupported-floats has seen to that);
// what is left are the conversions from and to other types. These patterns come
// before the one of ElementwiseToLLVM.cpp and leave all other types to it.
//
//===----------------------------------------------------------------------===//

#include "intel/Conversion/TritonIntelGPUToLLVM/FloatConversion.h"
#include "intel/Conversion/TritonIntelGPUToLLVM/PatternTritonIntelGPUToLLVM.h"
#include "intel/Conversion/TritonIntelGPUToLLVM/Registers.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "triton/Dialect/Triton/IR/Dialect.h"

using namespace mlir;
using namespace mlir::triton;
using namespace mlir::triton::gpu::intel;

namespace {

/// Is `type` (or its element type) kept in integer registers?
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
  for (Value value : source)
    results.push_back(emit(value));
  rewriter.replaceOpWithMultiple(op, {results});
}

/// Replaces a float to float conversion.
LogicalResult replaceFloatConversion(Operation *op, ValueRange source,
                                     FloatRounding rounding,
                                     ConversionPatternRewriter &rewriter) {
  Type from = getElementTypeOrSelf(op->getOperand(0).getType());
  Type to = getElementTypeOrSelf(op->getResult(0).getType());
  if (!isFloatConversionSupported(from, to, rounding))
    return op->emitOpError("has no lowering from ")
           << from << " to " << to
           << (rounding == FloatRounding::TowardZero ? " rounding toward zero"
                                                     : "");
  replaceEachVector(op, source, rewriter, [&](Value value) {
    return convertFloat(rewriter, op->getLoc(), value, from, to, rounding);
  });
  return success();
}

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

struct TruncFOpConversion : OpConversionPattern<arith::TruncFOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(arith::TruncFOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
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

/// Integer to float, by way of f32.
template <typename Op> struct IntToFloatConversion : OpConversionPattern<Op> {
  using OpConversionPattern<Op>::OpConversionPattern;

  LogicalResult matchAndRewrite(
      Op op, typename Op::template GenericAdaptor<ArrayRef<ValueRange>> adaptor,
      ConversionPatternRewriter &rewriter) const override {
    Type to = getElementTypeOrSelf(op.getType());
    if (!isStoredAsInteger(to))
      return rewriter.notifyMatchFailure(op, "the result has registers");
    Type f32 = rewriter.getF32Type();
    if (!isFloatConversionSupported(f32, to, FloatRounding::NearestEven))
      return op.emitOpError("has no lowering to ") << to;
    replaceEachVector(op, adaptor.getIn(), rewriter, [&](Value value) {
      Type wide = getVectorType(f32, getVectorWidth(value.getType()));
      Value converted = Op::create(rewriter, op.getLoc(), wide, value);
      return convertFloat(rewriter, op.getLoc(), converted, f32, to);
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
    if (!isStoredAsInteger(from))
      return rewriter.notifyMatchFailure(op, "the operand has registers");
    Type f32 = rewriter.getF32Type();
    if (!isFloatConversionSupported(from, f32, FloatRounding::NearestEven))
      return op.emitOpError("has no lowering from ") << from;
    Type to = getElementTypeOrSelf(op.getType());
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
      if (type == value.getType())
        return value;
      return arith::BitcastOp::create(rewriter, op.getLoc(), type, value);
    });
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
               FloatToIntConversion<arith::FPToUIOp>, BitcastOpConversion>(
      converter, patterns.getContext(), /*benefit=*/2);
}
