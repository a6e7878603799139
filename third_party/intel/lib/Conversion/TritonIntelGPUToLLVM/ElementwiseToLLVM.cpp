//===- ElementwiseToLLVM.cpp - Lower elementwise operations ---------------===//
//
// An elementwise operation on tensors is the same operation on each of the
// vectors that hold the registers: arith and math need no pattern of their own,
// upstream's conversions take the vectors to LLVM. The few elementwise
// operations of tt are expressed in arith, math and OpenCL builtins.
//
//===----------------------------------------------------------------------===//

#include "intel/Conversion/TritonIntelGPUToLLVM/PatternTritonIntelGPUToLLVM.h"
#include "intel/Conversion/TritonIntelGPUToLLVM/Registers.h"
#include "intel/Conversion/TritonIntelGPUToLLVM/WorkItem.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "triton/Dialect/Triton/IR/Dialect.h"

using namespace mlir;
using namespace mlir::triton;
using namespace mlir::triton::gpu::intel;

namespace {

/// Calls `emit` once per vector of the results, with the matching vector of
/// each operand; scalar operands of tensor operations are passed on as such.
template <typename Emit>
LogicalResult forEachVector(Operation *op, ArrayRef<ValueRange> operands,
                            const TypeConverter &converter,
                            ConversionPatternRewriter &rewriter, Emit emit) {
  SmallVector<SmallVector<Type>> resultTypes(op->getNumResults());
  for (auto [i, type] : llvm::enumerate(op->getResultTypes()))
    if (failed(converter.convertType(type, resultTypes[i])))
      return rewriter.notifyMatchFailure(op, "result type has no lowering");

  size_t count = resultTypes.empty() ? 1 : resultTypes.front().size();
  SmallVector<SmallVector<Value>> results(op->getNumResults());
  for (size_t chunk = 0; chunk < count; ++chunk) {
    SmallVector<Value> inputs;
    for (ValueRange values : operands)
      inputs.push_back(values.size() == 1 ? values.front() : values[chunk]);
    SmallVector<Type> types;
    for (auto &list : resultTypes)
      types.push_back(list[chunk]);
    SmallVector<Value> outputs = emit(types, inputs);
    if (outputs.size() != types.size())
      return rewriter.notifyMatchFailure(op, "operation has no lowering");
    for (auto [list, output] : llvm::zip_equal(results, outputs))
      list.push_back(output);
  }
  rewriter.replaceOpWithMultiple(op, std::move(results));
  return success();
}

/// arith and math: the same operation on vectors.
struct ElementwiseOpConversion : ConversionPattern {
  ElementwiseOpConversion(const TypeConverter &converter, MLIRContext *context)
      : ConversionPattern(converter, MatchAnyOpTypeTag(), /*benefit=*/1,
                          context) {}

  LogicalResult
  matchAndRewrite(Operation *op, ArrayRef<ValueRange> operands,
                  ConversionPatternRewriter &rewriter) const override {
    if (!isa<arith::ArithDialect, math::MathDialect>(op->getDialect()) ||
        op->getNumRegions() != 0 || op->getNumResults() == 0 ||
        !op->hasTrait<OpTrait::Elementwise>())
      return rewriter.notifyMatchFailure(op, "not an elementwise operation");
    return forEachVector(op, operands, *getTypeConverter(), rewriter,
                         [&](ArrayRef<Type> types, ArrayRef<Value> inputs) {
                           Operation *clone = rewriter.create(
                               op->getLoc(), op->getName().getIdentifier(),
                               inputs, types, op->getAttrs());
                           return SmallVector<Value>(clone->getResults());
                         });
  }
};

/// A constant of any type: numbers keep their value, types without a register
/// form (bf16, 8-bit floats) their bits.
struct ConstantOpConversion : OpConversionPattern<arith::ConstantOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(arith::ConstantOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    SmallVector<Type> types;
    if (failed(getTypeConverter()->convertType(op.getType(), types)))
      return rewriter.notifyMatchFailure(op, "type has no lowering");
    Attribute value = op.getValue();
    if (auto dense = dyn_cast<DenseElementsAttr>(value)) {
      if (!dense.isSplat())
        return op.emitError("a tensor constant must have equal elements");
      value = dense.getSplatValue<Attribute>();
    }
    Type element = getElementTypeOrSelf(types.front());
    auto scalar = cast<TypedAttr>(value);
    if (scalar.getType() != element)
      scalar = rewriter.getIntegerAttr(
          element, cast<FloatAttr>(value).getValue().bitcastToAPInt());
    SmallVector<Value> chunks;
    for (Type type : types) {
      TypedAttr attr = scalar;
      if (auto vector = dyn_cast<VectorType>(type))
        attr = DenseElementsAttr::get(vector, Attribute(scalar));
      chunks.push_back(chunks.empty() ? arith::ConstantOp::create(
                                            rewriter, op.getLoc(), attr)
                                            .getResult()
                                      : chunks.front());
    }
    rewriter.replaceOpWithMultiple(op, {chunks});
    return success();
  }
};

