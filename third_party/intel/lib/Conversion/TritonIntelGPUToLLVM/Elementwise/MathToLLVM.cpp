//===- MathToLLVM.cpp - Lower mathematical functions ----------------------===//
// SPDX-License-Identifier: MIT
//
// Most of math has an LLVM intrinsic that the SPIR-V backend knows, and needs
// nothing here. This file handles the rest:
//
//   functions without an intrinsic (erf, cbrt, ...), those that upstream
//   expands with a loss of accuracy (log1p, expm1), and those that
//   FunctionExpansions.h knows better, are OpenCL functions;
//
//   math.exp, which the language wants fast, is a power of two;
//
//   tt.precise_divf and tt.precise_sqrt must round correctly, which OpenCL
//   promises for f64 only. An f32 is divided in f64 and rounded once more: with
//   at least 2 * 24 + 2 bits in the first result the second rounding is
//   innocuous (Figueroa, "When is double rounding innocuous?", 1995), if the
//   division stays in f64 (KeepDivisions.cpp);
//
//   the upper half of a product of 64 bits is an OpenCL function, since LLVM
//   would compute it from a product of 128 bits, which SPIR-V does not have,
//   and of which the optimizer takes parts elsewhere: for example an operand's
//   extension into the branch that computes the operand;
//
//   tt operations and math.fma on types without arithmetic compute in f32.
//
//===----------------------------------------------------------------------===//

#include "../PatternTritonIntelGPUToLLVM.h"
#include "ElementwiseConversion.h"
#include "FloatConversion.h"
#include "FunctionExpansions.h"
#include "OpenCLBuiltins.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "triton/Dialect/Triton/IR/Dialect.h"

using namespace mlir;
using namespace mlir::triton;
using namespace mlir::triton::gpu::intel;

namespace {

/// Returns whether the lowered code computes with values of this type.
bool hasArithmetic(Type type) {
  return RegisterTypeConverter::convertElementType(type) == type;
}

/// Replaces `op`, whose operands and results are floats of one type, by the
/// result of `emit` for values of type `compute`. Rounds to the operation's own
/// type at the end.
template <typename Emit>
LogicalResult computeIn(Type compute, Operation *op,
                        ArrayRef<ValueRange> operands,
                        const TypeConverter &converter,
                        ConversionPatternRewriter &rewriter, Emit emit) {
  Location loc = op->getLoc();
  Type own = getElementTypeOrSelf(op->getResult(0).getType());
  if (!isFloatConversionSupported(own, compute) ||
      !isFloatConversionSupported(compute, own))
    return op->emitOpError("has no lowering for ") << own;
  return forEachVector(
      op, operands, converter, rewriter,
      [&](ArrayRef<Type> types, ArrayRef<Value> in) -> SmallVector<Value> {
        SmallVector<Value> wide;
        for (Value value : in)
          wide.push_back(convertFloat(rewriter, loc, value, own, compute));
        Value result = emit(wide);
        return {convertFloat(rewriter, loc, result, compute, own)};
      });
}

/// Returns the type that an operation on floats of type `own` computes in.
Type getComputeType(Type own, MLIRContext *context) {
  return hasArithmetic(own) ? own : Float32Type::get(context);
}

/// math operations that are OpenCL functions, by their names.
struct MathBuiltinConversion : ConversionPattern {
  MathBuiltinConversion(const TypeConverter &converter, MLIRContext *context,
                        StringRef operation, StringRef function)
      : ConversionPattern(converter, operation, /*benefit=*/2, context),
        function(function) {}

  LogicalResult
  matchAndRewrite(Operation *op, ArrayRef<ValueRange> operands,
                  ConversionPatternRewriter &rewriter) const override {
    // Not every device has the function for f16.
    Type own = getElementTypeOrSelf(op->getResult(0).getType());
    Type compute = own.isF64() ? own : rewriter.getF32Type();
    return computeIn(compute, op, operands, *getTypeConverter(), rewriter,
                     [&](ArrayRef<Value> in) {
                       Location loc = op->getLoc();
                       Value expanded =
                           expandOpenCLFunction(rewriter, loc, function, in[0]);
                       return expanded
                                  ? expanded
                                  : callOpenCLFunction(rewriter, loc, function,
                                                       in[0].getType(), in);
                     });
  }

private:
  StringRef function;
};

/// An f32's exponential; others have an intrinsic.
struct ExpOpConversion : OpConversionPattern<math::ExpOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(math::ExpOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    if (!getElementTypeOrSelf(op.getType()).isF32())
      return rewriter.notifyMatchFailure(op, "has an intrinsic");
    return computeIn(rewriter.getF32Type(), op, adaptor.getOperands(),
                     *getTypeConverter(), rewriter, [&](ArrayRef<Value> in) {
                       return approximateExponential(rewriter, op.getLoc(),
                                                     in[0]);
                     });
  }
};

/// min(max(x, lo), hi) with the language's two NaN rules.
struct ClampFOpConversion : OpConversionPattern<ClampFOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(ClampFOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Type own = getElementTypeOrSelf(op.getType());
    bool keepsNan = op.getPropagateNan() == PropagateNan::ALL;
    return computeIn(
        getComputeType(own, getContext()), op, adaptor.getOperands(),
        *getTypeConverter(), rewriter, [&](ArrayRef<Value> in) -> Value {
          if (keepsNan) {
            Value low = arith::MaximumFOp::create(rewriter, loc, in[0], in[1]);
            return arith::MinimumFOp::create(rewriter, loc, low, in[2]);
          }
          Value low = arith::MaxNumFOp::create(rewriter, loc, in[0], in[1]);
          return arith::MinNumFOp::create(rewriter, loc, low, in[2]);
        });
  }
};

