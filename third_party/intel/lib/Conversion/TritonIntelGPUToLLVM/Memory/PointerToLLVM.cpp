//===- PointerToLLVM.cpp - Lower pointer arithmetic -----------------------===//
// SPDX-License-Identifier: MIT
//
// Scalar pointers stay pointers; a tensor of pointers holds 64-bit addresses,
// since SPIR-V has no vectors of pointers. A tensor in memory is the list of
// its parts (LoweredSurface.h).
//
//===----------------------------------------------------------------------===//

#include "../PatternTritonIntelGPUToLLVM.h"
#include "../Utility/Registers.h"

#include "intel/Dialect/TritonIntelGPU/IR/Dialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "triton/Dialect/Triton/IR/Dialect.h"

using namespace mlir;
using namespace mlir::triton;
using namespace mlir::triton::gpu::intel;

namespace {

/// `tt.addptr`: scalars by `getelementptr`, tensors in 64-bit arithmetic of
/// addresses:
///   %a = arith.extsi %offset : vector<16xi32> to vector<16xi64>
///   %b = arith.muli %a, dense<4> : vector<16xi64>
///   %c = arith.addi %pointer, %b : vector<16xi64>
struct AddPtrOpConversion : OpConversionPattern<AddPtrOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(AddPtrOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    int64_t bytes = getPointeeBytes(op.getType());
    // The scalar case: an integer of the pointee's size as unit serves any
    // type.
    if (!isa<RankedTensorType>(op.getType())) {
      Value pointer = adaptor.getPtr().front();
      Value offset = adaptor.getOffset().front();
      rewriter.replaceOpWithNewOp<LLVM::GEPOp>(
          op, pointer.getType(), rewriter.getIntegerType(8 * bytes), pointer,
          offset);
      return success();
    }
    SmallVector<Value> chunks;
    for (auto [pointer, offset] :
         llvm::zip_equal(adaptor.getPtr(), adaptor.getOffset())) {
      // Offsets of 32 bits are signed.
      if (pointer.getType() != offset.getType())
        offset =
            arith::ExtSIOp::create(rewriter, loc, pointer.getType(), offset);
      // Bytes need no scale.
      if (bytes != 1) {
        TypedAttr scale = rewriter.getI64IntegerAttr(bytes);
        if (auto vector = dyn_cast<VectorType>(pointer.getType()))
          scale = DenseElementsAttr::get(vector, Attribute(scale));
        offset = arith::MulIOp::create(
            rewriter, loc, offset,
            arith::ConstantOp::create(rewriter, loc, scale));
      }
      chunks.push_back(arith::AddIOp::create(rewriter, loc, pointer, offset));
    }
    rewriter.replaceOpWithMultiple(op, {chunks});
    return success();
  }
};

/// `tt.int_to_ptr`: nothing to do for tensors, which hold addresses as
/// integers.
struct IntToPtrOpConversion : OpConversionPattern<triton::IntToPtrOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(triton::IntToPtrOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    if (isa<RankedTensorType>(op.getType()))
      rewriter.replaceOpWithMultiple(op, {adaptor.getSrc()});
    else
      rewriter.replaceOpWithNewOp<LLVM::IntToPtrOp>(
          op, getTypeConverter()->convertType(op.getType()),
          adaptor.getSrc().front());
    return success();
  }
};

/// `tt.ptr_to_int`: the same the other way round.
struct PtrToIntOpConversion : OpConversionPattern<triton::PtrToIntOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(triton::PtrToIntOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    if (isa<RankedTensorType>(op.getType()))
      rewriter.replaceOpWithMultiple(op, {adaptor.getSrc()});
    else
      rewriter.replaceOpWithNewOp<LLVM::PtrToIntOp>(op, op.getType(),
                                                    adaptor.getSrc().front());
    return success();
  }
};

/// `ttig.surface`: its parts side by side.
struct SurfaceOpConversion : OpConversionPattern<SurfaceOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(SurfaceOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOpWithMultiple(op, {adaptor.getOperands()});
    return success();
  }
};

} // namespace

void mlir::triton::gpu::intel::populatePointerToLLVMPatterns(
    const RegisterTypeConverter &converter, RewritePatternSet &patterns) {
  patterns.add<AddPtrOpConversion, IntToPtrOpConversion, PtrToIntOpConversion,
               SurfaceOpConversion>(converter, patterns.getContext());
}
