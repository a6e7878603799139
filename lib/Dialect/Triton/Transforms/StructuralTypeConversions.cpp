//===- StructuralTypeConversions.cpp - One value becomes many -------------===//
// SPDX-License-Identifier: MIT
//
// A function's blocks are converted together with its signature, so that the
// patterns of branches only have to convert operands.
//
//===----------------------------------------------------------------------===//

#include "triton/Dialect/Triton/Transforms/StructuralTypeConversions.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/ControlFlow/Transforms/StructuralTypeConversions.h"
#include "mlir/Dialect/SCF/Transforms/Patterns.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "triton/Dialect/Triton/IR/Dialect.h"

using namespace mlir;
using namespace mlir::triton;

/// One-to-n conversions give a range of values for each operand.
SmallVector<Value> triton::flatten(ArrayRef<ValueRange> ranges) {
  SmallVector<Value> values;
  for (ValueRange range : ranges)
    llvm::append_range(values, range);
  return values;
}

namespace {

/// `tt.func`: each argument becomes its parts, in place. The function stays the
/// same operation, so that symbols and its attributes survive.
struct FuncOpConversion : OpConversionPattern<FuncOp> {
  FuncOpConversion(const TypeConverter &converter, MLIRContext *context,
                   PartAttributesFn partAttributes)
      : OpConversionPattern(converter, context),
        partAttributes(std::move(partAttributes)) {}

  LogicalResult
  matchAndRewrite(FuncOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    const TypeConverter &converter = *getTypeConverter();
    TypeConverter::SignatureConversion signature(op.getNumArguments());
    // Attributes of the parts, argument by argument.
    SmallVector<DictionaryAttr> attributes;
    for (auto [i, type] : llvm::enumerate(op.getArgumentTypes())) {
      SmallVector<Type> parts;
      if (failed(converter.convertType(type, parts)))
        return rewriter.notifyMatchFailure(op, "argument cannot be converted");
      signature.addInputs(i, parts);
      addAttributes(rewriter, op, i, parts, attributes);
    }
    SmallVector<Type> results;
    if (failed(converter.convertTypes(op.getResultTypes(), results)))
      return rewriter.notifyMatchFailure(op, "result cannot be converted");
    if (!op.isExternal() && failed(rewriter.convertRegionTypes(
                                &op.getBody(), converter, &signature)))
      return failure();
    rewriter.modifyOpInPlace(op, [&] {
      // Attributes of results could not be assigned to a part.
      if (results.size() != op.getNumResults())
        op.removeResAttrsAttr();
      op.setFunctionType(FunctionType::get(
          getContext(), signature.getConvertedTypes(), results));
      op.setAllArgAttrs(attributes);
    });
    return success();
  }

private:
  /// Adds a dictionary for each part: an argument that stays keeps its own,
  /// parts get the attributes that the conversion has for kernels' arguments.
  void addAttributes(Builder &builder, FuncOp op, unsigned argument,
                     TypeRange parts,
                     SmallVectorImpl<DictionaryAttr> &attributes) const {
    Type type = op.getArgumentTypes()[argument];
    DictionaryAttr none = builder.getDictionaryAttr({});
    size_t wanted = attributes.size() + parts.size();
    if (parts.size() == 1 && parts.front() == type) {
      DictionaryAttr old = op.getArgAttrDict(argument);
      attributes.push_back(old ? old : none);
    } else if (partAttributes && op.isPublic()) {
      partAttributes(type, parts, attributes);
    }
    // Parts without attributes have none.
    attributes.resize(wanted, none);
  }

  /// Null if no part has attributes.
  PartAttributesFn partAttributes;
};

/// `tt.call`: operands and results are lists of parts, as the callee's are.
struct CallOpConversion : OpConversionPattern<CallOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(CallOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    // Types of all parts, and how many each result has.
    SmallVector<Type> types;
    SmallVector<size_t> counts;
    for (Type type : op.getResultTypes()) {
      size_t before = types.size();
      if (failed(getTypeConverter()->convertType(type, types)))
        return rewriter.notifyMatchFailure(op, "result cannot be converted");
      counts.push_back(types.size() - before);
    }
    auto call = CallOp::create(rewriter, op.getLoc(), op.getCallee(), types,
                               flatten(adaptor.getOperands()));
    call->setDiscardableAttrs(op->getDiscardableAttrDictionary());
    // The parts of each result, as a slice of the new results.
    SmallVector<ValueRange> replacements;
    ValueRange results = call.getResults();
    for (size_t count : counts) {
      replacements.push_back(results.take_front(count));
      results = results.drop_front(count);
    }
    rewriter.replaceOpWithMultiple(op, replacements);
    return success();
  }
};

