//===- FuncToLLVM.cpp - Lower tt.func, tt.call and tt.return --------------===//
// SPDX-License-Identifier: MIT
//
// A public tt.func becomes an OpenCL kernel with the launch geometry as
// required sub-group and work-group size; a private one an ordinary function.
//
//===----------------------------------------------------------------------===//

#include "../PatternTritonIntelGPUToLLVM.h"
#include "../Utility/Constants.h"
#include "Assertions.h"
#include "HiddenArguments.h"
#include "intel/Target/KernelAttributes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "triton/Dialect/Triton/IR/Dialect.h"
#include "triton/Dialect/TritonGPU/IR/Dialect.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace mlir::triton;
using namespace mlir::triton::gpu;
using namespace mlir::triton::gpu::intel;

namespace {

/// Returns the one result type of an LLVM function: void, the type, or a
/// struct.
Type packResults(MLIRContext *context, ArrayRef<Type> types) {
  if (types.empty())
    return LLVM::LLVMVoidType::get(context);
  if (types.size() == 1)
    return types.front();
  return LLVM::LLVMStructType::getLiteral(context, types);
}

/// Returns the name that an argument has in Python; empty if that is not known.
StringRef getName(BlockArgument argument) {
  auto name = dyn_cast<NameLoc>(argument.getLoc());
  return name ? name.getName().getValue() : StringRef();
}

/// Leaves the names of a kernel's arguments for debuggers.
void attachArgumentNames(triton::FuncOp op,
                         TypeConverter::SignatureConversion &signature,
                         LLVM::LLVMFuncOp func) {
  // Declarations have no code to debug, and without any name there is nothing
  // to describe.
  if (op.isExternal() ||
      llvm::all_of(op.getArguments(), [](BlockArgument argument) {
        return getName(argument).empty();
      }))
    return;
  // By position among the lowered arguments; an argument that became several
  // has no single name.
  SmallVector<StringRef> names(signature.getConvertedTypes().size());
  for (BlockArgument argument : op.getArguments())
    if (auto input = signature.getInputMapping(argument.getArgNumber());
        input && input->size == 1)
      names[input->inputNo] = getName(argument);
  // Attributes of LLVM functions that MLIR does not know pass through as text.
  Builder builder(op.getContext());
  Attribute attr = builder.getStrArrayAttr(
      {kArgumentNamesAttribute, llvm::join(names, ",")});
  func.setPassthroughAttr(builder.getArrayAttr(attr));
}

/// Returns the lowered function around the insertion point, which may be in a
/// region of an operation of it.
LLVM::LLVMFuncOp getFunction(RewriterBase &rewriter) {
  Operation *parent = rewriter.getInsertionBlock()->getParentOp();
  auto function = dyn_cast<LLVM::LLVMFuncOp>(parent);
  return function ? function : parent->getParentOfType<LLVM::LLVMFuncOp>();
}

/// `tt.func`: a kernel if it is public.
struct FuncOpConversion : OpConversionPattern<triton::FuncOp> {
  FuncOpConversion(const TypeConverter &converter, MLIRContext *context,
                   HiddenArguments hidden)
      : OpConversionPattern(converter, context), hidden(hidden) {}

  LogicalResult
  matchAndRewrite(triton::FuncOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    const TypeConverter &converter = *getTypeConverter();
    // One argument of `tt.func` may become several of the LLVM function.
    TypeConverter::SignatureConversion signature(op.getNumArguments());
    for (auto [i, type] : llvm::enumerate(op.getArgumentTypes())) {
      SmallVector<Type> types;
      if (failed(converter.convertType(type, types)))
        return rewriter.notifyMatchFailure(op, "argument type has no lowering");
      signature.addInputs(i, types);
    }
    SmallVector<Type> results;
    if (failed(converter.convertTypes(op.getResultTypes(), results)))
      return rewriter.notifyMatchFailure(op, "result type has no lowering");

    // They come last, so that positions of the others stay as they are.
    SmallVector<Type> parameters(signature.getConvertedTypes());
    Type hiddenType = LLVM::LLVMPointerType::get(getContext(), 1);
    parameters.append(hidden.size(), hiddenType);
    auto type = LLVM::LLVMFunctionType::get(packResults(getContext(), results),
                                            parameters);
    bool isKernel = op.isPublic();
    // The launch finds kernels by name; all other functions can only be called
    // from here.
    auto func = LLVM::LLVMFuncOp::create(
        rewriter, op.getLoc(), op.getName(), type,
        isKernel ? LLVM::Linkage::External : LLVM::Linkage::Internal,
        /*dsoLocal=*/false,
        isKernel ? LLVM::CConv::SPIR_KERNEL : LLVM::CConv::SPIR_FUNC);
    func.setNoUnwind(true);
    if (isKernel) {
      // The hardware's work-group is one-dimensional: sub-groups follow each
      // other along x.
      int32_t lanes = lookupThreadsPerWarp(op);
      int32_t size = lookupNumWarps(op) * lanes;
      func.setReqdWorkGroupSizeAttr(
          rewriter.getDenseI32ArrayAttr({size, 1, 1}));
      func.setIntelReqdSubGroupSize(lanes);
      attachArgumentNames(op, signature, func);
    } else if (auto noinline = op->getAttrOfType<BoolAttr>("noinline");
               noinline && noinline.getValue()) {
      func.setNoInline(true);
    }
    // The body moves, and its block arguments change with the signature.
    rewriter.inlineRegionBefore(op.getBody(), func.getBody(), func.end());
    if (failed(rewriter.convertRegionTypes(&func.getBody(), converter,
                                           &signature)))
      return failure();
    // After the converted arguments: the conversion of regions knows nothing of
    // them.
    if (!func.isExternal())
      for (unsigned i = 0; i < hidden.size(); ++i)
        func.getBody().front().addArgument(hiddenType, op.getLoc());
    rewriter.eraseOp(op);
    return success();
  }