/// min(max(x, lo), hi) with the language's two NaN rules.
struct ClampFOpConversion : OpConversionPattern<ClampFOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(ClampFOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    bool keepsNan = op.getPropagateNan() == PropagateNan::ALL;
    return forEachVector(
        op, adaptor.getOperands(), *getTypeConverter(), rewriter,
        [&](ArrayRef<Type> types, ArrayRef<Value> in) -> SmallVector<Value> {
          if (keepsNan) {
            Value low = arith::MaximumFOp::create(rewriter, loc, in[0], in[1]);
            return {arith::MinimumFOp::create(rewriter, loc, low, in[2])};
          }
          Value low = arith::MaxNumFOp::create(rewriter, loc, in[0], in[1]);
          return {arith::MinNumFOp::create(rewriter, loc, low, in[2])};
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

/// Correctly rounded division and square root: the plain operations are that,
/// since no fast-math flag allows otherwise.
template <typename Source, typename Target>
struct PreciseOpConversion : OpConversionPattern<Source> {
  using OpConversionPattern<Source>::OpConversionPattern;

  LogicalResult matchAndRewrite(
      Source op,
      typename Source::template GenericAdaptor<ArrayRef<ValueRange>> adaptor,
      ConversionPatternRewriter &rewriter) const override {
    return forEachVector(
        op, adaptor.getOperands(), *this->getTypeConverter(), rewriter,
        [&](ArrayRef<Type> types, ArrayRef<Value> in) -> SmallVector<Value> {
          return {Target::create(rewriter, op.getLoc(), types, in)};
        });
  }
};

/// Same width on both sides; between pointers nothing changes at all.
struct BitcastOpConversion : OpConversionPattern<triton::BitcastOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(triton::BitcastOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    return forEachVector(
        op, adaptor.getOperands(), *getTypeConverter(), rewriter,
        [&](ArrayRef<Type> types, ArrayRef<Value> in) -> SmallVector<Value> {
          if (types[0] == in[0].getType())
            return {in[0]};
          return {
              arith::BitcastOp::create(rewriter, op.getLoc(), types[0], in[0])};
        });
  }
};

/// The symbol is called once per element: vectors are for the compiler only.
struct ExternElementwiseOpConversion
    : OpConversionPattern<ExternElementwiseOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(ExternElementwiseOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    return forEachVector(
        op, adaptor.getOperands(), *getTypeConverter(), rewriter,
        [&](ArrayRef<Type> types, ArrayRef<Value> in) -> SmallVector<Value> {
          unsigned width = getVectorWidth(types[0]);
          SmallVector<SmallVector<Value>> columns;
          for (Value value : in)
            columns.push_back(isa<VectorType>(value.getType())
                                  ? unpackRegisters(rewriter, loc, value)
                                  : SmallVector<Value>(width, value));
          SmallVector<Value> results;
          for (unsigned i = 0; i < width; ++i) {
            SmallVector<Value> arguments;
            for (auto &column : columns)
              arguments.push_back(column[i]);
            results.push_back(callFunction(rewriter, loc, op.getSymbol(),
                                           getElementTypeOrSelf(types[0]),
                                           arguments, op.getPure(),
                                           /*isConvergent=*/false));
          }
          return packRegisters(rewriter, loc, results);
        });
  }
};

} // namespace

void mlir::triton::gpu::intel::populateElementwiseToLLVMPatterns(
    const RegisterTypeConverter &converter, RewritePatternSet &patterns) {
  MLIRContext *context = patterns.getContext();
  patterns.add<ElementwiseOpConversion>(converter, context);
  patterns.add<ConstantOpConversion, ClampFOpConversion, MulhiUIOpConversion,
               PreciseOpConversion<PreciseSqrtOp, math::SqrtOp>,
               PreciseOpConversion<PreciseDivFOp, arith::DivFOp>,
               BitcastOpConversion, ExternElementwiseOpConversion>(
      converter, context, /*benefit=*/2);
}
