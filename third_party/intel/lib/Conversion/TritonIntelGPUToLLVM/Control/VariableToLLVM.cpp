//===- VariableToLLVM.cpp - Lower ttig.variable ---------------------------===//
// SPDX-License-Identifier: MIT
//
// Creates a debug record for each vector of registers, like the record that
// TritonIntelGPUMarkVariables creates for a scalar. The variable is an array of
// registers, each with an element per lane. The record contains the position of
// its first register in this array.
//
//===----------------------------------------------------------------------===//

#include "../PatternTritonIntelGPUToLLVM.h"
#include "../Utility/WorkItem.h"

#include "intel/Dialect/TritonIntelGPU/IR/Dialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "triton/Dialect/TritonGPU/IR/Dialect.h"
#include "triton/Dialect/TritonGPU/IR/LinearLayoutConversions.h"
#include "llvm/BinaryFormat/Dwarf.h"

using namespace mlir;
using namespace mlir::triton;
using namespace mlir::triton::gpu;
using namespace mlir::triton::gpu::intel;

namespace {

/// Returns an array of `extents`, the outermost first, of elements whose type
/// the caller defines.
LLVM::DITypeAttr getArrayType(MLIRContext *context, ArrayRef<int64_t> extents) {
  SmallVector<LLVM::DINodeAttr> ranges;
  for (int64_t extent : extents)
    ranges.push_back(LLVM::DISubrangeAttr::get(
        context, IntegerAttr::get(IntegerType::get(context, 64), extent),
        /*lowerBound=*/Attribute(), /*upperBound=*/Attribute(),
        /*stride=*/Attribute()));
  return LLVM::DICompositeTypeAttr::get(
      context, llvm::dwarf::DW_TAG_array_type, /*name=*/StringAttr(),
      /*file=*/LLVM::DIFileAttr(), /*line=*/0, /*scope=*/LLVM::DIScopeAttr(),
      /*baseType=*/LLVM::DITypeAttr(), LLVM::DIFlags::Zero, /*sizeInBits=*/0,
      /*alignInBits=*/0, /*dataLocation=*/LLVM::DIExpressionAttr(),
      /*rank=*/LLVM::DIExpressionAttr(), /*allocated=*/LLVM::DIExpressionAttr(),
      /*associated=*/LLVM::DIExpressionAttr(), ranges);
}

struct VariableOpConversion : OpConversionPattern<VariableOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(VariableOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    MLIRContext *context = op.getContext();
    SmallVector<int64_t> extents{lookupThreadsPerWarp(op)};
    int64_t numRegisters = getTotalElemsPerThread(op.getValue().getType());
    if (numRegisters > 1)
      extents.insert(extents.begin(), numRegisters);
    auto nowhere = LLVM::DIFileAttr::get(context, "", "");
    // From 1 on, as arguments are numbered; 0 means a scalar.
    unsigned position = 1;
    for (Value registers : adaptor.getValue()) {
      auto variable = LLVM::DILocalVariableAttr::get(
          nowhere, "", nowhere, op.getDefinition(), position,
          /*alignInBits=*/0, getArrayType(context, extents),
          LLVM::DIFlags::Zero);
      LLVM::DbgValueOp::create(rewriter, op.getLoc(), registers, variable,
                               LLVM::DIExpressionAttr::get(context));
      auto vector = dyn_cast<VectorType>(registers.getType());
      position += vector ? vector.getNumElements() : 1;
    }
    rewriter.eraseOp(op);
    return success();
  }
};

} // namespace

void mlir::triton::gpu::intel::populateVariableToLLVMPatterns(
    const RegisterTypeConverter &converter, RewritePatternSet &patterns) {
  patterns.add<VariableOpConversion>(converter, patterns.getContext());
}
