//===- PointerToLLVM.cpp - Lower pointer arithmetic -----------------------===//
// SPDX-License-Identifier: MIT
//
// Scalar pointers stay pointers; a tensor of pointers holds 64-bit addresses,
// since SPIR-V has no vectors of pointers. A block pointer is the list of its
// parts (BlockPointer.h), of which only the offsets ever change.
//
//===----------------------------------------------------------------------===//

#include "../PatternTritonIntelGPUToLLVM.h"
#include "../Utility/Registers.h"
#include "BlockPointer.h"

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

/// `tt.make_tensor_ptr`: its parts side by side,
///   base, shape[rank], strides[rank], offsets[rank]
/// Messages have coordinates of 32 bits, so that offsets get these, too.
struct MakeTensorPtrOpConversion : OpConversionPattern<MakeTensorPtrOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(MakeTensorPtrOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    SmallVector<Value> parts{adaptor.getBase()};
    llvm::append_range(parts, adaptor.getShape());
    llvm::append_range(parts, adaptor.getStrides());
    Type coordinate = rewriter.getI32Type();
    for (Value offset : adaptor.getOffsets())
      parts.push_back(offset.getType() == coordinate
                          ? offset
                          : arith::TruncIOp::create(rewriter, op.getLoc(),
                                                    coordinate, offset));
    rewriter.replaceOpWithMultiple(op, {parts});
    return success();
  }
};

/// `tt.advance`: adds the steps to the offsets. The other parts stay, so that a
/// loop carries only what changes.
struct AdvanceOpConversion : OpConversionPattern<AdvanceOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(AdvanceOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    SmallVector<Value> parts(adaptor.getPtr());
    unsigned rank = adaptor.getOffsets().size();
    for (auto [i, step] : llvm::enumerate(adaptor.getOffsets())) {
      // The offsets lie behind the base, the shape and the strides.
      Value &offset = parts[1 + 2 * rank + i];
      offset =
          arith::AddIOp::create(rewriter, op.getLoc(), offset, step.front());
    }
    rewriter.replaceOpWithMultiple(op, {parts});
    return success();
  }
};

} // namespace

void mlir::triton::gpu::intel::populatePointerToLLVMPatterns(
    const RegisterTypeConverter &converter, RewritePatternSet &patterns) {
  patterns.add<AddPtrOpConversion, IntToPtrOpConversion, PtrToIntOpConversion,
               MakeTensorPtrOpConversion, AdvanceOpConversion>(
      converter, patterns.getContext());
}