/// `tt.return` with all parts.
struct ReturnOpConversion : OpConversionPattern<ReturnOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(ReturnOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOpWithNewOp<ReturnOp>(op, flatten(adaptor.getOperands()));
    return success();
  }
};

/// `arith.select` of a value of many parts: one condition chooses all of them.
struct SelectOpConversion : OpConversionPattern<arith::SelectOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(arith::SelectOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    SmallVector<Value> parts;
    // Both values have the same type, and so the same number of parts.
    for (auto [yes, no] :
         llvm::zip_equal(adaptor.getTrueValue(), adaptor.getFalseValue()))
      parts.push_back(arith::SelectOp::create(
          rewriter, op.getLoc(), adaptor.getCondition().front(), yes, no));
    rewriter.replaceOpWithMultiple(op, {parts});
    return success();
  }
};

/// MLIR's own patterns know the other branches.
struct SwitchOpConversion : OpConversionPattern<cf::SwitchOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(cf::SwitchOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    SmallVector<SmallVector<Value>> caseOperands;
    for (ArrayRef<ValueRange> operands : adaptor.getCaseOperands())
      caseOperands.push_back(flatten(operands));
    rewriter.replaceOpWithNewOp<cf::SwitchOp>(
        op, adaptor.getFlag().front(), op.getDefaultDestination(),
        flatten(adaptor.getDefaultOperands()), op.getCaseValuesAttr(),
        op.getCaseDestinations(), llvm::to_vector_of<ValueRange>(caseOperands));
    return success();
  }
};

/// Canonicalization puts poison where a value is passed on without a use.
struct PoisonOpConversion : OpConversionPattern<ub::PoisonOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(ub::PoisonOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    SmallVector<Type> types;
    if (failed(getTypeConverter()->convertType(op.getType(), types)))
      return rewriter.notifyMatchFailure(op, "type cannot be converted");
    SmallVector<Value> parts;
    for (Type type : types)
      parts.push_back(ub::PoisonOp::create(rewriter, op.getLoc(), type));
    rewriter.replaceOpWithMultiple(op, {parts});
    return success();
  }
};

} // namespace

void triton::populateStructuralTypeConversions(
    const TypeConverter &converter, RewritePatternSet &patterns,
    ConversionTarget &target, PartAttributesFn partAttributes) {
  MLIRContext *context = patterns.getContext();
  patterns.add<FuncOpConversion>(converter, context, std::move(partAttributes));
  patterns.add<CallOpConversion, ReturnOpConversion, SelectOpConversion,
               SwitchOpConversion, PoisonOpConversion>(converter, context);
  // Whatever still has types to convert is not legal, branches included.
  target.markUnknownOpDynamicallyLegal(
      [&](Operation *op) { return converter.isLegal(op); });
  target.addDynamicallyLegalOp<FuncOp>([&](FuncOp op) {
    return converter.isSignatureLegal(op.getFunctionType()) &&
           converter.isLegal(&op.getBody());
  });
  scf::populateSCFStructuralTypeConversionsAndLegality(converter, patterns,
                                                       target);
  cf::populateCFStructuralTypeConversionsAndLegality(converter, patterns,
                                                     target);
}

/// Types within functions have been changed in place; signatures follow.
void triton::updateFunctionTypes(ModuleOp module) {
  for (auto function : module.getOps<FuncOp>()) {
    if (function.isExternal())
      continue;
    SmallVector<Type> results(function.getResultTypes());
    for (Block &block : function.getBody())
      // All returns have the same types, so the last one seen will do.
      if (auto exit = dyn_cast<ReturnOp>(block.getTerminator()))
        results.assign(exit.getOperandTypes().begin(),
                       exit.getOperandTypes().end());
    function.setFunctionType(FunctionType::get(
        module.getContext(), function.getBody().front().getArgumentTypes(),
        results));
  }
}
