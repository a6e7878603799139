//===- ElementwiseToLLVM.cpp - Lower elementwise operations ---------------===//
// SPDX-License-Identifier: MIT
//
// An elementwise operation on tensors is the same operation on each of the
// vectors that hold the registers: arith and math need no separate pattern:
// upstream's conversions take the vectors to LLVM. The few elementwise
// operations of tt are expressed in arith, math and OpenCL builtins.
//
//===----------------------------------------------------------------------===//

#include "../PatternTritonIntelGPUToLLVM.h"
#include "../Utility/Calls.h"
#include "../Utility/Registers.h"
#include "ElementwiseConversion.h"
#include "FunctionExpansions.h"
#include "OpenCLBuiltins.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "triton/Dialect/Triton/IR/Dialect.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace mlir::triton;
using namespace mlir::triton::gpu::intel;

namespace {

/// arith and math: the same operation on vectors.
struct ElementwiseOpConversion : ConversionPattern {
  /// Matches any operation: arith and math have too many to list.
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
    // Attributes stay: fast-math flags and predicates mean the same on vectors.
    return forEachVector(op, operands, *getTypeConverter(), rewriter,
                         [&](ArrayRef<Type> types, ArrayRef<Value> inputs) {
                           Operation *clone = rewriter.create(
                               op->getLoc(), op->getName().getIdentifier(),
                               inputs, types, op->getAttrs());
                           return SmallVector<Value>(clone->getResults());
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
          // Types may have the same register form, as pointers have.
          if (types[0] == in[0].getType())
            return {in[0]};
          return {
              arith::BitcastOp::create(rewriter, op.getLoc(), types[0], in[0])};
        });
  }
};

/// Returns the function of OpenCL that `op` names, by types of registers; empty
/// where a library that the user links has the symbol.
StringRef findOpenCLFunction(ExternElementwiseOp op,
                             ArrayRef<std::string> externSymbols) {
  if (llvm::is_contained(externSymbols, op.getSymbol()))
    return {};
  auto convertElement = [](Type type) {
    return RegisterTypeConverter::convertElementType(
        getElementTypeOrSelf(type));
  };
  return gpu::intel::findOpenCLFunction(
      op.getSymbol(), convertElement(op.getType()),
      llvm::map_to_vector(op.getOperandTypes(), convertElement));
}

/// The symbol, a function of OpenCL or of a library, is called once per
/// element: vectors are for the compiler only.
struct ExternElementwiseOpConversion
    : OpConversionPattern<ExternElementwiseOp> {
  ExternElementwiseOpConversion(const TypeConverter &converter,
                                MLIRContext *context,
                                ArrayRef<std::string> externSymbols,
                                PatternBenefit benefit)
      : OpConversionPattern(converter, context, benefit),
        externSymbols(externSymbols) {}

  LogicalResult
  matchAndRewrite(ExternElementwiseOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    StringRef function = findOpenCLFunction(op, externSymbols);
    return forEachVector(
        op, adaptor.getOperands(), *getTypeConverter(), rewriter,
        [&](ArrayRef<Type> types, ArrayRef<Value> in) -> SmallVector<Value> {
          if (in.size() == 1 && in[0].getType() == types[0])
            if (Value expanded =
                    expandOpenCLFunction(rewriter, loc, function, in[0]))
              return {expanded};
          unsigned width = getVectorWidth(types[0]);
          // Per operand, a scalar for each element. Scalars of operands that
          // are no tensors are repeated.
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

private:
  ArrayRef<std::string> externSymbols;
};

/// Reports a call of a function that no device has: it would leave an import in
/// the binary that a device compiler drops, or calls at a random address.
LogicalResult verifyExternalCall(ExternElementwiseOp op,
                                 ArrayRef<std::string> externSymbols) {
  // Either a library that the user links has it, or OpenCL.
  if (llvm::is_contained(externSymbols, op.getSymbol()) ||
      !findOpenCLFunction(op, externSymbols).empty())
    return success();
  // The symbol belongs to the library of NVIDIA's or AMD's devices.
  StringRef symbol = op.getSymbol();
  if (symbol.starts_with("__nv_") || symbol.starts_with("__ocml_"))
    return op.emitError("`") << symbol
                             << "` is a function of another device's library; "
                                "use `triton.language.extra.libdevice`, which "
                                "has it by its name there";
  // The message names the types, since the mangled name depends on them.
  InFlightDiagnostic error = op.emitError("`")
                             << symbol
                             << "` is not the mangled name of an OpenCL "
                                "function from (";
  llvm::interleaveComma(op.getOperandTypes(), error, [&](Type type) {
    error << getElementTypeOrSelf(type);
  });
  return error << ") to " << getElementTypeOrSelf(op.getType());
}

} // namespace

LogicalResult mlir::triton::gpu::intel::verifyElementwiseOperations(
    ModuleOp module, ArrayRef<std::string> externSymbols) {
  // The first error is enough, others would repeat it.
  WalkResult result = module.walk([&](Operation *op) -> WalkResult {
    if (auto external = dyn_cast<ExternElementwiseOp>(op))
      return verifyExternalCall(external, externSymbols);
    if (isa<ElementwiseInlineAsmOp>(op))
      return op->emitError("inline assembly has no lowering; it is translated "
                           "in TTIR, by "
                           "`triton-intel-translate-inline-assembly`");
    return WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}

void mlir::triton::gpu::intel::populateElementwiseToLLVMPatterns(
    const RegisterTypeConverter &converter, RewritePatternSet &patterns,
    ArrayRef<std::string> externSymbols) {
  MLIRContext *context = patterns.getContext();
  patterns.add<ElementwiseOpConversion>(converter, context);
  // A higher benefit than that of the pattern that matches anything.
  patterns.add<BitcastOpConversion>(converter, context, /*benefit=*/2);
  patterns.add<ExternElementwiseOpConversion>(converter, context, externSymbols,
                                              /*benefit=*/2);
}
