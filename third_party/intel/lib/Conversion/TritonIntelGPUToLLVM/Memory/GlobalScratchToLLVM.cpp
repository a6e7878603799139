//===- GlobalScratchToLLVM.cpp - Lower memory of a program ----------------===//
// SPDX-License-Identifier: MIT
//
// The launch provides the memory of all programs. Each program has its own
// part, in which tritongpu-allocate-memory has assigned an offset to every
// operation.
//
//===----------------------------------------------------------------------===//

#include "../PatternTritonIntelGPUToLLVM.h"
#include "../Utility/Constants.h"
#include "../Utility/WorkItem.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "triton/Dialect/TritonGPU/IR/Dialect.h"

using namespace mlir;
using namespace mlir::triton::gpu;
using namespace mlir::triton::gpu::intel;

namespace {

/// `ttg.global_scratch_alloc`: an address.
struct GlobalScratchAllocOpConversion
    : OpConversionPattern<GlobalScratchAllocOp> {
  GlobalScratchAllocOpConversion(const TypeConverter &converter,
                                 MLIRContext *context, HiddenArguments hidden)
      : OpConversionPattern(converter, context), hidden(hidden) {}

  LogicalResult
  matchAndRewrite(GlobalScratchAllocOp op, OpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    auto offset = op->getAttrOfType<IntegerAttr>(
        TritonGPUDialect::getGlobalScratchOffsetAttrName());
    if (!offset || !hidden.hasScratch())
      return op.emitOpError("has no place in global scratch: run "
                            "tritongpu-allocate-memory");
    Location loc = op.getLoc();
    // It has 64 bits, because all programs of a launch may need more than 2
    // GiB.
    Value begin =
        arith::MulIOp::create(rewriter, loc, getLinearProgramId(rewriter, loc),
                              constantI64(rewriter, loc, hidden.scratchBytes));
    Value place = arith::AddIOp::create(
        rewriter, loc, begin, constantI64(rewriter, loc, offset.getInt()));
    Value memory = hidden.getGlobalScratch(rewriter);
    rewriter.replaceOpWithNewOp<LLVM::GEPOp>(op, memory.getType(),
                                             rewriter.getI8Type(), memory,
                                             LLVM::GEPArg(place));
    return success();
  }

private:
  HiddenArguments hidden;
};

} // namespace

void mlir::triton::gpu::intel::populateGlobalScratchToLLVMPatterns(
    const RegisterTypeConverter &converter, RewritePatternSet &patterns,
    HiddenArguments hidden) {
  patterns.add<GlobalScratchAllocOpConversion>(converter, patterns.getContext(),
                                               hidden);
}