/// The sum is rounded to f32 and then to the type, which is off by less than a
/// 2^-15th of the type's last place.
struct FmaOpConversion : OpConversionPattern<math::FmaOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(math::FmaOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Type own = getElementTypeOrSelf(op.getType());
    return computeIn(getComputeType(own, getContext()), op,
                     adaptor.getOperands(), *getTypeConverter(), rewriter,
                     [&](ArrayRef<Value> in) -> Value {
                       return math::FmaOp::create(rewriter, op.getLoc(), in[0],
                                                  in[1], in[2]);
                     });
  }
};

struct MulhiUIOpConversion : OpConversionPattern<MulhiUIOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(MulhiUIOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    return forEachVector(
        op, adaptor.getOperands(), *getTypeConverter(), rewriter,
        [&](ArrayRef<Type> types, ArrayRef<Value> in) -> SmallVector<Value> {
          auto product = arith::MulUIExtendedOp::create(rewriter, op.getLoc(),
                                                        in[0], in[1]);
          return {product.getHigh()};
        });
  }
};

/// Computes both halves of a product of 64 bits, without one of 128.
template <typename Source>
struct ExtendedProductConversion : OpConversionPattern<Source> {
  using OpConversionPattern<Source>::OpConversionPattern;

  LogicalResult matchAndRewrite(
      Source op,
      typename Source::template GenericAdaptor<ArrayRef<ValueRange>> adaptor,
      ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    if (!getElementTypeOrSelf(op.getLhs().getType()).isInteger(64))
      return rewriter.notifyMatchFailure(op, "has a product in SPIR-V");
    bool isSigned = std::is_same_v<Source, arith::MulSIExtendedOp>;
    return forEachVector(
        op, adaptor.getOperands(), *this->getTypeConverter(), rewriter,
        [&](ArrayRef<Type> types, ArrayRef<Value> in) -> SmallVector<Value> {
          Value low = arith::MulIOp::create(rewriter, loc, in[0], in[1]);
          Value high = callOpenCLFunction(rewriter, loc, "mul_hi", types[1], in,
                                          isSigned);
          return {low, high};
        });
  }
};

/// The division of arith is within the language's error already.
struct ApproxDivFOpConversion : OpConversionPattern<ApproxDivFOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(ApproxDivFOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Type own = getElementTypeOrSelf(op.getType());
    return computeIn(
        getComputeType(own, getContext()), op, adaptor.getOperands(),
        *getTypeConverter(), rewriter, [&](ArrayRef<Value> in) -> Value {
          return arith::DivFOp::create(rewriter, op.getLoc(), in[0], in[1]);
        });
  }
};

/// Correctly rounded division and square root.
template <typename Source, typename Target>
struct PreciseOpConversion : OpConversionPattern<Source> {
  using OpConversionPattern<Source>::OpConversionPattern;

  LogicalResult matchAndRewrite(
      Source op,
      typename Source::template GenericAdaptor<ArrayRef<ValueRange>> adaptor,
      ConversionPatternRewriter &rewriter) const override {
    // Likewise f32 has enough bits for all narrower types, but is not rounded
    // correctly itself.
    return computeIn(
        rewriter.getF64Type(), op, adaptor.getOperands(),
        *this->getTypeConverter(), rewriter, [&](ArrayRef<Value> in) -> Value {
          return Target::create(rewriter, op.getLoc(), in[0].getType(), in);
        });
  }
};

/// Operations of math and the OpenCL functions that they are.
constexpr std::pair<StringLiteral, StringLiteral> kMathBuiltins[] = {
    {"math.acosh", "acosh"}, {"math.asinh", "asinh"}, {"math.atanh", "atanh"},
    {"math.cbrt", "cbrt"},   {"math.erf", "erf"},     {"math.erfc", "erfc"},
    {"math.expm1", "expm1"}, {"math.log10", "log10"}, {"math.log1p", "log1p"},
    {"math.log2", "log2"},   {"math.rsqrt", "rsqrt"}, {"math.tanh", "tanh"},
};

} // namespace

void mlir::triton::gpu::intel::addMathToLLVMLegality(
    ConversionTarget &target, const RegisterTypeConverter &converter,
    MLIRContext *context) {
  for (auto [operation, function] : kMathBuiltins)
    target.setOpAction(OperationName(operation, context),
                       ConversionTarget::LegalizationAction::Illegal);
  target.addDynamicallyLegalOp<arith::MulSIExtendedOp, arith::MulUIExtendedOp>(
      [&](Operation *op) {
        return !getElementTypeOrSelf(op->getResult(0).getType())
                    .isInteger(64) &&
               converter.isLegal(op);
      });
  target.addDynamicallyLegalOp<math::ExpOp>([&](math::ExpOp op) {
    return !getElementTypeOrSelf(op.getType()).isF32() &&
           converter.isLegal(op.getOperation());
  });
}

void mlir::triton::gpu::intel::populateMathToLLVMPatterns(
    const RegisterTypeConverter &converter, RewritePatternSet &patterns) {
  MLIRContext *context = patterns.getContext();
  for (auto [operation, function] : kMathBuiltins)
    patterns.add<MathBuiltinConversion>(converter, context, operation,
                                        function);
  patterns.add<ApproxDivFOpConversion, ClampFOpConversion, FmaOpConversion,
               ExpOpConversion, MulhiUIOpConversion,
               ExtendedProductConversion<arith::MulSIExtendedOp>,
               ExtendedProductConversion<arith::MulUIExtendedOp>,
               PreciseOpConversion<PreciseDivFOp, arith::DivFOp>,
               PreciseOpConversion<PreciseSqrtOp, math::SqrtOp>>(
      converter, context, /*benefit=*/2);
}