  HiddenArguments hidden;
};

/// `tt.call`: arguments and results are taken apart and put together as the
/// signature of the callee is.
struct CallOpConversion : OpConversionPattern<triton::CallOp> {
  CallOpConversion(const TypeConverter &converter, MLIRContext *context,
                   HiddenArguments hidden)
      : OpConversionPattern(converter, context), hidden(hidden) {}

  LogicalResult
  matchAndRewrite(triton::CallOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    // Every value may be several after the conversion.
    SmallVector<Value> operands;
    for (ValueRange values : adaptor.getOperands())
      llvm::append_range(operands, values);
    llvm::append_range(operands, hidden.getValues(rewriter));
    // Types of each result's parts, and of all parts in order.
    SmallVector<SmallVector<Type>> types(op.getNumResults());
    SmallVector<Type> flat;
    for (auto [i, type] : llvm::enumerate(op.getResultTypes())) {
      if (failed(getTypeConverter()->convertType(type, types[i])))
        return rewriter.notifyMatchFailure(op, "result type has no lowering");
      llvm::append_range(flat, types[i]);
    }
    auto type = LLVM::LLVMFunctionType::get(
        packResults(getContext(), flat),
        llvm::map_to_vector(operands, [](Value v) { return v.getType(); }));
    auto call = LLVM::CallOp::create(rewriter, op.getLoc(), type,
                                     op.getCallee(), operands);
    call.setCConv(LLVM::CConv::SPIR_FUNC);
    // The callee may contain barriers and sub-group operations.
    call.setConvergent(true);
    // A callee that stops returns here, with results that must not be used.
    if (hidden.hasReport)
      emitStopIfReported(op.getLoc(), rewriter);

    // Of several parts, each is taken out of the struct that the callee
    // returns.
    SmallVector<SmallVector<Value>> replacements(types.size());
    unsigned position = 0;
    for (auto [i, parts] : llvm::enumerate(types))
      for (Type part : parts) {
        (void)part;
        replacements[i].push_back(
            flat.size() == 1
                ? call.getResult()
                : LLVM::ExtractValueOp::create(rewriter, op.getLoc(),
                                               call.getResult(), position)
                      .getResult());
        ++position;
      }
    rewriter.replaceOpWithMultiple(op, std::move(replacements));
    return success();
  }

private:
  /// The callee has returned early if one of its assertions failed. It may have
  /// been another program's; this one need not go on then either.
  static void emitStopIfReported(Location loc,
                                 ConversionPatternRewriter &rewriter) {
    // Volatile, since other programs write it at any time.
    Value number = LLVM::LoadOp::create(rewriter, loc, rewriter.getI32Type(),
                                        getAssertionReport(rewriter),
                                        /*alignment=*/4, /*isVolatile=*/true);
    Value isFailed =
        arith::CmpIOp::create(rewriter, loc, arith::CmpIPredicate::ne, number,
                              constantI32(rewriter, loc, 0));
    emitStopIfAny(rewriter, loc, isFailed);
  }

  /// Handed on.
  HiddenArguments hidden;
};

/// `tt.return`: several values go back as one struct; see `packResults`.
struct ReturnOpConversion : OpConversionPattern<triton::ReturnOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(triton::ReturnOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    SmallVector<Value> values;
    for (ValueRange range : adaptor.getOperands())
      llvm::append_range(values, range);
    if (values.size() > 1) {
      Type type = packResults(
          getContext(),
          llvm::map_to_vector(values, [](Value v) { return v.getType(); }));
      Value packed = LLVM::PoisonOp::create(rewriter, op.getLoc(), type);
      for (auto [i, value] : llvm::enumerate(values))
        packed = LLVM::InsertValueOp::create(rewriter, op.getLoc(), packed,
                                             value, i);
      values = {packed};
    }
    rewriter.replaceOpWithNewOp<LLVM::ReturnOp>(op, values);
    return success();
  }
};

} // namespace

SmallVector<Value> HiddenArguments::getValues(RewriterBase &rewriter) const {
  if (size() == 0)
    return {};
  return llvm::to_vector_of<Value>(
      getFunction(rewriter).getBody().front().getArguments().take_back(size()));
}

Value HiddenArguments::getGlobalScratch(RewriterBase &rewriter) const {
  return getValues(rewriter).front();
}

Value HiddenArguments::getProfileMemory(RewriterBase &rewriter) const {
  return getValues(rewriter)[hasScratch()];
}

Value mlir::triton::gpu::intel::getAssertionReport(RewriterBase &rewriter) {
  // The last one of all.
  return getFunction(rewriter).getBody().front().getArguments().back();
}

void mlir::triton::gpu::intel::populateFuncToLLVMPatterns(
    const RegisterTypeConverter &converter, RewritePatternSet &patterns,
    HiddenArguments hidden) {
  patterns.add<FuncOpConversion, CallOpConversion>(
      converter, patterns.getContext(), hidden);
  patterns.add<ReturnOpConversion>(converter, patterns.getContext());
}
